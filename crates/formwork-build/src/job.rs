//! A source to build.

use std::path::PathBuf;

use formwork::Value;
use formwork_package::Fact;

use crate::architecture::Architecture;
use crate::builder::Builder;
use crate::runtime::Runtime;

/// A source that is built once for all resources that refer to it.
#[derive(Debug)]
pub struct Job {
    /// The path of the artifact below the build directory, with `/`.
    pub product: String,
    /// Logical ID of the first resource that refers to the source.
    pub resource: String,
    /// The artifacts that refer to the source, by the numbers of the template and of the need.
    pub users: Vec<(usize, usize)>,
    /// The source: a real path.
    pub source: PathBuf,
    pub(crate) recipe: Recipe,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// The source and its packages.
    Whole,
    /// The source; its packages are in a dependency layer.
    Source,
    /// The packages, in a dependency layer.
    Packages,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Recipe {
    pub(crate) builder: Builder,
    pub(crate) part: Part,
    pub(crate) runtime: Option<Runtime>,
    pub(crate) architecture: Architecture,
    pub(crate) is_layer: bool,
    pub(crate) handler: Option<String>,
    pub(crate) metadata: Fact,
    /// The manifest of `--manifest`, or the Makefile of `ContextPath`.
    pub(crate) manifest: Option<PathBuf>,
    /// The value of `WorkingDirectory`, in which make runs.
    pub(crate) working: Option<PathBuf>,
    pub(crate) in_source: bool,
}

impl Job {
    /// Returns the name of the builder.
    pub fn builder_name(&self) -> &'static str {
        self.recipe.builder.name()
    }

    pub(crate) fn property(&self, name: &str) -> Option<&Value> {
        match self.recipe.metadata.member("BuildProperties") {
            Some(Value::Map(members)) => members.iter().rfind(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Returns a property of `BuildProperties` as strings; a single value is a list of one.
    pub(crate) fn properties(&self, name: &str) -> Vec<String> {
        strings(self.property(name))
    }

    /// Returns a Boolean property of `BuildProperties`; `None` when it is missing.
    pub(crate) fn switch(&self, name: &str) -> Option<bool> {
        let text = formwork_package::build_facts::text(self.property(name)?)?;
        Some(text.eq_ignore_ascii_case("true"))
    }

    pub(crate) fn metadata(&self, name: &str) -> Option<&str> {
        formwork_package::build_facts::text(self.recipe.metadata.member(name)?)
    }

    /// Returns the directory below the artifact for the files: a subdirectory in a layer, unless the builder fills the
    /// layer itself.
    pub(crate) fn subfolder(&self) -> &'static str {
        let has_directory = self.recipe.is_layer && !self.recipe.builder.fills_layer();
        let runtime = self.recipe.runtime.as_ref().filter(|_| has_directory);
        runtime.map_or("", Runtime::layer_directory)
    }

    /// Returns the directories of sources that tools run in, and may write to.
    pub(crate) fn written_directories(&self) -> Vec<PathBuf> {
        let in_source = self.recipe.in_source && self.recipe.builder.runs_in_source();
        let beside = self.recipe.working.iter().filter(|working| !working.starts_with(&self.source));
        in_source.then(|| self.source.clone()).into_iter().chain(beside.cloned()).collect()
    }

    /// Returns the version of the runtime; empty without a runtime.
    pub(crate) fn version(&self) -> &str {
        self.recipe.runtime.as_ref().map_or("", Runtime::version)
    }
}

pub(crate) fn strings(value: Option<&Value>) -> Vec<String> {
    value.map(|value| Fact::Known(value.clone()).texts().into_iter().map(str::to_owned).collect()).unwrap_or_default()
}
