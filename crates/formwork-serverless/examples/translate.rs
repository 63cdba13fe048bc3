//! Prints what becomes of serverless templates, a line of JSON each, as the comparison with AWS's translator reads it:
//! `translate [--region R] [--partition P] [--parameter K=V]... FILE...`
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a program for comparisons")]

use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath};
use formwork_serverless::Settings;
use formwork_syntax::{Kind, Origin, Style, Tree, Value};

fn main() {
    let (mut files, mut region, mut partition, mut parameters) = (Vec::new(), None, None, Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--region" => region = words.next(),
            "--partition" => partition = words.next(),
            "--parameter" => parameters.extend(words.next()),
            _ => files.push(word),
        }
    }
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let answer = translate(&text, &region, &partition, &parameters);
        let mut line = serde_json::Map::new();
        line.insert("file".to_owned(), file.into());
        line.extend(answer);
        println!("{}", serde_json::Value::Object(line));
    }
}

fn translate(
    text: &str,
    region: &Option<String>,
    partition: &Option<String>,
    parameters: &[String],
) -> serde_json::Map<String, serde_json::Value> {
    let (mut tree, mut sources, mut diagnostics) = (Tree::new(), SourceMap::new(), Diagnostics::new());
    let mut answer = serde_json::Map::new();
    let Some(file) = sources.add(VirtualPath::new("template.yaml"), text) else { return answer };
    let root = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut diagnostics).root;
    if diagnostics.has_errors() {
        answer.insert("unread".to_owned(), format!("{:?}", diagnostics.iter().next()).into());
        return answer;
    }
    let mut settings = Settings { region: region.clone(), partition: partition.clone(), parameters: Vec::new() };
    for (name, value) in parameters.iter().filter_map(|word| word.split_once('=')) {
        let origin = Origin::Authored(tree.span(root));
        let node = tree.scalar(Kind::String, Style::Plain, value, origin);
        settings.parameters.push((name.to_owned(), node));
    }
    let new = formwork_serverless::translate(&mut tree, root, &settings, &mut diagnostics);
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
        let value = serde_json::to_value(Value::new(&tree, new)).unwrap_or_default();
        answer.insert("output".to_owned(), value);
    }
    answer
}
