//! Converting a schema node to facts.

use formwork_base::json_pointer;
use serde_json::Value;

use super::SchemaError;
use super::document::Document;
use super::fields::Fields;
use crate::block::{Facet, NodeData, PropertyData, Rows};
use crate::pattern_translation::{NOT_UNDERSTOOD, has_look_around, translate};
use crate::{Kind, Kinds, Number};

impl Document<'_> {
    pub(super) fn read(&mut self, fields: &Fields<'_>) -> Result<NodeData, SchemaError> {
        let required: Vec<&str> = fields.strings("required").collect();
        let properties = self.properties(fields, &required)?;
        let mut facets = Vec::new();
        self.nodes(fields, &mut facets)?;
        self.required(fields, &required, &mut facets);
        let any_case = self.values(fields, &mut facets);
        self.texts(fields, &mut facets);
        bounds(fields, &mut facets);
        self.alternatives(fields, &mut facets)?;
        self.combinations(fields, &mut facets);
        let start = self.compiler.block.facets.len() as u32;
        self.compiler.block.facets.extend(facets);
        Ok(NodeData {
            kinds: kinds(fields),
            closed: fields.get("additionalProperties") == Some(&Value::Bool(false)),
            unique: fields.get("uniqueItems") == Some(&Value::Bool(true)),
            any_case,
            properties,
            facets: Rows { start, end: self.compiler.block.facets.len() as u32 },
        })
    }

    fn properties(&mut self, fields: &Fields<'_>, required: &[&str]) -> Result<Rows, SchemaError> {
        let base = fields.pointer("properties");
        let mut names: Vec<&str> = fields.object("properties").map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        let mut rows = Vec::new();
        for name in names {
            let node = self.node_at(&format!("{base}/{}", json_pointer::escaped(name)))?;
            rows.push(PropertyData { name: self.compiler.string(name), node, required: required.contains(&name) });
        }
        let start = self.compiler.block.properties.len() as u32;
        self.compiler.block.properties.extend(rows);
        Ok(Rows { start, end: self.compiler.block.properties.len() as u32 })
    }

    fn nodes(&mut self, fields: &Fields<'_>, facets: &mut Vec<Facet>) -> Result<(), SchemaError> {
        if fields.get("additionalProperties").is_some_and(Value::is_object) {
            facets.push(Facet::Additional(self.node_at(&fields.pointer("additionalProperties"))?));
        }
        if fields.get("items").is_some_and(Value::is_object) {
            facets.push(Facet::Items(self.node_at(&fields.pointer("items"))?));
        }
        let base = fields.pointer("patternProperties");
        let mut patterns: Vec<&str> = fields.object("patternProperties").map(|(name, _)| name.as_str()).collect();
        patterns.sort_unstable();
        for pattern in patterns {
            let node = self.node_at(&format!("{base}/{}", json_pointer::escaped(pattern)))?;
            let text = translate(pattern)
                .filter(|_| !has_look_around(pattern))
                .unwrap_or_else(|| format!("{NOT_UNDERSTOOD}{pattern}"));
            facets.push(Facet::NamePattern(self.compiler.string(&text), node));
        }
        Ok(())
    }

    fn required(&mut self, fields: &Fields<'_>, required: &[&str], facets: &mut Vec<Facet>) {
        let mut others: Vec<&str> = required.to_vec();
        others.retain(|name| !fields.object("properties").any(|(known, _)| known == name));
        others.sort_unstable();
        others.dedup();
        facets.extend(others.into_iter().map(|name| Facet::Required(self.compiler.string(name))));
    }

    /// Adds the allowed values. Returns `true` if letter case does not count.
    fn values(&mut self, fields: &Fields<'_>, facets: &mut Vec<Facet>) -> bool {
        let keyword = if fields.get("enum").is_some() { "enum" } else { "enumCaseInsensitive" };
        let one = fields.get("const").filter(|_| fields.get(keyword).is_none());
        for value in fields.array(keyword).chain(one) {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Number(_) | Value::Bool(_) => value.to_string(),
                _ => continue,
            };
            facets.push(Facet::Value(self.compiler.string(&text)));
        }
        keyword == "enumCaseInsensitive" && fields.get(keyword).is_some()
    }

    fn texts(&mut self, fields: &Fields<'_>, facets: &mut Vec<Facet>) {
        if let Some(pattern) = fields.get("pattern").and_then(Value::as_str).and_then(translate) {
            facets.push(Facet::Pattern(self.compiler.string(&pattern)));
        }
        if let Some(format) = fields.get("format").and_then(Value::as_str) {
            facets.push(Facet::Format(self.compiler.string(format)));
        }
    }

    fn alternatives(&mut self, fields: &Fields<'_>, facets: &mut Vec<Facet>) -> Result<(), SchemaError> {
        for (keyword, facet) in
            [("oneOf", Facet::OneOf as fn(u32) -> Facet), ("anyOf", Facet::AnyOf), ("allOf", Facet::AllOf)]
        {
            // Alternatives without facts are omitted: many only declare the kind of an ID.
            if fields.array(keyword).all(is_unconstrained) {
                continue;
            }
            let base = fields.pointer(keyword);
            for number in 0..fields.array(keyword).count() {
                facets.push(facet(self.node_at(&format!("{base}/{number}"))?));
            }
        }
        Ok(())
    }

    fn combinations(&mut self, fields: &Fields<'_>, facets: &mut Vec<Facet>) {
        for name in fields.strings("requiredXor") {
            facets.push(Facet::RequiredXor(self.compiler.string(name)));
        }
        for name in fields.strings("requiredOr") {
            facets.push(Facet::RequiredOr(self.compiler.string(name)));
        }
        let lists = |keyword: &'static str| {
            fields.object(keyword).flat_map(|(name, others)| {
                let others = others.as_array().into_iter().flatten().filter_map(Value::as_str);
                others.map(move |other| (name.as_str(), other))
            })
        };
        for (name, other) in lists("dependentRequired").chain(lists("dependencies")) {
            facets.push(Facet::DependentRequired(self.compiler.string(name), self.compiler.string(other)));
        }
        for (name, other) in lists("dependentExcluded") {
            facets.push(Facet::DependentExcluded(self.compiler.string(name), self.compiler.string(other)));
        }
    }
}

