//! Arguments of `build` (reference/build.md#options).

use std::path::PathBuf;

use clap::Args;

use super::{FormatArg, InputArgs, ReportArgs};

#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// The template; by default template.yaml, template.yml or template.json in the working directory.
    pub(crate) template: Option<PathBuf>,
    /// The template, as SAM CLI takes it.
    #[arg(short, long, visible_alias = "template", value_name = "FILE", conflicts_with = "template")]
    pub(crate) template_file: Option<PathBuf>,
    /// Build this resource alone, by its logical ID after expansion; repeatable.
    #[arg(long, value_name = "LOGICAL_ID")]
    pub(crate) resource: Vec<String>,
    /// Do not build this resource; repeatable.
    #[arg(short = 'x', long, value_name = "LOGICAL_ID")]
    pub(crate) exclude: Vec<String>,
    /// The directory for the products and the template that names them; by default .formwork/build beside the
    /// template.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) build_dir: Option<PathBuf>,
    /// The directory that paths of sources start from; by default that of the template.
    #[arg(short = 's', long, value_name = "DIR")]
    pub(crate) base_dir: Option<PathBuf>,
    /// Keep products whose sources did not change; the default.
    #[arg(short, long, overrides_with = "no_cached")]
    pub(crate) cached: bool,
    /// Build everything again.
    #[arg(long)]
    pub(crate) no_cached: bool,
    /// Build in parallel; the default.
    #[arg(short, long)]
    pub(crate) parallel: bool,
    /// Build so many sources at once; by default as many as there are processors.
    #[arg(short, long, value_name = "NUMBER")]
    pub(crate) jobs: Option<usize>,
    /// Run the tools in the directories of the sources, not in copies.
    #[arg(long)]
    pub(crate) build_in_source: bool,
    /// Put the packages of Python and Node.js functions into layers of their own, in a nested stack.
    #[arg(long)]
    pub(crate) dependency_layer: bool,
    /// The manifest in the place of each source's own, such as a requirements.txt.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) manifest: Option<PathBuf>,
    /// Format of the built template; by default that of the template.
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<FormatArg>,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
