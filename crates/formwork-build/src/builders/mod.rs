//! The builders, one per file. This file has their common input and steps.

mod bundler;
mod cargo;
mod copy;
mod dotnet;
pub(crate) mod esbuild;
mod go;
mod gradle;
mod image;
mod makefile;
mod maven;
mod node;
mod npm_files;
mod pip;
mod poetry;
mod python;
mod python_packages;
mod uv;

use std::path::{Path, PathBuf};

use formwork_upload::SourceTree;

pub(crate) use image::{ARCHIVE as IMAGE_ARCHIVE, tag as image_tag};
pub(crate) use makefile::MAKEFILE;

use crate::build_error::BuildError;
use crate::builder::Builder;
use crate::command::{Command, Runner};
use crate::job::{Job, Part};
use crate::shared::Shared;
use crate::tools::SearchPath;

pub(crate) struct Build<'b> {
    pub(crate) job: &'b Job,
    pub(crate) tree: &'b SourceTree,
    pub(crate) scratch: &'b Path,
    pub(crate) artifacts: &'b Path,
    /// A directory for compilers that is kept from one build to the next.
    pub(crate) cache: &'b Path,
    pub(crate) runner: &'b Runner<'b>,
    pub(crate) path: &'b SearchPath,
    pub(crate) shared: &'b Shared,
}

impl Builder {
    pub(crate) fn tools(self, job: &Job, tree: &SourceTree, path: &SearchPath) -> Vec<PathBuf> {
        let named = |names: &[&str]| names.iter().filter_map(|name| path.find(name)).collect();
        match self {
            Builder::Copy | Builder::CopyPython => Vec::new(),
            Builder::Pip => python::find(job, path).into_iter().collect(),
            Builder::Uv => named(&["uv"]),
            Builder::Poetry => python::find(job, path).into_iter().chain(path.find("poetry")).collect(),
            Builder::Node => named(&["node", node::Manager::of(tree).name()]),
            Builder::Esbuild => named(&["node", node::Manager::of(tree).name(), "esbuild"]),
            Builder::Makefile => named(&["make"]),
            Builder::Go => named(&["go"]),
            Builder::Cargo => named(&["cargo", "cargo-lambda", "rustc"]),
            Builder::Gradle => named(&["java", "gradle"]),
            Builder::Maven => named(&["java", "mvn"]),
            Builder::Bundler => named(&["ruby", "bundle"]),
            Builder::Dotnet => named(&["dotnet"]),
            Builder::Image => Vec::new(),
        }
    }

    /// Returns patterns, in the syntax of `.gitignore`, of files that are not part of a source.
    ///
    /// # Errors
    /// When a file with patterns cannot be used.
    pub(crate) fn left_out(self, source: &Path) -> Result<Vec<String>, String> {
        let own = self.excluded().map(str::to_owned);
        // The patterns of the package come first, so that they cannot include what is always excluded.
        let of_package = if self == Builder::Node { npm_files::excluded(source)? } else { Vec::new() };
        Ok(of_package.into_iter().chain(own).collect())
    }

    /// Returns the paths outside of its directory that the source refers to.
    pub(crate) fn references(self, job: &Job, tree: &SourceTree) -> Vec<PathBuf> {
        match self {
            Builder::Pip => pip::references(job),
            Builder::Node | Builder::Esbuild if tree.has("package.json") => node::references(&job.source),
            _ => Vec::new(),
        }
    }

    /// Returns the key of the packages of a source: sources with the same key and tools need the same packages. `None`
    /// when the packages may depend on the source itself.
    pub(crate) fn packages_key(self, job: &Job, tree: &SourceTree) -> Option<String> {
        let own = match self {
            Builder::Pip => pip::packages_key(job),
            Builder::Uv => uv::packages_key(job),
            Builder::Poetry => poetry::packages_key(job),
            Builder::Node | Builder::Esbuild => node::packages_key(job, tree),
            _ => None,
        }?;
        let (runtime, architecture) = (job.version(), job.recipe.architecture.name());
        Some(format!("{} {runtime} {architecture}\n{own}", self.name()))
    }

    /// Returns `true` when packages are installed beside the source, and can be in a layer instead.
    pub(crate) fn has_packages(self) -> bool {
        matches!(self, Builder::Pip | Builder::Uv | Builder::Poetry | Builder::Node)
    }

    pub(crate) fn build(self, build: &Build<'_>) -> Result<(), BuildError> {
        if build.job.recipe.part == Part::Source {
            build.copy_source(build.artifacts)?;
            return if self == Builder::Node { node::forget_credentials(build.artifacts) } else { Ok(()) };
        }
        match self {
            Builder::Copy | Builder::CopyPython => copy::build(build),
            Builder::Pip => pip::build(build),
            Builder::Uv => uv::build(build),
            Builder::Poetry => poetry::build(build),
            Builder::Node => node::build(build),
            Builder::Esbuild => esbuild::build(build),
            Builder::Makefile => makefile::build(build),
            Builder::Go => go::build(build),
            Builder::Cargo => cargo::build(build),
            Builder::Gradle => gradle::build(build),
            Builder::Maven => maven::build(build),
            Builder::Bundler => bundler::build(build),
            Builder::Dotnet => dotnet::build(build),
            Builder::Image => image::build(build),
        }
    }
}

impl Build<'_> {
    fn copy_source(&self, target: &Path) -> Result<(), BuildError> {
        self.tree.copy_to(target).map_err(BuildError::file(target))
    }

    /// Copies the source into the artifact, unless it contains only packages.
    fn add_source(&self) -> Result<(), BuildError> {
        match self.job.recipe.part {
            Part::Packages => make_directory(self.artifacts),
            Part::Whole | Part::Source => self.copy_source(self.artifacts),
        }
    }

    /// Installs packages into the directory `target` with `install`, unless another source has the same ones.
    fn install_packages(
        &self,
        target: &Path,
        install: &dyn Fn(&Path) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        let key = self.job.recipe.builder.packages_key(self.job, self.tree);
        self.shared.installations.install(key.as_ref(), target, self.runner, install)
    }

    fn run(&self, command: &Command) -> Result<(), BuildError> {
        self.runner.run(command)
    }

    fn scratch_directory(&self, name: &str) -> Result<PathBuf, BuildError> {
        let directory = self.scratch.join(name);
        make_directory(&directory)?;
        Ok(directory)
    }
}

fn make_directory(directory: &Path) -> Result<(), BuildError> {
    std::fs::create_dir_all(directory).map_err(BuildError::file(directory))
}

fn copy_file(from: &Path, to: &Path) -> Result<(), BuildError> {
    if let Some(directory) = to.parent() {
        make_directory(directory)?;
    }
    std::fs::copy(from, to).map(drop).map_err(BuildError::file(from))
}

/// Copies the output of a tool, and follows links.
fn copy_directory(from: &Path, to: &Path) -> Result<(), BuildError> {
    make_directory(to)?;
    let entries = std::fs::read_dir(from).map_err(BuildError::file(from))?;
    for entry in entries {
        let entry = entry.map_err(BuildError::file(from))?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_directory(&path, &target)?;
        } else {
            copy_file(&path, &target)?;
        }
    }
    Ok(())
}
