//! The effect of a changed property (reference/schemas.md#table).

use crate::ResourceType;
use crate::block::PathData;
use crate::path::{FactPath, Relation};

/// The action of CloudFormation on a resource when a property changes. Worse effects are greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Effect {
    /// No effect: the property is read-only.
    None,
    /// The resource is updated in place.
    Update,
    /// Not known: private types without a schema, `AWS::Serverless`.
    Unknown,
    /// The resource may be replaced, depending on the value or on the resource.
    MayReplace(Reason),
    /// The resource is replaced: a new one is created, the old one is deleted.
    Replace(Reason),
}

/// The reason why a resource is, or may be, replaced.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The type has no update handler.
    ImmutableType,
    /// The property is set only when the resource is created.
    CreateOnly,
    /// The property can be updated under conditions.
    Conditional,
    /// The schema has nothing about the property, the older resource specification did.
    OlderSpecification,
}

impl Effect {
    /// Returns `none`, `update`, `unknown`, `may-replace` or `replace`.
    pub fn name(self) -> &'static str {
        match self {
            Effect::None => "none",
            Effect::Update => "update",
            Effect::Unknown => "unknown",
            Effect::MayReplace(_) => "may-replace",
            Effect::Replace(_) => "replace",
        }
    }

    /// Returns the reason of a certain or possible replacement.
    pub fn reason(self) -> Option<Reason> {
        match self {
            Effect::MayReplace(reason) | Effect::Replace(reason) => Some(reason),
            Effect::None | Effect::Update | Effect::Unknown => None,
        }
    }
}

impl Reason {
    /// Returns `immutable-type`, `create-only`, `conditional` or `older-specification`.
    pub fn name(self) -> &'static str {
        match self {
            Reason::ImmutableType => "immutable-type",
            Reason::CreateOnly => "create-only",
            Reason::Conditional => "conditional",
            Reason::OlderSpecification => "older-specification",
        }
    }
}

impl ResourceType<'_> {
    /// Returns the effect of a change of the value at `path`, for a value without children, or whose children are
    /// queried separately. `path` begins below `Properties`; an element of a list is its number or `*`. For an added or
    /// removed object or list, query each value in it and take the greatest.
    pub fn effect(&self, path: &[&str]) -> Effect {
        self.effect_where(path, |relation| relation == Relation::Within)
    }

    /// Returns the possible effect of a change of a value with unknown content, such as a call that stays: facts of
    /// paths below `path` count, too.
    pub fn effect_within(&self, path: &[&str]) -> Effect {
        self.effect_where(path, |relation| relation != Relation::Apart)
    }

    fn effect_where(&self, path: &[&str], counts: impl Fn(Relation) -> bool) -> Effect {
        let any = |paths: &[PathData], counts: &dyn Fn(Relation) -> bool| {
            paths.iter().any(|names| counts(FactPath { block: self.block, names }.relation(path)))
        };
        let row = self.row;
        if self.is_serverless() {
            return Effect::Unknown;
        }
        if any(&row.read_only, &|relation| relation == Relation::Within) {
            return Effect::None;
        }
        if row.has_handlers && !row.has_update {
            return Effect::Replace(Reason::ImmutableType);
        }
        if any(&row.create_only, &counts) {
            return Effect::Replace(Reason::CreateOnly);
        }
        if any(&row.conditional, &counts) {
            return Effect::MayReplace(Reason::Conditional);
        }
        let first = path.first().copied().unwrap_or_default();
        if self
            .facts_row()
            .is_some_and(|(block, row)| row.facts.older.iter().any(|(name, _)| block.str(*name) == first))
        {
            return Effect::MayReplace(Reason::OlderSpecification);
        }
        Effect::Update
    }

    /// Returns `true` if CloudFormation's stack refactoring can take a resource of this type: it can be updated, and so
    /// can its tags, if it has any.
    pub fn is_refactorable(&self) -> bool {
        let row = self.row;
        row.has_handlers && row.has_update && (!row.taggable || row.tag_updatable)
    }
}
