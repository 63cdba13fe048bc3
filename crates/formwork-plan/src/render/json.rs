//! A plan as JSON (reference/plan.md#json). Parts are built while they are written, since a plan may have many.

use std::borrow::Cow;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use super::Report;
use crate::change::{Change, Export, Follower, Importer, Place, PropertyChange, ResourceChange};
use crate::dotted;
use crate::shifts::Shift;
use crate::summary::{self, Summary};

/// Renders the plan as one indented object, which ends in a line break.
pub fn render(report: &Report<'_>) -> String {
    serde_json::to_string_pretty(&Root(report)).unwrap_or_default() + "\n"
}

/// Returns the plan as an object.
pub fn object(report: &Report<'_>) -> Json {
    serde_json::to_value(Root(report)).unwrap_or_default()
}

fn counts<const N: usize>(counts: [(&'static str, usize); N]) -> Json {
    Json::Object(counts.into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect())
}

struct Root<'r>(&'r Report<'r>);

impl Serialize for Root<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Root(report) = self;
        let plan = report.plan;
        let arguments = report.arguments.iter().map(|(name, old, new)| json!({"name": name, "old": old, "new": new}));
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("formwork_diff", &1)?;
        object.serialize_entry("formwork_plan", &1)?;
        object.serialize_entry("template", report.template)?;
        object.serialize_entry("table", &plan.table)?;
        object.serialize_entry("same", &plan.is_same())?;
        object.serialize_entry("counts", &counts(summary::kinds(plan)))?;
        object.serialize_entry("summary", &counts(Summary::of(plan).counts()))?;
        object.serialize_entry("failed", report.failed)?;
        object.serialize_entry("arguments", &arguments.collect::<Vec<_>>())?;
        let defaults = report.defaults.iter().map(|(name, value)| json!({"name": name, "value": value}));
        object.serialize_entry("defaults", &defaults.collect::<Vec<_>>())?;
        object.serialize_entry("changes", &Each(&plan.changes, change))?;
        object.serialize_entry("shifts", &Each(&plan.shifts, shift))?;
        object.serialize_entry("refactor", &refactor(report))?;
        object.serialize_entry("notes", &plan.notes)?;
        object.end()
    }
}

/// A list whose elements are built while they are written.
struct Each<'e, T, F>(&'e [T], F);

impl<'e, T, R: Serialize, F: Fn(&'e T) -> R> Serialize for Each<'e, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(&self.1))
    }
}

fn refactor(report: &Report<'_>) -> Option<Json> {
    report.refactor.map(|(refactor, after)| {
        let mappings = refactor.mappings.iter().map(|pair| {
            json!({
                "source": pair.source, "destination": pair.destination, "type": pair.type_name,
                "item": pair.item, "reason": pair.reason,
            })
        });
        let left = refactor.left.iter();
        let left = left.map(|left| json!({"id": left.id, "type": left.type_name, "reason": left.reason}));
        json!({
            "mappings": mappings.collect::<Vec<_>>(), "left": left.collect::<Vec<_>>(), "after": counts(after.counts()),
        })
    })
}

#[derive(Serialize)]
struct PlaceObject<'p> {
    file: &'p str,
    line: u32,
    column: u32,
    frames: Vec<Iteration<'p>>,
}

#[derive(Serialize)]
struct Iteration<'p> {
    kind: &'static str,
    name: &'p str,
    value: &'p str,
}

fn place(place: Option<&Place>) -> Option<PlaceObject<'_>> {
    place.map(|place| {
        let frames = place.iterations.iter().map(|(name, value)| Iteration { kind: "loop", name, value });
        PlaceObject { file: &place.file, line: place.line, column: place.column, frames: frames.collect() }
    })
}

#[derive(Serialize)]
struct ChangeObject<'c> {
    kind: &'static str,
    section: &'static str,
    id: &'c str,
    old_id: Option<&'c str>,
    #[serde(rename = "type")]
    type_name: Option<&'c str>,
    stack: &'c [String],
    origin: Option<PlaceObject<'c>>,
    old_origin: Option<PlaceObject<'c>>,
    properties: Vec<PropertyObject<'c>>,
    because: &'c [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    export: Option<ExportObject<'c>>,
    #[serde(flatten)]
    resource: Option<ResourceObject<'c>>,
}

#[derive(Serialize)]
struct ExportObject<'c> {
    name: &'c str,
    change: &'static str,
    blocked: Option<BlockedObject<'c>>,
    importers: Option<Vec<ImporterObject<'c>>>,
}

#[derive(Serialize)]
struct FollowerObject<'c> {
    id: &'c str,
    property: &'c str,
    effect: &'static str,
    line: Option<u32>,
}

