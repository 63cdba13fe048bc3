//! Any text as tokens: every byte belongs to one, and of a text that is well-formed the tokens are in the same lists and
//! mappings as the nodes that a reader reads.

use formwork_base::{Diagnostics, Limits, Span};
use formwork_syntax::lossless::{Entry, Syntax, TokenKind};
use formwork_syntax::yaml::read::read_general;
use formwork_syntax::{Kind, NodeId, Style, Tree};

/// A step to a node: the offset of a key, or the number of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Key(usize),
    Item(usize),
}

/// The law for any text. Returns whether a reader reads it without an error.
///
/// # Errors
/// In words.
pub fn lossless(text: &str) -> Result<bool, String> {
    let syntax = Syntax::of(text);
    let mut at = 0;
    for token in &syntax.tokens {
        let gap = text.get(token.gap..token.range.start);
        if token.gap != at || !gap.is_some_and(|gap| gap.bytes().all(|byte| b" \t\r\n".contains(&byte))) {
            return Err(format!("bytes from {at} are in no token, or in two: {token:?}\n{text}"));
        }
        let is_end = token.kind == TokenKind::Eof;
        if is_end != (token.range.start == text.len())
            || is_end != text.get(token.range.clone()).is_none_or(str::is_empty)
        {
            return Err(format!("nothing is written: {token:?}\n{text}"));
        }
        at = token.range.end;
    }
    if at != text.len() {
        return Err(format!("bytes from {at} are in no token\n{text}"));
    }
    let (mut tree, mut diagnostics) = (Tree::new(), Diagnostics::new());
    let root = read_general(&mut tree, text, 1, &Limits::default(), &mut diagnostics);
    if diagnostics.has_errors() || tree.has_anchors() {
        return Ok(false);
    }
    same(&syntax, &tree, root, &mut Vec::new()).map_err(|wrong| format!("{wrong}\n{text}"))?;
    Ok(true)
}

/// Compares a node, and all below it, with the tokens where it is written.
fn same(syntax: &Syntax, tree: &Tree, node: NodeId, path: &mut Vec<Step>) -> Result<(), String> {
    match tree.kind(node) {
        Kind::Map => {
            for entry in tree.entries(node) {
                below(syntax, tree, (entry.key, entry.value), path)?;
            }
        }
        Kind::Call if tree.style(tree.call_name(node)) != Style::Tag => {
            below(syntax, tree, (tree.call_name(node), tree.call(node).1), path)?;
        }
        Kind::Call => same(syntax, tree, tree.call(node).1, path)?,
        Kind::List => {
            for (number, &item) in tree.items(node).iter().enumerate() {
                path.push(Step::Item(number));
                same(syntax, tree, item, path)?;
                path.pop();
            }
        }
        _ => scalar(syntax, tree.span(node), path)?,
    }
    Ok(())
}

fn below(syntax: &Syntax, tree: &Tree, (key, value): (NodeId, NodeId), path: &mut Vec<Step>) -> Result<(), String> {
    path.push(Step::Key(tree.span(key).start() as usize - 1));
    scalar(syntax, tree.span(key), path)?;
    same(syntax, tree, value, path)?;
    path.pop();
    Ok(())
}

/// Compares a scalar with its token.
fn scalar(syntax: &Syntax, span: Span, path: &[Step]) -> Result<(), String> {
    if span.is_none() || span.is_empty() {
        return Ok(());
    }
    let (start, end) = (span.start() as usize - 1, span.end() as usize - 1);
    let at = syntax.tokens.partition_point(|token| token.range.end < end);
    let Some(token) = syntax.tokens.get(at).filter(|token| token.range.end == end) else {
        return Err(format!("no token ends at {end}, as the scalar at {start} does"));
    };
    let mut steps = Vec::new();
    let mut around = token.entry;
    while let Some(&Entry { node, number, colon, .. }) = around.and_then(|entry| syntax.entries.get(entry)) {
        let node = &syntax.nodes[node];
        let key = colon.and_then(|colon| syntax.tokens[..colon].iter().rfind(|token| token.kind != TokenKind::Comment));
        let key = Step::Key(key.map_or(start, |key| key.range.start));
        // An item of a list in brackets may be a mapping of one entry.
        match (node.is_map, colon) {
            (true, _) => steps.push(key),
            (false, None) => steps.push(Step::Item(number)),
            (false, Some(_)) => steps.extend([key, Step::Item(number)]),
        }
        around = node.parent;
    }
    steps.reverse();
    if steps != path {
        return Err(format!("the token at {start} is in {steps:?}, the scalar in {path:?}"));
    }
    Ok(())
}
