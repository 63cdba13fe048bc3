//! One source that is built.

use std::path::PathBuf;

use formwork::Value;
use formwork_package::Fact;

use crate::architecture::Architecture;
use crate::builder::Builder;
use crate::runtime::Runtime;

/// A source that is built once, whatever number of resources name it.
#[derive(Debug)]
pub struct Job {
    /// The path of the artifact below the build directory, with `/`.
    pub product: String,
    /// Logical ID of the first resource that names the source.
    pub resource: String,
    /// Every artifact that names it, by the number of its template and of its need.
    pub users: Vec<(usize, usize)>,
    /// The source: a real path.
    pub source: PathBuf,
    pub(crate) recipe: Recipe,
}

/// Which parts of a source and its packages an artifact contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// Both.
    Whole,
    /// The source: its packages are in a dependency layer.
    Source,
    /// The packages: it is a dependency layer.
    Packages,
}

/// How a source is built.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Recipe {
    pub(crate) builder: Builder,
    /// Which parts of the source and its packages the artifact contains.
    pub(crate) part: Part,
    pub(crate) runtime: Option<Runtime>,
    pub(crate) architecture: Architecture,
    /// Whether the artifact is a layer.
    pub(crate) is_layer: bool,
    pub(crate) handler: Option<String>,
    /// The resource attribute `Metadata`.
    pub(crate) metadata: Fact,
    /// The manifest that `--manifest` names, or the Makefile of `ContextPath`.
    pub(crate) manifest: Option<PathBuf>,
    /// Where make runs, when `WorkingDirectory` names it.
    pub(crate) working: Option<PathBuf>,
    /// Whether tools run in the directory of the source.
    pub(crate) in_source: bool,
}

impl Job {
    /// The name of the tool or way by which it is built.
    pub fn builder_name(&self) -> &'static str {
        self.recipe.builder.name()
    }

    /// A property of `BuildProperties`.
    pub(crate) fn property(&self, name: &str) -> Option<&Value> {
        match self.recipe.metadata.member("BuildProperties") {
            Some(Value::Map(members)) => members.iter().rfind(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// A property of `BuildProperties` as strings; a single one is a list of one.
    pub(crate) fn properties(&self, name: &str) -> Vec<String> {
        strings(self.property(name))
    }

    /// Whether a property of `BuildProperties` is true, when it is written.
    pub(crate) fn switch(&self, name: &str) -> Option<bool> {
        let text = formwork_package::build_facts::text(self.property(name)?)?;
        Some(text.eq_ignore_ascii_case("true"))
    }

    /// Returns a key of `Metadata` as a string.
    pub(crate) fn metadata(&self, name: &str) -> Option<&str> {
        formwork_package::build_facts::text(self.recipe.metadata.member(name)?)
    }

    /// Returns the directory below the artifact for the files: a subdirectory in a layer, unless what builds it fills the
    /// layer itself.
    pub(crate) fn subfolder(&self) -> &'static str {
        let has_folder = self.recipe.is_layer && !self.recipe.builder.fills_layer();
        let runtime = self.recipe.runtime.as_ref().filter(|_| has_folder);
        runtime.map_or("", Runtime::layer_folder)
    }

    /// The directories of sources that tools run in, and may write to.
    pub(crate) fn written_folders(&self) -> Vec<PathBuf> {
        let in_source = self.recipe.in_source && self.recipe.builder.runs_in_source();
        let beside = self.recipe.working.iter().filter(|working| !working.starts_with(&self.source));
        in_source.then(|| self.source.clone()).into_iter().chain(beside.cloned()).collect()
    }

    /// The version of its runtime.
    pub(crate) fn version(&self) -> &str {
        self.recipe.runtime.as_ref().map_or("", Runtime::version)
    }
}

/// A value as strings.
pub(crate) fn strings(value: Option<&Value>) -> Vec<String> {
    value.map(|value| Fact::Known(value.clone()).texts().into_iter().map(str::to_owned).collect()).unwrap_or_default()
}
