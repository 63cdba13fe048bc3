//! Bodies for the laws of modules: templates without parameters, loops or a transform of their own, that
//! are right as a root template and as a module file.

use formwork_syntax::value::Value;

use super::choices::Choices;
use super::values::{TEXTS, call, reference, text, value};

fn map(members: Vec<(&str, Value)>) -> Value {
    Value::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A template that may be a root or a module: a mapping, conditions, resources.
pub fn module_body(choices: &mut Choices<'_>) -> Value {
    let mut sections = Vec::new();
    if !choices.one_in(4) {
        sections.push(("Transform", text("AWS::LanguageExtensions")));
    }
    let kinds = |names: &[&str]| Value::List(names.iter().map(|&name| text(name)).collect());
    let dev = map(vec![("Size", text("small")), ("Kinds", kinds(&["a", "b"]))]);
    let prod = map(vec![("Size", Value::Number("3".to_owned())), ("Kinds", kinds(&["c"]))]);
    sections.push(("Mappings", map(vec![("Table", map(vec![("dev", dev), ("prod", prod)]))])));
    sections.push(("Conditions", conditions(choices)));
    sections.push(("Resources", resources(choices)));
    map(sections)
}

fn conditions(choices: &mut Choices<'_>) -> Value {
    let operand = |choices: &mut Choices<'_>| match choices.below(5) {
        0 => text("eu-west-1"),
        1 => reference("AWS::AccountId"),
        2 => Value::Number("1".to_owned()),
        3 => call(
            "Fn::Select",
            Value::List(vec![Value::Number("0".to_owned()), Value::List(vec![text("a"), text("b")])]),
        ),
        _ => value(choices, &[], 2),
    };
    let mut members = Vec::new();
    let names = ["IsDev", "IsOther", "IsThird"];
    for (at, &name) in names.iter().enumerate() {
        // A condition that is decided prunes a module (section 9.2) and leaves a template as it is.
        let one = reference(choices.of(&["AWS::StackName", "AWS::StackId"]));
        let other = operand(choices);
        // Two sides that are the same expression are equal in a module, and not known in a template.
        let other = if one == other { text("other") } else { other };
        let equals = call("Fn::Equals", Value::List(vec![one, other]));
        let earlier = call("Condition", text(if at == 0 { "IsOther" } else { names[at - 1] }));
        let body = match choices.below(6) {
            0 if at > 0 => call("Fn::Not", Value::List(vec![earlier])),
            1 if at > 0 => call("Fn::Or", Value::List(vec![earlier, equals])),
            2 if at > 0 => call("Fn::And", Value::List(vec![equals, earlier])),
            _ => equals,
        };
        members.push((name, body));
    }
    map(members)
}

fn resources(choices: &mut Choices<'_>) -> Value {
    let mut members = Vec::new();
    for name in ["Fixed", "Second", "Third"] {
        let mut resource = vec![("Type", text("AWS::SNS::Topic"))];
        match choices.below(8) {
            0 if name != "Fixed" => resource.push(("Condition", text(choices.of(&["IsDev", "IsOther", "IsThird"])))),
            1 if name != "Fixed" => resource.push(("DependsOn", text("Fixed"))),
            2 => resource.push(("DeletionPolicy", text("Retain"))),
            _ => {}
        }
        let mut properties = Vec::new();
        for number in 0..choices.below(4) {
            properties.push((["One", "Two", "Three", "Four"][number], value(choices, &[], 4)));
        }
        resource.push(("Properties", map(properties)));
        members.push((name, map(resource)));
    }
    map(members)
}

/// A literal or a reference to a pseudo parameter, which means the same in every file.
pub fn module_literal(choices: &mut Choices<'_>) -> Value {
    match choices.below(4) {
        0 => text(choices.of(&TEXTS)),
        1 => Value::Number("3".to_owned()),
        2 => reference("AWS::AccountId"),
        _ => Value::List(vec![text("a"), reference("AWS::Region"), map(vec![("B", text("b"))])]),
    }
}

/// Any value of a module.
pub fn module_value(choices: &mut Choices<'_>) -> Value {
    value(choices, &[], 4)
}

/// The same body with an `Fn::ForEach` among its resources.
pub fn module_body_with_loop(choices: &mut Choices<'_>) -> Value {
    let Value::Map(mut sections) = module_body(choices) else { unreachable!("a body is a map") };
    if sections.iter().all(|(name, _)| name != "Transform") {
        sections.insert(0, ("Transform".to_owned(), text("AWS::LanguageExtensions")));
    }
    let names = ["Each".to_owned()];
    let items = ["a", "b2", "c"];
    // The body of a loop without items is checked in a template, and not in a module.
    let collection = Value::List(items[..=choices.below(3)].iter().map(|&item| text(item)).collect());
    let properties = map(vec![("One", value(choices, &names, 3)), ("Two", value(choices, &names, 3))]);
    let resource = map(vec![("Type", text("AWS::SNS::Topic")), ("Properties", properties)]);
    let each = Value::List(vec![text("Each"), collection, call("Box${Each}", resource)]);
    if let Some((_, Value::Map(resources))) = sections.iter_mut().find(|(name, _)| name == "Resources") {
        resources.push(("Fn::ForEach::Boxes".to_owned(), each));
    }
    Value::Map(sections)
}
