//! What the module language adds is what can be written without it: a module in a module has both prefixes, a
//! constant is its value, an override is the changed body, an output is its value, a copy is a resource.

use formwork::{MemoryHost, ParameterValue};
use formwork_evaluate::ValueSource;
use formwork_syntax::value::Value;

use super::Verdict;
use super::modules_agree::{self, PREFIX, import, is_accepted, map, same, same_with, written_in};
use crate::generate::{self, Choices, json};

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn reference(name: &str) -> Value {
    map(vec![("Ref", text(name))])
}

/// The body with something done to one of its sections.
fn with_section(body: &Value, section: &str, change: impl FnOnce(&mut Vec<(String, Value)>)) -> Value {
    let Value::Map(mut sections) = body.clone() else { return body.clone() };
    let at = sections.iter().position(|(name, _)| name == section).unwrap_or_else(|| {
        sections.push((section.to_owned(), Value::Map(Vec::new())));
        sections.len() - 1
    });
    if let Value::Map(members) = &mut sections[at].1 {
        change(members);
    }
    Value::Map(sections)
}

fn parameters(body: &Value, declared: &Value) -> Value {
    with_section(body, "Parameters", |members| {
        if let Value::Map(declared) = declared {
            members.extend(declared.clone());
        }
    })
}

/// A module in a module is the module with both names in front.
///
/// # Errors
/// In words.
pub fn a_module_in_a_module_has_both_names(body: &Value) -> Verdict {
    let host = MemoryHost::new()
        .with("module.json", json(body))
        .with("outer.json", json(&import("Inner", Vec::new())).as_str());
    let outer = map(vec![("Modules", map(vec![(PREFIX, map(vec![("Source", text("./outer.json"))]))]))]);
    same(&host, &json(&import(&format!("{PREFIX}Inner"), Vec::new())), &json(&outer))
}

