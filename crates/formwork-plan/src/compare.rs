//! Comparing two values: one change for each deepest difference.

use crate::change::{Effect, PropertyChange, PropertyKind};
use crate::comparison::Comparison;
use crate::references::renamed;
use formwork_template::value::{Step, Value};

/// Returns the differences between two entries of a section in the order of the new one; removed values come last.
pub(crate) fn differences<'p, 't>(
    old: &'p Value<'t>,
    new: &'p Value<'t>,
    comparison: Comparison<'_, 't>,
) -> Vec<PropertyChange<'p, 't>> {
    let mut walk = Walk { comparison, path: Vec::new(), old_path: Vec::new(), found: Vec::new() };
    walk.compare(old, new);
    walk.found
}

struct Walk<'c, 'p, 't> {
    comparison: Comparison<'c, 't>,
    path: Vec<Step<'t>>,
    /// Differs from `path` in the indexes of lists whose order has no meaning.
    old_path: Vec<Step<'t>>,
    found: Vec<PropertyChange<'p, 't>>,
}

impl<'p, 't> Walk<'_, 'p, 't> {
    fn compare(&mut self, old: &'p Value<'t>, new: &'p Value<'t>) {
        if self.comparison.same(old, new) {
            return;
        }
        match (old, new) {
            (Value::Map(a), Value::Map(b)) => self.maps(a, b),
            _ if self.is("DependsOn") && self.path.len() == 1 => self.set(old, new, true),
            (Value::List(a), Value::List(b)) if self.is("Tags") => self.tags((old, a), (new, b)),
            (Value::List(_), Value::List(_)) if self.is("Action") || self.is("NotAction") => self.set(old, new, false),
            (Value::List(a), Value::List(b)) => self.lists(a, b),
            _ => {
                let kind =
                    if old.has_call() || new.has_call() { PropertyKind::Residual } else { PropertyKind::Changed };
                let is_written_alike = matches!((old, new), (Value::Call(..), Value::Call(..)))
                    && Comparison { secrets: &[], definitions: None, ..self.comparison }.same(old, new);
                if let Some(name) = self.comparison.secret_below(new).filter(|_| is_written_alike) {
                    self.secret(name, new);
                } else {
                    self.push(kind, Some(old), Some(new));
                    if let Some(found) = self.found.last_mut().filter(|_| is_written_alike) {
                        found.may_be_same = true;
                        found.because = self.comparison.definitions.map(|all| all.named(new)).unwrap_or_default();
                    }
                }
            }
        }
    }

    fn is(&self, name: &str) -> bool {
        matches!(self.path.last(), Some(Step::Name(last)) if *last == name)
    }

    fn push(&mut self, kind: PropertyKind, old: Option<&'p Value<'t>>, new: Option<&'p Value<'t>>) {
        let (path, old_path) = match kind {
            PropertyKind::Removed => (self.old_path.clone(), self.old_path.clone()),
            _ => (self.path.clone(), self.old_path.clone()),
        };
        self.found.push(PropertyChange {
            path,
            old_path,
            kind,
            old,
            new,
            effect: Effect::Unknown,
            may_be_same: false,
            because: Vec::new(),
            place: None,
            old_place: None,
        });
    }

    /// Adds a value that only a secret changes; it is unknown and shown masked.
    fn secret(&mut self, name: &str, value: &'p Value<'t>) {
        const MASKED: &Value<'static> = &Value::Secret("");
        let is_whole = matches!(value, Value::Call("Ref", _));
        let (kind, shown) = if is_whole { (PropertyKind::Changed, MASKED) } else { (PropertyKind::Residual, value) };
        self.push(kind, Some(shown), Some(shown));
        if let Some(found) = self.found.last_mut() {
            found.because.push(format!("argument {name}"));
        }
    }

    fn below(&mut self, step: (Step<'t>, Step<'t>), work: impl FnOnce(&mut Self)) {
        self.path.push(step.0);
        self.old_path.push(step.1);
        work(self);
        self.path.pop();
        self.old_path.pop();
    }

    fn maps(&mut self, old: &'p [(&'t str, Value<'t>)], new: &'p [(&'t str, Value<'t>)]) {
        let find = |members: &'p [(&'t str, Value<'t>)], name: &str| {
            members.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
        };
        for (key, value) in new {
            let step = (Step::Name(key), Step::Name(key));
            match find(old, key) {
                Some(before) => self.below(step, |walk| walk.compare(before, value)),
                None if self.may_be_nothing(value) => {}
                None => self.below(step, |walk| walk.push(PropertyKind::Added, None, Some(value))),
            }
        }
        for (key, value) in old {
            if find(new, key).is_none() && !self.may_be_nothing(value) {
                let step = (Step::Name(key), Step::Name(key));
                self.below(step, |walk| walk.push(PropertyKind::Removed, Some(value), None));
            }
        }
    }

    /// Returns `true` if the value may be `AWS::NoValue`, where that matters.
    fn may_be_nothing(&self, value: &Value<'_>) -> bool {
        self.comparison.resources.is_some() && matches!(value, Value::Call("Fn::If", _))
    }

    fn lists(&mut self, old: &'p [Value<'t>], new: &'p [Value<'t>]) {
        for at in 0..old.len().max(new.len()) {
            self.below((Step::Index(at), Step::Index(at)), |walk| match (old.get(at), new.get(at)) {
                (Some(before), Some(value)) => walk.compare(before, value),
                (before, value) => {
                    let kind = if value.is_some() { PropertyKind::Added } else { PropertyKind::Removed };
                    walk.push(kind, before, value);
                }
            });
        }
    }

    /// Compares lists whose order has no meaning as multisets. A single value is a list of one.
    fn set(&mut self, old: &'p Value<'t>, new: &'p Value<'t>, are_names: bool) {
        let (a, b) = (old.elements(), new.elements());
        let renames = self.comparison.renames;
        let (gone, came) = unmatched(a, b, &|old, new| match (old, new) {
            (Value::String(old), Value::String(new)) if are_names => renamed(old, renames) == *new,
            _ => self.comparison.same(old, new),
        });
        if gone.is_empty() && came.is_empty() {
            if !are_names {
                self.push(PropertyKind::OrderOnly, Some(old), Some(new));
            }
            return;
        }
        if !matches!((old, new), (Value::List(_), Value::List(_))) {
            return self.push(PropertyKind::Changed, Some(old), Some(new));
        }
        for at in came {
            let item = b.get(at);
            self.below((Step::Index(at), Step::Index(at)), |walk| walk.push(PropertyKind::Added, None, item));
        }
        for at in gone {
            let item = a.get(at);
            self.below((Step::Index(at), Step::Index(at)), |walk| walk.push(PropertyKind::Removed, item, None));
        }
    }

    /// Compares tags by their keys; by position if a key is missing or duplicate.
    fn tags(&mut self, old: (&'p Value<'t>, &'p [Value<'t>]), new: (&'p Value<'t>, &'p [Value<'t>])) {
        let (gone, came) = unmatched(old.1, new.1, &|old, new| self.comparison.same(old, new));
        if gone.is_empty() && came.is_empty() {
            return self.push(PropertyKind::OrderOnly, Some(old.0), Some(new.0));
        }
        let (Some(before), Some(after)) = (keys(old.1), keys(new.1)) else { return self.lists(old.1, new.1) };
        for (at, (key, value)) in after.iter().zip(new.1).enumerate() {
            let same = before.iter().position(|known| known == key).and_then(|was| Some((was, old.1.get(was)?)));
            if let Some((was, tag)) = same {
                self.below((Step::Index(at), Step::Index(was)), |walk| walk.compare(tag, value));
            } else {
                let step = (Step::Index(at), Step::Index(at));
                self.below(step, |walk| walk.push(PropertyKind::Added, None, Some(value)));
            }
        }
        for (at, (key, tag)) in before.iter().zip(old.1).enumerate() {
            if !after.contains(key) {
                let step = (Step::Index(at), Step::Index(at));
                self.below(step, |walk| walk.push(PropertyKind::Removed, Some(tag), None));
            }
        }
    }
}

