//! The action of a change on a resource, and its effects per property.

use crate::change::{
    Action, Blocked, Change, ChangeKind, Effect, Possible, PropertyChange, PropertyKind, ReplaceReason, ResourceChange,
};
use crate::data;
use crate::facts::Facts;
use formwork_template::Section;
use formwork_template::side::Member;
use formwork_template::value::{Step, Value, dotted};

impl Effect {
    /// Returns the effect of a change that happens under some values only: a certain replacement becomes a possible one
    /// for `reason`.
    pub(crate) fn uncertain(self, reason: ReplaceReason) -> Effect {
        match self {
            Effect::Replace(_) => Effect::MayReplace(reason),
            other => other,
        }
    }
}

impl ReplaceReason {
    fn name(self) -> &'static str {
        match self {
            ReplaceReason::CreateOnly => "create-only",
            ReplaceReason::ImmutableType => "immutable-type",
            ReplaceReason::Conditional => "conditional",
            ReplaceReason::OlderSpecification => "older-specification",
            ReplaceReason::OpenValue => "open-value",
        }
    }
}

pub(crate) fn set_effects(type_name: &str, properties: &mut [PropertyChange<'_, '_>], facts: Option<&dyn Facts>) {
    for property in properties {
        property.effect = match (property.kind, property.path.split_first()) {
            (PropertyKind::OrderOnly, _) => Effect::None,
            (_, Some((Step::Name("Properties"), rest))) => match facts {
                // The effect of an added or removed object or list is that of its content.
                Some(facts) => deepest(type_name, rest, property, facts),
                None => Effect::Unknown,
            },
            _ => Effect::None,
        };
        if property.may_be_same {
            property.effect = property.effect.uncertain(ReplaceReason::OpenValue);
        }
    }
}

/// Returns the strongest effect of a difference at or below a path; an added or removed collection counts with all of
/// its content.
fn deepest(type_name: &str, path: &[Step<'_>], property: &PropertyChange<'_, '_>, facts: &dyn Facts) -> Effect {
    let mut found = Vec::new();
    for value in property.old.into_iter().chain(property.new) {
        leaf_effects(type_name, &mut path.to_vec(), value, facts, &mut found);
    }
    found.into_iter().max_by_key(|effect| rank(*effect)).unwrap_or(Effect::None)
}

fn leaf_effects<'v>(
    type_name: &str,
    path: &mut Vec<Step<'v>>,
    value: &'v Value<'_>,
    facts: &dyn Facts,
    found: &mut Vec<Effect>,
) {
    match value {
        Value::Map(members) if !members.is_empty() => {
            for (key, value) in members {
                path.push(Step::Name(key));
                leaf_effects(type_name, path, value, facts, found);
                path.pop();
            }
        }
        Value::List(items) if !items.is_empty() => {
            for (at, item) in items.iter().enumerate() {
                path.push(Step::Index(at));
                leaf_effects(type_name, path, item, facts, found);
                path.pop();
            }
        }
        Value::Map(_) | Value::List(_) if path.is_empty() => {}
        value => found.push(facts.effect(type_name, path, matches!(value, Value::Call(..)))),
    }
}

/// Orders effects by strength; an unknown one is an update at least.
fn rank(effect: Effect) -> (u8, Effect) {
    let strength = match effect {
        Effect::None => 0,
        Effect::Unknown => 1,
        Effect::Update => 2,
        Effect::MayReplace(_) => 3,
        Effect::Replace(_) => 4,
    };
    (strength, effect)
}

/// Returns the change of a resource that its changed properties cause, whatever their order.
pub(crate) fn of_properties<'t>(properties: &[PropertyChange<'_, 't>]) -> ResourceChange<'t> {
    let paths = |wanted: fn(Effect) -> bool| {
        let mut paths: Vec<String> =
            properties.iter().filter(|change| wanted(change.effect)).map(|change| dotted(&change.path)).collect();
        paths.dedup();
        paths
    };
    let strongest = properties.iter().max_by_key(|change| {
        // Of equal effects, the author's own change comes before one that follows from a replacement.
        (rank(change.effect), change.kind != PropertyKind::Reference)
    });
    let is_call = |change: &PropertyChange<'_, '_>| {
        matches!(change.path.first(), Some(Step::Name("Properties"))) && change.kind != PropertyKind::OrderOnly
    };
    let (action, reason) = match strongest.map(|change| (change.effect, change.kind)) {
        Some((Effect::Replace(_), PropertyKind::Reference)) => (Action::Replace, "reference-replaced"),
        Some((Effect::Replace(reason), _)) => (Action::Replace, reason.name()),
        Some((Effect::MayReplace(_), PropertyKind::Reference)) => (Action::MayReplace, "reference-may-be-replaced"),
        Some((Effect::MayReplace(reason), _)) => (Action::MayReplace, reason.name()),
        _ => match properties.iter().filter(|change| is_call(change)).map(|change| change.kind).next() {
            Some(_)
                if properties
                    .iter()
                    .filter(|change| is_call(change))
                    .all(|change| change.kind == PropertyKind::Reference) =>
            {
                (Action::Update, "reference-replaced")
            }
            Some(_) => (Action::Update, "properties"),
            None if properties.iter().all(|change| change.kind == PropertyKind::OrderOnly) => {
                (Action::None, "order-only")
            }
            None => (Action::Update, "attributes"),
        },
    };
    ResourceChange {
        action,
        reason,
        replace_paths: paths(|effect| matches!(effect, Effect::Replace(_))),
        may_replace_paths: paths(|effect| matches!(effect, Effect::MayReplace(_))),
        physical_id: None,
        data: crate::change::Data::None,
        policy: None,
        blocked: None,
        grants: Vec::new(),
        is_shifted: false,
        depends_on: Vec::new(),
        others: Vec::new(),
    }
}

