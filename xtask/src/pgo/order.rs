//! The order of functions in the program: what runs call one after the other is put on the same pages. The kernel reads
//! the program page by page, as functions are called for the first time; without an order a start that calls some thousand of
//! them touches all parts of it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::output;

/// Makes the program that counts note when each function is called for the first time.
pub(super) const COUNTING_FLAG: &str = "-Cllvm-args=-pgo-temporal-instrumentation";

/// Writes the names of functions, in the order that a profile suggests.
///
/// # Errors
/// When the tool fails, or the file cannot be written.
pub(super) fn write(profdata: &Path, profile: &Path, order: &Path) -> Result<(), String> {
    let names = output(Command::new(profdata).arg("order").arg(profile))?;
    let trouble = |error: std::io::Error| format!("{}: {error}", order.display());
    fs::create_dir_all(order.parent().unwrap_or(order)).map_err(trouble)?;
    fs::write(order, names).map_err(trouble)
}

/// What makes LLVM's linker, which the compiler brings in a directory, put them in this order.
pub(super) fn link_flags(order: &Path, tools: &Path) -> Vec<String> {
    let names = format!("-Wl,--symbol-ordering-file={}", order.display());
    let place = format!("-B{}", tools.join("gcc-ld").display());
    // Functions that were inlined everywhere have no place.
    let flags = ["-fuse-ld=lld", &place, &names, "-Wl,--no-warn-symbol-ordering"];
    flags.map(|flag| format!("-Clink-arg={flag}")).into()
}
