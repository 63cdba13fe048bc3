//! Arguments of `migrate`.

use clap::Subcommand;

use super::FileArgs;

#[derive(Debug, Subcommand)]
pub(crate) enum MigrateCommand {
    /// Convert rain directives that have an equivalent, and report the others.
    ///
    /// Keeps comments and layout. Prints the result to standard output.
    Rain(FileArgs),
}
