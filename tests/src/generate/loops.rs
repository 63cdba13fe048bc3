//! One loop, written in three ways: as `Fn::ForEach`, as `Fn::Map`, and by hand.

use formwork_syntax::value::Value;

use super::choices::Choices;
use super::values::{call, reference, text};

/// Three templates that are equivalent.
#[derive(Clone, Debug)]
pub struct Loops {
    /// With `Fn::ForEach`.
    pub for_each: Value,
    /// With `Fn::Map` and `Fn::Merge`.
    pub map: Value,
    /// Without loops.
    pub unrolled: Value,
}

const ITEMS: [&str; 6] = ["Alpha", "b2", "C-3", "d.4", "e f", "7"];

/// A part of a value: fixed, or made from the item.
#[derive(Clone, Debug)]
enum Part {
    Fixed(Value),
    Item,
    Text(String),
    List(Vec<Part>),
    Object(Vec<(String, Part)>),
    Parameter(String),
}

impl Part {
    fn new(choices: &mut Choices<'_>, depth: usize) -> Part {
        match choices.below(if depth == 0 { 5 } else { 7 }) {
            0 => Part::Item,
            1 => Part::Text(choices.of(&["x-", "a b ", "", "é/"]).to_owned()),
            2 => Part::Parameter(choices.of(&["p-", "", "q "]).to_owned()),
            3 => Part::Fixed(reference("Stage")),
            4 => Part::Fixed(Value::Number("5".to_owned())),
            5 => Part::List((0..choices.below(4)).map(|_| Part::new(choices, depth - 1)).collect()),
            _ => {
                let names = ["One", "Two", "Three"];
                let count = choices.below(4);
                Part::Object(
                    names.iter().take(count).map(|&name| (name.to_owned(), Part::new(choices, depth - 1))).collect(),
                )
            }
        }
    }

    /// As it is written in a loop's body.
    fn looped(&self) -> Value {
        match self {
            Part::Fixed(value) => value.clone(),
            Part::Item => reference("Name"),
            Part::Text(before) => call("Fn::Sub", text(format!("{before}${{Name}}"))),
            Part::Parameter(before) => call("Fn::Sub", text(format!("{before}${{Name}}-${{Stage}}"))),
            Part::List(parts) => Value::List(parts.iter().map(Part::looped).collect()),
            Part::Object(parts) => Value::Map(parts.iter().map(|(name, part)| (name.clone(), part.looped())).collect()),
        }
    }

    /// As it is written for one item.
    fn with(&self, item: &str) -> Value {
        match self {
            Part::Fixed(value) => value.clone(),
            Part::Item => text(item),
            Part::Text(before) => text(format!("{before}{item}")),
            Part::Parameter(before) => call("Fn::Sub", text(format!("{before}{item}-${{Stage}}"))),
            Part::List(parts) => Value::List(parts.iter().map(|part| part.with(item)).collect()),
            Part::Object(parts) => {
                Value::Map(parts.iter().map(|(name, part)| (name.clone(), part.with(item))).collect())
            }
        }
    }
}

/// Three spellings of one template.
pub fn loops(choices: &mut Choices<'_>) -> Loops {
    let count = choices.below(ITEMS.len() + 1);
    let items: Vec<&str> = ITEMS.iter().copied().take(count).collect();
    let properties: Vec<(String, Part)> =
        (0..choices.below(5)).map(|at| (format!("Property{at}"), Part::new(choices, 3))).collect();
    let resource = |part: &dyn Fn(&Part) -> Value| {
        let properties = properties.iter().map(|(name, value)| (name.clone(), part(value))).collect();
        Value::Map(vec![
            ("Type".to_owned(), text("AWS::SNS::Topic")),
            ("Properties".to_owned(), Value::Map(properties)),
        ])
    };
    let body = resource(&Part::looped);
    let key = "Made&{Name}";
    let collection = Value::List(items.iter().map(|&item| text(item)).collect());
    let stripped = |item: &str| item.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let for_each =
        Value::List(vec![text("Name"), collection.clone(), Value::Map(vec![(key.to_owned(), body.clone())])]);
    let map = Value::Map(vec![
        ("Value".to_owned(), text("Name")),
        ("Collection".to_owned(), collection),
        ("Key".to_owned(), text(key)),
        ("Fragment".to_owned(), body),
    ]);
    let fixed = ("Fixed".to_owned(), Value::Map(vec![("Type".to_owned(), text("AWS::SQS::Queue"))]));
    let unrolled = items.iter().map(|&item| (format!("Made{}", stripped(item)), resource(&|part| part.with(item))));
    let whole = |resources: Vec<(String, Value)>| {
        let stage = Value::Map(vec![("Type".to_owned(), text("String"))]);
        Value::Map(vec![
            ("Transform".to_owned(), text("AWS::LanguageExtensions")),
            ("Parameters".to_owned(), Value::Map(vec![("Stage".to_owned(), stage)])),
            ("Resources".to_owned(), Value::Map(resources)),
        ])
    };
    Loops {
        for_each: whole(vec![fixed.clone(), ("Fn::ForEach::Loop".to_owned(), for_each)]),
        map: whole(vec![fixed.clone(), ("Fn::Merge".to_owned(), Value::List(vec![call("Fn::Map", map)]))]),
        unrolled: whole(std::iter::once(fixed).chain(unrolled).collect()),
    }
}
