//! Prints translated serverless templates, a line of JSON each, as the comparison with AWS's translator reads it:
//! `translate [--region R] [--partition P] [--parameter K=V]... FILE...`. Without files it answers lines of standard
//! input, each an object with `template`, `region`, `partition` and `parameters`.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a program for comparisons")]

use std::io::BufRead as _;

use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath};
use formwork_serverless::Settings;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Origin, Style, Tree, View};
use serde_json::{Map, Value as Json};

/// Region, partition and parameters of a translation.
#[derive(Clone, Default)]
struct Values {
    region: Option<String>,
    partition: Option<String>,
    parameters: Vec<(String, String)>,
}

fn main() {
    let (mut files, mut values) = (Vec::new(), Values::default());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--region" => values.region = words.next(),
            "--partition" => values.partition = words.next(),
            "--parameter" => {
                let pair = words.next().unwrap_or_default();
                values.parameters.extend(pair.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())));
            }
            _ => files.push(word),
        }
    }
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let mut line = Map::new();
        line.insert("file".to_owned(), file.as_str().into());
        line.extend(translate(&text, &values));
        println!("{}", Json::Object(line));
    }
    if files.is_empty() {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            println!("{}", Json::Object(answer(&line)));
        }
    }
}

/// Returns the answer to a line of standard input.
fn answer(line: &str) -> Map<String, Json> {
    let request: Json = serde_json::from_str(line).unwrap_or_default();
    let word = |key: &str| request.get(key).and_then(Json::as_str).map(str::to_owned);
    let parameters = request.get("parameters").and_then(Json::as_object).into_iter().flatten();
    let parameters = parameters.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
    let values = Values { region: word("region"), partition: word("partition"), parameters: parameters.collect() };
    translate(&request.get("template").map(Json::to_string).unwrap_or_default(), &values)
}

fn translate(text: &str, values: &Values) -> Map<String, Json> {
    let (mut tree, mut sources, mut diagnostics) = (Tree::new(), SourceMap::new(), Diagnostics::new());
    let mut answer = Map::new();
    let Some(file) = sources.add(VirtualPath::new("template.yaml"), text) else { return answer };
    let root = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut diagnostics).root;
    if diagnostics.has_errors() {
        answer.insert("unread".to_owned(), format!("{:?}", diagnostics.iter().next()).into());
        return answer;
    }
    let (region, partition) = (values.region.clone(), values.partition.clone());
    let mut settings = Settings { region, partition, ..Settings::default() };
    for (name, value) in &values.parameters {
        let origin = Origin::Authored(tree.span(root));
        let node = tree.scalar(Kind::String, Style::Plain, value, origin);
        settings.parameters.push((name.clone(), node));
    }
    let new = formwork_serverless::translate(&mut tree, root, &settings, &mut diagnostics).root;
    let of_transform = |sentence: &str| {
        let (_, rest) = sentence.split_once("Number of errors found: 1. ")?;
        Some(rest.strip_suffix('`').unwrap_or(rest).to_owned())
    };
    if diagnostics.has_errors() {
        let notes = diagnostics.iter().flat_map(|one| one.notes.iter().filter_map(|note| of_transform(note)));
        let mut errors: Vec<String> = notes.collect();
        errors.sort();
        answer.insert("errors".to_owned(), errors.into());
    } else {
        answer.insert("output".to_owned(), json(&tree, new));
    }
    answer
}

/// Returns the data of a node. A number stays a number, whatever its digits are.
fn json(tree: &Tree, node: NodeId) -> Json {
    match tree.view(node) {
        View::Null => Json::Null,
        View::Bool(truth) => truth.into(),
        View::Number(text) => serde_json::from_str(text).unwrap_or_else(|_| text.into()),
        View::String(text) => text.into(),
        View::List(items) => items.iter().map(|&item| json(tree, item)).collect(),
        View::Map => {
            let entries = tree.entries(node);
            entries
                .map(|entry| (tree.text(entry.key).to_owned(), json(tree, entry.value)))
                .collect::<Map<_, _>>()
                .into()
        }
        View::Call(function, argument) => {
            let is_short = function == Function::Known(Known::GetAtt) && tree.style(node) == Style::Tag;
            let parts = tree.string(argument).filter(|_| is_short).and_then(|text| text.split_once('.'));
            let argument = parts.map_or_else(|| json(tree, argument), |(id, name)| vec![id, name].into());
            Map::from_iter([(tree.function_name(function).to_owned(), argument)]).into()
        }
    }
}
