//! Arguments of commands that print a template.

use std::path::{Path, PathBuf};

use clap::Args;
use formwork::Format;
use formwork_run::args::{ServerlessArgs, words};

/// What commands that print a template take.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write the output in this format [default: that of the name of the output file, else that of the template].
    #[arg(long, value_name = "FORMAT", value_parser = words(&FORMATS))]
    pub(crate) format: Option<Format>,
    /// Write to this file instead of standard output; below this directory for several templates, or with a separator
    /// at its end. Relative paths in the template are rewritten for it.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write a source map to this file: the origin of every node of the output, as JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) source_map: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) serverless: ServerlessArgs,
    /// Leave out mappings and conditions that only evaluated parts used; under `resolve` and `--values all` also
    /// parameters.
    #[arg(long)]
    pub(crate) prune: bool,
    /// Add the AWS CLI's metrics marker to the template's Metadata if it uses modules.
    #[arg(long)]
    pub(crate) metrics: bool,
    /// Add `Metadata.SourceMap` to every resource of a module: file, ID there, line.
    #[arg(long)]
    pub(crate) metadata_source_map: bool,
}

/// The words of `--format` of commands that write a template.
pub(super) const FORMATS: [(&[&str], Format); 2] = [(&["yaml"], Format::Yaml), (&["json"], Format::Json)];

/// The format that the name of a file means: `x.json` is JSON.
pub(crate) fn format_of_file(path: &Path) -> Option<Format> {
    let extension = path.extension()?.to_str()?;
    match extension.to_ascii_lowercase().as_str() {
        "json" => Some(Format::Json),
        "yaml" | "yml" => Some(Format::Yaml),
        _ => None,
    }
}
