//! Small serverless templates, a directory for each type. A file begins with comments: the title in the first line, and
//! what the example shows.

use std::path::PathBuf;
use std::sync::Arc;

use formwork::{Compilation, Format, Goal, Options, Serverless};
use formwork_tests::{project, properties, reference};
use serde_json::Value;

/// The least number of examples.
const LEAST: usize = 45;

pub(super) struct Example {
    /// The type without its prefix.
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) title: String,
    pub(super) words: Vec<String>,
    pub(super) text: String,
}

/// Returns the directory of the examples.
pub(super) fn directory() -> PathBuf {
    project::root().join("tests/serverless/examples")
}

/// Returns all examples, sorted by type and name.
pub(super) fn all() -> Vec<Example> {
    let root = directory();
    let mut all = Vec::new();
    for path in reference::files(&root, "yaml").expect("examples") {
        let file = reference::read(&path).expect("an example");
        let name = reference::relative(&path, &root);
        let kind = name.split_once('/').expect("a directory").0.to_owned();
        let mut comments = file.lines().map_while(|line| line.strip_prefix("# "));
        let title = comments.next().expect("a title").to_owned();
        let words: Vec<String> = comments.map(str::to_owned).collect();
        let text = file.lines().skip(words.len() + 1).fold(String::new(), |text, line| text + line + "\n");
        all.push(Example { kind, name, title, words, text });
    }
    all.sort_by(|one, other| one.name.cmp(&other.name));
    assert!(all.len() >= LEAST, "{}", all.len());
    all
}

/// Returns options with the result of the transform, or with the template as it is written.
pub(super) fn options(is_translated: bool) -> Options {
    let serverless = if is_translated { Serverless::Output } else { Serverless::Kept };
    Options { serverless, ..Options::default() }
}

/// Returns what the transform makes of a template.
pub(super) fn translated(text: &str) -> Arc<Compilation> {
    properties::compile(text, &options(true), Goal::Expand)
}

/// Returns the output of a compilation as data.
///
/// # Errors
/// Without an output: why.
pub(super) fn data(compilation: &Compilation) -> Result<Value, String> {
    let output = compilation.output().map_err(|failed| failed.to_string())?;
    serde_json::from_str(&output.render(Some(Format::Json))).map_err(|error| error.to_string())
}

/// Returns an example as data.
pub(super) fn authored(example: &Example) -> Value {
    let kept = properties::compile(&example.text, &options(false), Goal::Expand);
    data(&kept).unwrap_or_else(|error| panic!("{}: {error}", example.name))
}
