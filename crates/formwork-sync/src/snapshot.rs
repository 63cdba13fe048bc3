//! The state of a project at one moment, as far as it matters to a sync.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::code::Code;
use crate::without_paths::{canonical, remove_global_path, remove_path};

/// Identifies a property that refers to a file or directory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ArtifactId {
    /// The nested stacks around the resource: empty, or logical IDs that each end in `/`.
    pub within: String,
    /// Logical ID of the resource after expansion.
    pub resource: String,
    /// Dotted path of the property.
    pub property: String,
}

impl fmt::Display for ArtifactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.within, self.resource)
    }
}

/// The content that a property refers to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Artifact {
    /// The type of its resource.
    pub resource_type: String,
    /// The way in which the content is pushed.
    pub code: Code,
    /// The key of its content.
    pub key: String,
}

/// The state of a project at one moment. It holds no parameter values, which may be secrets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    pub(crate) template: [u8; 32],
    pub(crate) artifacts: BTreeMap<ArtifactId, Artifact>,
}

impl Snapshot {
    /// Returns the files and directories.
    pub fn artifacts(&self) -> &BTreeMap<ArtifactId, Artifact> {
        &self.artifacts
    }

    /// Returns `true` if the templates and values equal those of `other`, whatever the contents of files.
    pub fn has_template_of(&self, other: &Snapshot) -> bool {
        self.template == other.template
    }

    /// Returns the same templates without knowledge of their files.
    #[must_use]
    pub fn without_files(&self) -> Snapshot {
        Snapshot { artifacts: BTreeMap::new(), ..self.clone() }
    }

    /// Copies the content of one pushed artifact from a later snapshot.
    pub fn accept(&mut self, now: &Snapshot, pushed: &ArtifactId) {
        if let Some(artifact) = now.artifacts.get(pushed) {
            self.artifacts.insert(pushed.clone(), artifact.clone());
        }
    }
}

/// Builds a snapshot. Templates may be added in any order that is the same each time.
#[derive(Debug, Default)]
pub struct SnapshotBuilder {
    digest: Sha256,
    templates: BTreeMap<String, Value>,
    artifacts: BTreeMap<ArtifactId, Artifact>,
}

impl SnapshotBuilder {
    /// Adds an expanded template, with the nested stacks around it and the properties of its resources that refer to
    /// files.
    pub fn template<'n>(&mut self, within: &str, expanded: Value, names: impl Iterator<Item = (&'n str, &'n str)>) {
        let mut without_paths = expanded.clone();
        remove_global_path(&mut without_paths);
        for (resource, property) in names {
            remove_path(&mut without_paths, resource, property);
        }
        let mut text = String::new();
        canonical(&without_paths, &mut text);
        self.value(within, &text);
        self.templates.insert(within.to_owned(), expanded);
    }

    /// Adds another input of the deployment, such as the value of a parameter.
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

    /// Builds the snapshot.
    pub fn finish(self) -> Snapshot {
        Snapshot { template: self.digest.finalize().into(), artifacts: self.artifacts }
    }
}
