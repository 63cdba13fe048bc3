use std::path::PathBuf;

/// Options of `cargo xtask dist`.
#[derive(Debug, clap::Args)]
pub struct DistArgs {
    /// Build for this target, and not for this machine.
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// Write the files into this directory.
    #[arg(long, value_name = "DIR", default_value = "target/release-files")]
    pub out: PathBuf,
    /// Take this program instead of building one. It must be one for the target, and of this version.
    #[arg(long, value_name = "FILE")]
    pub binary: Option<PathBuf>,
    /// Optimize by this profile of runs, a `.profdata` of a release, instead of one of a training. The same checkout, toolchain and
    /// profile build the same program.
    #[arg(long, value_name = "FILE", conflicts_with = "binary")]
    pub profile: Option<PathBuf>,
    /// Print completions and manual pages with this program, where the one for the target does not run. Without it, Cargo
    /// builds one.
    #[arg(long, value_name = "FILE")]
    pub host_binary: Option<PathBuf>,
    /// Write nothing but what is made of the archives in the directory: checksums, and the files of package managers.
    #[arg(long, conflicts_with_all = ["target", "binary", "host_binary", "profile"])]
    pub sums: bool,
}
