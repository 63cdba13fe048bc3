//! Properties of resources and their values, by the schemas of resource types.

use formwork_schemas::Kind;

use super::{Collector, ProposalKind};
use crate::schema::{in_resource, is_read_only, kinds};

/// Adds names of properties that are not set yet, required ones first. Returns `true` if the cursor is in properties.
pub(super) fn names(collector: &mut Collector<'_, '_>) -> bool {
    let Some(index) = collector.ide.file(collector.file) else { return false };
    let path = collector.context.path.clone();
    let Some(place) = in_resource(index, &path) else { return false };
    let Some((resource, node)) = place.resource_type().zip(place.node()) else { return false };
    let around = place.names();
    for property in node.properties() {
        let own: Vec<&str> = around.iter().copied().chain([property.name]).collect();
        if is_read_only(&resource, &own) {
            continue;
        }
        let what = kinds(property.node.kinds());
        let detail = if property.required { format!("{what}, required") } else { what };
        let group = u8::from(!property.required);
        collector.add_key(property.name, ProposalKind::Property, (Some(detail), None), group);
        open(collector, property.name, property.node.kinds().has(Kind::Object), property.node.kinds().has(Kind::Array));
    }
    true
}

/// A property whose value is an object or a list continues on the next line.
fn open(collector: &mut Collector<'_, '_>, name: &str, is_object: bool, is_list: bool) {
    let is_block = !collector.is_json && !collector.context.is_flow && !collector.context.has_colon;
    if !is_block || is_object == is_list {
        return;
    }
    let column = " ".repeat(collector.context.column + 2);
    let dash = if is_list { "- " } else { "" };
    if let Some(last) = collector.proposals.last_mut().filter(|last| last.label == name) {
        last.edit.text = format!("{name}:\n{column}{dash}");
    }
}

pub(super) fn values(collector: &mut Collector<'_, '_>) {
    let Some(index) = collector.ide.file(collector.file) else { return };
    let path = collector.context.path.clone();
    let Some(node) = in_resource(index, &path).and_then(|place| place.node()) else { return };
    if let Some(values) = node.values() {
        for value in values.iter() {
            collector.add_value(value, ProposalKind::Value, None, 0);
        }
    }
    if node.kinds().has(Kind::Boolean) {
        for value in ["true", "false"] {
            collector.add_value(value, ProposalKind::Value, None, 0);
        }
    }
}
