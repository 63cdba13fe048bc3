//! Runs the transform on the text of a template.

use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath};
use formwork_serverless::Settings;
use formwork_syntax::{Kind, NodeId, Origin, Style, Tree};
use serde_json::{Value, json};

/// A translated template.
pub(crate) struct Run {
    pub(crate) tree: Tree,
    pub(crate) authored: NodeId,
    pub(crate) root: NodeId,
    pub(crate) diagnostics: Diagnostics,
}

/// Translates a template. The words are `region=R`, `partition=P` and values of parameters.
pub(crate) fn run(text: &str, words: &[&str]) -> Run {
    run_all(text, words, Settings::default())
}

/// Translates a template with settings.
pub(crate) fn run_with(text: &str, settings: Settings) -> Run {
    run_all(text, &[], settings)
}

fn run_all(text: &str, words: &[&str], mut settings: Settings) -> Run {
    let (mut tree, mut sources, mut diagnostics) = (Tree::new(), SourceMap::new(), Diagnostics::new());
    let file = sources.add(VirtualPath::new("template.yaml"), text).expect("room for a file");
    let authored = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut diagnostics).root;
    assert!(!diagnostics.has_errors(), "{:?}\n{text}", diagnostics.iter().next());
    for (name, value) in words.iter().filter_map(|word| word.split_once('=')) {
        match name {
            "region" => settings.region = Some(value.to_owned()),
            "partition" => settings.partition = Some(value.to_owned()),
            _ => {
                let origin = Origin::Authored(tree.span(authored));
                let node = tree.scalar(Kind::String, Style::Plain, value, origin);
                settings.parameters.push((name.to_owned(), node));
            }
        }
    }
    let root = formwork_serverless::translate(&mut tree, authored, &settings, &mut diagnostics).root;
    Run { tree, authored, root, diagnostics }
}

impl Run {
    /// Returns the result as data: `{output: ...}`, or `{errors: [...]}` with the sentences of the translator, sorted.
    pub(crate) fn answer(&self) -> Value {
        if !self.diagnostics.has_errors() {
            let mut output = self.output();
            if let Some(map) = output.as_object_mut() {
                map.remove("Transform");
            }
            return json!({ "output": output });
        }
        let sentence = |note: &String| {
            let (_, rest) = note.split_once("Number of errors found: 1. ")?;
            Some(rest.strip_suffix('`').unwrap_or(rest).to_owned())
        };
        let mut errors: Vec<String> =
            self.diagnostics.iter().flat_map(|one| one.notes.iter().filter_map(sentence)).collect();
        errors.sort();
        json!({ "errors": errors })
    }

    /// Returns the template of the result.
    pub(crate) fn output(&self) -> Value {
        serde_json::to_value(formwork_syntax::Value::new(&self.tree, self.root)).expect("text keys")
    }
}