/// A constant is its value.
///
/// # Errors
/// In words.
pub fn a_constant_is_its_value(body: &Value, values: &[(&str, Value)]) -> Verdict {
    let names: Vec<String> = values.iter().map(|(name, _)| format!("Const::{name}")).collect();
    let constants: Vec<(&str, Value)> =
        values.iter().map(|(name, _)| *name).zip(names.iter().map(|name| reference(name))).collect();
    let renamed = written_in(body, &constants);
    let with_constants = with_section(&renamed, "Constants", |members| {
        members.extend(values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    });
    let host = MemoryHost::new()
        .with("module.json", json(&written_in(body, values)))
        .with("constants.json", json(&with_constants));
    let root = map(vec![("Modules", map(vec![(PREFIX, map(vec![("Source", text("./constants.json"))]))]))]);
    same(&host, &json(&import(PREFIX, Vec::new())), &json(&root))?;
    same(&host, &json(&written_in(body, values)), &json(&with_constants))
}

/// An override is the body with other keys.
///
/// # Errors
/// In words.
pub fn an_override_is_the_changed_body(body: &Value, new: &Value) -> Verdict {
    let changed = with_section(body, "Resources", |resources| {
        let Some((_, Value::Map(attributes))) = resources.iter_mut().find(|(name, _)| name == "Fixed") else { return };
        if let Some((_, Value::Map(properties))) = attributes.iter_mut().find(|(name, _)| name == "Properties") {
            properties.push(("Five".to_owned(), new.clone()));
        }
        attributes.retain(|(name, _)| name != "UpdateReplacePolicy");
        attributes.push(("UpdateReplacePolicy".to_owned(), text("Retain")));
    });
    let overrides =
        map(vec![("Properties", map(vec![("Five", new.clone())])), ("UpdateReplacePolicy", text("Retain"))]);
    let host = MemoryHost::new().with("module.json", json(body)).with("changed.json", json(&changed));
    let by_hand = map(vec![("Modules", map(vec![(PREFIX, map(vec![("Source", text("./changed.json"))]))]))]);
    same(&host, &json(&by_hand), &json(&import(PREFIX, vec![("Overrides", map(vec![("Fixed", overrides)]))])))
}

/// An output of a module that the root uses is its value, where the value is right.
///
/// # Errors
/// In words.
pub fn an_output_is_its_value(body: &Value, value: &Value) -> Verdict {
    let user = |value: Value| {
        map(vec![("Type", text("AWS::SNS::Topic")), ("Properties", map(vec![("Data", map(vec![("A", value)]))]))])
    };
    let plain = with_section(body, "Resources", |resources| {
        resources.insert(0, ("User".to_owned(), user(value.clone())));
    });
    if !is_accepted(&json(&plain)) {
        return Ok(());
    }
    let module = with_section(body, "Outputs", |outputs| {
        outputs.push(("Out".to_owned(), map(vec![("Value", value.clone())])));
    });
    let host = MemoryHost::new().with("module.json", json(&module));
    let root = with_section(&import(PREFIX, Vec::new()), "Resources", |resources| {
        let output = map(vec![("Fn::GetAtt", text(&format!("{PREFIX}.Out")))]);
        resources.push(("User".to_owned(), user(output)));
    });
    same(&host, &json(&plain), &json(&root))
}

/// A resource with `ForEach` in a module is a resource for each item.
///
/// # Errors
/// In words.
pub fn a_copy_is_a_resource(body: &Value, value: &Value, items: &[&str]) -> Verdict {
    let resource = |more: Option<Value>, identifier: &str, index: &str, filled: Value| {
        let properties =
            vec![("Id", text(identifier)), ("At", text(index)), ("Text", filled), ("Value", value.clone())];
        let mut members = vec![("Type", text("AWS::SNS::Topic")), ("Properties", map(properties))];
        members.extend(more.map(|more| ("ForEach", more)));
        map(members)
    };
    let in_a_loop = with_section(body, "Resources", |resources| {
        let collection = Value::List(items.iter().map(|item| text(item)).collect());
        let filled = map(vec![("Fn::Sub", text("x-${Identifier}-${Index}"))]);
        resources.push(("Copy".to_owned(), resource(Some(collection), "$Identifier", "$Index", filled)));
    });
    let by_hand = with_section(body, "Resources", |resources| {
        for (at, item) in items.iter().enumerate() {
            let filled = text(&format!("x-{item}-{at}"));
            resources.push((format!("Copy{at}"), resource(None, item, &at.to_string(), filled)));
        }
    });
    let host = MemoryHost::new().with("module.json", json(&in_a_loop)).with("hand.json", json(&by_hand));
    let root = map(vec![("Modules", map(vec![(PREFIX, map(vec![("Source", text("./hand.json"))]))]))]);
    same(&host, &json(&root), &json(&import(PREFIX, Vec::new())))
}

/// Parameters of the root that are passed on by their names are the root's parameters.
///
/// # Errors
/// In words.
pub fn a_passed_parameter_is_the_parameter(body: &Value, is_secret: bool) -> Verdict {
    let declared = |secret: bool| {
        let kinds = [("Stage", "String"), ("Count", "Number")];
        let member = |(name, kind): (&'static str, &str)| {
            let mut members = vec![("Type", text(kind))];
            members.extend((secret && name == "Stage").then_some(("NoEcho", Value::Bool(true))));
            (name, map(members))
        };
        map(kinds.into_iter().map(member).collect())
    };
    let host = MemoryHost::new().with("module.json", json(&parameters(body, &declared(false))));
    let plain = parameters(body, &declared(is_secret));
    let properties = map(vec![("Stage", reference("Stage")), ("Count", reference("Count"))]);
    let root = parameters(&import(PREFIX, vec![("Properties", properties)]), &declared(is_secret));
    let given = [("Stage", "dev"), ("Count", "2")];
    let given = given.map(|(name, value)| ParameterValue {
        name: name.to_owned(),
        value: value.to_owned(),
        given: ValueSource::CommandLine,
    });
    same_with(&host, &given, &json(&plain), &json(&root))
}

/// A property that is `AWS::NoValue` is one that is not passed.
///
/// # Errors
/// In words.
pub fn no_value_is_no_property(body: &Value) -> Verdict {
    let declared = map(vec![("Stage", map(vec![("Type", text("String")), ("Default", text("dev"))]))]);
    let host = MemoryHost::new().with("module.json", json(&parameters(body, &declared)));
    let nothing = ("Properties", map(vec![("Stage", reference("AWS::NoValue"))]));
    same(&host, &json(&import(PREFIX, Vec::new())), &json(&import(PREFIX, vec![nothing])))
}

/// One of the laws of modules, on a body at random.
///
/// # Errors
/// In words.
pub fn any(choices: &mut Choices<'_>) -> Verdict {
    let (law, count) = (choices.below(11), choices.below(4));
    let (one, new) = (generate::module_value(choices), generate::module_literal(choices));
    let body = match choices.below(2) {
        0 => generate::module_body(choices),
        _ => generate::module_body_with_loop(choices),
    };
    let names = Value::List(vec![text("a"), text("b-2")]);
    let values = [("Stage", text("dev")), ("Count", text("2")), ("Names", names)];
    let items = ["dev", "prod", "x"];
    match law {
        0 => modules_agree::an_import_is_its_body(&body),
        1 => modules_agree::properties_are_values(&body, &values),
        2 => modules_agree::a_loop_is_its_imports(&body, &items[..count]),
        3 => modules_agree::an_include_is_its_text(&generate::module_body(choices)),
        4 => a_module_in_a_module_has_both_names(&body),
        5 => a_constant_is_its_value(&body, &values[..2]),
        6 => an_override_is_the_changed_body(&body, &new),
        7 => an_output_is_its_value(&body, &one),
        8 => a_copy_is_a_resource(&body, &one, &items[..count]),
        9 => a_passed_parameter_is_the_parameter(&body, count == 0),
        _ => no_value_is_no_property(&body),
    }
}
