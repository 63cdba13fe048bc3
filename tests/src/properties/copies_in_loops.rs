//! What is copied in a loop has the items of both, as if each copy were written by hand: no item lengthens a word, is read
//! in what the other one put in, or is read as a variable (reference/modules/copies.md#variables,
//! reference/modules/copies.md#fn-foreach).

use formwork::{Compilation, Goal, MemoryHost, Options, PseudoParameter, Session, Values};
use serde_json::{Value, json};

use super::Verdict;
use crate::generate::Choices;

/// Items of the loop: as they end names, too.
const OUTER: [&str; 2] = ["a", "b2"];

/// Items of the copies.
const INNER: [&str; 6] = ["x", "a-b", "${V}", "$Index", "${AWS::Region}", "&{V}${Identifier}"];

const REGION: &str = "eu-west-1";

/// A piece of a string.
#[derive(Clone, Copy)]
enum Piece {
    Text(&'static str),
    Identifier,
    Index,
    Outer,
    Region,
}

/// Around what is copied.
#[derive(Clone, Copy, PartialEq)]
enum Around {
    Imports,
    Resources,
    Map,
}

struct Case {
    around: Around,
    variable: &'static str,
    pieces: Vec<Piece>,
    items: Vec<&'static str>,
    ports: bool,
}

/// The law for one loop around what is copied.
///
/// # Errors
/// In words.
pub fn copies_in_loops(choices: &mut Choices<'_>) -> Verdict {
    let pieces = [
        Piece::Text("-"),
        Piece::Text("+x"),
        Piece::Text("$"),
        Piece::Identifier,
        Piece::Identifier,
        Piece::Index,
        Piece::Outer,
        Piece::Outer,
        Piece::Region,
    ];
    let first = choices.below(INNER.len());
    let case = Case {
        around: [Around::Imports, Around::Resources, Around::Map][choices.below(3)],
        // A name that `$Identifier` begins with is none of it.
        variable: ["V", "Identifier", "W1"][choices.below(3)],
        pieces: (0..=choices.below(6)).map(|_| pieces[choices.below(pieces.len())]).collect(),
        items: vec![INNER[first], INNER[(first + 1 + choices.below(INNER.len() - 1)) % INNER.len()]],
        ports: choices.one_in(2),
    };
    let (template, module) = written(&case);
    let host = MemoryHost::new()
        .with("template.json", template.to_string().as_str())
        .with("m.json", module.to_string().as_str());
    let mut options = Options { values: Values::All, ..Options::default() };
    options.pseudo.push((PseudoParameter::Region, REGION.to_owned()));
    let result = Session::new(&host, options).compile("template.json", Goal::Resolve);
    let made = resources(&result)?;
    let expected = expected(&case);
    if made == expected {
        return Ok(());
    }
    Err(format!("{template:#}\n--- is\n{made:#}\n--- and not\n{expected:#}"))
}

/// The template, and the module that it may import.
fn written(case: &Case) -> (Value, Value) {
    let variable = case.variable;
    let text: String = case
        .pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => (*text).to_owned(),
            Piece::Identifier => "$Identifier".to_owned(),
            Piece::Index => "$Index".to_owned(),
            Piece::Outer => format!("${{{variable}}}"),
            Piece::Region => "${AWS::Region}".to_owned(),
        })
        .collect();
    let items: Vec<Value> = case.items.iter().map(|item| json!({"Identifier": item, "Ports": ["80", "81"]})).collect();
    let mut properties = json!({"Name": {"Fn::Sub": text}});
    if case.ports {
        let port = json!({"Fn::Sub": format!("$Identifier${{P}}${{{variable}}}")});
        properties["Ports"] = json!({"Fn::ForEach::Ports": ["P", "$Value.Ports", {"P${P}": port}]});
    }
    let topic = |properties: Value| json!({"Type": "AWS::SNS::Topic", "Properties": properties});
    let module = json!({
        "Parameters": {"Name": {"Type": "String"}, "Ports": {"Type": "Map", "Default": {}}},
        "Resources": {"T": topic(json!({"Name": {"Ref": "Name"}, "Ports": {"Ref": "Ports"}}))}
    });
    let mut copied = topic(properties.clone());
    copied["ForEach"] = json!(items);
    let key = format!("R${{{variable}}}");
    let looped = |body: Value| json!({"Fn::ForEach::L": [variable, OUTER, {key.clone(): body}]});
    let mut template = json!({"Transform": "AWS::LanguageExtensions"});
    match case.around {
        Around::Imports => {
            let import = json!({"Source": "m.json", "ForEach": items, "Properties": properties});
            template["Modules"] = looped(import);
        }
        Around::Resources => template["Resources"] = looped(copied),
        Around::Map => {
            let map = json!({"Value": variable, "Collection": OUTER, "Key": key, "Fragment": copied});
            template["Resources"] = json!({"Fn::Map": map});
        }
    }
    (template, module)
}

/// The resources as they would be written by hand, by name.
fn expected(case: &Case) -> Value {
    let mut made = json!({});
    for outer in OUTER {
        for (at, item) in case.items.iter().enumerate() {
            // The collection of an import is a part of what the loop copies, in which all strings take its item.
            let item = match case.around {
                Around::Imports => ["${", "&{"]
                    .iter()
                    .fold((*item).to_owned(), |item, mark| item.replace(&format!("{mark}{}}}", case.variable), outer)),
                _ => (*item).to_owned(),
            };
            let text: String = case
                .pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Text(text) => (*text).to_owned(),
                    Piece::Identifier => item.clone(),
                    Piece::Index => at.to_string(),
                    Piece::Outer => outer.to_owned(),
                    Piece::Region => REGION.to_owned(),
                })
                .collect();
            let mut properties = json!({"Name": text});
            if case.ports {
                properties["Ports"] = json!({"P80": format!("{item}80{outer}"), "P81": format!("{item}81{outer}")});
            } else if case.around == Around::Imports {
                properties["Ports"] = json!({});
            }
            let end = if case.around == Around::Imports { "T" } else { "" };
            made[format!("R{outer}{at}{end}")] = properties;
        }
    }
    made
}

/// The properties of the resources of a result, by name.
fn resources(result: &Compilation) -> Result<Value, String> {
    let output = result.output().map_err(|_| {
        let found: Vec<String> = result.diagnostics().iter().map(|found| found.message.clone()).collect();
        let texts: String = result.sources().files().map(|file| result.sources().text(file).to_string()).collect();
        format!("is refused: {}\n{texts}", found.join("; "))
    })?;
    let written: Value = serde_json::from_str(&output.render(None)).map_err(|error| error.to_string())?;
    let members = written["Resources"].as_object().cloned().unwrap_or_default();
    Ok(members.into_iter().map(|(name, mut value)| (name, value["Properties"].take())).collect())
}
