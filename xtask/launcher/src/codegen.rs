/// Options of `cargo xtask codegen`.
#[derive(Debug, clap::Args)]
pub struct CodegenArgs {
    /// Write nothing; fail when a file is not what it should be.
    #[arg(long)]
    pub check: bool,
}
