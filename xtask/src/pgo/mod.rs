//! The program that is shipped and measured: the profile `dist`, optimized by a profile of what runs do.
//!
//! It is built twice. The first program counts what it executes: it does the work of [`training`]. With these counts
//! (profile-guided optimization) the second one has what is executed often inlined, and what is never executed out of
//! the way. The counts also have when each function was first called. For Linux the linker puts functions in an order that
//! follows from this, so that a start touches few pages of the program ([`order`]).

mod counts;
pub(crate) mod order;
mod training;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{finish, output, repository};
use counts::Counts;

/// What was built.
pub(crate) struct Built {
    /// The program.
    pub(crate) program: PathBuf,
    /// The counts that it was optimized by. The same counts, checkout and compiler make the same program; counts of two
    /// trainings differ a little, for hashes that are seeded at random.
    pub(crate) profile: Option<PathBuf>,
}

/// Builds the program for a target, by a profile that is known or by one of a training. For a target whose programs do
/// not run on this machine, and without a profile, it is the profile `dist` of Cargo alone.
///
/// # Errors
/// When Cargo or the tools of LLVM fail, or are not installed.
pub(crate) fn build(triple: &str, known: Option<&Path>) -> Result<Built, String> {
    let root = repository();
    let profile = match known {
        Some(known) => Some(known.canonicalize().map_err(|error| format!("{}: {error}", known.display()))?),
        None if runs_here(triple, &host()?) => Some(train(&root, triple)?),
        None => {
            eprintln!("programs for {triple} do not run on this machine: it is built without a profile of runs");
            None
        }
    };
    let mut flags = Vec::new();
    if let Some(profile) = &profile {
        flags.push(format!("-Cprofile-use={}", sparse(profile, &work_folder(&root, triple))?.display()));
        if triple.contains("linux") {
            flags.push(format!("-Clinker={}", own_path()?.display()));
        }
    }
    let mut command = cargo(&root, &root.join("target"), triple, &flags);
    finish(command.envs(profile.iter().map(|profile| (order::LINKING, profile))))?;
    Ok(Built { program: program(&root.join("target"), triple), profile })
}

/// Builds a program that counts, lets it work, and returns the file of its counts: those of the training before, where
/// neither that program nor this one is newer. Other counts would make the whole program be built again.
fn train(root: &Path, triple: &str) -> Result<PathBuf, String> {
    let tool = tool("llvm-profdata")?;
    let folder = work_folder(root, triple);
    let counts = folder.join("counts");
    let flags = [format!("-Cprofile-generate={}", counts.display()), order::COUNTING_FLAG.to_owned()];
    finish(&mut cargo(root, &folder, triple, &flags))?;
    let counting = program(&folder, triple);
    let profile = folder.join("formwork.profdata");
    if is_newer(&profile, &counting) && is_newer(&profile, &own_path()?) {
        return Ok(profile);
    }
    let mut counts = Counts::none(&tool, &counts)?;
    training::run(&counting, &mut counts, root, &folder.join("training"))?;
    counts.write(&profile)?;
    Ok(profile)
}

/// The target of programs for this machine, as `rustc` names it.
///
/// # Errors
/// When `rustc` does not name it.
pub(crate) fn host() -> Result<String, String> {
    let version = output(Command::new("rustc").arg("-vV"))?;
    let version = String::from_utf8_lossy(&version);
    let line = version.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).ok_or_else(|| format!("rustc -vV names no host: {version}"))
}

/// Whether programs for a target run on a host: the same processor and system, whatever the C library.
pub(crate) fn runs_here(triple: &str, host: &str) -> bool {
    let machine = |triple: &str| {
        let mut parts = triple.split('-').map(str::to_owned);
        (parts.next(), parts.nth(1))
    };
    machine(triple) == machine(host)
}

/// Where the program that counts is built, and what it counts is kept.
fn work_folder(root: &Path, triple: &str) -> PathBuf {
    root.join("target/pgo").join(triple)
}

/// The counts that the compiler gets: those of functions that were called. It would optimize all others for size, and the
/// training has no packaging and no servers.
fn sparse(profile: &Path, folder: &Path) -> Result<PathBuf, String> {
    let (used, new) = (folder.join("used.profdata"), folder.join("new.profdata"));
    let trouble = |error: std::io::Error| format!("{}: {error}", used.display());
    fs::create_dir_all(folder).map_err(trouble)?;
    finish(Command::new(tool("llvm-profdata")?).args(["merge", "--sparse", "--output"]).arg(&new).arg(profile))?;
    // When it is written again, everything is built again.
    if fs::read(&used).ok() != Some(fs::read(&new).map_err(trouble)?) {
        fs::rename(&new, &used).map_err(trouble)?;
    }
    Ok(used)
}

/// The path of this program.
fn own_path() -> Result<PathBuf, String> {
    std::env::current_exe().map_err(|error| format!("the path of this program: {error}"))
}

/// What builds the program below a target directory, with flags beside those of `.cargo/config.toml`.
fn cargo(root: &Path, target: &Path, triple: &str, flags: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--locked", "--profile", "dist", "--package", "formwork-cli", "--bin", "formwork"]);
    command.args(["--target", triple, "--target-dir"]).arg(target).current_dir(root);
    // Set, they would be in the place of all others.
    command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    if !flags.is_empty() {
        // Strings of TOML without escapes.
        command.args(["--config", &format!("target.{triple}.rustflags=['{}']", flags.join("', '"))]);
    }
    command
}

/// Where the program for a target is built.
fn program(target: &Path, triple: &str) -> PathBuf {
    target.join(triple).join("dist").join(if triple.contains("windows") { "formwork.exe" } else { "formwork" })
}

/// A tool of LLVM, of the version that the compiler has: `rustup` installs it beside the compiler.
fn tool(name: &str) -> Result<PathBuf, String> {
    let place = tools()?.join(name).with_extension(std::env::consts::EXE_EXTENSION);
    if place.is_file() {
        Ok(place)
    } else {
        Err(format!("{name} is not installed: run `rustup component add llvm-tools`"))
    }
}

/// The directory of the compiler's own tools.
fn tools() -> Result<PathBuf, String> {
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let sysroot = String::from_utf8_lossy(&sysroot);
    Ok(Path::new(sysroot.trim()).join("lib/rustlib").join(host()?).join("bin"))
}

/// Whether both files exist, and the first one was written behind the second.
fn is_newer(file: &Path, other: &Path) -> bool {
    let written = |file: &Path| file.metadata().and_then(|metadata| metadata.modified()).ok();
    written(file).zip(written(other)).is_some_and(|(file, other)| file > other)
}

/// An empty directory.
fn clear(folder: &Path) -> Result<(), String> {
    let trouble = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(trouble)?;
    }
    fs::create_dir_all(folder).map_err(trouble)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_runs_where_processor_and_system_are_the_same() {
        assert!(runs_here("x86_64-unknown-linux-musl", "x86_64-unknown-linux-gnu"));
        assert!(runs_here("aarch64-apple-darwin", "aarch64-apple-darwin"));
        assert!(!runs_here("x86_64-apple-darwin", "aarch64-apple-darwin"));
        assert!(!runs_here("aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"));
    }
}
