//! Inlay hints: the names that a loop generates, the outcome of a condition.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use formwork::query::{LoopKind, SymbolKind};
use formwork::tree::Kind;
use formwork::{FileRange, VirtualPath};

use crate::Ide;
use crate::symbols::made_by;
use crate::values::shown;

/// The kinds of hints to return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HintKinds {
    /// The names that loops generate.
    pub loops: bool,
    /// The names that imports generate.
    pub imports: bool,
    /// The items of collections that are not literal.
    pub collections: bool,
    /// The outcomes of conditions.
    pub conditions: bool,
    /// Entries that the current values leave out.
    pub absent: bool,
    /// The values of references.
    pub values: bool,
}

impl Default for HintKinds {
    fn default() -> HintKinds {
        HintKinds { loops: true, imports: true, collections: true, conditions: true, absent: true, values: false }
    }
}

/// A hint that an editor shows after a place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hint {
    /// The offset after which it is shown.
    pub at: u32,
    /// The text of the hint.
    pub label: String,
    /// The target of a click on it.
    pub location: FileRange,
    /// A longer explanation.
    pub tooltip: String,
}

/// The largest number of characters of a hint about a collection.
const LENGTH: usize = 40;

/// Returns the hints of a file whose place is from byte `start` to `end`, by place.
pub fn hints(ide: &Ide<'_>, file: &VirtualPath, (start, end): (u32, u32), kinds: HintKinds) -> Vec<Hint> {
    let mut hints = Vec::new();
    if kinds.loops || kinds.collections {
        loops(ide, file, kinds, &mut hints);
    }
    if kinds.imports {
        imports(ide, file, &mut hints);
    }
    if *file == *ide.root() && (kinds.conditions || kinds.absent) {
        members(ide, file, kinds, &mut hints);
    }
    if kinds.values {
        values(ide, file, &mut hints);
    }
    hints.retain(|hint| (start..=end).contains(&hint.at));
    hints.sort();
    hints
}

/// The offset after the key whose name ends at `end`: after its quote and colon.
fn behind_key(text: &str, end: u32) -> u32 {
    let rest = text.get(end as usize..).unwrap_or_default();
    let quote = usize::from(rest.starts_with(['"', '\'']));
    let colon = rest.get(quote..).and_then(|rest| rest.starts_with(':').then_some(1));
    end + colon.map_or(0, |colon| quote + colon) as u32
}

fn loops(ide: &Ide<'_>, file: &VirtualPath, kinds: HintKinds, hints: &mut Vec<Hint>) {
    let Some(index) = ide.file(file) else { return };
    for one in ide.project().loops(file) {
        if kinds.loops && one.kind != LoopKind::Attribute {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for made in made_by(ide, &one.declared) {
                *counts.entry(made.section.as_str()).or_default() += 1;
            }
            let mut words: Vec<String> = Vec::new();
            for (section, word) in
                [("Resources", "resource"), ("Outputs", "output"), ("Conditions", "condition"), ("Mappings", "mapping")]
            {
                words.extend(counts.get(section).map(|&count| counted(count, word)));
            }
            if words.is_empty() && !one.items.is_empty() {
                words.push(counted(one.items.len(), "item"));
            }
            if !words.is_empty() {
                let ids = made_by(ide, &one.declared).map(|made| made.id.clone()).collect::<Vec<_>>();
                hints.push(Hint {
                    at: behind_key(index.text(), one.declared.end),
                    label: words.join(", "),
                    location: one.declared.clone(),
                    tooltip: first_of(if ids.is_empty() { &one.items } else { &ids }),
                });
            }
        }
        let Some(collection) = one.collection.filter(|_| kinds.collections && !one.items.is_empty()) else { continue };
        if !one.collection_text.trim_start().starts_with(['[', '-']) {
            hints.push(Hint {
                at: collection.end,
                label: list_of(&one.items),
                location: collection,
                tooltip: first_of(&one.items),
            });
        }
    }
}

