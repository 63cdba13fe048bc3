use std::path::PathBuf;

/// Options of `cargo xtask serverless`.
#[derive(Debug, clap::Args)]
pub struct ServerlessArgs {
    /// The wheel of aws-sam-translator, as `pip download --no-deps aws-sam-translator` writes it.
    #[arg(long, value_name = "WHEEL")]
    pub from: PathBuf,
    /// Write nothing; fail when the committed table is not what the wheel results in.
    #[arg(long)]
    pub check: bool,
}
