//! Builds the program that is released: Cargo's profile `release` for a target.

use std::path::PathBuf;
use std::process::Command;

use super::platform::Platform;
use crate::command::{finish, repository};

/// Builds the program for a platform and returns its path. The same checkout and toolchain build the same bytes.
///
/// # Errors
/// When Cargo fails, as it does without the target's library or a linker for it.
pub(super) fn build(platform: &Platform) -> Result<PathBuf, String> {
    let root = repository();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--locked", "--release", "--package", "formwork-cli", "--bin", "formwork"]);
    cargo.args(platform.feature_words());
    finish(cargo.args(["--target", platform.triple]).current_dir(&root))
        .map_err(|trouble| format!("{trouble}\nA build for {} needs: {}", platform.triple, platform.needs))?;
    Ok(root.join("target").join(platform.triple).join("release").join(platform.program))
}