/// Returns the indexes of elements without an equal one on the other side.
fn unmatched<'t>(
    old: &[Value<'t>],
    new: &[Value<'t>],
    same: &dyn Fn(&Value<'t>, &Value<'t>) -> bool,
) -> (Vec<usize>, Vec<usize>) {
    let mut came: Vec<usize> = (0..new.len()).collect();
    let mut gone = Vec::new();
    for (at, item) in old.iter().enumerate() {
        let is_same = |&other: &usize| new.get(other).is_some_and(|other| same(item, other));
        match came.iter().position(is_same) {
            Some(position) => {
                came.remove(position);
            }
            None => gone.push(at),
        }
    }
    (gone, came)
}

/// Returns the keys of tags, if every tag has one and all differ.
fn keys<'t>(tags: &[Value<'t>]) -> Option<Vec<&'t str>> {
    let keys: Vec<&str> = tags.iter().map(|tag| tag.get("Key").and_then(Value::text)).collect::<Option<_>>()?;
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    sorted.dedup();
    (sorted.len() == keys.len()).then_some(keys)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::references::Renames;
    use crate::test_values::value;
    use formwork_template::value::dotted;

    fn changes(old: &str, new: &str) -> Vec<String> {
        let (old, new) = (value(old), value(new));
        let renames = Renames::default();
        let comparison =
            Comparison { strict_types: false, renames: &renames, secrets: &[], definitions: None, resources: None };
        let found = differences(&old, &new, comparison);
        found.iter().map(|change| format!("{} {}", change.kind.name(), dotted(&change.path))).collect()
    }

    #[test]
    fn a_change_ends_at_the_deepest_difference() {
        let found = changes(
            r#"{"Properties": {"A": {"B": 1, "C": 2}, "D": [1, 2]}}"#,
            r#"{"Properties": {"A": {"B": 1, "C": 3}, "D": [1], "E": {"F": 1}}}"#,
        );
        assert_eq!(found, ["changed Properties.A.C", "removed Properties.D.1", "added Properties.E"]);
    }

    #[test]
    fn order_of_tags_and_actions_is_compared() {
        let old = r#"{"Tags": [{"Key": "a", "Value": 1}, {"Key": "b", "Value": 2}], "Action": ["x", "y"]}"#;
        let new = r#"{"Tags": [{"Key": "b", "Value": 2}, {"Key": "a", "Value": 1}], "Action": ["y", "x"]}"#;
        assert_eq!(changes(old, new), ["order-only Tags", "order-only Action"]);
        let new = r#"{"Tags": [{"Key": "b", "Value": 3}, {"Key": "c", "Value": 1}], "Action": ["y", "x", "z"]}"#;
        assert_eq!(changes(old, new), ["changed Tags.0.Value", "added Tags.1", "removed Tags.0", "added Action.2"]);
    }

    #[test]
    fn order_and_form_of_depends_on_do_not_count() {
        assert!(changes(r#"{"DependsOn": "A"}"#, r#"{"DependsOn": ["A"]}"#).is_empty());
        assert!(changes(r#"{"DependsOn": ["B", "A"]}"#, r#"{"DependsOn": ["A", "B"]}"#).is_empty());
        assert_eq!(changes(r#"{"DependsOn": ["B", "A"]}"#, r#"{"DependsOn": ["A"]}"#), ["removed DependsOn.0"]);
    }

    #[test]
    fn what_is_not_known_is_residual() {
        let found = changes(r#"{"A": {"Ref": "X"}}"#, r#"{"A": "x"}"#);
        assert_eq!(found, ["residual A"]);
        assert!(changes(r#"{"A": {"Ref": "X"}}"#, r#"{"A": {"Ref": "X"}}"#).is_empty());
    }
}
