//! Where the text of secrets stands, so that no report quotes it (reference/parameters.md#no-echo: no
//! message holds the value of a `NoEcho` parameter).

use formwork_base::{Diagnostic, Diagnostics, Severity, SourceMap, Span, codes};
use formwork_syntax::tree::Entry;
use formwork_syntax::{Kind, NodeId, Symbol, Tree, scalar, symbol};
use rustc_hash::FxHashSet;

/// Finds the `Default` of every parameter that is `NoEcho` somewhere: in any file, and also where a later
/// key of the same name replaced the declaration, its `NoEcho` or its `Default`.
pub(crate) fn default_spans(tree: &Tree) -> Vec<Span> {
    let all = || (1..=tree.node_count() as u32).filter_map(|number| tree.node(number));
    let maps = || all().filter(|&node| tree.kind(node) == Kind::Map);
    let declarations = || {
        let entries = maps().flat_map(|map| tree.entries(map)).chain(tree.lost().iter().copied());
        entries.filter(|entry| tree.kind(entry.value) == Kind::Map)
    };
    let mut names: FxHashSet<Symbol> =
        declarations().filter(|entry| has_no_echo(tree, entry.value)).map(|entry| tree.symbol(entry.key)).collect();
    let lost = |name| tree.lost().iter().filter(move |entry| tree.symbol(entry.key) == name);
    for entry in lost(symbol::NO_ECHO).filter(|entry| is_true(tree, entry.value)) {
        let around = declarations().filter(|around| tree.span(around.value).contains(tree.span(entry.key)));
        names.extend(around.min_by_key(|around| length(tree, *around)).map(|around| tree.symbol(around.key)));
    }
    if names.is_empty() {
        return Vec::new();
    }
    let mut spans = Vec::new();
    for declaration in declarations().filter(|entry| names.contains(&tree.symbol(entry.key))) {
        spans.extend(tree.get(declaration.value, symbol::DEFAULT).map(|node| tree.span(node)));
        let whole = tree.span(declaration.value);
        spans.extend(lost(symbol::DEFAULT).map(|entry| tree.span(entry.value)).filter(|span| whole.contains(*span)));
    }
    spans.retain(|span| !span.is_none());
    spans.sort_unstable_by_key(|span| (span.start(), span.end()));
    spans.dedup();
    spans
}

fn length(tree: &Tree, entry: Entry) -> u32 {
    let span = tree.span(entry.value);
    span.end() - span.start()
}

fn has_no_echo(tree: &Tree, declaration: NodeId) -> bool {
    tree.get(declaration, symbol::NO_ECHO).is_some_and(|flag| is_true(tree, flag))
}

fn is_true(tree: &Tree, flag: NodeId) -> bool {
    tree.is_scalar(flag) && scalar::truth(tree.text(flag)) == Some(true)
}

/// Finds what follows `Default:` on its line in a text that could not be read as a whole, where `NoEcho`
/// stands anywhere in it: nobody knows which declaration the line belongs to.
pub(crate) fn unread_default_spans(text: &str, base: u32) -> Vec<Span> {
    if !text.contains("NoEcho") {
        return Vec::new();
    }
    let span = |(at, word): (usize, &str)| {
        let start = at + word.len();
        let behind = text[start..].trim_start_matches(['"', '\'']).trim_start_matches([' ', '\t']);
        let value = behind.strip_prefix(':')?;
        let start = text.len() - value.len();
        let length = value.find('\n').unwrap_or(value.len());
        Some(Span::new(base + start as u32, base + (start + length) as u32))
    };
    text.match_indices("Default").filter_map(span).collect()
}

/// What is wrong with a file of parameter values, without a word of it: names of tags and aliases there
/// are the beginnings of values that lack quotes.
pub(crate) fn without_values(found: Diagnostics, sources: &SourceMap) -> Vec<Diagnostic> {
    found.into_sorted(sources).into_iter().map(value_free).collect()
}

fn value_free(found: Diagnostic) -> Diagnostic {
    let (what, mark) = match found.code {
        codes::UNKNOWN_TAG | codes::TWO_TAGS => ("a value begins with `!`, which begins a tag in YAML", '!'),
        codes::ALIAS | codes::ALIAS_CYCLE => ("a value begins with `*`, which begins an alias in YAML", '*'),
        codes::NOT_WELL_FORMED if found.message.contains("`*") => {
            ("a value begins with `*`, which begins an alias in YAML", '*')
        }
        _ => return found,
    };
    let is_harmless = found.severity == Severity::Note;
    let mut free = Diagnostic::new(found.code, what).severity(found.severity);
    free.primary = found.primary.map(|label| formwork_base::Label { text: String::new(), ..label });
    free.count = found.count;
    if is_harmless { free } else { free.help(format!("put a value that begins with `{mark}` in quotes")) }
}
