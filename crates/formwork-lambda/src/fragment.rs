//! Converts the fragment of a request to a template for the engine.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

/// The declaration that CloudFormation removed from the fragment. Its author wrote `Formwork`, and may have listed
/// other transforms, which the request does not contain: the serverless one represents them, so that names that it
/// generates are not errors.
const DECLARED: &str = r#""Transform":["AWS::LanguageExtensions","Formwork","AWS::Serverless-2016-10-31"],"#;

/// The declarations that the engine leaves in its output.
const LEFT: [&str; 2] = [
    r#"{"Transform":["AWS::Serverless-2016-10-31"],"#,
    // Something in the output needs the language transform.
    r#"{"Transform":["AWS::LanguageExtensions","AWS::Serverless-2016-10-31"],"#,
];

const NAMES: [&str; 2] = ["AWS::LanguageExtensions", "Formwork"];

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Sections<'f> {
    #[serde(borrow, default)]
    transform: Option<&'f RawValue>,
    resources: Option<IgnoredAny>,
    modules: Option<IgnoredAny>,
}

pub(crate) struct Prepared {
    pub(crate) text: String,
    /// Set if the declaration was added here: the fragment had no `Transform`.
    is_declared_here: bool,
}

impl Prepared {
    /// Adds the declaration of the transforms to a fragment, which CloudFormation sends without it; a fragment with a
    /// declaration is accepted, too (reference/macro.md#fragment).
    ///
    /// # Errors
    /// When the fragment is not a whole template, in a sentence.
    pub(crate) fn new(fragment: &str) -> Result<Prepared, &'static str> {
        let sections = serde_json::from_str::<Sections<'_>>(fragment).ok();
        let sections = sections.filter(|found| found.resources.is_some() || found.modules.is_some());
        let Some(sections) = sections else {
            return Err(
                "the fragment is not a template; list Formwork in the section Transform, and not in Fn::Transform",
            );
        };
        let Some(transform) = sections.transform else {
            // An object with a section has an entry behind its bracket.
            let text = fragment.replacen('{', &format!("{{{DECLARED}"), 1);
            return Ok(Prepared { text, is_declared_here: true });
        };
        let start = transform.get().as_ptr() as usize - fragment.as_ptr() as usize;
        let (before, behind) = (&fragment[..start], &fragment[start + transform.get().len()..]);
        Ok(Prepared { text: format!("{before}{}{behind}", declared(transform)), is_declared_here: false })
    }

    /// Converts the output of the engine, which has no white space, to the fragment of the response.
    pub(crate) fn finish(&self, output: String) -> String {
        let rest = LEFT.iter().find_map(|left| output.strip_prefix(left));
        match rest.filter(|_| self.is_declared_here) {
            Some(rest) => format!("{{{rest}"),
            None => output,
        }
    }
}

/// Returns the value of a `Transform` with the names that the engine requires.
fn declared(transform: &RawValue) -> String {
    let entries = match serde_json::from_str(transform.get()) {
        Ok(Value::Array(entries)) => entries,
        Ok(entry) => vec![entry],
        Err(_) => Vec::new(),
    };
    let name = |entry: &Value| entry.get("Name").unwrap_or(entry).as_str().map(str::to_owned);
    let known: Vec<String> = entries.iter().filter_map(name).collect();
    let missing = NAMES.iter().filter(|name| !known.iter().any(|known| known == *name));
    Value::Array(missing.map(|name| Value::from(*name)).chain(entries).collect()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(fragment: &str) -> String {
        Prepared::new(fragment).map(|prepared| prepared.text).expect("a template")
    }

    #[test]
    fn the_declaration_is_added_to_a_fragment_without_one() {
        let text = prepared(r#" {"Resources":{"A":"{"}}"#);
        assert_eq!(text, format!(r#" {{{DECLARED}"Resources":{{"A":"{{"}}}}"#));
    }

    #[test]
    fn the_entries_of_a_declaration_stay_in_order() {
        let text = prepared(r#"{"Transform":["Formwork","AWS::Serverless-2016-10-31"],"Resources":{}}"#);
        let expected = r#"["AWS::LanguageExtensions","Formwork","AWS::Serverless-2016-10-31"]"#;
        assert_eq!(text, format!(r#"{{"Transform":{expected},"Resources":{{}}}}"#));
        let text = prepared(r#"{"Resources":{},"Transform":{"Name":"Formwork"}}"#);
        assert_eq!(text, r#"{"Resources":{},"Transform":["AWS::LanguageExtensions",{"Name":"Formwork"}]}"#);
    }

    #[test]
    fn a_part_of_a_template_is_refused() {
        for fragment in ["{}", "[]", r#""text""#, r#"{"Bucket":{"Type":"AWS::S3::Bucket"}}"#] {
            assert!(Prepared::new(fragment).is_err(), "{fragment}");
        }
    }

    #[test]
    fn the_declaration_leaves_with_the_output() {
        let own = Prepared::new(r#"{"Resources":{}}"#).expect("a template");
        for left in LEFT {
            let left = format!(r#"{left}"Resources":{{}}}}"#);
            assert_eq!(own.finish(left.clone()), r#"{"Resources":{}}"#);
            let written = Prepared::new(&left).expect("a template");
            assert_eq!(written.finish(left.clone()), left);
        }
    }
}
