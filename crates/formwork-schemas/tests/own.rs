//! Schemas that the user passes, and bytes that are not a table.

use formwork_schemas::{Compiler, Contents, Date, Kind, Node, SchemaError, Schemas, Table, minimize, translate, write};
use serde_json::{Value, json};

/// A type that contains itself, has alternatives, a reference with neighbours, and lists of facts.
fn widget() -> Value {
    json!({
        "typeName": "My::Team::Widget",
        "definitions": {
            "Part": {
                "type": "object",
                "properties": {"Name": {"type": "string", "minLength": 1}, "Parts": {"$ref": "#/definitions/Parts"}},
                "required": ["Name"],
                "additionalProperties": false
            },
            "Parts": {"type": "array", "items": {"$ref": "#/definitions/Part"}, "maxItems": 5},
            "Same": {
                "type": "object",
                "properties": {"Name": {"type": "string", "minLength": 1}, "Parts": {"$ref": "#/definitions/Parts"}},
                "required": ["Name"],
                "additionalProperties": false
            }
        },
        "properties": {
            "Id": {"type": "string"},
            "Color": {"type": "string", "enum": ["red", "blue"]},
            "Size": {"type": "integer", "minimum": -1, "maximum": 9_223_372_036_854_775_807_u64},
            "Ratio": {"type": "number", "maximum": 0.5},
            "First": {"$ref": "#/definitions/Part"},
            "Second": {"$ref": "#/definitions/Same"},
            "Few": {"$ref": "#/definitions/Parts", "maxItems": 2},
            "Map": {"type": "object", "patternProperties": {"^[a-z]+$": {"type": "string"}}, "additionalProperties": false},
            "Either": {"oneOf": [{"required": ["A"]}, {"required": ["B"]}]}
        },
        "additionalProperties": false,
        "required": ["Color"],
        "readOnlyProperties": ["/properties/Id"],
        "createOnlyProperties": ["/properties/Color", "/properties/First/Parts/*/Name"],
        "primaryIdentifier": ["/properties/Id"],
        "handlers": {"create": {}, "update": {}},
        "tagging": {"taggable": false}
    })
}

fn table_of(schema: &Value) -> Vec<u8> {
    let mut compiler = Compiler::default();
    compiler.add("My::Team::Widget", schema).expect("it is known");
    let services = vec![("My::Team".to_owned(), minimize(&compiler.finish()))];
    write(&Contents { date: Date(20_260_101), regions: Vec::new(), sets: Vec::new(), services }).expect("it is known")
}

/// All facts of a node, as deep as `depth`.
fn said(node: Node<'_>, depth: u32) -> String {
    let Some(depth) = depth.checked_sub(1) else { return String::new() };
    let properties: Vec<String> = node
        .properties()
        .map(|property| format!("{} {} {}", property.name, property.required, said(property.node, depth)))
        .collect();
    let nodes: Vec<String> =
        node.items().into_iter().chain(node.one_of()).chain(node.additional()).map(|node| said(node, depth)).collect();
    let patterns: Vec<String> =
        node.name_patterns().map(|(pattern, node)| pattern.text().to_owned() + &said(node, depth)).collect();
    let values: Vec<&str> = node.values().into_iter().flat_map(|values| values.iter()).collect();
    format!(
        "{} {properties:?} {nodes:?} {patterns:?} {values:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        node.kinds(),
        node.minimum(),
        node.maximum(),
        node.min_length(),
        node.max_items(),
        node.is_closed(),
        node.required().collect::<Vec<_>>(),
    )
}

#[test]
fn a_schema_says_the_same_in_a_table_and_on_its_own() {
    let schema = widget();
    let table = Schemas::of_table(Table::read(table_of(&schema)).expect("it is known"));
    let mut own = Schemas::none();
    assert_eq!(own.add(&schema.to_string()).expect("it is known"), ["My::Team::Widget"]);
    let (one, other) = (
        table.resource_type("My::Team::Widget").expect("it is known"),
        own.resource_type("My::Team::Widget").expect("it is known"),
    );
    assert_eq!(said(one.properties(), 6), said(other.properties(), 6));
    for path in
        [&["Color"][..], &["Id"], &["Size"], &["First", "Parts", "0", "Name"], &["First", "Parts", "3", "Parts"]]
    {
        assert_eq!(one.effect(path), other.effect(path), "{path:?}");
        assert_eq!(one.effect_within(path), other.effect_within(path), "{path:?}");
    }
    assert_eq!(one.effect(&["First", "Parts", "0", "Name"]).name(), "replace");
    assert_eq!(one.effect(&["First", "Parts"]).name(), "update");
    assert_eq!(one.effect_within(&["First", "Parts"]).name(), "replace");
    assert_eq!(one.properties().at(&["Few"]).expect("it is known").max_items(), Some(2));
    assert!(
        one.properties()
            .at(&["First", "Parts", "0", "Parts", "1", "Name"])
            .expect("it is known")
            .kinds()
            .has(Kind::String)
    );
    // Equal nodes are one node.
    let node = |name| one.properties().property(name).expect("it is known").node.key();
    assert_eq!(node("First"), node("Second"));
}

#[test]
fn both_forms_of_a_document_are_read() {
    let mut schemas = Schemas::none();
    let answer = json!({"Type": "RESOURCE", "TypeName": "My::Team::Widget", "Schema": widget().to_string()});
    schemas.add(&answer.to_string()).expect("it is known");
    assert!(schemas.resource_type("My::Team::Widget").is_some_and(|known| known.is_own()));
    assert_eq!(schemas.type_names("My::"), ["My::Team::Widget"]);
    for (text, is_shape) in [("[]", true), ("{\"a\": 1}", true), ("{", false), ("", false)] {
        let error = Schemas::none().add(text).expect_err("an error");
        assert_eq!(error == SchemaError::Shape, is_shape, "{text}: {error}");
    }
    let lost = json!({"typeName": "A::B::C", "properties": {"X": {"$ref": "#/definitions/None"}}});
    assert!(matches!(Schemas::none().add(&lost.to_string()), Err(SchemaError::Reference(_))));
    let ring = json!({"typeName": "A::B::C", "properties": {"X": {"$ref": "#/properties/X"}}});
    assert!(matches!(Schemas::none().add(&ring.to_string()), Err(SchemaError::Reference(_))));
}

#[test]
fn a_damaged_table_is_refused_or_read_without_panic() {
    let bytes = table_of(&widget());
    for length in 0..bytes.len() {
        look_at(bytes[..length].to_vec());
    }
    for at in 0..bytes.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] = value;
            look_at(damaged);
        }
    }
}

fn look_at(bytes: Vec<u8>) {
    let Ok(table) = Table::read(bytes) else { return };
    let _ = table.verify();
    let schemas = Schemas::of_table(table);
    for name in schemas.type_names("") {
        let Some(known) = schemas.resource_type(name) else { continue };
        let _ = (known.effect(&["Color"]), known.attributes(), known.reference(), known.missing_in());
        let _ = said(known.properties(), 4);
    }
}

#[test]
fn the_same_facts_are_the_same_bytes() {
    assert_eq!(table_of(&widget()), table_of(&widget()));
    assert_eq!(translate("^[a-z]+$").as_deref(), Some("^[a-z]+$"));
}
