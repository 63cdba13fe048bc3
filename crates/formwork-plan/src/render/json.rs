//! A plan as JSON (reference/plan.md#json).

use serde_json::{Map, Value as Json, json};

use super::Report;
use crate::change::{Change, Place, PropertyChange};
use crate::dotted;
use crate::shifts::Shift;
use crate::summary::{self, Summary};

/// The plan as one object, indented, which ends in a line break.
pub fn render(report: &Report<'_>) -> String {
    serde_json::to_string_pretty(&object(report)).unwrap_or_default() + "\n"
}

fn counts<const N: usize>(counts: [(&'static str, usize); N]) -> Json {
    Json::Object(counts.into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect())
}

fn object(report: &Report<'_>) -> Json {
    let plan = report.plan;
    let arguments = report.arguments.iter().map(|(name, old, new)| json!({"name": name, "old": old, "new": new}));
    let refactor = report.refactor.map(|(refactor, after)| {
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
    });
    json!({
        "formwork_diff": 1,
        "formwork_plan": 1,
        "template": report.template,
        "table": plan.table,
        "same": plan.is_same(),
        "counts": counts(summary::kinds(plan)),
        "summary": counts(Summary::of(plan).counts()),
        "failed": report.failed,
        "arguments": arguments.collect::<Vec<_>>(),
        "changes": plan.changes.iter().map(change).collect::<Vec<_>>(),
        "shifts": plan.shifts.iter().map(shift).collect::<Vec<_>>(),
        "refactor": refactor,
        "notes": plan.notes,
    })
}

fn place(place: Option<&Place>) -> Json {
    place.map_or(Json::Null, |place| {
        let frames = place.iterations.iter().map(|(name, item)| json!({"kind": "loop", "name": name, "value": item}));
        json!({
            "file": place.file, "line": place.line, "column": place.column, "frames": frames.collect::<Vec<_>>(),
        })
    })
}

fn change(change: &Change<'_, '_>) -> Json {
    let mut object = Map::new();
    let mut put = |name: &str, value: Json| {
        object.insert(name.to_owned(), value);
    };
    put("kind", change.kind.name().into());
    put("section", change.section.name().into());
    put("id", change.id.into());
    put("old_id", change.old_id.into());
    put("type", change.type_name.into());
    put("stack", change.stack.clone().into());
    put("origin", place(change.place.as_ref()));
    put("old_origin", place(change.old_place.as_ref()));
    put("properties", change.properties.iter().map(property).collect());
    put("because", change.because.clone().into());
    if let Some(resource) = &change.resource {
        put("action", resource.action.name().into());
        put("action_reason", resource.reason.into());
        put("replace_paths", resource.replace_paths.clone().into());
        put("may_replace_paths", resource.may_replace_paths.clone().into());
        put("physical_id", resource.physical_id.clone().into());
        put("data", resource.data.name().into());
        put("policy", resource.policy.into());
        let blocked = resource.blocked.as_ref();
        put("blocked", blocked.map_or(Json::Null, |it| json!({"reason": it.reason, "sentence": it.sentence})));
        put("broadened", (!resource.grants.is_empty()).into());
        put("grants", resource.grants.clone().into());
    }
    Json::Object(object)
}

fn property(property: &PropertyChange<'_, '_>) -> Json {
    json!({
        "path": dotted(&property.path),
        "kind": property.kind.name(),
        "old": property.old.map(crate::Value::to_json),
        "new": property.new.map(crate::Value::to_json),
        "origin": place(property.place.as_ref()),
        "old_origin": place(property.old_place.as_ref()),
        "effect": property.effect.name(),
        "because": property.because,
    })
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
