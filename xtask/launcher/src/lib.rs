//! The commands and options of `cargo xtask`.
//!
//! They are a crate of their own, so that help and mistakes of the command line need no build of what does the work: the
//! program of this crate parses them, and then lets Cargo run the package `xtask` with the same words.

mod bench;
mod cargo;
mod codegen;
mod dist;
mod lsp_edits;
mod schemas;
mod serverless;

use clap::{Parser, Subcommand};

pub use bench::{BenchArgs, BenchLocalArgs, BenchPackageArgs, BenchSamArgs, Floor, Handler};
pub use cargo::cargo;
pub use codegen::CodegenArgs;
pub use dist::DistArgs;
pub use lsp_edits::LspEditsArgs;
pub use schemas::SchemasArgs;
pub use serverless::ServerlessArgs;

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write the pages and schemas that are generated from the source.
    Codegen(CodegenArgs),
    /// Measure the program against the floor: ratios, not times.
    Bench(BenchArgs),
    /// Measure warm requests of `formwork local` against the handler behind a bare pipe.
    BenchLocal(BenchLocalArgs),
    /// Measure packaging against reading and deflating its files once.
    BenchPackage(BenchPackageArgs),
    /// Measure `formwork build` against `sam build`.
    BenchSam(BenchSamArgs),
    /// Write the files of a release: archive, wheel, npm packages, checksums.
    Dist(DistArgs),
    /// Edit templates and generated projects at random in the language server.
    LspEdits(LspEditsArgs),
    /// Write the table of resource types from the wheel of cfn-lint.
    Schemas(SchemasArgs),
    /// Write the facts of the serverless transform from the wheel of aws-sam-translator.
    Serverless(ServerlessArgs),
}
