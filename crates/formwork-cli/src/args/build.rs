//! Arguments of `build` (reference/build.md#options).

use std::path::PathBuf;

use clap::Args;
use formwork::Format;
use formwork_run::args::{InputArgs, words};
use formwork_run::console::ReportArgs;

use super::output::FORMATS;

#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// The template [default: template.yaml, template.yml or template.json].
    pub(crate) template: Option<PathBuf>,
    /// The template; the same as TEMPLATE.
    #[arg(short, long, visible_alias = "template", value_name = "FILE", conflicts_with = "template")]
    pub(crate) template_file: Option<PathBuf>,
    /// Build only this resource, by its logical ID in the expanded template; repeatable.
    #[arg(long, value_name = "LOGICAL_ID")]
    pub(crate) resource: Vec<String>,
    /// Do not build this resource; repeatable.
    #[arg(short = 'x', long, value_name = "LOGICAL_ID")]
    pub(crate) exclude: Vec<String>,
    /// Write artifacts and the built template to this directory [default: .formwork/build next to the template].
    #[arg(short, long, value_name = "DIR")]
    pub(crate) build_dir: Option<PathBuf>,
    /// Resolve relative source paths from this directory [default: the directory of the template].
    #[arg(short = 's', long, value_name = "DIR")]
    pub(crate) base_dir: Option<PathBuf>,
    /// Reuse artifacts whose sources have not changed. This is the default.
    #[arg(short, long, overrides_with = "no_cached")]
    pub(crate) cached: bool,
    /// Build everything again.
    #[arg(long)]
    pub(crate) no_cached: bool,
    /// Build in parallel. This is the default.
    #[arg(short, long)]
    pub(crate) parallel: bool,
    /// Build this many sources in parallel [default: the number of processors].
    #[arg(short, long, value_name = "NUMBER")]
    pub(crate) jobs: Option<usize>,
    /// Run build tools in the source directories instead of copies.
    #[arg(long)]
    pub(crate) build_in_source: bool,
    /// Put the dependencies of Python and Node.js functions into layers, in a nested stack.
    #[arg(long)]
    pub(crate) dependency_layer: bool,
    /// Use this manifest, such as a requirements.txt, instead of the one in each source directory.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) manifest: Option<PathBuf>,
    /// Write the built template in this format [default: the format of the template].
    #[arg(long, value_name = "FORMAT", value_parser = words(&FORMATS), help_heading = "Output")]
    pub(crate) format: Option<Format>,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
