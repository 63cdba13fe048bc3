//! Arguments of `package`.

use std::path::PathBuf;

use clap::Args;
use formwork::Format;
use formwork_run::args::{InputArgs, ServerlessArgs, UploadArgs, words};
use formwork_run::console::ReportArgs;
use formwork_upload::Symlinks;

use super::output::FORMATS;

const SYMLINKS: [(&[&str], Symlinks); 2] = [(&["follow"], Symlinks::Follow), (&["keep"], Symlinks::Keep)];

#[derive(Debug, Args)]
pub(crate) struct PackageArgs {
    /// The template, or `-` for standard input [default: the built template, else template.yaml, template.yml or
    /// template.json].
    pub(crate) template: Option<PathBuf>,
    /// The template; the same as TEMPLATE.
    #[arg(short, long, visible_alias = "template", value_name = "FILE", conflicts_with = "template")]
    pub(crate) template_file: Option<PathBuf>,
    /// Print what would be uploaded, as JSON, and upload nothing.
    #[arg(long)]
    pub(crate) plan: bool,
    /// Expand every loop in the packaged template.
    #[arg(long)]
    pub(crate) expand: bool,
    /// Record in the template's Metadata which parameter values its loops were packaged with.
    #[arg(long)]
    pub(crate) record: bool,
    /// Follow symbolic links in directories, or keep them as links.
    #[arg(long, value_name = "WHAT", default_value = "follow", value_parser = words(&SYMLINKS))]
    pub(crate) symlinks: Symlinks,
    /// Write to this file instead of standard output.
    #[arg(short, long, visible_alias = "output-template-file", value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Write the output in this format [default: that of the name of the output file, else that of the template].
    #[arg(long, value_name = "FORMAT", value_parser = words(&FORMATS), help_heading = "Output")]
    pub(crate) format: Option<Format>,
    /// The same as `--format json`.
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub(crate) use_json: bool,
    /// Add the AWS CLI's metrics marker to the template's Metadata if it uses modules.
    #[arg(long, help_heading = "Output")]
    pub(crate) metrics: bool,
    /// Add `Metadata.SourceMap` to every resource of a module: file, ID there, line.
    #[arg(long, help_heading = "Output")]
    pub(crate) metadata_source_map: bool,
    #[command(flatten)]
    pub(crate) serverless: ServerlessArgs,
    #[command(flatten)]
    pub(crate) upload: UploadArgs,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
