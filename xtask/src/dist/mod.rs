//! `cargo xtask dist`: the files of a release, from a clean checkout.
//!
//! An archive with the program, completions, manual pages, licences and a bill of materials; a Python wheel and an npm
//! package that carry the same program; the npm package that people install; a Homebrew formula with the sums of the
//! archives; checksums of all, with launchers and pages from `packaging`. The program is that of Cargo's profile `release`, which
//! `cargo install` and packagers use, too, optimized by counts of what runs do (`profile`). These are among the files: the same
//! checkout, toolchain and counts produce the same bytes.
//!
//! For Linux there are two programs (`platform`). The first is linked with glibc, by zig with that of manylinux2014, so
//! that it runs on every distribution of the last ten years; `cargo xtask bench` measures this program, linked with the
//! glibc of the machine. The second is static, linked with musl, and runs wherever the kernel does. Its allocator is
//! mimalloc: that of musl has one lock for all threads. No other target uses it. The npm package has the static one
//! alone: Node's start takes longer than any difference between them, and not every npm asks for the C library.

mod archive;
mod build;
mod dependencies;
#[cfg(all(test, unix))]
mod installed;
mod npm;
#[cfg(all(test, unix))]
mod pages;
mod platform;
mod profile;
mod program;
mod sbom;
mod staging;
mod templates;
mod wheel;
#[cfg(test)]
mod workflow;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};
use xtask_launcher::DistArgs;

use crate::command::{finish, output, repository};
use platform::Platform;
use staging::Staging;

/// The name of the distribution on `PyPI` and npm: `formwork` is taken there.
const DISTRIBUTION: &str = "formwork-cfn";
const SUMMARY: &str = "CloudFormation loops, modules and checks on your machine";
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
const VERSION: &str = env!("CARGO_PKG_VERSION");
const LICENCE: &str = "MIT OR Apache-2.0";

/// Builds the program and writes the files.
pub(crate) fn run(args: &DistArgs) -> Result<(), String> {
    if args.sums {
        return sums(&args.out);
    }
    let platform = args.target.as_deref().map_or_else(Platform::of_this_machine, Platform::of)?;
    let build::Built { program: built, profile } = match &args.binary {
        Some(binary) => build::Built { program: binary.clone(), profile: None },
        None => build::build(platform, args.profile.as_deref())?,
    };
    let program = read(&built)?;
    program::check(&built, &program, platform)?;
    let root = repository();
    let runs = if platform.runs_here()? { Some(built) } else { args.host_binary.clone() };
    let runs = runs.map_or_else(|| host_program(&root), Ok)?;
    let found = dependencies::find(&root, platform)?;
    let staging = stage(&root, &runs, (platform.program, &program), &found)?;
    fs::create_dir_all(&args.out).map_err(|error| failed(&args.out, &error))?;
    write(&args.out, &archive::file_name(platform), &archive::pack(platform, &staging)?)?;
    write_packages(&root, &args.out, platform, &program, &staging)?;
    if let Some(profile) = profile {
        write(&args.out, &format!("formwork-{VERSION}-{}.profdata", platform.triple), &read(&profile)?)?;
    }
    sums(&args.out)
}

/// Writes what is made of all archives in the directory.
fn sums(out: &Path) -> Result<(), String> {
    for (name, text) in templates::fill(&repository(), out)? {
        write(out, &name, text.as_bytes())?;
    }
    checksums(out)
}

/// Writes the wheel and the npm packages.
fn write_packages(
    root: &Path,
    out: &Path,
    platform: &'static Platform,
    program: &[u8],
    staging: &Staging,
) -> Result<(), String> {
    let packaging = root.join("packaging");
    let text = |name: &str| read(&packaging.join(name)).map(|text| String::from_utf8_lossy(&text).into_owned());
    let part = |name| read(&packaging.join("python").join(name)).map(|content| (name, content));
    let module = [part("__init__.py")?, part("__main__.py")?];
    let wheel = wheel::pack(platform, program, staging, &text("readme/pypi.md")?, &module)?;
    write(out, &wheel::file_name(platform), &wheel)?;
    let Some(named) = npm::Named::of(platform) else { return Ok(()) };
    write(out, &named.file_name(), &named.pack(program, staging)?)?;
    let launcher = read(&packaging.join("npm/formwork.js"))?;
    write(out, &npm::file_name(), &npm::pack(&launcher, staging, &text("readme/npm.md")?)?)
}

/// Builds a program that runs on this machine, for what a program prints of itself.
fn host_program(root: &Path) -> Result<PathBuf, String> {
    let mut cargo = Command::new(env!("CARGO"));
    finish(cargo.args(["build", "--locked", "--package", "formwork-cli", "--bin", "formwork"]).current_dir(root))?;
    Ok(root.join("target/debug/formwork").with_extension(std::env::consts::EXE_EXTENSION))
}

/// Builds the program that is released for this machine, but for the age of its C library.
///
/// # Errors
/// When nothing is released for it, or it cannot be built.
pub(crate) fn build_for_this_machine() -> Result<PathBuf, String> {
    build::build_here(Platform::of_this_machine()?)
}

/// Everything in the archive but the name of its directory. `runs` is a program of this version that runs here.
fn stage(
    root: &Path,
    runs: &Path,
    (name, program): (&str, &[u8]),
    found: &[dependencies::Dependency],
) -> Result<Staging, String> {
    let mut staging = Staging::default();
    staging.add_program(name, program.to_vec());
    staging.add("README.md", read(&root.join("packaging/readme/archive.md"))?);
    for name in ["CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        staging.add(name, read(&root.join(name))?);
    }
    staging.add("THIRD-PARTY-LICENSES.txt", dependencies::licences(found).into_bytes());
    staging.add("sbom.cdx.json", sbom::write(found)?.into_bytes());
    for (shell, file) in
        [("bash", "formwork.bash"), ("zsh", "_formwork"), ("fish", "formwork.fish"), ("powershell", "_formwork.ps1")]
    {
        staging.add(format!("completions/{file}"), output(Command::new(runs).args(["completions", shell]))?);
    }
    let pages = std::env::temp_dir().join(format!("formwork-man-{}", std::process::id()));
    output(Command::new(runs).args(["man", "-o"]).arg(&pages))?;
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