pub(crate) fn whole<'t>(action: Action, reason: &'static str) -> ResourceChange<'t> {
    ResourceChange { action, reason, ..of_properties(&[]) }
}

impl<'t> Change<'_, 't> {
    /// Returns the change of a resource as a whole.
    pub fn of_resource(
        kind: ChangeKind,
        id: &'t str,
        type_name: &'t str,
        action: Action,
        reason: &'static str,
    ) -> Self {
        Change {
            type_name: Some(type_name),
            resource: Some(whole(action, reason)),
            ..Change::new(kind, Section::Resources, id)
        }
    }
}

pub(crate) fn decide<'t>(change: &mut Change<'_, 't>, old: &Member<'t>, new: &Member<'t>, facts: Option<&dyn Facts>) {
    let mut resource = if old.kind() == new.kind() {
        of_properties(&change.properties)
    } else {
        whole(Action::Replace, "type-changed")
    };
    if resource.reason == "type-changed" {
        let sentence = format!(
            "Update of resource type is not permitted. The new template modifies resource type of the following resources: [{}]",
            new.id
        );
        resource.blocked = Some(Blocked { reason: "type-changed", sentence, path: vec!["Type".to_owned()] });
    } else if resource.action == Action::Replace && resource.reason != "reference-replaced" {
        resource.blocked = facts.and_then(|facts| custom_name(old, new, facts));
    }
    if matches!(resource.action, Action::Replace | Action::MayReplace) {
        // The policy is that of the new side, the data that of the old resource.
        let policy = data::replacement_policy(new);
        (resource.policy, resource.data) = (Some(policy), data::of(old, policy, facts));
    }
    if let Some(before) = &change.resource {
        resource.grants.clone_from(&before.grants);
        resource.physical_id.clone_from(&before.physical_id);
        resource.is_shifted = before.is_shifted;
        keep_possible(&mut resource, before);
    }
    if change.kind == ChangeKind::OrderOnly && resource.action != Action::None {
        change.kind = ChangeKind::Changed;
    }
    change.resource = Some(resource);
}

/// Keeps the outcomes found before; the gravest of all becomes the action.
fn keep_possible<'t>(resource: &mut ResourceChange<'t>, before: &ResourceChange<'t>) {
    let own = Possible { action: resource.action, data: resource.data, policy: resource.policy };
    let strength = |one: &Possible<'_>| (one.action.gravity(), one.data);
    let known = Possible { action: before.action, data: before.data, policy: before.policy };
    if strength(&known) > strength(&own) {
        (resource.action, resource.reason) = (before.action, before.reason);
        (resource.data, resource.policy) = (before.data, before.policy);
    }
    if resource.action == before.action {
        resource.depends_on.clone_from(&before.depends_on);
    }
    for possible in before.possible().chain([own]).filter(|one| one.action != Action::None) {
        let possible = Possible { action: possible.action.uncertain(), ..possible };
        let is_weaker = possible.action.gravity() <= Action::Update.gravity();
        let is_own =
            possible == Possible { action: resource.action.uncertain(), data: resource.data, policy: resource.policy };
        if !is_weaker && !is_own {
            resource.add_possible(possible);
        }
    }
}

/// Returns why CloudFormation rejects a replacement of a resource with a custom name.
fn custom_name(old: &Member<'_>, new: &Member<'_>, facts: &dyn Facts) -> Option<Blocked> {
    let path = facts.custom_name(new.kind())?;
    let steps: Vec<Step<'_>> =
        std::iter::once(Step::Name("Properties")).chain(path.iter().map(|name| Step::Name(name))).collect();
    let name = |member: &Member<'_>| member.value.at(&steps).and_then(Value::text).map(str::to_owned);
    let (before, after) = (name(old)?, name(new)?);
    (before == after).then(|| Blocked {
        reason: "custom-name",
        sentence: format!(
            "CloudFormation cannot update a stack when a custom-named resource requires replacing. Rename {after} and update the stack again."
        ),
        path: std::iter::once("Properties".to_owned()).chain(path).collect(),
    })
}
