//! Rules as JSON.

use std::sync::OnceLock;

use serde_json::{Map, Value};

use super::{Catalog, Clause, Condition, Keyword, Rule, RulePattern};
use crate::pattern_translation::{has_look_around, translate};
use crate::{Kind, Kinds, Number};

/// Deeper clauses are not understood.
const DEEPEST: u32 = 40;

pub(super) fn rule(path: &str, text: &str) -> Option<Rule> {
    let value: Value = serde_json::from_str(text).ok()?;
    let path = path.split('/').filter(|name| !name.is_empty() && *name != "-").map(str::to_owned).collect();
    Some(Rule { path, clause: clause(&value, DEEPEST) })
}

fn clause(value: &Value, left: u32) -> Clause {
    let left = left.checked_sub(1);
    let keywords = match (value, left) {
        (Value::Bool(true), _) => Vec::new(),
        (Value::Bool(false), _) => vec![Keyword::Never],
        (Value::Object(fields), Some(left)) => keywords(fields, left),
        _ => vec![Keyword::Unknown],
    };
    Clause { keywords }
}

fn keywords(fields: &Map<String, Value>, left: u32) -> Vec<Keyword> {
    // Kinds and values come first: a message names the first violation.
    let mut found: Vec<Keyword> = Vec::new();
    if let Some(condition) = fields.get("if") {
        let branch = |name: &str| fields.get(name).map(|value| clause(value, left)).unwrap_or_default();
        let condition = Condition { holds: clause(condition, left), then: branch("then"), otherwise: branch("else") };
        found.push(Keyword::If(Box::new(condition)));
    }
    for (name, value) in fields {
        found.extend(keyword(name, value, left));
    }
    found
}

/// Keywords that change nothing.
const SILENT: [&str; 8] =
    ["$comment", "additionalProperties", "default", "definitions", "description", "else", "if", "then"];

fn keyword(name: &str, value: &Value, left: u32) -> Option<Keyword> {
    let one = || clause(value, left);
    let many = || value.as_array().map(|list| list.iter().map(|value| clause(value, left)).collect());
    let named = || {
        let fields = value.as_object()?.iter();
        Some(fields.map(|(name, value)| (name.clone(), clause(value, left))).collect::<Vec<_>>())
    };
    let number = || value.as_number().and_then(Number::of_json);
    let found = match name {
        name if SILENT.contains(&name) => return None,
        // A misplaced keyword of the source.
        "required" if !value.is_array() => return None,
        "type" => Some(Keyword::Kinds(kinds(value))),
        "required" => texts(value).map(Keyword::Required),
        "properties" => named().map(Keyword::Properties),
        "items" => Some(Keyword::Items(one())),
        "prefixItems" => many().map(Keyword::PrefixItems),
        "contains" => Some(Keyword::Contains(one())),
        "propertyNames" => Some(Keyword::Names(one())),
        "enum" => value.as_array().map(|list| Keyword::Values(list.iter().filter_map(scalar).collect())),
        "const" => scalar(value).map(|text| Keyword::Values(vec![text])),
        "listed" => value.as_array().and_then(|groups| Catalog::read(groups)).map(Keyword::Listed),
        "pattern" => value.as_str().and_then(pattern).map(Keyword::Pattern),
        "format" => value.as_str().map(|text| Keyword::Format(text.to_owned())),
        "minimum" => number().map(Keyword::Minimum),
        "exclusiveMinimum" => number().map(Keyword::Above),
        "maximum" => number().map(Keyword::Maximum),
        "multipleOf" => number().map(Keyword::MultipleOf),
        "minItems" => value.as_u64().map(Keyword::MinItems),
        "maxItems" => value.as_u64().map(Keyword::MaxItems),
        "uniqueKeys" => texts(value).map(Keyword::UniqueKeys),
        "among" => paths(value, "from").zip(paths(value, "to")).map(|(from, to)| Keyword::Among(from, to)),
        "ordered" => texts(value).map(Keyword::Ordered),
        "dependentExcluded" => dependent(value, false),
        "dependentRequired" => dependent(value, true),
        "allOf" => many().map(Keyword::All),
        "anyOf" => many().map(Keyword::Any),
        "oneOf" => many().map(Keyword::One),
        "not" => Some(Keyword::Not(one())),
        _ => None,
    };
    Some(found.unwrap_or(Keyword::Unknown))
}

