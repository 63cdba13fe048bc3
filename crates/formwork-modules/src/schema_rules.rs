//! Patterns and lists of choices of schemas, compiled once for all values.

use formwork_evaluate::{Dialect, Match, Pattern};
use formwork_syntax::{NodeId, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

/// Number of values that are matched with up to [`STEPS`] of backtracking each: some milliseconds for all of them.
/// Later ones get [`STEPS_OF_MANY`].
const FEW_MATCHES: u32 = 20;
const STEPS: usize = 200_000;
const STEPS_OF_MANY: usize = 2_000;

const FEW_CHOICES: usize = 8;

#[derive(Default)]
pub(super) struct SchemaRules {
    patterns: FxHashMap<NodeId, CachedPattern>,
    choices: FxHashMap<NodeId, FxHashSet<String>>,
}

/// A pattern; `compiled` is `None` for an invalid regular expression.
struct CachedPattern {
    compiled: Option<Pattern>,
    matches: u32,
}

impl SchemaRules {
    /// Matches a scalar with the pattern of a node, from its start on. An invalid regular expression was reported with
    /// the schema: any value matches.
    pub(super) fn matches(&mut self, tree: &Tree, pattern: NodeId, value: NodeId) -> Match {
        let compiled = |steps| Pattern::new(tree.text(pattern), Dialect::Python, steps).ok();
        let known =
            self.patterns.entry(pattern).or_insert_with(|| CachedPattern { compiled: compiled(STEPS), matches: 0 });
        known.matches = known.matches.saturating_add(1);
        if known.matches == FEW_MATCHES {
            known.compiled = compiled(STEPS_OF_MANY);
        }
        known.compiled.as_ref().map_or(Match::Yes, |compiled| compiled.matches(tree.text_form(value)))
    }

    pub(super) fn is_choice(&mut self, tree: &Tree, list: NodeId, value: NodeId) -> bool {
        let choices = tree.items(list);
        if !tree.is_scalar(value) {
            return choices.iter().any(|&choice| tree.same_data(choice, value));
        }
        // Scalars of different types are compared by their string forms.
        let mut scalars =
            choices.iter().filter(|&&choice| tree.is_scalar(choice)).map(|&choice| tree.text_form(choice));
        let text = tree.text_form(value);
        if choices.len() <= FEW_CHOICES {
            return scalars.any(|choice| choice == text);
        }
        self.choices.entry(list).or_insert_with(|| scalars.map(str::to_owned).collect()).contains(text)
    }
}
