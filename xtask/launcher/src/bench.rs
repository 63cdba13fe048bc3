use std::path::PathBuf;

/// Options of `cargo xtask bench`.
#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    /// Only rows whose name contains this text, and those that they are compared with.
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Rounds; each runs the program several times and the floor once, for every row.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Measure this program instead of building one.
    #[arg(long, value_name = "FILE")]
    pub binary: Option<PathBuf>,
    /// The directory with generate.py and floor/.
    #[arg(long, value_name = "DIR", default_value = "../shared/bench")]
    pub bench: PathBuf,
    /// Count instructions, too, with valgrind.
    #[arg(long)]
    pub instructions: bool,
    /// Measure the same work of other programs, those that are installed, in the place of the rows.
    #[arg(long)]
    pub peers: bool,
    /// Measure how cost grows with the input, shape by shape, in the place of the rows.
    #[arg(long)]
    pub growth: bool,
    /// Print the figures and do not fail when one is above its bar.
    #[arg(long)]
    pub no_fail: bool,
}

/// Options of `cargo xtask bench-local`.
#[derive(Debug, clap::Args)]
pub struct BenchLocalArgs {
    /// Rounds; each asks everything once.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Measure this program.
    #[arg(long, value_name = "FILE", default_value = "target/release/formwork")]
    pub binary: PathBuf,
    /// Print the figures and do not fail when one is above its bar.
    #[arg(long)]
    pub no_fail: bool,
    /// Run the handler of the measured `bootstrap`, as one or behind a pipe.
    #[arg(long, value_name = "WORK", hide = true)]
    pub handler: Option<Handler>,
}

/// How the program runs a handler.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Handler {
    /// Behind the Runtime API.
    Bootstrap,
    /// Behind a pipe.
    Pipe,
}

/// Options of `cargo xtask bench-sam`.
#[derive(Debug, clap::Args)]
pub struct BenchSamArgs {
    /// Rounds; each builds every project with both programs.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Measure this program.
    #[arg(long, value_name = "FILE", default_value = "target/release/formwork")]
    pub binary: PathBuf,
    /// The SAM CLI to compare with.
    #[arg(long, value_name = "FILE", default_value = "sam")]
    pub sam: PathBuf,
}

/// Options of `cargo xtask bench-package`.
#[derive(Debug, clap::Args)]
pub struct BenchPackageArgs {
    /// Rounds; each runs everything once.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Measure this program.
    #[arg(long, value_name = "FILE", default_value = "target/release/formwork")]
    pub binary: PathBuf,
    /// Do the work of the floor on a directory and end.
    #[arg(long, value_name = "WORK", hide = true)]
    pub floor: Option<Floor>,
    /// The directory of the floor.
    #[arg(long, value_name = "DIR", hide = true)]
    pub folder: Option<PathBuf>,
}

/// What must be done in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Floor {
    /// Read and deflate.
    Deflate,
    /// Read and hash.
    Hash,
}
