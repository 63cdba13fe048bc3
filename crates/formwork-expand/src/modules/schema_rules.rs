//! What values are compared with by a schema, made ready once for all of them: patterns and lists of choices.

use fancy_regex::{Regex, RegexBuilder};
use formwork_evaluate::GroupUse;
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

/// Why a pattern is not a regular expression of Python.
pub(super) fn fault(pattern: &str) -> Option<String> {
    let groups = GroupUse::of(pattern);
    if groups.is_program {
        return Some("it has a feature that Python does not have".to_owned());
    }
    if groups.refers_to_open_group {
        return Some("it refers to a group inside of that group".to_owned());
    }
    if groups.refers_to_missing_group {
        return Some("it refers to a group that does not exist".to_owned());
    }
    Regex::new(pattern).err().map(|why| why.to_string())
}

fn compiled(tree: &Tree, pattern: NodeId, steps: usize) -> Option<Regex> {
    if fault(tree.text(pattern)).is_some() {
        return None;
    }
    let source = format!("^(?:{})", tree.text(pattern));
    RegexBuilder::new(&source).backtrack_limit(steps).delegate_size_limit(SIZE).build().ok()
}

#[cfg(test)]
mod tests {
    use fancy_regex::RegexBuilder;

    use super::fault;

    const PIECES: &[&str] = &[
        "a",
        "b",
        "(",
        ")",
        "(?:",
        "(?=",
        "(?<=",
        "(?<!",
        "(?!",
        "(?>",
        "*",
        "+",
        "?",
        "{1,3}",
        "{2,}",
        "{,2}",
        "|",
        "[a-c]",
        "[^b]",
        "[[a]&&b]",
        ".",
        r"\1",
        r"\2",
        "(?P<n>",
        "(?P=n)",
        "(?<m>",
        r"\k<m>",
        r"\k<-1>",
        "(?(1)",
        "(?(",
        "(?(?=a)",
        "(?&n)",
        "(?(DEFINE)",
        r"\g<1>",
        "(?R)",
        r"\K",
        r"\G",
        "^",
        "$",
        r"\b",
        r"\A",
        r"\z",
        r"\Z",
        "(?~",
        "(*FAIL)",
        "é",
        "(?i)",
        "(?x)",
        "(?s)",
        r"\d",
        r"\R",
        r"\X",
        r"\h",
        r"\p{L}",
        "++",
        "*+",
        "(?<=a|bc)",
        "(?#c)",
    ];

    /// The engine panics for some patterns that it compiles. `fault` refuses each of them.
    #[test]
    fn no_pattern_without_a_fault_makes_the_engine_panic() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut below = move |count: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as usize % count
        };
        let mut ran = 0;
        for _ in 0..20_000 {
            let mut pattern: String = (0..=below(12)).map(|_| PIECES[below(PIECES.len())]).collect();
            let open = pattern.matches('(').count().saturating_sub(pattern.matches(')').count());
            pattern.push_str(&")".repeat(open));
            let value: String = (0..below(6)).map(|_| ["a", "b", "é", "c", "\n"][below(5)]).collect();
            if fault(&pattern).is_none() {
                let regex = RegexBuilder::new(&format!("^(?:{pattern})")).backtrack_limit(2_000).build();
                ran += usize::from(regex.is_ok_and(|regex| regex.is_match(value.as_str()).is_ok()));
            }
        }
        assert!(ran > 2_000, "{ran}");
        for pattern in [r"(#(\2?)){1,3}", "(?(1))", r"(a)\g<1>"] {
            assert!(fault(pattern).is_some(), "{pattern}");
        }
    }
}
