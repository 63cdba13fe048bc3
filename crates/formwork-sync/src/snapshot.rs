//! What counts of a project at one moment.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::blank::{blank, blank_globals, canonical};
use crate::code::Code;

/// A property that names a file or directory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ArtifactId {
    /// The nested stacks around the resource: nothing, or logical IDs that each end in `/`.
    pub within: String,
    /// Logical ID of the resource, as it is after expansion.
    pub resource: String,
    /// The property, with dots.
    pub property: String,
}

impl fmt::Display for ArtifactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.within, self.resource)
    }
}

/// What a property names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Artifact {
    /// The type of its resource.
    pub resource_type: String,
    /// What can be done with it.
    pub code: Code,
    /// The name of its content.
    pub key: String,
}

/// What counts of a project at one moment. It holds no value of a parameter, which may be a secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    pub(crate) template: [u8; 32],
    pub(crate) artifacts: BTreeMap<ArtifactId, Artifact>,
}

impl Snapshot {
    /// The files and directories.
    pub fn artifacts(&self) -> &BTreeMap<ArtifactId, Artifact> {
        &self.artifacts
    }

    /// Whether the templates and values are those of another snapshot, but for the contents of files.
    pub fn has_template_of(&self, other: &Snapshot) -> bool {
        self.template == other.template
    }

    /// The same templates, of whose files nothing is known.
    #[must_use]
    pub fn without_files(&self) -> Snapshot {
        Snapshot { artifacts: BTreeMap::new(), ..self.clone() }
    }

    /// Takes over from a later snapshot what was pushed.
    pub fn accept(&mut self, now: &Snapshot, pushed: &ArtifactId) {
        if let Some(artifact) = now.artifacts.get(pushed) {
            self.artifacts.insert(pushed.clone(), artifact.clone());
        }
    }
}

/// Makes a snapshot of the templates of a project, in any order that is the same each time.
#[derive(Debug, Default)]
pub struct SnapshotBuilder {
    digest: Sha256,
    templates: BTreeMap<String, Value>,
    artifacts: BTreeMap<ArtifactId, Artifact>,
}

impl SnapshotBuilder {
    /// Adds a template as it is after expansion, with the nested stacks around it and the properties of its resources
    /// that name files.
    pub fn template<'n>(&mut self, within: &str, expanded: Value, names: impl Iterator<Item = (&'n str, &'n str)>) {
        let mut blanked = expanded.clone();
        blank_globals(&mut blanked);
        for (resource, property) in names {
            blank(&mut blanked, resource, property);
        }
        let mut text = String::new();
        canonical(&blanked, &mut text);
        self.value(within, &text);
        self.templates.insert(within.to_owned(), expanded);
    }

    /// Adds what else decides about the deployment, such as the value of a parameter.
    pub fn value(&mut self, name: &str, value: &str) {
        // Each string follows its length, so that different values never produce the same bytes.
        self.digest.update(format!("{} {} ", name.len(), value.len()));
        self.digest.update(name);
        self.digest.update(value);
    }

    /// Adds the content of a property of a template that was added.
    pub fn artifact(&mut self, id: ArtifactId, key: String) {
        let resource = self.templates.get(&id.within).and_then(|template| template["Resources"].get(&id.resource));
        let resource = resource.unwrap_or(&Value::Null);
        let resource_type = resource["Type"].as_str().unwrap_or_default().to_owned();
        let artifact = match self.artifacts.remove(&id) {
            None => Artifact { resource_type, code: Code::of(resource, &id.property), key },
            Some(first) => {
                let code = match first.code {
                    Code::Pushed { .. } => Code::Deployed("a condition decides which of its files is deployed"),
                    deployed @ Code::Deployed(_) => deployed,
                };
                Artifact { key: format!("{} {key}", first.key), code, ..first }
            }
        };
        self.artifacts.insert(id, artifact);
    }

    /// The snapshot.
    pub fn finish(self) -> Snapshot {
        Snapshot { template: self.digest.finalize().into(), artifacts: self.artifacts }
    }
}