fn imports(ide: &Ide<'_>, file: &VirtualPath, hints: &mut Vec<Hint>) {
    let Some(index) = ide.file(file) else { return };
    for import in ide.project().imports(file).into_iter().filter(|import| !import.ids.is_empty()) {
        hints.push(Hint {
            at: behind_key(index.text(), import.declared.end),
            label: counted(import.ids.len(), "resource"),
            location: import.declared,
            tooltip: first_of(&import.ids),
        });
    }
}

/// Adds outcomes of conditions, and entries that the values leave out.
fn members(ide: &Ide<'_>, file: &VirtualPath, kinds: HintKinds, hints: &mut Vec<Hint>) {
    let Some((index, root)) = ide.file(file).and_then(|index| Some((index, index.root()?))) else { return };
    let outcomes: BTreeMap<String, Option<bool>> = ide.compilation().conditions().into_iter().collect();
    if outcomes.is_empty() {
        return;
    }
    let tree = index.tree();
    let mut add = |key, label: &str| {
        let range = index.range_of(tree.span(key));
        hints.push(Hint {
            at: behind_key(index.text(), range.end),
            label: label.to_owned(),
            location: FileRange::new(file.clone(), range.start, range.end),
            tooltip: format!("{} under the values in force", tree.text(key)),
        });
    };
    for section in ["Conditions", "Resources", "Outputs", "Modules"] {
        let Some(members) = tree.get_text(root, section).filter(|&node| tree.kind(node) == Kind::Map) else { continue };
        for entry in tree.entries(members) {
            if section == "Conditions" {
                if let Some(outcome) = outcomes.get(tree.text(entry.key)).filter(|_| kinds.conditions) {
                    add(entry.key, outcome.map_or("not known", |holds| if holds { "true" } else { "false" }));
                }
            } else if let Some(condition) = tree.get_text(entry.value, "Condition").filter(|_| kinds.absent)
                && outcomes.get(tree.text(condition)) == Some(&Some(false))
            {
                add(entry.key, "absent");
            }
        }
    }
}

fn values(ide: &Ide<'_>, file: &VirtualPath, hints: &mut Vec<Hint>) {
    for used in ide.project().occurrences(file).into_iter().filter(|used| !used.is_declaration) {
        if !matches!(used.kind, SymbolKind::Parameter | SymbolKind::PseudoParameter) {
            continue;
        }
        if let Some((value, _)) = ide.compilation().value_of_parameter(ide.text_of(&used.range)) {
            hints.push(Hint {
                at: used.range.end,
                label: format!("= {}", cut(&shown(&value))),
                tooltip: shown(&value),
                location: used.range,
            });
        }
    }
}

/// A number with a noun in the singular or plural.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LENGTH {
        return text.to_owned();
    }
    text.chars().take(LENGTH - 3).collect::<String>() + "..."
}

fn list_of(items: &[String]) -> String {
    let whole = format!("[{}]", items.join(", "));
    if whole.chars().count() <= LENGTH {
        return whole;
    }
    let mut shown = String::new();
    for item in items {
        if shown.chars().count() + item.chars().count() + "[, ...]".len() + 2 > LENGTH {
            break;
        }
        shown.push_str(item);
        shown.push_str(", ");
    }
    format!("[{shown}...]")
}

/// The first ten of some names, one per line.
pub(crate) fn first_of(names: &[String]) -> String {
    let mut text = names.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    if names.len() > 10 {
        let _ = write!(text, "\nand {} more", names.len() - 10);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_collections_are_cut_between_items() {
        let items: Vec<String> =
            ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"].map(str::to_owned).into();
        assert_eq!(list_of(&items[..2]), "[alpha, beta]");
        let cut = list_of(&items);
        assert_eq!(cut, "[alpha, beta, gamma, delta, ...]");
        assert!(cut.len() <= LENGTH);
    }

    #[test]
    fn hints_are_behind_the_colon() {
        assert_eq!(behind_key("\"A\": 1", 2), 4);
        assert_eq!(behind_key("A: 1", 1), 2);
        assert_eq!(behind_key("- A", 3), 3);
    }
}
