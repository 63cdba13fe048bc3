//! Arguments about what is known of resource types (reference/schemas.md).

use std::path::PathBuf;

use clap::Args;

use formwork_run::console::ReportFormat;

#[derive(Debug, Args)]
pub(crate) struct SchemasArgs {
    /// The resource type, such as `AWS::SQS::Queue`; without it, the date and the size of what is known.
    #[arg(value_name = "TYPE")]
    pub(crate) resource_type: Option<String>,
    /// Print the result in this format [default: text].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormat>,
    /// Read schemas of private resource types from the JSON files of this directory; repeatable, later ones win.
    #[arg(long, value_name = "DIR")]
    pub(crate) schemas: Vec<PathBuf>,
}
