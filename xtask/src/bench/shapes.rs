//! Shapes of templates that grow in one way each, for [`super::growth`]. To add one, add a row.

mod aliases;
mod broken;
mod findings;
mod lines;
mod modules;
mod reports;
mod sound;
mod texts;
mod values;
mod wrong;

/// A kind of template.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// Its name in the report.
    pub(crate) name: &'static str,
    /// What the name of its file ends with.
    pub(crate) extension: &'static str,
    /// How often its parts are repeated at first; then ten times as often.
    pub(crate) n: u32,
    /// Words of the command lines behind `formwork`, the template left out.
    pub(crate) commands: &'static [&'static [&'static str]],
    /// Its text.
    pub(crate) parts: &'static [Part],
    /// A file beside it: its name and text.
    pub(crate) beside: Option<(&'static str, &'static [Part])>,
}

/// A part of a text.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// Once.
    Once(&'static str),
    /// n times; see [`super::written`] for its marks.
    Each(&'static str),
}

use Part::Once;

const EXPAND: &[&str] = &["expand"];
const JSON: &[&str] = &["expand", "--format", "json"];
const ALL: &[&str] = &["expand", "--values", "all", "--format", "json"];
const RESOLVE: &[&str] = &["resolve", "--format", "json"];
const CHECK: &[&str] = &["check"];
const CHECK_JSON: &[&str] = &["check", "--message-format", "json"];
const CHECK_SHORT: &[&str] = &["check", "--message-format", "short"];
const CHECK_VALUES: &[&str] = &["check", "--parameters-file", "values.json"];
const RAIN: &[&str] = &["migrate", "rain"];
const RULES: &[&str] = &["rules", "check"];

/// A module with a parameter, a resource and an output.
const MODULE: &[Part] = &[Once(
    "Parameters:\n  N:\n    Type: String\nResources:\n  T:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Ref N}\nOutputs:\n  Arn:\n    Value: !Ref T\n",
)];

/// Every shape.
pub(crate) fn all() -> impl Iterator<Item = &'static Shape> {
    let own = sound::SHAPES.iter().chain(wrong::SHAPES).chain(modules::SHAPES);
    let forms = aliases::SHAPES.iter().chain(broken::SHAPES).chain(lines::SHAPES).chain(texts::SHAPES);
    own.chain(forms).chain(findings::SHAPES).chain(reports::SHAPES).chain(values::SHAPES)
}

const fn shape(
    name: &'static str,
    extension: &'static str,
    n: u32,
    commands: &'static [&'static [&'static str]],
    parts: &'static [Part],
) -> Shape {
    Shape { name, extension, n, commands, parts, beside: None }
}

const fn beside(shape: Shape, name: &'static str, parts: &'static [Part]) -> Shape {
    Shape { beside: Some((name, parts)), ..shape }
}
