//! `cargo xtask`: work on the project itself.
#![allow(clippy::disallowed_methods, reason = "a program for developers: files and the clock are its work")]
#![allow(clippy::print_stderr, clippy::print_stdout, reason = "a program for developers: it prints")]

mod archive;
mod bench;
mod bench_local;
mod bench_package;
mod bench_sam;
mod codegen;
mod command;
mod dist;
mod lsp_edits;
#[cfg(test)]
mod pages;
mod schemas;
mod serverless;

use std::process::ExitCode;

use clap::Parser;
use xtask_launcher::{Cli, Command};

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<(), String> {
    match command {
        Command::Codegen(args) => codegen::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::BenchLocal(args) => bench_local::run(&args),
        Command::BenchPackage(args) => bench_package::run(&args),
        Command::BenchSam(args) => bench_sam::run(&args),
        Command::Dist(args) => dist::run(&args),
        Command::LspEdits(args) => lsp_edits::run(&args),
        Command::Schemas(args) => schemas::run(&args),
        Command::Serverless(args) => serverless::run(&args),
    }
}
