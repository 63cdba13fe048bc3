//! Possible keys of `Fn::FindInMap` where values are missing, and whether a mapping has such an entry
//! (reference/functions.md#find-in-map).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Symbol, Tree, flags, symbol};
use formwork_template::sub_string::{self, Part};
use formwork_template::{PseudoParameter, Section};

use crate::evaluator::Evaluator;
use crate::outcome::Outcome;

enum Key {
    Text(String),
    /// The `AllowedValues` of a parameter, after its name.
    Allowed(String, Vec<String>),
    /// The string of an `Fn::Sub`, and its parts; `None` where a variable is.
    Form(String, Vec<Option<String>>),
    Any,
}

impl Key {
    fn may_be(&self, text: &str) -> bool {
        match self {
            Key::Text(own) => own == text,
            Key::Allowed(_, values) => values.iter().any(|value| value == text),
            Key::Form(_, parts) => is_of_form(parts, text),
            Key::Any => true,
        }
    }

    /// Describes the key as in "mapping M has no key ...", after the noun, which `article` precedes.
    fn words(&self, article: &str, noun: &str) -> String {
        match self {
            Key::Text(text) => format!("{article} {noun} {}", shown(text)),
            Key::Allowed(name, _) => format!("{article} {noun} that {} allows", shown(name)),
            Key::Form(text, _) => format!("{article} {noun} of the form {}", shown(text)),
            Key::Any => format!("{article} {noun}"),
        }
    }
}

/// Matches a string against parts, of which `None` matches any string.
fn is_of_form(parts: &[Option<String>], text: &str) -> bool {
    let fixed = |part: &&Option<String>| part.is_some();
    let first: String = parts.iter().take_while(fixed).flatten().cloned().collect();
    let open = parts.iter().position(Option::is_none);
    let (Some(open), Some(mut rest)) = (open, text.strip_prefix(&*first)) else { return text == first };
    let count = parts.iter().rev().take_while(fixed).count();
    let (middle, last) = parts.split_at(parts.len().saturating_sub(count).max(open));
    let last: String = last.iter().flatten().cloned().collect();
    let Some(inner) = rest.strip_suffix(&*last) else { return false };
    rest = inner;
    // The first place of each is enough, because a variable precedes it.
    middle.iter().skip(open).flatten().all(|part| {
        let found = rest.split_once(part.as_str());
        rest = found.map_or(rest, |(_, behind)| behind);
        found.is_some()
    })
}

/// Returns the diagnostic if no mapping has an entry that the keys can lead to. With `any_top` the top-level key may be
/// any, whatever it is under the values at hand.
pub(super) fn no_such_entry(
    ev: &Evaluator<'_>,
    argument: NodeId,
    keys: &[Outcome],
    any_top: bool,
) -> Option<Diagnostic> {
    let items = ev.tree.items(argument);
    let (&[map, top, second], [map_at, top_at, second_at, ..]) = (keys, items) else { return None };
    let is_computed = |&node: &NodeId| ev.tree.kind(ev.tree.authored(node)) == Kind::Call;
    // An entry that is missing under some values is another case than one that is always missing.
    if !ev.settings.looks_at_all
        || [map, second].iter().zip([map_at, second_at]).any(|(key, at)| key.value().is_some() && is_computed(at))
    {
        return None;
    }
    let map = key(ev, map);
    let top = if any_top { Key::Any } else { key(ev, top) };
    let second = key(ev, second);
    let maps: Vec<(Symbol, NodeId)> = match &map {
        Key::Text(name) => {
            let name = ev.tree.symbols().get(name)?;
            vec![(name, mapping(ev, name)?)]
        }
        _ if ev.import_name().is_some() || ev.template.may_get_entries(ev.tree, Section::Mappings) => return None,
        _ => ev.tree.entries(ev.template.mappings?).map(|map| (ev.tree.symbol(map.key), map.value)).collect(),
    };
    let meant: Vec<NodeId> =
        maps.iter().filter(|(name, _)| map.may_be(ev.tree.name(*name))).map(|&(_, map)| map).collect();
    let rows = || meant.iter().flat_map(|&map| ev.tree.entries(map));
    let has = |row: NodeId| ev.tree.entries(row).any(|entry| second.may_be(ev.tree.text(entry.key)));
    let mut reached = rows().filter(|row| top.may_be(ev.tree.text(row.key))).peekable();
    let is_reached = reached.peek().is_some();
    // Most calls reach an entry, often the first: checking whether a mapping may have more of them needs a walk.
    if reached.any(|row| has(row.value)) || maps.iter().any(|&(name, map)| is_open(ev.tree, ev.tree.name(name), map)) {
        return None;
    }
    let of_map = match &map {
        Key::Text(name) => format!("mapping {}", shown(name)),
        _ => "mapping".to_owned(),
    };
    let is_one = matches!(map, Key::Text(_));
    if meant.is_empty() {
        let message = match &map {
            Key::Allowed(name, _) => format!("no value that {} allows is the name of a mapping", shown(name)),
            Key::Form(form, _) => format!("no mapping has a name of the form {}", shown(form)),
            Key::Text(_) | Key::Any => "the template has no mapping".to_owned(),
        };
        return Some(finding(ev, *map_at, message, None));
    }
    if !is_reached {
        let key = top.words(if is_one { "no" } else { "a" }, "key");
        let message = if is_one { format!("{of_map} has {key}") } else { format!("no {of_map} has {key}") };
        return Some(finding(ev, *top_at, message, None));
    }
    let is_elsewhere = rows().any(|row| has(row.value));
    let message = no_second_key(&of_map, is_one, (&top, &second), is_elsewhere);
    let near = match &second {
        Key::Text(written) => {
            let known = rows().flat_map(|row| ev.tree.entries(row.value)).map(|entry| ev.tree.text(entry.key));
            ev.diagnostics.suggester().nearest(written, known).map(shown)
        }
        _ => None,
    };
    Some(finding(ev, *second_at, message, near))
}