#[derive(Serialize)]
struct ImporterObject<'c> {
    file: &'c str,
    line: u32,
    stack: Option<&'c str>,
    certain: bool,
    follows: Vec<FollowerObject<'c>>,
}

#[derive(Serialize)]
struct DependencyObject<'c> {
    what: &'c str,
    origin: Option<PlaceObject<'c>>,
}

#[derive(Serialize)]
struct PossibleObject<'c> {
    action: &'static str,
    data: &'static str,
    policy: Option<&'c str>,
}

#[derive(Serialize)]
struct ResourceObject<'c> {
    action: &'static str,
    action_reason: &'static str,
    replace_paths: &'c [String],
    may_replace_paths: &'c [String],
    physical_id: Option<&'c str>,
    data: &'static str,
    policy: Option<&'c str>,
    blocked: Option<BlockedObject<'c>>,
    broadened: bool,
    grants: &'c [String],
    depends_on: Vec<DependencyObject<'c>>,
    others: Vec<PossibleObject<'c>>,
}

#[derive(Serialize)]
struct BlockedObject<'c> {
    reason: &'static str,
    sentence: Cow<'c, str>,
}

#[derive(Serialize)]
struct PropertyObject<'c> {
    path: String,
    kind: &'static str,
    old: Option<Json>,
    new: Option<Json>,
    origin: Option<PlaceObject<'c>>,
    old_origin: Option<PlaceObject<'c>>,
    effect: &'static str,
    because: &'c [String],
}

fn change<'c>(change: &'c Change<'_, '_>) -> ChangeObject<'c> {
    ChangeObject {
        kind: change.kind.name(),
        section: change.section.name(),
        id: change.id,
        old_id: change.old_id,
        type_name: change.type_name,
        stack: &change.stack,
        origin: place(change.place.as_ref()),
        old_origin: place(change.old_place.as_ref()),
        properties: change.properties.iter().map(property).collect(),
        because: &change.because,
        export: change.export.as_ref().map(export),
        resource: change.resource.as_ref().map(resource),
    }
}

fn resource<'c>(resource: &'c ResourceChange<'_>) -> ResourceObject<'c> {
    let blocked = resource.blocked.as_ref();
    ResourceObject {
        action: resource.action.name(),
        action_reason: resource.reason,
        replace_paths: &resource.replace_paths,
        may_replace_paths: &resource.may_replace_paths,
        physical_id: resource.physical_id.as_deref(),
        data: resource.data.name(),
        policy: resource.policy,
        blocked: blocked.map(|it| BlockedObject { reason: it.reason, sentence: it.sentence.as_str().into() }),
        broadened: !resource.grants.is_empty(),
        grants: &resource.grants,
        depends_on: resource
            .depends_on
            .iter()
            .map(|one| DependencyObject { what: &one.what, origin: place(one.place.as_ref()) })
            .collect(),
        others: resource
            .others
            .iter()
            .map(|one| PossibleObject { action: one.action.name(), data: one.data.name(), policy: one.policy })
            .collect(),
    }
}

fn property<'c>(property: &'c PropertyChange<'_, '_>) -> PropertyObject<'c> {
    PropertyObject {
        path: dotted(&property.path),
        kind: property.kind.name(),
        old: property.old.map(crate::Value::to_json),
        new: property.new.map(crate::Value::to_json),
        origin: place(property.place.as_ref()),
        old_origin: place(property.old_place.as_ref()),
        effect: property.effect.name(),
        because: &property.because,
    }
}

fn shift(shift: &Shift) -> Json {
    let items =
        |items: &[(String, u32)]| items.iter().map(|(item, at)| json!({"item": item, "index": at})).collect::<Vec<_>>();
    json!({
        "code": "FW1210",
        "loop": shift.loop_name,
        "stack": shift.stack,
        "inserted": items(&shift.inserted),
        "removed": items(&shift.removed),
        "ids": shift.ids,
        "instead": shift.instead,
        "key": place(shift.key_place.as_ref()),
        "collection": place(shift.collection_place.as_ref()),
    })
}

fn export(export: &Export) -> ExportObject<'_> {
    let importers = export.importers.as_ref().map(|all| all.iter().map(importer).collect());
    let blocked = export.refusal().map(|sentence| BlockedObject { reason: "in-use", sentence: sentence.into() });
    ExportObject { name: &export.name, change: export.change, blocked, importers }
}

fn importer(one: &Importer) -> ImporterObject<'_> {
    ImporterObject {
        file: &one.file,
        line: one.line,
        stack: one.stack.as_deref(),
        certain: one.is_certain,
        follows: one.followers.iter().map(follower).collect(),
    }
}

fn follower(one: &Follower) -> FollowerObject<'_> {
    FollowerObject { id: &one.id, property: &one.property, effect: one.effect, line: one.line }
}
