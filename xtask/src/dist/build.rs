//! Builds the program that is released: Cargo's profile `release` for a target, optimized by a profile of runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::platform::{GLIBC, Platform};
use super::{failed, profile, read, sum};
use crate::command::{finish, repository};

/// What was built.
pub(super) struct Built {
    /// The program.
    pub(super) program: PathBuf,
    /// The counts that it was optimized by; nothing for a target whose programs do not run on this machine.
    pub(super) profile: Option<PathBuf>,
}

/// Builds the program for a platform, by a profile that is known or by one of a training. The same checkout, toolchain and
/// profile build the same bytes. A program for glibc is linked by zig with the oldest one that it has to run with.
///
/// # Errors
/// When Cargo fails, as it does without the target's library or a linker for it, or the training does.
pub(super) fn build(platform: &'static Platform, known: Option<&Path>) -> Result<Built, String> {
    let build =
        if platform.has_glibc() { Build::with_old_glibc(platform) } else { Build::with_libraries_here(platform) };
    let profile = match known {
        Some(known) => Some(known.canonicalize().map_err(|error| failed(known, &error))?),
        None => build.train()?,
    };
    Ok(Built { program: build.optimized(profile.as_deref())?, profile })
}

/// Builds the same with the C library of this machine.
///
/// # Errors
/// When Cargo or the training fails.
pub(super) fn build_here(platform: &'static Platform) -> Result<PathBuf, String> {
    let build = Build::with_libraries_here(platform);
    build.optimized(build.train()?.as_deref())
}

/// How a program is built. One that counts is built in the same way: symbols have other names with another command of Cargo, and
/// a profile knows functions by their names.
struct Build {
    platform: &'static Platform,
    /// What Cargo is asked to do.
    command: &'static str,
    /// The target, as that command takes it.
    target: String,
}

impl Build {
    fn with_libraries_here(platform: &'static Platform) -> Build {
        Build { platform, command: "build", target: platform.triple.to_owned() }
    }

    fn with_old_glibc(platform: &'static Platform) -> Build {
        let (major, minor) = GLIBC;
        Build { platform, command: "zigbuild", target: format!("{}.{major}.{minor}", platform.triple) }
    }

    /// Builds a program that is optimized by a profile, if there is one.
    fn optimized(&self, profile: Option<&Path>) -> Result<PathBuf, String> {
        let option = profile.map(named_by_content).transpose()?;
        let option = option.map(|profile| format!("-Cprofile-use={}", profile.display()));
        let program = self.run(&repository().join("target"), option.as_slice())?;
        if let Some(profile) = profile
            && !profile::knows(profile, &newest_library(&program.with_file_name("deps"))?)?
        {
            let path = profile.display();
            return Err(format!(
                "{path} has no function of this program: it is of another compiler, checkout or target"
            ));
        }
        Ok(program)
    }

    /// Builds a program that counts, and lets it work. The path of the counts; nothing where it does not run on this machine.
    fn train(&self) -> Result<Option<PathBuf>, String> {
        let triple = self.platform.triple;
        if !self.platform.runs_here()? {
            eprintln!("programs for {triple} do not run on this machine: it is built without a profile of runs");
            return Ok(None);
        }
        // Before a build that takes minutes.
        profile::tool("llvm-profdata")?;
        let root = repository();
        let target = root.join("target/profile").join(self.command);
        let folder = target.join(triple);
        let (training, found) = (folder.join("training"), folder.join("formwork.profdata"));
        let program = self.run(&target, &profile::counting(&training))?;
        profile::train(&root, &program, &training, &found)?;
        Ok(Some(found))
    }

    /// Runs Cargo, with options of `rustc` beside those of `.cargo/config.toml`, and returns the path of the program.
    fn run(&self, folder: &Path, options: &[String]) -> Result<PathBuf, String> {
        let Build { platform, command, target } = self;
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args([command, "--locked", "--release", "--package", "formwork-cli", "--bin", "formwork"]);
        cargo.args(["--target", target, "--target-dir"]).arg(folder).current_dir(repository());
        if !options.is_empty() {
            // Strings of TOML without escapes.
            cargo.args(["--config", &format!("target.{}.rustflags=['{}']", platform.triple, options.join("', '"))]);
            // Set, they would be in the place of all others.
            cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
        }
        finish(cargo.args(platform.feature_words()))
            .map_err(|error| format!("{error}\nA build for {} needs: {}", platform.triple, platform.needs))?;
        Ok(folder.join(platform.triple).join("release").join(platform.program))
    }
}

/// Copies a profile to a path that follows from its content, in the directory for temporary files. Cargo has the options of
/// `rustc` in the names of its files, which decide in what order crates are linked: with another path other bytes are built.
fn named_by_content(profile: &Path) -> Result<PathBuf, String> {
    let content = read(profile)?;
    let path = std::env::temp_dir().join(format!("formwork-{}.profdata", sum(&content)));
    if fs::read(&path).ok().as_ref() != Some(&content) {
        fs::write(&path, &content).map_err(|error| failed(&path, &error))?;
    }
    Ok(path)
}

/// What Cargo last built of one of our crates in a directory.
fn newest_library(folder: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).map_err(|error| failed(folder, &error))?.flatten();
    let is_library = |path: &PathBuf| {
        let is_ours = path.file_stem().is_some_and(|name| name.to_string_lossy().starts_with("libformwork_base-"));
        is_ours && path.extension().is_some_and(|end| end == "rlib")
    };
    let libraries = entries.map(|entry| entry.path()).filter(is_library);
    let newest = libraries.max_by_key(|path| path.metadata().and_then(|metadata| metadata.modified()).ok());
    newest.ok_or_else(|| format!("{} has no libformwork_base", folder.display()))
}
