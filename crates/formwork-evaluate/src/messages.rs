//! CloudFormation's sentences about functions.

use formwork_base::display::{MASK, shown};
use formwork_base::{Code, Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Tree};
use formwork_template::fill_in::Spelling;

use crate::evaluator::Evaluator;
use crate::meant_form::meant_form;
use crate::outcome::Outcome;

const PREFIX: &str = "Transform AWS::LanguageExtensions failed with: ";

impl Evaluator<'_> {
    /// Builds the diagnostic of a function of the wrong shape. In a template with the transform the sentence is `Fn::X
    /// layout is incorrect`, without it the plain engine's (reference/functions.md#layout).
    pub(crate) fn layout(&self, call: NodeId, function: Known, what: &str) -> Diagnostic {
        let code = match function {
            Known::GetAtt => codes::GETATT_LAYOUT,
            Known::And | Known::Or | Known::Not | Known::Equals | Known::Condition => codes::CONDITION_LAYOUT,
            _ => codes::FUNCTION_LAYOUT,
        };
        let sentence = match plain_sentence(function) {
            Some(sentence) if !self.settings.language_extensions => sentence.to_owned(),
            _ => format!("{} layout is incorrect", function.long()),
        };
        let diagnostic = self.sentence(code, call, what, &sentence);
        let is_json = Spelling::is_json(self.tree, self.template.root);
        match (meant_form(self.tree, call, function, is_json), form(function)) {
            (Some(code), _) => diagnostic.help(format!("write `{code}`")),
            (None, Some(form)) => diagnostic.help(format!("the form is `{form}`")),
            (None, None) => diagnostic,
        }
    }

    /// Builds a diagnostic with CloudFormation's sentence, and in a template with the transform the form in which
    /// CloudFormation shows it.
    pub(crate) fn sentence(&self, code: Code, call: NodeId, what: &str, sentence: &str) -> Diagnostic {
        let diagnostic = self.error(code, call, format!("{what}: `{sentence}`"));
        if self.settings.language_extensions && !sentence.starts_with("Template ") {
            diagnostic.quoting(&format!("{PREFIX}{sentence}"))
        } else {
            diagnostic
        }
    }

    /// Returns a value as messages show it: `****` when it came from a `NoEcho` parameter.
    pub(crate) fn shown(&self, outcome: Outcome) -> String {
        match outcome {
            Outcome::Secret { .. } => MASK.into(),
            Outcome::Known(value) => shown_value(self.tree, value),
            _ => "?".into(),
        }
    }
}

/// Returns CloudFormation's form of an error of the transform.
pub fn transform_sentence(sentence: &str) -> String {
    format!("{PREFIX}{sentence}")
}

/// Returns a value as messages show it: strings as they are, lists and objects by their kind.
pub fn shown_value(tree: &Tree, value: NodeId) -> String {
    match tree.kind(value) {
        Kind::List => "a list".into(),
        Kind::Map => "an object".into(),
        Kind::Call => "a function".into(),
        Kind::Null => "null".into(),
        _ => shown(tree.text_form(value)),
    }
}

/// Returns the form of a function, with placeholders for its arguments.
fn form(function: Known) -> Option<&'static str> {
    Some(match function {
        Known::Ref => "Ref: Name",
        Known::Sub => "Fn::Sub: string` or `Fn::Sub: [string, {Name: value}]",
        Known::Join => "Fn::Join: [delimiter, [string, ...]]",
        Known::Split => "Fn::Split: [delimiter, string]",
        Known::Range => "Fn::Range: [stop]`, `[start, stop]` or `[start, stop, step]",
        Known::Zip => "Fn::Zip: [list, list]` or `Fn::Zip: {name: list, name: list}",
        Known::Select => "Fn::Select: [index, [value, ...]]",
        Known::FindInMap => "Fn::FindInMap: [Map, TopKey, SecondKey]",
        Known::If => "Fn::If: [Condition, value, value]",
        Known::Base64 => "Fn::Base64: string",
        Known::Cidr => "Fn::Cidr: [block, count, bits]",
        Known::GetStackOutput => "Fn::GetStackOutput: {StackName: name, OutputName: name}",
        Known::Length => "Fn::Length: [value, ...]",
        Known::ToJsonString => "Fn::ToJsonString: {Name: value}",
        Known::Equals => "Fn::Equals: [value, value]",
        Known::And => "Fn::And: [condition, condition, ...]",
        Known::Or => "Fn::Or: [condition, condition, ...]",
        Known::Not => "Fn::Not: [condition]",
        _ => return None,
    })
}

/// Returns CloudFormation's sentence about the shape of a function, as far as it is known.
pub fn layout_sentence(function: Known, language_extensions: bool) -> Option<String> {
    match plain_sentence(function) {
        Some(sentence) if !language_extensions => Some(sentence.to_owned()),
        _ if language_extensions => Some(format!("{PREFIX}{} layout is incorrect", function.long())),
        _ => None,
    }
}

fn plain_sentence(function: Known) -> Option<&'static str> {
    Some(match function {
        Known::Ref => "Template error: every Ref object must have a single String value.",
        Known::GetAtt => {
            "Template error: every Fn::GetAtt object requires two non-empty parameters, the resource name and the resource attribute"
        }
        Known::Sub => {
            "Template error: One or more Fn::Sub intrinsic functions don't specify expected arguments. Specify a string as first argument, and an optional second argument to specify a mapping of values to replace in the string"
        }
        Known::Join => {
            "Template error: every Fn::Join object requires two parameters, (1) a string delimiter and (2) a list of strings to be joined or a function that returns a list of strings (such as Fn::GetAZs) to be joined."
        }
        Known::Split => {
            "Template error: every Fn::Split object requires two parameters, (1) a string delimiter and (2) a string to be split or a function that returns a string to be split."
        }
        Known::Select => {
            "Template error: Fn::Select requires a list argument with two elements: an integer index and a list"
        }
        Known::FindInMap => {
            "Template error: every Fn::FindInMap object requires three parameters, the map name, map key and the attribute for return value"
        }
        Known::Equals => "Template error: every Fn::Equals object requires a list of 2 string parameters.",
        Known::And => {
            "Template error: every Fn::And object requires a list of at least 2 and at most 10 boolean parameters."
        }
        Known::Or => {
            "Template error: every Fn::Or object requires a list of at least 2 and at most 10 boolean parameters."
        }
        Known::Not => "Template error: every Fn::Not object requires one boolean parameter.",
        _ => return None,
    })
}
