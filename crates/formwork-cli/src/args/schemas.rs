//! Arguments about what is known of resource types (reference/schemas.md).

use std::path::PathBuf;

use clap::Args;

use super::ReportFormatArg;

/// What is known of resource types.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Resource types")]
pub(crate) struct SchemaArgs {
    /// Read schemas of private resource types from the JSON files of this directory; repeatable, later ones win.
    #[arg(long, value_name = "DIR")]
    pub(crate) schemas: Vec<PathBuf>,
    /// Do not check the properties of resources against the schemas of their types.
    #[arg(long, conflicts_with = "schemas")]
    pub(crate) no_schemas: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SchemasArgs {
    /// The resource type, such as `AWS::SQS::Queue`; without it, the date and the size of what is known.
    #[arg(value_name = "TYPE")]
    pub(crate) resource_type: Option<String>,
    /// Print the result in this format [default: text].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    /// Read schemas of private resource types from the JSON files of this directory; repeatable, later ones win.
    #[arg(long, value_name = "DIR")]
    pub(crate) schemas: Vec<PathBuf>,
}
