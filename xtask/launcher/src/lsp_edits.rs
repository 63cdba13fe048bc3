use std::path::PathBuf;

/// Options of `cargo xtask lsp-edits`.
#[derive(Debug, clap::Args)]
pub struct LspEditsArgs {
    /// Edits in all.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub edits: u32,
    /// How many of them are in generated projects.
    #[arg(long, value_name = "N", default_value_t = 250_000)]
    pub in_projects: u32,
    /// Generated projects.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub projects: u32,
    /// Edit the templates below this directory; several times for several. The default is what there is of
    /// ../shared/realworld and ../shared/conformance, examples and tests/fixtures.
    #[arg(long, value_name = "DIR")]
    pub over: Vec<PathBuf>,
    /// Begin random numbers elsewhere.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// Take the build of the tests, which is there after `cargo test --workspace`.
    #[arg(long)]
    pub debug: bool,
}
