//! Properties that read generated Mappings.

use formwork_syntax::Tree;

use crate::dependency_layers::{ATTRIBUTE, DependencyLayers, PROPERTY};
use crate::plan::{ArtifactSite, ArtifactValue};
use crate::target::{self, Target, Value};

pub(crate) struct Lookup<'p> {
    pub(crate) slot: &'p ArtifactSite,
    /// The loops whose variables are joined to the key, by their numbers.
    pub(crate) variables: Vec<usize>,
    pub(crate) source: LookupSource<'p>,
}

#[derive(Clone, Copy)]
pub(crate) enum LookupSource<'p> {
    /// The locations of the property's own files.
    Artifact,
    /// The layers with the packages of the functions that have the property.
    Layers(&'p DependencyLayers),
}

impl Lookup<'_> {
    pub(crate) fn leaf(&self) -> &'static str {
        match self.source {
            LookupSource::Artifact => self.slot.found.leaf(),
            LookupSource::Layers(_) => PROPERTY,
        }
    }

    /// Returns the attribute of the Mapping for a value that is a string.
    pub(crate) fn attribute(&self) -> &'static str {
        match self.source {
            LookupSource::Artifact => self.slot.found.leaf(),
            LookupSource::Layers(_) => ATTRIBUTE,
        }
    }

    pub(crate) fn property(&self, tree: &Tree) -> String {
        match self.source {
            LookupSource::Artifact => self.slot.found.property(tree),
            LookupSource::Layers(_) => PROPERTY.to_owned(),
        }
    }

    pub(crate) fn value(&self, instance: &ArtifactValue, targets: &[Target]) -> Option<Value> {
        match self.source {
            LookupSource::Artifact => target::value(self.slot.found.artifact, &instance.content, targets, true),
            LookupSource::Layers(layers) => layers.output_of(instance).map(Value::Text),
        }
    }
}
