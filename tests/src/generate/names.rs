//! Loops whose bodies refer to resources by names with the item, some of which do not exist, are absent or refer back.

use formwork_syntax::value::Value;

use super::choices::Choices;
use super::loops::Loops;
use super::values::{call, reference, text};

/// Items, some of which have a dot: a name in an `Fn::GetAtt` ends there.
const ITEMS: [&str; 9] = ["Alpha", "b2", "C", "d.4", "E", "Arn", "7.g.h", "AWS::Region", "I"];

/// What is in front of an item in a name, and after it.
const BEFORE: [&str; 6] = ["Made", "Made", "Other", "", "Other.", "."];
const AFTER: [&str; 7] = [".Arn", ".Arn", ".Arn", "", ".", "Next.Arn", ".Tag-"];

/// What a string that takes the item becomes.
type Fill<'f> = dyn Fn(&str) -> Value + 'f;

/// A value that refers to a resource by a name with the item.
#[derive(Clone, Debug)]
enum Named {
    /// `Fn::GetAtt` of one string; the item may come again after it.
    Text {
        before: String,
        after: String,
        is_twice: bool,
    },
    /// `Fn::GetAtt` of two strings, of which the first one is the item alone if there is nothing in front of it.
    Parts {
        before: String,
        is_item: bool,
    },
    Ref {
        before: String,
        is_item: bool,
    },
    /// `Fn::Sub` with another variable.
    Open(String),
    List(Vec<Named>),
    If(Box<Named>),
}

impl Named {
    fn new(choices: &mut Choices<'_>, outer: &str, depth: usize) -> Named {
        let before = format!("{}{outer}", choices.of(&BEFORE));
        match choices.below(if depth == 0 { 7 } else { 9 }) {
            0..=2 => Named::Text { before, after: choices.of(&AFTER).to_owned(), is_twice: choices.one_in(8) },
            3 | 4 => Named::Parts { before, is_item: choices.one_in(4) },
            5 => Named::Ref { before, is_item: choices.one_in(4) },
            6 => Named::Open(before),
            7 => Named::List((0..choices.below(4)).map(|_| Named::new(choices, outer, depth - 1)).collect()),
            _ => Named::If(Box::new(Named::new(choices, outer, depth - 1))),
        }
    }

    /// The value, with what the loop's body has for strings with the item.
    fn value(&self, fill: &Fill<'_>) -> Value {
        match self {
            Named::Text { before, after, is_twice } => {
                let again = if *is_twice { "${Name}" } else { "" };
                let name = fill(&format!("{before}${{Name}}{after}{again}"));
                let parts = if let Value::String(name) = &name { name.split_once('.') } else { None };
                let parts = parts.map(|(name, attribute)| Value::List(vec![text(name), text(attribute)]));
                call("Fn::GetAtt", parts.unwrap_or(name))
            }
            Named::Parts { before, is_item } => {
                let before = if *is_item { "" } else { before.as_str() };
                call("Fn::GetAtt", Value::List(vec![fill(&format!("{before}${{Name}}")), text("Arn")]))
            }
            Named::Ref { before, is_item } => {
                let before = if *is_item { "" } else { before.as_str() };
                call("Ref", fill(&format!("{before}${{Name}}")))
            }
            Named::Open(before) => match fill(&format!("{before}${{Name}} ${{AWS::StackName}} ${{Fixed}}")) {
                filled @ Value::String(_) => call("Fn::Sub", filled),
                looped => looped,
            },
            Named::List(parts) => Value::List(parts.iter().map(|part| part.value(fill)).collect()),
            Named::If(part) => call("Fn::If", Value::List(vec![text("IsGone"), part.value(fill), text("no")])),
        }
    }
}

/// A resource or output.
struct Member {
    properties: Vec<Named>,
    metadata: Option<Named>,
    depends_on: bool,
    condition: Option<&'static str>,
}

impl Member {
    fn new(choices: &mut Choices<'_>, outer: &str) -> Member {
        Member {
            properties: (0..=choices.below(3)).map(|_| Named::new(choices, outer, 2)).collect(),
            metadata: choices.one_in(4).then(|| Named::new(choices, outer, 1)),
            depends_on: choices.one_in(5),
            condition: choices.one_in(6).then_some("IsLive"),
        }
    }

    fn resource(&self, fill: &Fill<'_>) -> Value {
        let properties = self.properties.iter().enumerate();
        let properties = properties.map(|(at, value)| (format!("Property{at}"), value.value(fill))).collect();
        let mut entries = vec![("Type", text("AWS::SNS::Topic")), ("Properties", Value::Map(properties))];
        entries.extend(self.metadata.as_ref().map(|value| ("Metadata", map(vec![("Of", value.value(fill))]))));
        if self.depends_on {
            entries.push(("DependsOn", fill("Other${Name}")));
        }
        entries.extend(self.condition.map(|name| ("Condition", text(name))));
        map(entries)
    }

