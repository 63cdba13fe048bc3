//! What values are compared with by a schema, made ready once for all of them: patterns and lists of choices.

use fancy_regex::{Regex, RegexBuilder};
use formwork_syntax::{NodeId, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

/// Values that are matched with up to [`STEPS`] of backtracking each: some milliseconds for all of them. Those that follow
/// get [`STEPS_OF_MANY`].
const FEW_MATCHES: u32 = 20;
const STEPS: usize = 200_000;
const STEPS_OF_MANY: usize = 2_000;

/// The size that a compiled pattern may have, in bytes.
const SIZE: usize = 1 << 20;

/// Choices that are compared one after the other.
const FEW_CHOICES: usize = 8;

/// Rules of the schemas of a run.
#[derive(Default)]
pub(super) struct SchemaRules {
    patterns: FxHashMap<NodeId, Pattern>,
    /// What the scalars of a list of choices are as text.
    choices: FxHashMap<NodeId, FxHashSet<String>>,
}

/// A pattern; `None` if it is not a regular expression.
struct Pattern {
    regex: Option<Regex>,
    matches: u32,
}

impl SchemaRules {
    /// Whether a scalar matches the pattern that is the text of a node, from its start on. `None` when that takes too many
    /// steps. What is not a regular expression was reported with the schema: any value matches.
    pub(super) fn matches(&mut self, tree: &Tree, pattern: NodeId, value: NodeId) -> Option<bool> {
        let known = self
            .patterns
            .entry(pattern)
            .or_insert_with(|| Pattern { regex: compiled(tree, pattern, STEPS), matches: 0 });
        known.matches = known.matches.saturating_add(1);
        if known.matches == FEW_MATCHES {
            known.regex = compiled(tree, pattern, STEPS_OF_MANY);
        }
        known.regex.as_ref().map_or(Some(true), |regex| regex.is_match(tree.text_form(value)).ok())
    }

    /// Whether a value is one of a list.
    pub(super) fn is_choice(&mut self, tree: &Tree, list: NodeId, value: NodeId) -> bool {
        let choices = tree.items(list);
        if !tree.is_scalar(value) {
            return choices.iter().any(|&choice| tree.same_data(choice, value));
        }
        // Scalars of different types are compared by their text.
        let mut scalars =
            choices.iter().filter(|&&choice| tree.is_scalar(choice)).map(|&choice| tree.text_form(choice));
        let text = tree.text_form(value);
        if choices.len() <= FEW_CHOICES {
            return scalars.any(|choice| choice == text);
        }
        self.choices.entry(list).or_insert_with(|| scalars.map(str::to_owned).collect()).contains(text)
    }
}

fn compiled(tree: &Tree, pattern: NodeId, steps: usize) -> Option<Regex> {
    let source = format!("^(?:{})", tree.text(pattern));
    RegexBuilder::new(&source).backtrack_limit(steps).delegate_size_limit(SIZE).build().ok()
}
