//! `cargo xtask bench`

/// Its options.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

/// Does it.
pub(crate) fn run(_: &Args) -> Result<(), String> {
    Ok(())
}