    fn output(&self, fill: &Fill<'_>) -> Value {
        let mut entries = vec![("Description", fill("What ${Name} is")), ("Value", self.properties[0].value(fill))];
        entries.extend(self.condition.map(|name| ("Condition", text(name))));
        map(entries)
    }
}

fn map(entries: Vec<(&str, Value)>) -> Value {
    Value::Map(entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn stripped(item: &str) -> String {
    item.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// One template in three spellings, with errors in most.
pub fn names(choices: &mut Choices<'_>) -> Loops {
    let count = 3 + choices.below(ITEMS.len() - 2);
    let from = choices.below(ITEMS.len());
    let items: Vec<&str> = ITEMS.iter().copied().cycle().skip(from).take(count).collect();
    let outers: &[&str] = if choices.one_in(3) { &["P", "Q"] } else { &[""] };
    let is_nested = outers.len() > 1;
    let outer = if is_nested { "${Outer}" } else { "" };
    let (member, output) = (Member::new(choices, outer), Member::new(choices, outer));
    let fixed: Vec<(String, Value)> = std::iter::once("Fixed".to_owned())
        .chain(items.iter().map(|item| format!("Other{}", stripped(item))))
        .filter_map(|name| {
            let mut entries = vec![("Type", text("AWS::SQS::Queue"))];
            match choices.below(6) {
                0 if name != "Fixed" => return None,
                1 => entries.push(("Condition", text("IsGone"))),
                2 => {
                    let made = name.replace("Other", "Made");
                    let back = call("Fn::GetAtt", Value::List(vec![text(made), text("Arn")]));
                    entries.push(("Properties", map(vec![("Back", back)])));
                }
                _ => {}
            }
            Some((name, map(entries)))
        })
        .collect();
    let sections = |resources: Vec<(String, Value)>, outputs: Vec<(String, Value)>| {
        let resources = Value::Map(fixed.iter().cloned().chain(resources).collect());
        let stage = map(vec![("Type", text("String")), ("Default", text("dev"))]);
        let is = |stage: &str| call("Fn::Equals", Value::List(vec![reference("Stage"), text(stage)]));
        map(vec![
            ("Transform", text("AWS::LanguageExtensions")),
            ("Parameters", map(vec![("Stage", stage)])),
            ("Conditions", map(vec![("IsLive", is("dev")), ("IsGone", is("prod"))])),
            ("Resources", resources),
            ("Outputs", Value::Map(outputs)),
        ])
    };
    let in_loop = |written: &str| match written {
        "${Name}" => reference("Name"),
        _ => call("Fn::Sub", text(written)),
    };
    let collection = || Value::List(items.iter().map(|&item| text(item)).collect());
    let around = |name: &str, inner: (String, Value)| {
        if !is_nested {
            return vec![inner];
        }
        let outers = Value::List(outers.iter().map(|&outer| text(outer)).collect());
        let parts = vec![text("Outer"), outers, Value::Map(vec![inner])];
        vec![(format!("Fn::ForEach::{name}"), Value::List(parts))]
    };
    let for_each = |name: &str, key: &str, body: Value| {
        let fragment = Value::Map(vec![(format!("{key}{outer}&{{Name}}"), body)]);
        let parts = vec![text("Name"), collection(), fragment];
        around(&format!("{name}Outer"), (format!("Fn::ForEach::{name}"), Value::List(parts)))
    };
    let mapped = |name: &str, key: &str, body: Value| {
        let argument = map(vec![
            ("Value", text("Name")),
            ("Collection", collection()),
            ("Key", text(format!("{key}{outer}&{{Name}}"))),
            ("Fragment", body),
        ]);
        around(name, ("Fn::Merge".to_owned(), Value::List(vec![call("Fn::Map", argument)])))
    };
    let unrolled = |key: &str, body: &dyn Fn(&Fill<'_>) -> Value| {
        let pairs = outers.iter().flat_map(|&outer| items.iter().map(move |&item| (outer, item)));
        pairs
            .map(|(outer, item)| {
                let fill = |written: &str| text(written.replace("${Outer}", outer).replace("${Name}", item));
                (format!("{key}{outer}{}", stripped(item)), body(&fill))
            })
            .collect()
    };
    let bodies = || (member.resource(&in_loop), output.output(&in_loop));
    let ((resource, value), (mapped_resource, mapped_value)) = (bodies(), bodies());
    Loops {
        for_each: sections(for_each("Loop", "Made", resource), for_each("Outs", "Out", value)),
        map: sections(mapped("Loop", "Made", mapped_resource), mapped("Outs", "Out", mapped_value)),
        unrolled: sections(
            unrolled("Made", &|fill| member.resource(fill)),
            unrolled("Out", &|fill| output.output(fill)),
        ),
    }
}
