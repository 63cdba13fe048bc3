use std::path::PathBuf;

/// Options of `cargo xtask schemas`.
#[derive(Debug, clap::Args)]
pub struct SchemasArgs {
    /// The wheel of cfn-lint, as `pip download --no-deps cfn-lint` writes it.
    #[arg(long, value_name = "WHEEL")]
    pub from: PathBuf,
    /// Write nothing; fail when the committed table is not what the wheel results in.
    #[arg(long)]
    pub check: bool,
    /// Take a wheel whose schemas are older than those of the committed table.
    #[arg(long)]
    pub older: bool,
}
