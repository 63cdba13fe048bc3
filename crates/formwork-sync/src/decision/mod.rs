//! Decides between a deployment and a push after a change (reference/sync.md#decision).

use crate::code::{Code, CodeKind};
use crate::snapshot::{Artifact, ArtifactId, Snapshot};

/// The action that a change requires.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// No relevant change.
    Nothing,
    /// Push the code of these resources.
    Push(Vec<ArtifactId>),
    /// Deploy the stack.
    Deploy(Cause),
}

/// The reason for a deployment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The stack was not deployed yet.
    First,
    /// A template, or a value that it is deployed with, changed.
    Template,
    /// The content of an artifact changed that only a deployment updates, for this reason.
    File(ArtifactId, &'static str),
}

/// Selects the resources whose code is pushed; an empty scope selects all of them.
#[derive(Clone, PartialEq, Eq, Debug, Default, clap::Args)]
#[command(next_help_heading = "Sync")]
pub struct Scope {
    /// With --code, push only this resource, by its logical ID in the expanded template; repeatable.
    #[arg(long = "resource-id", id = "resource_id", value_name = "LOGICAL_ID")]
    pub resources: Vec<String>,
    /// With --code, push only resources of this type, such as `AWS::Serverless::Function`; repeatable.
    #[arg(long = "resource", id = "resource", value_name = "TYPE")]
    pub types: Vec<String>,
}

impl Scope {
    fn has(&self, id: &ArtifactId, artifact: &Artifact) -> bool {
        let is_all = self.resources.is_empty() && self.types.is_empty();
        is_all || self.names(id) || self.types.contains(&artifact.resource_type)
    }

    fn names(&self, id: &ArtifactId) -> bool {
        self.resources.iter().any(|name| *name == id.resource || *name == id.to_string())
    }

    /// Returns the IDs that match no resource whose code can be pushed.
    pub fn unknown<'s>(&'s self, snapshot: &Snapshot) -> Vec<&'s str> {
        let scope = |name: &String| Scope { resources: vec![name.clone()], types: Vec::new() };
        let is_known = |name: &&String| pushed(snapshot).any(|(id, _)| scope(name).names(id));
        self.resources.iter().filter(|name| !is_known(name)).map(String::as_str).collect()
    }
}

fn pushed(snapshot: &Snapshot) -> impl Iterator<Item = (&ArtifactId, &Artifact)> {
    snapshot.artifacts.iter().filter(|(_, artifact)| matches!(artifact.code, Code::Pushed { .. }))
}

impl Snapshot {
    /// Returns the action that turns a stack deployed as `deployed` into this snapshot.
    pub fn decide(&self, deployed: Option<&Snapshot>) -> Decision {
        let Some(deployed) = deployed else { return Decision::Deploy(Cause::First) };
        if !self.has_template_of(deployed) || self.artifacts.len() != deployed.artifacts.len() {
            return Decision::Deploy(Cause::Template);
        }
        let mut pushed = Vec::new();
        for (id, artifact) in &self.artifacts {
            match deployed.artifacts.get(id) {
                None => return Decision::Deploy(Cause::Template),
                Some(known) if known.key == artifact.key => {}
                Some(_) => match artifact.code {
                    Code::Pushed { .. } => pushed.push(id.clone()),
                    Code::Deployed(why) => return Decision::Deploy(Cause::File(id.clone(), why)),
                },
            }
        }
        if pushed.is_empty() { Decision::Nothing } else { Decision::Push(pushed) }
    }

    /// Returns the artifacts whose push first compares the code with the deployed code.
    pub fn compared(&self) -> Vec<ArtifactId> {
        let is_compared = |artifact: &Artifact| match artifact.code {
            Code::Pushed { kind, .. } => !matches!(kind, CodeKind::RestApi | CodeKind::HttpApi),
            Code::Deployed(_) => false,
        };
        self.artifacts.iter().filter(|(_, artifact)| is_compared(artifact)).map(|(id, _)| id.clone()).collect()
    }

    /// Returns the artifacts within `scope` whose content differs from `known`; all of them without `known`.
    pub fn code(&self, known: Option<&Snapshot>, scope: &Scope) -> Vec<ArtifactId> {
        let is_known = |id: &ArtifactId, key: &str| {
            known.and_then(|known| known.artifacts.get(id)).is_some_and(|known| known.key == key)
        };
        let wanted = pushed(self).filter(|(id, artifact)| scope.has(id, artifact) && !is_known(id, &artifact.key));
        wanted.map(|(id, _)| id.clone()).collect()
    }
}

#[cfg(test)]
mod tests;