fn kinds(value: &Value) -> Kinds {
    let names = value.as_str().into_iter().chain(value.as_array().into_iter().flatten().filter_map(Value::as_str));
    names.filter_map(Kind::of_name).fold(Kinds::ANY, Kinds::with)
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

fn paths(value: &Value, name: &str) -> Option<Vec<Vec<String>>> {
    let paths = texts(value.get(name)?)?;
    Some(paths.iter().map(|path| path.split('/').map(str::to_owned).collect()).collect())
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

fn dependent(value: &Value, is_needed: bool) -> Option<Keyword> {
    let pairs = value.as_object()?.iter().flat_map(|(name, others)| {
        let others = others.as_array().into_iter().flatten().filter_map(Value::as_str);
        others.map(move |other| (name.clone(), other.to_owned(), is_needed))
    });
    Some(Keyword::Dependent(pairs.collect()))
}

/// Reads a pattern. The programs of `regex-lite` have no look-around: `^(?!text).*$` is a pattern that excludes.
fn pattern(text: &str) -> Option<RulePattern> {
    let of = |text: String, is_excluded| RulePattern { text, is_excluded, compiled: OnceLock::new() };
    let excluded = text.strip_prefix("^(?!").and_then(|rest| rest.split_once(')'));
    match excluded {
        Some((inner, "" | ".*$" | ".*" | ".+$")) if !inner.contains('(') => {
            Some(of(translate(&format!("^{inner}"))?, true))
        }
        // A condition would hold for more values than the pattern allows.
        _ if has_look_around(text) => None,
        _ => translate(text).map(|text| of(text, false)),
    }
}

#[cfg(feature = "write")]
pub(super) fn unknown(rule: &Value) -> Vec<String> {
    let mut unknown = std::collections::BTreeSet::new();
    let mut open = vec![rule];
    while let Some(value) = open.pop() {
        for (name, inner) in value.as_object().into_iter().flatten() {
            if keyword(name, inner, 2).is_some_and(|found| matches!(found, Keyword::Unknown)) && name != "pattern" {
                unknown.insert(name.clone());
            }
            match name.as_str() {
                "properties" => open.extend(inner.as_object().into_iter().flat_map(Map::values)),
                "allOf" | "anyOf" | "oneOf" | "prefixItems" => open.extend(inner.as_array().into_iter().flatten()),
                "if" | "then" | "else" | "not" | "items" | "contains" | "propertyNames" => open.push(inner),
                _ => {}
            }
        }
    }
    unknown.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keywords_are_not_satisfied() {
        let rule = rule("A/*/B", r#"{"if": {"fancy": 1}, "then": false}"#).expect("a rule");
        assert_eq!(rule.path, ["A", "*", "B"]);
        let [Keyword::If(condition)] = rule.clause.keywords.as_slice() else { panic!("{rule:?}") };
        assert!(matches!(condition.holds.keywords.as_slice(), [Keyword::Unknown]));
        assert!(matches!(condition.then.keywords.as_slice(), [Keyword::Never]));
    }

    #[test]
    fn a_pattern_that_excludes_is_read_without_look_around() {
        let excluded = pattern("^(?!aurora).*$").expect("a pattern");
        assert_eq!([excluded.allows("mysql"), excluded.allows("aurora-mysql")], [Some(true), Some(false)]);
        let plain = pattern("^a+$").expect("a pattern");
        assert_eq!([plain.allows("aa"), plain.allows("b")], [Some(true), Some(false)]);
        assert!(pattern("(?<=a)b").is_none());
    }

    #[test]
    fn a_catalog_knows_the_regions_of_its_values() {
        let groups = serde_json::json!([["03", "t3.micro t3.small"], ["02", "m1.small"]]);
        let catalog = Catalog::read(groups.as_array().expect("a list")).expect("a catalog");
        assert_eq!(catalog.values().collect::<Vec<_>>(), ["t3.micro", "t3.small", "m1.small"]);
        assert!(catalog.is_in("t3.micro", 0) && !catalog.is_in("m1.small", 0) && catalog.is_in("m1.small", 1));
        assert!(!catalog.is_in("t3.micro", 9));
    }
}
