//! Builds the program that is released: Cargo's profile `release` for a target.

use std::path::PathBuf;
use std::process::Command;

use super::platform::{GLIBC, Platform};
use crate::command::{finish, repository};

/// Builds the program for a platform and returns its path. The same checkout and toolchain build the same bytes. A program for
/// glibc is linked by zig with the oldest one that it has to run with.
///
/// # Errors
/// When Cargo fails, as it does without the target's library or a linker for it.
pub(super) fn build(platform: &Platform) -> Result<PathBuf, String> {
    let (command, target) = if platform.has_glibc() {
        let (major, minor) = GLIBC;
        ("zigbuild", format!("{}.{major}.{minor}", platform.triple))
    } else {
        ("build", platform.triple.to_owned())
    };
    run(&[command, "--target", &target], platform)?;
    Ok(repository().join("target").join(platform.triple).join("release").join(platform.program))
}

/// Builds the program with the C library of this machine, as `cargo install` does.
///
/// # Errors
/// When Cargo fails.
pub(super) fn build_here(platform: &Platform) -> Result<PathBuf, String> {
    run(&["build"], platform)?;
    Ok(repository().join("target/release").join(platform.program))
}

fn run(words: &[&str], platform: &Platform) -> Result<(), String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(words).args(["--locked", "--release", "--package", "formwork-cli", "--bin", "formwork"]);
    finish(cargo.args(platform.feature_words()).current_dir(repository()))
        .map_err(|trouble| format!("{trouble}\nA build for {} needs: {}", platform.triple, platform.needs))
}
