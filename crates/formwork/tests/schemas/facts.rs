//! Each kind of fact in four ways: where a value contradicts it, where the property is absent, where CloudFormation converts
//! the value, and where a function returns it. The cases are generated from the facts themselves.

use std::sync::Arc;

use formwork::schemas::{Kind, Kinds, Node, ResourceType, Schemas};
use formwork::{Code, Severity, codes};
use serde_json::{Map, Value, json};

use super::generate::resources;
use super::{TYPES, check, is_of_schemas, schemas};

type Properties = Map<String, Value>;

/// What a template must be reported for: nothing, or one finding at the line of a property's key.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Expect {
    Silent,
    One(Code, Severity),
}

/// A property with a value, and what is reported.
struct Case<'n> {
    /// The kind of fact, and the way in which it is looked at.
    about: &'static str,
    name: &'n str,
    /// None removes the property.
    value: Option<Value>,
    expect: Expect,
}

use Expect::{One, Silent};
const ERROR: Severity = Severity::Error;
const WARNING: Severity = Severity::Warning;

fn case<'n>(about: &'static str, name: &'n str, value: Value, expect: Expect) -> Case<'n> {
    Case { about, name, value: Some(value), expect }
}

fn absent<'n>(about: &'static str, name: &'n str, expect: Expect) -> Case<'n> {
    Case { about, name, value: None, expect }
}

fn parameter() -> Value {
    json!({"Ref": "P"})
}

fn nothing() -> Value {
    json!({"Ref": "AWS::NoValue"})
}

fn perhaps(value: &Value) -> Value {
    json!({"Fn::If": ["C", value, nothing()]})
}

/// Names: unknown and missing ones.
fn of_names<'n>(known: ResourceType<'n>, right: &Properties) -> Vec<Case<'n>> {
    let root = known.properties();
    let mut cases = Vec::new();
    if root.is_closed() {
        let unknown = One(codes::UNKNOWN_PROPERTY, ERROR);
        cases.push(case("unknown name, present", "Xyzzy", json!("a"), unknown));
        cases.push(case("unknown name, function", "Xyzzy", parameter(), unknown));
        cases.push(case("unknown name, condition", "Xyzzy", perhaps(&json!("a")), unknown));
        cases.push(case("unknown name, nothing", "Xyzzy", nothing(), Silent));
        cases.push(absent("unknown name, absent", "Xyzzy", Silent));
    }
    for property in root.properties().filter(|property| right.contains_key(property.name)) {
        let (name, value) = (property.name, &right[property.name]);
        let expect = if property.required { One(codes::MISSING_PROPERTY, ERROR) } else { Silent };
        // Without any property another object is reported.
        if right.len() > 1 {
            cases.push(absent("required, absent", name, expect));
            cases.push(case("required, nothing", name, nothing(), expect));
            cases.push(case("required, condition", name, perhaps(value), Silent));
        }
    }
    cases
}

fn is_only(node: Node<'_>, kind: Kind) -> bool {
    node.kinds() == Kinds::ANY.with(kind)
}

/// Kinds: wrong values, converted values, what functions return.
fn of_kind<'n>(name: &'n str, node: Node<'_>, value: &Value) -> Vec<Case<'n>> {
    let wrong = One(codes::KIND_OF_PROPERTY, ERROR);
    let has_text_facts = node.values().is_some()
        || node.pattern().is_some()
        || node.format().is_some()
        || node.max_length().is_some_and(|most| most < 4);
    let mut cases = Vec::new();
    if is_only(node, Kind::String) {
        cases.push(case("string, object", name, json!({"A": "b"}), wrong));
        cases.push(case("string, list", name, json!(["a"]), wrong));
        cases.push(case("string, list call", name, json!({"Fn::GetAZs": ""}), wrong));
        cases.push(case("string, parameter", name, parameter(), Silent));
        cases.push(case("string, sub", name, json!({"Fn::Sub": "${P}"}), Silent));
        cases.push(case(
            "string, unknown call",
            name,
            json!({"Fn::FindInMap": ["M", {"Ref": "AWS::Region"}, "a"]}),
            Silent,
        ));
        if !has_text_facts && node.min_length().is_none_or(|least| least < 2) {
            cases.extend(
                [json!(12), json!(1.5), json!(true)].map(|value| case("string, converted", name, value, Silent)),
            );
        }
    }
    if is_only(node, Kind::Integer) {
        let number = value.as_i64().unwrap_or(1);
        cases.push(case("integer, text", name, json!("abc"), wrong));
        cases.push(case("integer, fraction", name, json!(1.5), wrong));
        cases.push(case("integer, Boolean", name, json!(true), wrong));
        cases.push(case("integer, object", name, json!({"A": "b"}), wrong));
        cases.push(case("integer, parameter", name, parameter(), Silent));
        cases.push(case("integer, dynamic reference", name, json!("{{resolve:ssm:a}}"), Silent));
        let converted = [
            json!(number.to_string()),
            json!(number as f64),
            json!(format!("{number}.0")),
            json!(format!("+{number}")),
        ];
        cases.extend(converted.map(|value| case("integer, converted", name, value, Silent)));
    }
    if is_only(node, Kind::Number) {
        let number = value.as_i64().unwrap_or(1);
        cases.push(case("number, text", name, json!("abc"), wrong));
        cases.push(case("number, Boolean", name, json!(false), wrong));
        cases.push(case("number, parameter", name, parameter(), Silent));
        let converted = [json!(number.to_string()), json!(format!("{number}e0")), json!(format!("{number}.0"))];
        cases.extend(converted.map(|value| case("number, converted", name, value, Silent)));
    }
    if is_only(node, Kind::Boolean) {
        cases.push(case("Boolean, text", name, json!("yes"), wrong));
        cases.push(case("Boolean, number", name, json!(1), wrong));
        cases.push(case("Boolean, list", name, json!([true]), wrong));
        cases.push(case("Boolean, parameter", name, parameter(), Silent));
        if node.values().is_none() {
            let converted = [json!("true"), json!("FALSE"), json!("True")];
            cases.extend(converted.map(|value| case("Boolean, converted", name, value, Silent)));
        }
    }
    if is_only(node, Kind::Object) {
        cases.push(case("object, text", name, json!("abc"), wrong));
        cases.push(case("object, list", name, json!(["a"]), wrong));
        cases.push(case("object, parameter", name, parameter(), wrong));
        cases.push(case("object, macro", name, json!({"Fn::Transform": {"Name": "M"}}), Silent));
        cases.push(case("object, condition", name, perhaps(value), Silent));
    }
    cases
}