/// Returns the message for a top-level key that exists while the second-level key does not.
fn no_second_key(of_map: &str, is_one: bool, (top, second): (&Key, &Key), is_elsewhere: bool) -> String {
    match top {
        Key::Text(top) if is_one => format!("{of_map} has {} under {}", second.words("no", "entry"), shown(top)),
        Key::Any if is_one => format!("no key of {of_map} has {}", second.words("an", "entry")),
        top if is_one => format!("{of_map} has {} under {}", second.words("no", "entry"), top.words("a", "key")),
        Key::Any => format!("no mapping has {}", second.words("an", "entry")),
        top if is_elsewhere => {
            format!("no mapping has {} under {}", second.words("an", "entry"), top.words("a", "key"))
        }
        _ => format!("no mapping has {}", second.words("an", "entry")),
    }
}

fn finding(ev: &Evaluator<'_>, at: NodeId, message: String, near: Option<String>) -> Diagnostic {
    let diagnostic = ev.error(codes::NO_MAPPING_ENTRY, at, message);
    diagnostic.help(
        near.map_or_else(
            || "correct the name, or add it to Mappings".to_owned(),
            |near| format!("did you mean `{near}`?"),
        ),
    )
}

/// Returns `true` if a mapping may have more entries than it shows: of a macro, of a loop, of a value that is not a
/// mapping.
fn is_open(tree: &Tree, name: &str, map: NodeId) -> bool {
    let is_generated = |name: &str| name.starts_with("Fn::");
    let is_open_row = |row: formwork_syntax::Entry| {
        is_generated(tree.text(row.key))
            || tree.kind(row.value) != Kind::Map
            || tree.entries(row.value).any(|entry| is_generated(tree.text(entry.key)))
    };
    is_generated(name)
        || tree.kind(map) != Kind::Map
        || tree.is_empty(map)
        || tree.has(map, flags::HAS_TRANSFORM)
        || tree.entries(map).any(is_open_row)
}

fn key(ev: &Evaluator<'_>, outcome: Outcome) -> Key {
    if let Some(value) = outcome.value() {
        return Key::Text(ev.tree.text_form(value).to_owned());
    }
    let Outcome::Residual(node) = outcome else { return Key::Any };
    if ev.import_name().is_some() {
        return Key::Any;
    }
    if let Some(name) = ev.tree.argument_of(node, Known::Ref) {
        return allowed(ev, name).unwrap_or(Key::Any);
    }
    let Some(argument) = ev.tree.argument_of(node, Known::Sub) else { return Key::Any };
    let text = ev.tree.items(argument).first().copied().unwrap_or(argument);
    let Some(text) = ev.tree.string(text) else { return Key::Any };
    let parts = sub_string::parts(text).map(|part| match part {
        Part::Text(text) => Some(text.to_owned()),
        Part::Literal(name) => Some(format!("${{{name}}}")),
        Part::Variable(_) => None,
    });
    Key::Form(text.to_owned(), parts.collect())
}

fn allowed(ev: &Evaluator<'_>, name: NodeId) -> Option<Key> {
    let name = ev.tree.string(name)?;
    if PseudoParameter::from_name(name).is_some() {
        return None;
    }
    let parameter = ev.template.parameter(ev.tree.symbols().get(name)?)?;
    let values = ev.tree.get(parameter.node, symbol::ALLOWED_VALUES)?;
    if parameter.kind.is_list || parameter.kind.is_ssm_value || parameter.no_echo || ev.tree.is_empty(values) {
        return None;
    }
    let texts =
        ev.tree.items(values).iter().map(|&item| ev.tree.is_scalar(item).then(|| ev.tree.text_form(item).to_owned()));
    Some(Key::Allowed(name.to_owned(), texts.collect::<Option<Vec<_>>>()?))
}

pub(super) fn mapping(ev: &Evaluator<'_>, name: Symbol) -> Option<NodeId> {
    let own = ev.template.mappings.and_then(|section| ev.tree.get(section, name));
    own.or_else(|| ev.module_mappings.get(&name).copied())
}

#[cfg(test)]
mod tests {
    use super::is_of_form;

    #[test]
    fn a_variable_is_any_text() {
        let form = |parts: &[&str]| -> Vec<Option<String>> {
            parts.iter().map(|&part| (part != "*").then(|| part.to_owned())).collect()
        };
        for (parts, text, expected) in [
            (&["a", "*"][..], "ab", true),
            (&["a", "*"], "ba", false),
            (&["*", "Map"], "MapMap", true),
            (&["*", "Map"], "Mapx", false),
            (&["a", "*", "b", "*", "b"], "abxb", true),
            (&["a", "*", "b"], "ab", true),
            (&["a", "*", "ab"], "ab", false),
            (&["a"], "a", true),
            (&["a"], "ab", false),
            (&["*", "aa"], "aaa", true),
            (&["a", "*", "c", "*", "b"], "abcab", true),
            (&["a", "*", "c", "*", "b"], "abab", false),
            (&["*"], "", true),
            (&[], "", true),
        ] {
            assert_eq!(is_of_form(&form(parts), text), expected, "{parts:?} {text}");
        }
    }
}
