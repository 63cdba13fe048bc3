//! JSON schemas of what programs read and print (reference/json-output.md#schemas), from the notation of
//! `schemas/outputs.txt`.

mod notation;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use notation::{Document, Key, Shape, Type};

const OUTPUTS: &str = include_str!("schemas/outputs.txt");
const BASE: &str = "https://raw.githubusercontent.com/formwork-cfn/formwork/main/docs/schemas/";

/// Every schema by the name of its file.
///
/// # Errors
/// When the notation is wrong: the line, and why.
pub(super) fn files() -> Result<BTreeMap<String, String>, String> {
    let document = notation::parse(OUTPUTS)?;
    document.files.iter().map(|file| Ok((file.name.clone(), write(&document, file)?))).collect()
}

fn write(document: &Document, file: &notation::File) -> Result<String, String> {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("{BASE}{}", file.name),
        "title": file.title,
        "$comment": "Written by `cargo xtask codegen`. Keys are added by later versions and never removed.",
    });
    extend(&mut schema, of_type(&file.root));
    let (mut open, mut known) = (file.root.names(), BTreeSet::new());
    let mut definitions = Map::new();
    while let Some(name) = open.pop() {
        if !known.insert(name.clone()) {
            continue;
        }
        let shape = document.shapes.get(&name).ok_or_else(|| format!("unknown type {name}"))?;
        open.extend(shape.names());
        definitions.insert(name, of_shape(shape));
    }
    if !definitions.is_empty() {
        definitions.sort_keys();
        schema["$defs"] = definitions.into();
    }
    Ok(format!("{schema:#}\n"))
}

fn extend(schema: &mut Value, more: Value) {
    if let (Value::Object(schema), Value::Object(more)) = (schema, more) {
        schema.extend(more);
    }
}

fn of_shape(shape: &Shape) -> Value {
    match shape {
        Shape::Alias(of) => of_type(of),
        Shape::Object(keys) => {
            let property = |key: &Key| {
                let mut schema = of_type(&key.value);
                if let Some(words) = &key.words {
                    schema["description"] = json!(words);
                }
                (key.name.clone(), schema)
            };
            let required: Vec<&String> = keys.iter().filter(|key| key.is_required).map(|key| &key.name).collect();
            let properties: Map<String, Value> = keys.iter().map(property).collect();
            json!({"type": "object", "properties": properties, "required": required})
        }
    }
}

fn of_type(found: &Type) -> Value {
    match found {
        Type::Any => json!({}),
        Type::Plain(name) => json!({"type": name}),
        Type::Constant(value) => json!({"const": value}),
        Type::Named(name) => json!({"$ref": format!("#/$defs/{name}")}),
        Type::List(of) => json!({"type": "array", "items": of_type(of)}),
        Type::Map(of) => json!({"type": "object", "additionalProperties": of_type(of)}),
        Type::Tuple(parts) => json!({
            "type": "array",
            "prefixItems": parts.iter().map(of_type).collect::<Vec<_>>(),
            "items": false,
            "minItems": parts.len(),
        }),
        Type::OneOf(types) => one_of(types),
    }
}

/// Constants are an `enum`, and plain types a list; anything else is `anyOf`.
fn one_of(types: &[Type]) -> Value {
    let constants: Option<Vec<&Value>> =
        types.iter().map(|one| if let Type::Constant(value) = one { Some(value) } else { None }).collect();
    if let Some(constants) = constants {
        return json!({"enum": constants});
    }
    let plain: Option<Vec<&str>> =
        types.iter().map(|one| if let Type::Plain(name) = one { Some(name.as_str()) } else { None }).collect();
    match plain {
        Some(plain) => json!({"type": plain}),
        None => json!({"anyOf": types.iter().map(of_type).collect::<Vec<_>>()}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notation_is_read() {
        let files = files().expect("the notation");
        assert!(files.len() >= 10, "{:?}", files.keys());
        let plan: Value = serde_json::from_str(&files["package-plan.json"]).expect("JSON");
        assert_eq!(plan["$ref"], "#/$defs/Plan");
        assert_eq!(plan["$defs"]["Plan"]["properties"]["artifacts"]["items"]["$ref"], "#/$defs/Planned");
        assert_eq!(plan["$defs"]["Planned"]["properties"]["object"]["type"], json!(["string", "null"]));
    }

    #[test]
    fn shapes_become_schemas() {
        let schema = |text: &str| {
            let document = notation::parse(&format!("file a.json {text} # Title\n")).expect("the notation");
            of_type(&document.files[0].root)
        };
        assert_eq!(schema("[string]"), json!({"type": "array", "items": {"type": "string"}}));
        assert_eq!(schema("\"a\" | \"b\""), json!({"enum": ["a", "b"]}));
        assert_eq!(schema("integer | null"), json!({"type": ["integer", "null"]}));
        assert_eq!(schema("{any}"), json!({"type": "object", "additionalProperties": {}}));
        let tuple =
            json!({"type": "array", "prefixItems": [{"const": 1}, {"type": "string"}], "items": false, "minItems": 2});
        assert_eq!(schema("(1, string)"), tuple);
        assert_eq!(schema("A | null"), json!({"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}));
    }

    #[test]
    fn what_is_not_notation_is_an_error() {
        for text in
            ["file a.json A # T\n", "A\n  key\n", "  key string\n", "file a.json [string # T\n", "file a.json # T\n"]
        {
            let written = notation::parse(text).and_then(|document| {
                document.files.iter().map(|file| write(&document, file)).collect::<Result<Vec<_>, _>>()
            });
            assert!(written.is_err(), "{text}");
        }
    }
}