/// Lists: one value for a list, what functions return.
fn of_list<'n>(name: &'n str, node: Node<'_>, value: &Value) -> Vec<Case<'n>> {
    let items = node.items().map_or(Kinds::ANY, Node::kinds);
    let is_one = value.as_array().is_some_and(|items| items.len() == 1);
    if !is_only(node, Kind::Array) || items.is_any() || !is_one {
        return Vec::new();
    }
    let (wrong, one) = (One(codes::KIND_OF_PROPERTY, ERROR), One(codes::KIND_OF_PROPERTY, WARNING));
    let mut cases = Vec::new();
    if items.allows_scalar() {
        cases.push(case("list, one scalar", name, value[0].clone(), one));
        cases.push(case("list, one call", name, parameter(), one));
        cases.push(case("list, list call", name, json!({"Fn::Split": [",", parameter()]}), Silent));
        cases.push(case("list, element call", name, json!([parameter()]), Silent));
    } else if items.allows(Kind::Object) && items == Kinds::ANY.with(Kind::Object) {
        cases.push(case("list of objects, one object", name, value[0].clone(), one));
        cases.push(case("list of objects, list call", name, json!({"Fn::Split": [",", parameter()]}), wrong));
        cases.push(case("list of objects, text", name, json!("abc"), wrong));
    }
    cases.push(case("list, list in a list", name, json!([value]), wrong));
    cases.push(case("list, nothing in it", name, json!([value[0], nothing()]), Silent));
    cases.push(case("list, condition", name, json!([value[0], perhaps(&value[0])]), Silent));
    if node.max_items() == Some(1) || node.has_unique_items() {
        // The last two have an element too many, or again, for one of the branches: nothing certain.
        cases.retain(|case| case.about != "list, list in a list");
    }
    cases
}

/// Values: lists of them, patterns, bounds.
fn of_values<'n>(name: &'n str, node: Node<'_>, value: &Value) -> Vec<Case<'n>> {
    let mut cases = Vec::new();
    let is_text = is_only(node, Kind::String);
    if let Some(values) = node.values().filter(|_| is_text) {
        let wrong = One(codes::VALUE_NOT_ALLOWED, WARNING);
        cases.push(case("allowed value, other", name, json!("zzzzzzzzzz"), wrong));
        cases.push(case("allowed value, condition", name, json!({"Fn::If": ["C", value, "zzzzzzzzzz"]}), wrong));
        cases.push(case("allowed value, parameter", name, parameter(), Silent));
        cases.push(case("allowed value, placeholder", name, json!("<value>"), Silent));
        let text = value.as_str().unwrap_or_default();
        let slip = format!("{text}q");
        let is_near_one = text.len() > 4 && text.is_ascii() && !values.allow(&slip);
        if is_near_one && !slip.contains(|c: char| c.is_ascii_digit()) {
            cases.push(case("allowed value, slip", name, json!(slip), One(codes::VALUE_NOT_ALLOWED, ERROR)));
        }
        return cases;
    }
    let wrong = One(codes::BOUND_OF_PROPERTY, WARNING);
    if let Some(pattern) = node.pattern().filter(|_| is_text) {
        let odd = "\u{1}\u{2}\u{3}".repeat(node.min_length().unwrap_or(1).clamp(1, 20) as usize);
        if pattern.matches(&odd) == Some(false) {
            cases.push(case("pattern, other", name, json!(odd), One(codes::PATTERN_OF_PROPERTY, WARNING)));
            cases.push(case("pattern, sub", name, json!({"Fn::Sub": "${P}"}), Silent));
        }
        return cases;
    }
    if is_text {
        if let Some(most) = node.max_length().filter(|most| *most < 5_000) {
            cases.push(case("length, above", name, json!("a".repeat(most as usize + 1)), wrong));
            cases.push(case(
                "length, sub",
                name,
                json!({"Fn::Sub": format!("${{AWS::Region}}{}", "a".repeat(most as usize))}),
                wrong,
            ));
        }
        if node.min_length().is_some_and(|least| least > 0) {
            cases.push(case("length, below", name, json!(""), wrong));
        }
    }
    if is_only(node, Kind::Integer) && node.multiple_of().is_none() {
        if let Some(most) = node.maximum().filter(|most| most.value().abs() < 1e9) {
            let above = most.value() as i64 + 1;
            cases.push(case("range, above", name, json!(above), wrong));
            cases.push(case("range, above as text", name, json!(above.to_string()), wrong));
            cases.push(case("range, parameter", name, parameter(), Silent));
        }
        if let Some(least) = node.minimum().filter(|least| least.value().abs() < 1e9) {
            cases.push(case("range, below", name, json!(least.value() as i64 - 1), wrong));
        }
    }
    cases
}

