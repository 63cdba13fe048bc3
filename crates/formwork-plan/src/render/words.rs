//! Words that the forms have in common.

use crate::change::{
    Action, Change, ChangeKind, Data, Effect, Follower, Importer, Place, PropertyChange, PropertyKind, ResourceChange,
    in_stack,
};
use crate::publications;
use crate::shifts::Shift;
use formwork_template::value::Value;

/// Limit of characters of a value.
const SHOWN: usize = 200;

pub(super) fn mark(change: &Change<'_, '_>) -> &'static str {
    match (change.kind, change.action()) {
        (ChangeKind::Moved | ChangeKind::LikelyMoved, _) => ">",
        (_, Some(Action::Replace)) => "-/+",
        (_, Some(Action::MayReplace)) => "~/+",
        (_, Some(Action::MayDelete)) => "~/-",
        (_, Some(Action::MayCreate)) => "?+",
        (_, Some(Action::Orphan)) => "o",
        (ChangeKind::Added, _) => "+",
        (ChangeKind::Removed, _) => "-",
        (ChangeKind::OrderOnly, _) => "=",
        _ => "~",
    }
}

fn data(resource: &ResourceChange<'_>) -> &'static str {
    match (resource.data, resource.action) {
        (Data::Lost, Action::MayReplace | Action::MayDelete) => ": DATA MAY BE LOST",
        (Data::Lost, _) => ": DATA IS LOST",
        (Data::Kept, _) => ": the old one is kept",
        (Data::Snapshot, _) => ": after a snapshot",
        (Data::Blocked, _) => ": only if it is empty",
        (Data::None, _) => "",
    }
}

fn export(change: &Change<'_, '_>) -> String {
    change.export.as_ref().map_or_else(String::new, |export| {
        let (name, change) = (cut(&export.name), export.change);
        let importers = export.importers.as_deref().unwrap_or_default();
        let known = |is_certain: bool| importers.iter().filter(move |one| one.is_certain == is_certain);
        match (known(true).count(), known(false).count()) {
            (0, 0) => format!("export {name} {change}: may be in use by importers"),
            (0, _) => format!("export {name} {change}: may be in use by {}", importers_at(known(false))),
            _ => format!("export {name} {change}: blocked, in use by {}", importers_at(known(true))),
        }
    })
}

/// Lines about the properties of importers that follow a changed export.
pub(super) fn followers(change: &Change<'_, '_>) -> Vec<String> {
    let importers = change.export.iter().flat_map(|export| export.importers.iter().flatten());
    let line = |importer: &Importer, one: &Follower| {
        let stack = importer.stack.as_ref().map(|stack| format!(" of {stack}")).unwrap_or_default();
        let line = one.line.unwrap_or(importer.line);
        cut(&format!("{}:{line}: {}.{}{stack} follows, {}", importer.file, one.id, one.property, one.effect))
    };
    importers.flat_map(|importer| importer.followers.iter().map(move |one| line(importer, one))).collect()
}

fn importers_at<'i>(importers: impl Iterator<Item = &'i Importer> + Clone) -> String {
    const NAMED: usize = 5;
    let more = importers.clone().count().saturating_sub(NAMED);
    let named = importers.take(NAMED).map(|one| cut(&format!("{}:{}", one.file, one.line)));
    let mut named: Vec<String> = named.collect();
    if more > 0 {
        named.push(format!("{more} more"));
    }
    named.join(", ")
}

/// Describes other outcomes for a resource under other values; empty if nothing else may happen.
pub(super) fn others(change: &Change<'_, '_>) -> String {
    let others = change.resource.iter().flat_map(|resource| &resource.others);
    let words = others.map(|other| {
        let what = match other.action {
            Action::MayCreate | Action::Create => "be created",
            Action::MayDelete | Action::Delete => "be deleted",
            Action::MayReplace | Action::Replace => "be replaced",
            Action::Orphan => "be left behind",
            Action::Update | Action::None => "be updated",
        };
        format!("{what}{}", if other.data == Data::Lost { ": DATA MAY BE LOST" } else { "" })
    });
    let mut words: Vec<String> = words.collect();
    words.dedup();
    words.join(", or ")
}

pub(super) fn depends_on(change: &Change<'_, '_>) -> String {
    let all = change.resource.iter().flat_map(|resource| &resource.depends_on);
    let one = |dependency: &crate::Dependency| match &dependency.place {
        Some(at) => format!("{} ({})", cut(&dependency.what), place(at)),
        None => cut(&dependency.what),
    };
    all.map(one).collect::<Vec<_>>().join(", ")
}

