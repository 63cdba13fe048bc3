//! `cargo xtask`: help and mistakes of the command line are answered here, everything else by the package `xtask`.
#![allow(clippy::print_stderr, reason = "a program for developers: it prints")]
#![allow(clippy::disallowed_methods, reason = "a program for developers: cargo sets its environment")]

use std::process::ExitCode;

use clap::Parser;
use xtask_launcher::Cli;

fn main() -> ExitCode {
    let _ = Cli::parse();
    let mut cargo = xtask_launcher::cargo();
    cargo.args(["run", "--quiet", "--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"), "--"]);
    match cargo.args(std::env::args_os().skip(1)).status() {
        Ok(status) => status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from),
        Err(error) => {
            eprintln!("error: cargo cannot be run: {error}");
            ExitCode::FAILURE
        }
    }
}