fn of_service(known: ResourceType<'_>) -> Vec<Case<'_>> {
    let wrong = One(codes::READ_ONLY_PROPERTY, WARNING);
    let root = known.properties();
    let mut cases = Vec::new();
    for path in known.read_only() {
        let mut names = path.names();
        let (Some(name), None) = (names.next(), names.next()) else { continue };
        let Some(property) = root.property(name).filter(|property| is_only(property.node, Kind::String)) else {
            continue;
        };
        cases.push(case("read-only, function", property.name, parameter(), wrong));
        cases.push(case("read-only, nothing", property.name, nothing(), Silent));
        let node = property.node;
        if node.values().is_none() && node.pattern().is_none() && node.format().is_none() && node.max_length().is_none()
        {
            cases.push(case("read-only, value", property.name, json!("abcdefgh"), wrong));
        }
    }
    cases
}

fn template(known: ResourceType<'_>, properties: &Properties) -> String {
    let template = json!({
        "Parameters": {"P": {"Type": "String"}},
        "Mappings": {"M": {"us-east-1": {"a": "b"}}},
        "Conditions": {"C": {"Fn::Equals": [parameter(), "x"]}},
        "Resources": {"R": {"Type": known.name(), "Properties": properties}},
    });
    format!("{template:#}\n")
}

/// The error in the answer to a case; nothing if it is right.
fn fault(schemas: &Arc<Schemas>, known: ResourceType<'_>, right: &Properties, case: &Case<'_>) -> Option<String> {
    let mut properties = right.clone();
    match &case.value {
        Some(value) => properties.insert(case.name.to_owned(), value.clone()),
        None => properties.remove(case.name),
    };
    let text = template(known, &properties);
    let result = check(schemas, &text);
    let found: Vec<_> = result
        .diagnostics()
        .iter()
        .filter(|one| is_of_schemas(one) && one.severity > Severity::Note)
        .map(|one| (one.code, one.severity, result.sources().place(one.span()).map_or(0, |place| place.line)))
        .collect();
    let line_of = |mark: &str| text.lines().position(|line| line.starts_with(mark)).map_or(0, |at| at as u32 + 1);
    let key = format!("        {}:", json!(case.name));
    let is_right = match case.expect {
        Silent => found.is_empty(),
        One(code, severity) => {
            let from = match code {
                codes::MISSING_PROPERTY => line_of("      \"Properties\": {"),
                _ => line_of(&key),
            };
            // A value of several lines begins at the key; what is in it is below.
            let until =
                from + text.lines().skip(from as usize).take_while(|line| line.starts_with("         ")).count() as u32;
            matches!(found.as_slice(), [one] if one.0 == code && one.1 == severity && (from..=until).contains(&one.2))
        }
    };
    (!is_right).then(|| {
        format!("{} of {} ({}): {:?}, found {found:?}\n{text}", case.name, known.name(), case.about, case.expect)
    })
}

#[test]
fn every_kind_of_fact_is_judged_in_each_way() {
    let schemas = schemas();
    let (mut wrong, mut counts) = (Vec::new(), std::collections::BTreeMap::<&str, usize>::new());
    for (known, right) in &resources(&schemas, TYPES) {
        let mut cases = of_names(*known, right);
        for property in known.properties().properties() {
            let Some(value) = right.get(property.name) else { continue };
            cases.extend(of_kind(property.name, property.node, value));
            cases.extend(of_list(property.name, property.node, value));
            cases.extend(of_values(property.name, property.node, value));
        }
        cases.extend(of_service(*known));
        for case in &cases {
            // Of each way some cases, spread over the types.
            let count = counts.entry(case.about).or_default();
            *count += 1;
            if *count % 3 == 1 || *count < 12 {
                wrong.extend(fault(&schemas, *known, right, case));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.iter().take(6).map(String::as_str).collect::<Vec<_>>().join("\n")
    );
    assert!(counts.len() >= 45 && counts.values().all(|count| *count >= 4), "{counts:?}");
}
