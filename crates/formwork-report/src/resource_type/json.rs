//! Renders a resource type as JSON (docs/schemas/schemas-type.json).

use formwork_schemas::{Node, ResourceType, Schemas};
use serde_json::{Map, Value, json};

use super::marks::marks;
use super::tree;

/// Renders the known facts about a resource type.
pub fn render(known: &Schemas, resource: &ResourceType<'_>) -> String {
    let attributes: Vec<Value> = resource
        .attributes()
        .iter()
        .map(|attribute| json!({"name": attribute.name, "kind": attribute.node.map(tree::kind)}))
        .collect();
    let answer = json!({
        "formwork_schemas": 1,
        "date": known.date().filter(|_| !resource.is_own()).map(|date| date.to_string()),
        "type": resource.name(),
        "properties": properties(resource, resource.properties(), &mut Vec::new(), &mut Vec::new()),
        "attributes": attributes,
        "ref": resource.reference(),
        "not_in": resource.missing_in(),
    });
    format!("{answer:#}\n")
}

fn properties<'t>(
    resource: &ResourceType<'t>,
    node: Node<'t>,
    path: &mut Vec<&'t str>,
    open: &mut Vec<u32>,
) -> Vec<Value> {
    const DEEPEST: usize = 12;
    if open.contains(&node.key()) || open.len() > DEEPEST {
        return Vec::new();
    }
    open.push(node.key());
    let mut out = Vec::new();
    for property in node.properties() {
        path.push(property.name);
        out.push(value(resource, property.name, property.node, property.required, path, open));
        path.pop();
    }
    for part in node.one_of().chain(node.any_of()).chain(node.all_of()) {
        out.extend(properties(resource, part, path, open));
    }
    open.pop();
    out
}

fn value<'t>(
    resource: &ResourceType<'t>,
    name: &str,
    node: Node<'t>,
    is_required: bool,
    path: &mut Vec<&'t str>,
    open: &mut Vec<u32>,
) -> Value {
    let mut fields = Map::new();
    fields.insert("name".to_owned(), json!(name));
    fields.insert("kind".to_owned(), json!(tree::kind(node)));
    fields.insert("required".to_owned(), json!(is_required));
    let values: Vec<&str> =
        node.items().unwrap_or(node).values().into_iter().flat_map(formwork_schemas::Values::iter).collect();
    if !values.is_empty() {
        fields.insert("values".to_owned(), json!(values));
    }
    let marks: Vec<&str> = marks(resource, path, is_required).into_iter().filter(|mark| *mark != "required").collect();
    if !marks.is_empty() {
        fields.insert("marks".to_owned(), json!(marks));
    }
    fields.insert("effect".to_owned(), json!(resource.effect(path).name()));
    let (mut inner, before) = (node, path.len());
    while let Some(items) = inner.items() {
        path.push("*");
        inner = items;
        if path.len() > before + 4 {
            break;
        }
    }
    if let Some(value) = inner.name_patterns().map(|(_, value)| value).chain(inner.additional()).next()
        && !inner.has_properties()
    {
        path.push("*");
        inner = value;
    }
    let below = properties(resource, inner, path, open);
    path.truncate(before);
    if !below.is_empty() {
        fields.insert("properties".to_owned(), Value::Array(below));
    }
    Value::Object(fields)
}
