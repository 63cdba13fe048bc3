//! Equality of two values, as it matters for a plan.

use formwork_template::sub_string::{self, Part, parts};
use rustc_hash::FxHashSet;

use crate::definitions::Definitions;
use crate::open;
use crate::references::{Renames, renamed, sub};
use formwork_template::value::Value;

/// Returns `true` if two numbers have the same value, such as `1.0e2` and `100`, and are small enough to be exact.
fn same_number(a: &str, b: &str) -> bool {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let value = |text: &str| text.parse::<f64>().ok().filter(|value| value.abs() < EXACT);
    value(a).zip(value(b)).is_some_and(|(a, b)| a.total_cmp(&b).is_eq())
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison<'c, 't> {
    /// Set when `1` and `"1"` differ.
    pub(crate) strict_types: bool,
    pub(crate) renames: &'c Renames<'t>,
    /// Secret parameters with another value on both sides: a reference to one is a change.
    pub(crate) secrets: &'c [String],
    pub(crate) definitions: Option<&'c Definitions<'t>>,
    /// Names of resources, in a comparison where values that are equal under some values count as equal: only a
    /// reference to a resource is known not to be a literal.
    pub(crate) resources: Option<&'c FxHashSet<&'t str>>,
}

impl<'c, 't> Comparison<'c, 't> {
    /// Returns `true` if two values are equal: scalars by their spelling, maps in any order, references after the
    /// renaming.
    pub(crate) fn same(&self, old: &Value<'t>, new: &Value<'t>) -> bool {
        if let Some(resources) = self.resources.filter(|_| old.is_call() || new.is_call()) {
            return open::may_be_same(old, new, resources);
        }
        match (old, new) {
            (Value::Null, Value::Null) => true,
            (Value::List(a), Value::List(b)) => self.same_list(a, b),
            (Value::Map(a), Value::Map(b)) => self.same_map(a, b),
            (Value::Call(f, a), Value::Call(g, b)) => {
                f == g
                    && self.same_argument(f, a, b)
                    && self.secret_in(f, b).is_none()
                    && !self.definitions.is_some_and(|definitions| definitions.reads_in(f, b))
            }
            (Value::List(_) | Value::Map(_) | Value::Call(..) | Value::Null, _)
            | (_, Value::List(_) | Value::Map(_) | Value::Call(..) | Value::Null) => false,
            (a, b) => self.same_scalar(a, b),
        }
    }

    fn same_scalar(&self, a: &Value<'t>, b: &Value<'t>) -> bool {
        // YAML and JSON write one number in several ways: an output may differ from its template.
        if let (Value::Number(a), Value::Number(b)) = (a, b) {
            return a == b || same_number(a, b);
        }
        a.text() == b.text() && (!self.strict_types || std::mem::discriminant(a) == std::mem::discriminant(b))
    }

    fn same_list(&self, a: &[Value<'t>], b: &[Value<'t>]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same(a, b))
    }

    fn same_map(&self, a: &[(&'t str, Value<'t>)], b: &[(&'t str, Value<'t>)]) -> bool {
        let other = |at: usize, key: &str| match b.get(at) {
            Some((known, value)) if *known == key => Some(value),
            _ => b.iter().find(|(known, _)| *known == key).map(|(_, value)| value),
        };
        a.len() == b.len()
            && a.iter().enumerate().all(|(at, (key, value))| other(at, key).is_some_and(|b| self.same(value, b)))
    }

    /// Returns the first secret parameter with another value that a `Ref` or the string of `Fn::Sub` refers to.
    pub(crate) fn secret_in(&self, function: &str, argument: &Value<'t>) -> Option<&'c str> {
        let known = |name: &str| self.secrets.iter().map(String::as_str).find(|secret| *secret == name);
        match function {
            _ if self.secrets.is_empty() => None,
            "Ref" => known(argument.text()?),
            "Fn::Sub" => {
                let (text, own) = sub(argument)?;
                let is_own = |name: &str| own.iter().any(|(own, _)| *own == name);
                parts(text).filter_map(Part::variable).filter(|name| !is_own(name)).find_map(known)
            }
            _ => None,
        }
    }

    pub(crate) fn secret_below(&self, value: &Value<'t>) -> Option<&'c str> {
        match value {
            Value::Call(function, argument) => {
                self.secret_in(function, argument).or_else(|| self.secret_below(argument))
            }
            Value::List(items) => items.iter().find_map(|item| self.secret_below(item)),
            Value::Map(members) => members.iter().find_map(|(_, value)| self.secret_below(value)),
            _ => None,
        }
    }

    fn same_argument(&self, function: &str, old: &Value<'t>, new: &Value<'t>) -> bool {
        if self.renames.is_empty() {
            return self.same(old, new);
        }
        match (function, old, new) {
            ("Ref", Value::String(a), Value::String(b)) => renamed(a, self.renames) == *b,
            ("Fn::GetAtt", Value::List(a), Value::List(b)) => match (a.as_slice(), b.as_slice()) {
                ([Value::String(x), a @ ..], [Value::String(y), b @ ..]) => {
                    renamed(x, self.renames) == *y && self.same_list(a, b)
                }
                _ => self.same_list(a, b),
            },
            ("Fn::Sub", ..) => match (sub(old), sub(new)) {
                (Some((a, own)), Some((b, others))) => {
                    let is_own = |name: &str| own.iter().any(|(known, _)| *known == name);
                    sub_string::renamed(a, &is_own, &|name| Some((*self.renames.get(name)?).into())) == b
                        && self.same_map(own, others)
                }
                _ => self.same(old, new),
            },
            _ => self.same(old, new),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call<'t>(name: &'t str, argument: Value<'t>) -> Value<'t> {
        Value::Call(name, Box::new(argument))
    }

    #[test]
    fn references_are_the_same_after_a_renaming() {
        let renames = Renames::from_iter([("A", "B")]);
        let compare =
            Comparison { strict_types: false, renames: &renames, secrets: &[], definitions: None, resources: None };
        for (old, new) in [
            (call("Ref", Value::String("A")), call("Ref", Value::String("B"))),
            (call("Fn::Sub", Value::String("x${A.Arn}")), call("Fn::Sub", Value::String("x${B.Arn}"))),
        ] {
            assert!(compare.same(&old, &new));
            assert!(!compare.same(&new, &old));
        }
    }

    #[test]
    fn a_reference_to_a_secret_with_another_value_differs() {
        let renames = Renames::default();
        let secrets = ["Password".to_owned()];
        let compare = Comparison {
            strict_types: false,
            renames: &renames,
            secrets: &secrets,
            definitions: None,
            resources: None,
        };
        let own = Value::Map(vec![("Password", Value::String("x"))]);
        for (value, is_same) in [
            (call("Ref", Value::String("Password")), false),
            (call("Ref", Value::String("Other")), true),
            (call("Fn::Sub", Value::String("a-${Password}")), false),
            (call("Fn::Sub", Value::List(vec![Value::String("${Password}"), own])), true),
            (call("Fn::Base64", call("Ref", Value::String("Password"))), false),
            (Value::String("Password"), true),
        ] {
            assert_eq!(compare.same(&value, &value), is_same, "{value:?}");
            assert_eq!(compare.secret_below(&value).is_none(), is_same, "{value:?}");
        }
    }

    #[test]
    fn scalars_are_compared_by_text() {
        let renames = Renames::default();
        let loose =
            Comparison { strict_types: false, renames: &renames, secrets: &[], definitions: None, resources: None };
        let strict =
            Comparison { strict_types: true, renames: &renames, secrets: &[], definitions: None, resources: None };
        assert!(loose.same(&Value::Number("1"), &Value::String("1")));
        assert!(!strict.same(&Value::Number("1"), &Value::String("1")));
        assert!(loose.same(&Value::Bool(true), &Value::String("true")));
        for (a, b, is_same) in
            [("1.0e2", "100", true), ("1.5", "1.50", true), ("1", "2", false), ("9e99", "90e98", false)]
        {
            assert_eq!(strict.same(&Value::Number(a), &Value::Number(b)), is_same, "{a} {b}");
        }
        assert!(!loose.same(&Value::Number("1.0"), &Value::String("1")));
    }
}
