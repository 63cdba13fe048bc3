//! Rules between properties (reference/schemas.md#rules): schemas with conditions, which the nodes of a type do not have.

mod catalog;
mod parse;

use std::sync::{Arc, OnceLock};

use regex_lite::Regex;

use crate::{Kinds, Number};

pub use catalog::Catalog;

/// A rule about the values at a path.
#[derive(Debug)]
pub struct Rule {
    /// Names from the properties of the type downwards; `*` is an element of a list or any key of a map.
    pub path: Vec<String>,
    /// The condition that the values satisfy.
    pub clause: Clause,
}

/// A condition on a value.
#[derive(Debug, Default)]
pub struct Clause {
    /// Keywords, which must all hold.
    pub keywords: Vec<Keyword>,
}

/// A keyword of a [`Clause`], as in a JSON schema unless described.
#[derive(Debug)]
pub enum Keyword {
    /// The value is not allowed at all.
    Never,
    /// A keyword that this program does not understand: the value is not known to satisfy it.
    Unknown,
    /// `type`
    Kinds(Kinds),
    /// `required`
    Required(Vec<String>),
    /// `properties`
    Properties(Vec<(String, Clause)>),
    /// `items`
    Items(Clause),
    /// `prefixItems`
    PrefixItems(Vec<Clause>),
    /// `contains`
    Contains(Clause),
    /// `propertyNames`
    Names(Clause),
    /// `enum` and `const`: scalars as strings.
    Values(Vec<String>),
    /// Values with the Regions that have them.
    Listed(Catalog),
    /// `pattern`
    Pattern(RulePattern),
    /// `format`
    Format(String),
    /// `minimum`
    Minimum(Number),
    /// `exclusiveMinimum`
    Above(Number),
    /// `maximum`
    Maximum(Number),
    /// `multipleOf`
    MultipleOf(Number),
    /// `minItems`
    MinItems(u64),
    /// `maxItems`
    MaxItems(u64),
    /// `uniqueKeys`: objects of the list do not have the same values of these keys.
    UniqueKeys(Vec<String>),
    /// Names of numbers, none of which is less than the one before it.
    Ordered(Vec<String>),
    /// Values that others name: paths of the names, and of the values.
    Among(Vec<Vec<String>>, Vec<Vec<String>>),
    /// `dependentExcluded` and `dependentRequired`: a name, another one, and `true` if the first needs the other.
    Dependent(Vec<(String, String, bool)>),
    /// `allOf`
    All(Vec<Clause>),
    /// `anyOf`
    Any(Vec<Clause>),
    /// `oneOf`
    One(Vec<Clause>),
    /// `not`
    Not(Clause),
    /// `if`, `then` and `else`
    If(Box<Condition>),
}

/// `if`, `then` and `else`.
#[derive(Debug)]
pub struct Condition {
    /// Decides.
    pub holds: Clause,
    /// Applies if the condition holds.
    pub then: Clause,
    /// Applies if the condition does not hold.
    pub otherwise: Clause,
}

/// A pattern of a rule, compiled on first use.
#[derive(Debug)]
pub struct RulePattern {
    text: String,
    /// Set for a pattern that must not match: `^(?!text).*$`.
    is_excluded: bool,
    compiled: OnceLock<Option<Regex>>,
}

impl RulePattern {
    /// Returns the pattern.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns `true` if strings that match are excluded.
    pub fn is_excluded(&self) -> bool {
        self.is_excluded
    }

    /// Returns `true` if `text` satisfies the pattern; `None` if that is not known.
    pub fn allows(&self, text: &str) -> Option<bool> {
        let compiled = self.compiled.get_or_init(|| crate::pattern_cache::compile(&self.text));
        compiled.as_ref().map(|regex| regex.is_match(text) != self.is_excluded)
    }
}

/// Parsed rules by type, for a block.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    known: std::sync::Mutex<rustc_hash::FxHashMap<u32, Arc<[Rule]>>>,
}

impl Rules {
    /// Returns the rules of the type with this number, parsed once.
    pub(crate) fn of<'t>(&self, name: u32, texts: impl Iterator<Item = (&'t str, &'t str)>) -> Arc<[Rule]> {
        let mut known = self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        known.entry(name).or_insert_with(|| texts.filter_map(|(path, text)| parse::rule(path, text)).collect()).clone()
    }
}

/// Returns the keywords of a rule that are not known, sorted: their meaning has to be decided before a table is generated.
#[cfg(feature = "write")]
pub fn unknown_rule_keywords(rule: &serde_json::Value) -> Vec<String> {
    parse::unknown(rule)
}
