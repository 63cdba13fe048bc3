//! Arguments about what is known of resource types (reference/schemas.md).

use std::path::PathBuf;

use clap::Args;

/// Options of the schemas of resource types.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Resource types")]
pub struct SchemaArgs {
    /// Read schemas of private resource types from the JSON files of this directory; repeatable, later ones win.
    #[arg(long, value_name = "DIR")]
    pub schemas: Vec<PathBuf>,
    /// Do not check the properties of resources against the schemas of their types.
    #[arg(long, conflicts_with = "schemas")]
    pub no_schemas: bool,
}
