//! Properties that read generated Mappings.

use formwork_syntax::Tree;

use crate::dependency_layers::{ATTRIBUTE, DependencyLayers, PROPERTY};
use crate::plan::{ArtifactSite, ArtifactValue};
use crate::target::{self, Target, Value};

/// A property whose value is looked up in a Mapping.
pub(crate) struct Lookup<'p> {
    pub(crate) slot: &'p ArtifactSite,
    /// The loops whose variables make the key, by their numbers.
    pub(crate) variables: Vec<usize>,
    /// Where its values come from.
    pub(crate) source: Source<'p>,
}

/// Where the values of a lookup come from.
#[derive(Clone, Copy)]
pub(crate) enum Source<'p> {
    /// The property's own: where the file is.
    Artifact,
    /// The layers with the packages of the functions that the property belongs to.
    Layers(&'p DependencyLayers),
}

impl Lookup<'_> {
    /// The last part of the property, which its Mapping is named by.
    pub(crate) fn leaf(&self) -> &'static str {
        match self.source {
            Source::Artifact => self.slot.found.leaf(),
            Source::Layers(_) => PROPERTY,
        }
    }

    /// The attribute that has a value that is a string.
    pub(crate) fn attribute(&self) -> &'static str {
        match self.source {
            Source::Artifact => self.slot.found.leaf(),
            Source::Layers(_) => ATTRIBUTE,
        }
    }

    /// The property as messages name it.
    pub(crate) fn property(&self, tree: &Tree) -> String {
        match self.source {
            Source::Artifact => self.slot.found.property(tree),
            Source::Layers(_) => PROPERTY.to_owned(),
        }
    }

    /// The value of an iteration; `None` where it has none.
    pub(crate) fn value(&self, instance: &ArtifactValue, targets: &[Target]) -> Option<Value> {
        match self.source {
            Source::Artifact => target::value(self.slot.found.artifact, &instance.content, targets, true),
            Source::Layers(layers) => layers.output_of(instance).map(Value::Text),
        }
    }
}
