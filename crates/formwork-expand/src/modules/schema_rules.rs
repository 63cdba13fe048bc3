//! What values are compared with by a schema, made ready once for all of them: patterns and lists of choices.

use formwork_evaluate::{Dialect, Match, Pattern};
use formwork_syntax::{NodeId, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

/// Values that are matched with up to [`STEPS`] of backtracking each: some milliseconds for all of them. Those that follow
/// get [`STEPS_OF_MANY`].
const FEW_MATCHES: u32 = 20;
const STEPS: usize = 200_000;
const STEPS_OF_MANY: usize = 2_000;

/// Choices that are compared one after the other.
const FEW_CHOICES: usize = 8;

/// Rules of the schemas of a run.
#[derive(Default)]
pub(super) struct SchemaRules {
    patterns: FxHashMap<NodeId, Known>,
    /// What the scalars of a list of choices are as text.
    choices: FxHashMap<NodeId, FxHashSet<String>>,
}

/// A pattern; `None` if it is not a regular expression.
struct Known {
    compiled: Option<Pattern>,
    matches: u32,
}

impl SchemaRules {
    /// Whether a scalar matches the pattern that is the text of a node, from its start on. What is not a regular
    /// expression was reported with the schema: any value matches.
    pub(super) fn matches(&mut self, tree: &Tree, pattern: NodeId, value: NodeId) -> Match {
        let compiled = |steps| Pattern::new(tree.text(pattern), Dialect::Python, steps).ok();
        let known = self.patterns.entry(pattern).or_insert_with(|| Known { compiled: compiled(STEPS), matches: 0 });
        known.matches = known.matches.saturating_add(1);
        if known.matches == FEW_MATCHES {
            known.compiled = compiled(STEPS_OF_MANY);
        }
        known.compiled.as_ref().map_or(Match::Yes, |compiled| compiled.matches(tree.text_form(value)))
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
