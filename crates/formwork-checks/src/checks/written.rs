//! Places inside of strings, and code for advice in the author's spelling.

use std::collections::VecDeque;

use formwork_base::{SourceMap, Span};
use formwork_syntax::function::Known;
use formwork_syntax::{Format, Kind, NodeId, Style, Tree};
use formwork_template::sub_string::{self, Part};
use rustc_hash::FxHashMap;

pub(super) struct Own<'s> {
    /// Code as an element of a list in flow style.
    pub(super) inner: String,
    text: &'s str,
}

/// Returns the code of a one-line value; `None` where it cannot be written elsewhere.
pub(super) fn code<'s>(tree: &Tree, sources: &'s SourceMap, node: NodeId) -> Option<Own<'s>> {
    const LONGEST: usize = 80;
    let text = sources.slice(tree.span(node));
    let is_plain = !text.contains(['\n', '#', '&', '*', '`']) && text.len() <= LONGEST && !text.is_empty();
    if !is_plain || tree.is_generated(node) || tree.is_alias(node) || tree.anchor(node).is_some() {
        return None;
    }
    let is_block = matches!(tree.style(node), Style::Literal | Style::Folded);
    let is_long_form = tree.kind(node) == Kind::Call && !text.starts_with(['!', '{']);
    let inner = if is_long_form { format!("{{{text}}}") } else { text.to_owned() };
    (!is_block).then_some(Own { inner, text })
}

/// Writes a call of a function in the spelling of its content. `is_tagged` is set after a short tag.
pub(super) fn call(format: Format, function: Known, arguments: &str, (own, is_tagged): (&Own<'_>, bool)) -> String {
    match format {
        Format::Yaml if is_tagged => format!("{{\"{}\": [{arguments}]}}", function.long()),
        Format::Json => format!("{{\"{}\": [{arguments}]}}", function.long()),
        Format::Yaml if own.text.starts_with('{') => format!("{{\"{}\": [{arguments}]}}", function.long()),
        Format::Yaml if own.text.starts_with(['!', '[', '"', '\'']) => format!("!{} [{arguments}]", function.short()),
        Format::Yaml => format!("{}: [{arguments}]", function.long()),
    }
}

/// Writes an entry `name: {key: value}`.
pub(super) fn entry(format: Format, own: &Own<'_>, (name, key): (&str, &str)) -> String {
    match format {
        Format::Json => format!("\"{name}\": {{\"{key}\": {}}}", own.inner),
        Format::Yaml => format!("{name}: {{{key}: {}}}", own.inner),
    }
}

/// Finds and caches the places of variables in the current string of `Fn::Sub`.
#[derive(Default)]
pub(super) struct Variables {
    node: Option<NodeId>,
    spans: Vec<Span>,
}

impl Variables {
    /// Returns the place of a variable by its number; that of the whole string where it is not known.
    pub(super) fn span(&mut self, tree: &Tree, sources: &SourceMap, node: NodeId, number: usize) -> Span {
        if self.node != Some(node) {
            (self.node, self.spans) = (Some(node), variables(tree, sources, node));
        }
        self.spans.get(number).copied().unwrap_or_else(|| tree.span(node))
    }
}

/// Returns the places of the variables of a string of `Fn::Sub`, braces included, in order; none where its source
/// differs too much.
fn variables(tree: &Tree, sources: &SourceMap, node: NodeId) -> Vec<Span> {
    let span = tree.span(node);
    if tree.is_generated(node) && !tree.is_alias(node) {
        return variables_left(tree, sources, node);
    }
    if tree.is_alias(node) {
        return Vec::new();
    }
    let mut expected = sub_string::parts(tree.text(node)).filter_map(Part::variable);
    let mut spans = Vec::new();
    let mut at = span.start();
    for (part, written) in sub_string::written_parts(sources.slice(span)) {
        let Ok(len) = u32::try_from(written.len()) else { return Vec::new() };
        if let Part::Variable(name) = part {
            if expected.next() != Some(name) {
                return Vec::new();
            }
            spans.push(Span::new(at, at + len));
        }
        at += len;
    }
    if expected.next().is_some() { Vec::new() } else { spans }
}

/// Returns the places for a string with inserted values: a variable that is left is at its name in the source. A single
/// one has the whole string.
fn variables_left(tree: &Tree, sources: &SourceMap, node: NodeId) -> Vec<Span> {
    let span = tree.span(node);
    let left: Vec<&str> = sub_string::parts(tree.text(node)).filter_map(Part::variable).collect();
    if left.len() < 2 {
        return Vec::new();
    }
    let (mut at, mut places): (u32, FxHashMap<&str, VecDeque<Span>>) = (span.start(), FxHashMap::default());
    for (part, written) in sub_string::written_parts(sources.slice(span)) {
        let Ok(len) = u32::try_from(written.len()) else { return Vec::new() };
        if let Part::Variable(name) = part {
            places.entry(name).or_default().push_back(Span::new(at, at + len));
        }
        at += len;
    }
    // Each is after the previous one.
    let mut last = span.start();
    let mut place = |name: &str| {
        let all = places.get_mut(name)?;
        while all.pop_front_if(|span| span.start() < last).is_some() {}
        let found = all.pop_front()?;
        last = found.end();
        Some(found)
    };
    left.into_iter().map(|name| place(name).unwrap_or(span)).collect()
}