fn is_unconstrained(node: &Value) -> bool {
    node.as_object().is_none_or(|fields| {
        fields.keys().all(|keyword| {
            matches!(keyword.as_str(), "format" | "relationshipRef" | "description" | "title" | "default" | "$comment")
        })
    })
}

fn kinds(fields: &Fields<'_>) -> Kinds {
    let one = fields.get("type").and_then(Value::as_str);
    let names = one.into_iter().chain(fields.strings("type"));
    names.filter_map(Kind::of_name).fold(Kinds::ANY, Kinds::with)
}

fn bounds(fields: &Fields<'_>, facets: &mut Vec<Facet>) {
    let size = |keyword: &str| fields.get(keyword).and_then(Value::as_u64);
    let number = |keyword: &str| match fields.get(keyword) {
        Some(Value::Number(number)) => Number::of_json(number),
        _ => None,
    };
    facets.extend(size("minLength").filter(|size| *size > 0).map(Facet::MinLength));
    facets.extend(size("maxLength").map(Facet::MaxLength));
    facets.extend(number("minimum").map(Facet::Minimum));
    facets.extend(number("maximum").map(Facet::Maximum));
    facets.extend(size("minItems").filter(|size| *size > 0).map(Facet::MinItems));
    facets.extend(size("maxItems").map(Facet::MaxItems));
    facets.extend(size("minProperties").filter(|size| *size > 0).map(Facet::MinProperties));
    facets.extend(size("maxProperties").map(Facet::MaxProperties));
    facets.extend(number("multipleOf").map(Facet::MultipleOf));
}