pub(super) fn outcome(change: &Change<'_, '_>) -> String {
    let Some(resource) = &change.resource else {
        return match change.kind {
            _ if change.export.is_some() => export(change),
            ChangeKind::Added => "new".to_owned(),
            ChangeKind::Removed => "gone".to_owned(),
            ChangeKind::OrderOnly => "order only".to_owned(),
            _ => "changed".to_owned(),
        };
    };
    let data = data(resource);
    match (change.kind, resource.action) {
        (ChangeKind::Moved, _) => format!("same content under a new ID: deleted and created{data}"),
        (ChangeKind::LikelyMoved, _) => format!("similar content under a new ID: deleted and created{data}"),
        (_, Action::Create) => "create".to_owned(),
        (_, Action::MayCreate) => "may be created".to_owned(),
        (_, Action::Delete) => format!("delete{data}"),
        (_, Action::MayDelete) => format!("may be deleted{data}"),
        (_, Action::Orphan) => "left behind: it stays in the account".to_owned(),
        (_, Action::Replace) => format!("replace{data}"),
        (_, Action::MayReplace) => format!("may be replaced{data}"),
        (_, Action::Update) if publications::is_one(change) => match change.type_name {
            Some(name) if name.ends_with("::Deployment") => "deploys the API again".to_owned(),
            _ => "publishes a new version".to_owned(),
        },
        (_, Action::Update) if resource.reason == "attributes" => "attributes only".to_owned(),
        (_, Action::Update) => "in place".to_owned(),
        (_, Action::None) => "order only".to_owned(),
    }
}

/// Returns the path of an entry in a report: `Resources.Orders (AWS::DynamoDB::Table)`.
pub(super) fn name(change: &Change<'_, '_>) -> String {
    let section = change.section.name();
    let stack = in_stack(&change.stack);
    let kind = change.type_name.filter(|name| !name.is_empty()).map(|name| format!(" ({name})")).unwrap_or_default();
    match change.old_id {
        Some(old) => format!("{section}.{stack}{old} -> {section}.{stack}{}{kind}", change.id),
        None if section == change.id => section.to_owned(),
        None => format!("{section}.{stack}{}{kind}", change.id),
    }
}

/// Lists Defaults that are used as values: `Env=dev (default)`; the first five, and the number of the rest.
pub(super) fn defaults(defaults: &[(String, String)]) -> String {
    const NAMED: usize = 5;
    let named = defaults.iter().take(NAMED).map(|(name, value)| format!("{name}={} (default)", cut(value)));
    let mut words: Vec<String> = named.collect();
    if defaults.len() > NAMED {
        words.push(format!("{} more defaults", defaults.len() - NAMED));
    }
    words.join(", ")
}

/// Writes a place as `file:line [Name=a]`, or `stack NAME, line 5`.
pub(super) fn place(place: &Place) -> String {
    let items: Vec<String> = place.iterations.iter().map(|(name, item)| format!("{name}={item}")).collect();
    let items = if items.is_empty() { String::new() } else { format!(" [{}]", items.join(", ")) };
    place.words() + &items
}

pub(super) fn value(value: Option<&Value<'_>>) -> String {
    let Some(value) = value else { return "-".to_owned() };
    let line = match value {
        Value::String(text) => formwork_template::value::quoted(text),
        other => other.to_line().into_owned(),
    };
    cut(&line)
}

pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

pub(super) fn values(property: &PropertyChange<'_, '_>) -> String {
    match property.kind {
        PropertyKind::Reference => value(property.new),
        PropertyKind::OrderOnly => "order only".to_owned(),
        PropertyKind::Added => format!("+ {}", value(property.new)),
        PropertyKind::Removed => format!("- {}", value(property.old)),
        _ => format!("{} -> {}", value(property.old), value(property.new)),
    }
}

/// Describes the effect of a changed property; empty for an update.
pub(super) fn effect(property: &PropertyChange<'_, '_>) -> String {
    let effect = match property.effect {
        Effect::Replace(_) => "replaces",
        Effect::MayReplace(_) => "may replace",
        Effect::None if property.kind == PropertyKind::Changed && property.path.len() > 1 => "no effect",
        _ => "",
    };
    let causes = causes(property);
    match (effect, causes.is_empty()) {
        ("", true) => String::new(),
        ("", false) => format!("changes with {causes}"),
        (effect, true) => effect.to_owned(),
        (effect, false) => format!("{effect}: changes with {causes}"),
    }
}

/// Lists the causes of a changed reference: replacements, and for nested stacks arguments and outputs.
fn causes(property: &PropertyChange<'_, '_>) -> String {
    let is_reference = property.kind == PropertyKind::Reference;
    let targets: Vec<&str> = property.because.iter().filter_map(|why| why.strip_prefix("replacement of ")).collect();
    let replaced = (!targets.is_empty()).then(|| format!("the replacement of {}", targets.join(", ")));
    let others = property.because.iter().filter(|why| is_reference && !why.starts_with("replacement of "));
    replaced.into_iter().chain(others.cloned()).collect::<Vec<_>>().join(", ")
}

pub(super) fn shift(shift: &Shift) -> String {
    let item = |verb: &str, items: &[(String, u32)]| {
        let shown: Vec<String> = items
            .iter()
            .take(3)
            .map(|(item, at)| format!("{} (item {})", formwork_template::value::quoted(item), at + 1))
            .collect();
        let more = items.len().saturating_sub(shown.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!items.is_empty()).then(|| format!("{verb} {}{more}", shown.join(", ")))
    };
    let whats: Vec<String> =
        item("removing", &shift.removed).into_iter().chain(item("inserting", &shift.inserted)).collect();
    let what = if whats.is_empty() { "reordering its items".to_owned() } else { whats.join(" and ") };
    let count = shift.pairs.len();
    let resources = if count == 1 { "resource" } else { "resources" };
    let stack = in_stack(&shift.stack);
    format!("loop {stack}{}: IDs follow the position, so {what} renames {count} {resources}", shift.loop_name)
}
