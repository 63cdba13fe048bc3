//! Facts about resource types, for a plan.

use std::sync::Arc;

use formwork_plan::{Effect, Facts, ReplaceReason, Stateful, Step};
use formwork_schemas::{Effect as Known, Policy, Reason, ReplacementStrategy, Schemas};

/// Facts about resource types: the built-in table, and schemas that were passed.
#[derive(Debug)]
pub struct KnownTypes {
    schemas: Arc<Schemas>,
    date: String,
}

impl KnownTypes {
    /// Creates the facts of these schemas.
    pub fn new(schemas: Arc<Schemas>) -> KnownTypes {
        let date = schemas.date().map(|date| date.to_string()).unwrap_or_default();
        KnownTypes { schemas, date }
    }
}

fn reason(reason: Reason) -> ReplaceReason {
    match reason {
        Reason::ImmutableType => ReplaceReason::ImmutableType,
        Reason::CreateOnly => ReplaceReason::CreateOnly,
        Reason::Conditional => ReplaceReason::Conditional,
        Reason::OlderSpecification => ReplaceReason::OlderSpecification,
    }
}

impl Facts for KnownTypes {
    fn date(&self) -> &str {
        &self.date
    }

    fn effect(&self, type_name: &str, path: &[Step<'_>], is_open: bool) -> Effect {
        let Some(known) = self.schemas.resource_type(type_name) else { return Effect::Unknown };
        let names: Vec<&str> = path
            .iter()
            .map(|step| match step {
                Step::Name(name) => name,
                Step::Index(_) => "*",
            })
            .collect();
        match if is_open { known.effect_within(&names) } else { known.effect(&names) } {
            Known::None => Effect::None,
            Known::Update => Effect::Update,
            Known::Unknown => Effect::Unknown,
            Known::MayReplace(why) => Effect::MayReplace(reason(why)),
            Known::Replace(why) => Effect::Replace(reason(why)),
        }
    }

    fn stateful(&self, type_name: &str) -> Option<Stateful> {
        let known = self.schemas.resource_type(type_name)?.stateful()?;
        Some(Stateful {
            can_snapshot: known.snapshot,
            only_when_empty: known.deleted_only_when_empty,
            snapshot_by_default: known.default_policy.is_some(),
            unless_in_cluster: known.default_policy == Some(Policy::SnapshotWithoutCluster),
        })
    }

    fn custom_name(&self, type_name: &str) -> Option<Vec<String>> {
        let known = self.schemas.resource_type(type_name)?;
        if known.replacement_strategy() == Some(ReplacementStrategy::DeleteThenCreate) {
            return None;
        }
        let mut identifiers = known.identifier();
        let (path, None) = (identifiers.next()?, identifiers.next()) else { return None };
        let is_read_only = known.read_only().any(|other| other.names().eq(path.names()));
        (!is_read_only).then(|| path.names().map(str::to_owned).collect())
    }

    fn policies(&self, type_name: &str) -> Vec<(Vec<String>, String)> {
        let Some(known) = self.schemas.resource_type(type_name) else { return Vec::new() };
        let path = |property: &str| property.split('.').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        known.policies().map(|(property, class)| (path(property), class.to_owned())).collect()
    }

    fn refactorable(&self, type_name: &str) -> Result<(), &'static str> {
        match self.schemas.resource_type(type_name) {
            None => Err("nothing is known of its type"),
            Some(known) if known.is_refactorable() => Ok(()),
            Some(known) if known.has_handlers() && known.has_update() => Err("the tags of its type cannot be updated"),
            Some(_) => Err("its type cannot be updated"),
        }
    }
}
