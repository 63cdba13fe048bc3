//! `cargo xtask dist`: the files of a release, from a clean checkout.
//!
//! An archive with the program, completions, manual pages, licences and a bill of materials; a Python wheel and an npm
//! package that carry the same program; a Homebrew formula and a Scoop manifest with the sums of the archives; checksums
//! of all. The same checkout, toolchain and profile of
//! runs produce the same bytes: the profile is one of the files.

mod archive;
mod dependencies;
mod npm;
mod platform;
mod sbom;
mod staging;
mod templates;
mod wheel;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::command::{output, repository};
use crate::pgo::{self, Built};
use platform::Platform;
use staging::Staging;

/// Its options.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Build for this target, and not for this machine.
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// Write the files into this directory.
    #[arg(long, value_name = "DIR", default_value = "target/release-files")]
    out: PathBuf,
    /// Take this program instead of building one.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Optimize by this profile of runs, a `.profdata` of a release, instead of running a training.
    #[arg(long, value_name = "FILE", conflicts_with = "binary")]
    profile: Option<PathBuf>,
}

/// The name of the distribution on `PyPI` and npm: `formwork` is taken there.
const DISTRIBUTION: &str = "formwork-cfn";
const SUMMARY: &str = "CloudFormation loops, modules and checks on your machine";
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
const VERSION: &str = env!("CARGO_PKG_VERSION");
const LICENCE: &str = "MIT OR Apache-2.0";

/// Builds the program and writes the files.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let platform = args.target.as_deref().map_or_else(Platform::of_this_machine, Platform::of)?;
    let built = match &args.binary {
        Some(binary) => Built { program: binary.clone(), profile: None },
        None => build(platform, args.profile.as_deref())?,
    };
    let binary = built.program;
    let program = read(&binary)?;
    let root = repository();
    let found = dependencies::find(&root, platform.triple)?;
    let staging = stage(&root, &binary, &program, &found)?;
    fs::create_dir_all(&args.out).map_err(|error| failed(&args.out, &error))?;
    let description = String::from_utf8_lossy(&read(&root.join("README.md"))?).into_owned();
    write(&args.out, &format!("{}.tar.gz", archive::name(platform)), &archive::pack(platform, &staging)?)?;
    write(&args.out, &wheel::file_name(platform), &wheel::pack(platform, &program, &staging, &description)?)?;
    write(&args.out, &npm::file_name(), &npm::pack(platform, &program, &staging, &description)?)?;
    if let Some(profile) = built.profile {
        write(&args.out, &format!("{}.profdata", archive::name(platform)), &read(&profile)?)?;
    }
    for (name, text) in templates::fill(&root, &args.out)? {
        write(&args.out, &name, text.as_bytes())?;
    }
    checksums(&args.out)
}

/// Builds the program that is released for this machine.
///
/// # Errors
/// When nothing is released for it, or it cannot be built.
pub(crate) fn build_for_this_machine() -> Result<PathBuf, String> {
    Ok(build(Platform::of_this_machine()?, None)?.program)
}

fn build(platform: &Platform, profile: Option<&Path>) -> Result<Built, String> {
    pgo::build(platform.triple, profile)
        .map_err(|trouble| format!("{trouble}\nA build for {} needs: {}", platform.triple, platform.needs))
}

/// Everything in the archive but the program's directory name.
fn stage(root: &Path, binary: &Path, program: &[u8], found: &[dependencies::Dependency]) -> Result<Staging, String> {
    let mut staging = Staging::default();
    staging.add_program("formwork", program.to_vec());
    for name in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        staging.add(name, read(&root.join(name))?);
    }
    staging.add("THIRD-PARTY-LICENSES.txt", dependencies::licences(found).into_bytes());
    staging.add("sbom.cdx.json", sbom::write(found)?.into_bytes());
    for (shell, file) in
        [("bash", "formwork.bash"), ("zsh", "_formwork"), ("fish", "formwork.fish"), ("powershell", "_formwork.ps1")]
    {
        staging.add(format!("completions/{file}"), output(Command::new(binary).args(["completions", shell]))?);
    }
    let pages = std::env::temp_dir().join(format!("formwork-man-{}", std::process::id()));
    output(Command::new(binary).args(["man", "-o"]).arg(&pages))?;
    let result = add_all(&mut staging, "man/man1", &pages);
    let _ = fs::remove_dir_all(&pages);
    result.map(|()| staging)
}

fn add_all(staging: &mut Staging, place: &str, directory: &Path) -> Result<(), String> {
    for entry in fs::read_dir(directory).map_err(|error| failed(directory, &error))? {
        let entry = entry.map_err(|error| failed(directory, &error))?;
        staging.add(format!("{place}/{}", entry.file_name().to_string_lossy()), read(&entry.path())?);
    }
    Ok(())
}

/// `SHA256SUMS` of all files of the directory, in the order of their names.
fn checksums(out: &Path) -> Result<(), String> {
    const SUMS: &str = "SHA256SUMS";
    let mut names = Vec::new();
    for entry in fs::read_dir(out).map_err(|error| failed(out, &error))? {
        let name = entry.map_err(|error| failed(out, &error))?.file_name().to_string_lossy().into_owned();
        names.extend(Some(name).filter(|name| name != SUMS));
    }
    names.sort();
    let mut sums = String::new();
    for name in names {
        let path = out.join(&name);
        if path.is_file() {
            let _ = writeln!(sums, "{}  {name}", sum(&read(&path)?));
        }
    }
    write(out, SUMS, sums.as_bytes())
}

fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |sum, byte| format!("{sum}{byte:02x}"))
}

fn write(out: &Path, name: &str, bytes: &[u8]) -> Result<(), String> {
    let path = out.join(name);
    fs::write(&path, bytes).map_err(|error| failed(&path, &error))?;
    println!("{} {}", path.display(), bytes.len());
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| failed(path, &error))
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
