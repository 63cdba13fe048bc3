//! Semantic tokens, for syntax colours.

use formwork::query::{FileIndex, SymbolKind};
use formwork::tree::{Function, Kind, Known};
use formwork::{NodeId, VirtualPath};

use crate::Ide;
use crate::sections::{SECTIONS, attributes};
use crate::visit::{Visited, visit};

/// The kind of a token. The order is that of [`TokenKind::NAMES`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TokenKind {
    /// A section or an attribute.
    Keyword,
    /// A type of a resource or parameter.
    Type,
    /// A logical ID.
    Class,
    /// A parameter.
    Parameter,
    /// A loop variable, a constant, a pseudo parameter.
    Variable,
    /// A function.
    Function,
    /// An import, a package, a loop.
    Namespace,
    /// A condition.
    Macro,
    /// A mapping.
    Enum,
    /// A key of a mapping.
    EnumMember,
    /// An output or an attribute.
    Property,
}

impl TokenKind {
    /// The names of the kinds in the protocol of editors, by number.
    pub const NAMES: [&'static str; 11] = [
        "keyword",
        "type",
        "class",
        "parameter",
        "variable",
        "function",
        "namespace",
        "macro",
        "enum",
        "enumMember",
        "property",
    ];

    fn of(kind: SymbolKind) -> Option<(TokenKind, u32)> {
        Some(match kind {
            SymbolKind::Section => (TokenKind::Keyword, 0),
            SymbolKind::Parameter => (TokenKind::Parameter, READONLY),
            SymbolKind::PseudoParameter => (TokenKind::Variable, READONLY | DEFAULT_LIBRARY),
            SymbolKind::Resource => (TokenKind::Class, 0),
            SymbolKind::Condition | SymbolKind::Rule => (TokenKind::Macro, 0),
            SymbolKind::Mapping => (TokenKind::Enum, 0),
            SymbolKind::Output => (TokenKind::Property, 0),
            SymbolKind::Loop | SymbolKind::Import | SymbolKind::Package => (TokenKind::Namespace, 0),
            SymbolKind::LoopVariable | SymbolKind::SubVariable | SymbolKind::Constant => {
                (TokenKind::Variable, READONLY)
            }
            _ => return None,
        })
    }
}

/// The names of the modifiers in the protocol of editors, by bit.
pub const MODIFIERS: [&str; 3] = ["declaration", "readonly", "defaultLibrary"];
const DECLARATION: u32 = 1;
const READONLY: u32 = 2;
const DEFAULT_LIBRARY: u32 = 4;

/// A token with its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
    /// The kind.
    pub kind: TokenKind,
    /// Bits of [`MODIFIERS`].
    pub modifiers: u32,
}

/// Returns the tokens of a file, by position. No token spans lines or overlaps with another.
pub fn tokens(ide: &Ide<'_>, file: &VirtualPath) -> Vec<Token> {
    let Some(index) = ide.file(file) else { return Vec::new() };
    let mut found = Vec::new();
    for one in ide.project().occurrences(file) {
        let Some((kind, modifiers)) = TokenKind::of(one.kind) else { continue };
        let modifiers = modifiers | if one.is_declaration { DECLARATION } else { 0 };
        found.push(Token { start: one.range.start, end: one.range.end, kind, modifiers });
    }
    if let Some(root) = index.root() {
        visit(index.tree(), root, &mut |visited| words(index, visited, &mut found));
    }
    flatten(index.text(), found)
}

/// Adds the tokens of a node that are not names: sections, attributes, types, functions.
fn words(index: &FileIndex, visited: Visited<'_>, found: &mut Vec<Token>) {
    let tree = index.tree();
    let range = |node: NodeId| scalar(index, node);
    let mut add = |range: std::ops::Range<u32>, kind, modifiers| {
        found.push(Token { start: range.start, end: range.end, kind, modifiers });
    };
    if let (Some(key), [section, between @ .., _]) = (visited.key, visited.path)
        && let name = tree.text(key)
        && !between.is_empty()
    {
        let is_member = between.iter().skip(1).all(|part| part.starts_with("Fn::"))
            || between.iter().rev().skip(1).all(|part| part.starts_with("Fn::"));
        if is_member && attributes(section).iter().any(|(known, ..)| *known == name) {
            add(range(key), TokenKind::Keyword, 0);
            if name == "Type"
                && tree.kind(visited.node) == Kind::String
                && matches!(*section, "Resources" | "Parameters")
            {
                add(scalar(index, visited.node), TokenKind::Type, 0);
            }
        }
        if *section == "Mappings" && !name.starts_with("Fn::") {
            add(range(key), TokenKind::EnumMember, DECLARATION);
        }
    }
    if let (Some(key), [name]) = (visited.key, visited.path)
        && SECTIONS.iter().any(|(known, ..)| known == name)
    {
        add(range(key), TokenKind::Keyword, 0);
    }
    if let Some(key) = visited.key.filter(|&key| tree.loop_name(key).is_some()) {
        let start = range(key).start;
        add(start..start + "Fn::ForEach".len() as u32, TokenKind::Function, DEFAULT_LIBRARY);
    }
    if tree.kind(visited.node) == Kind::Call && !tree.is_alias(visited.node) {
        add(scalar(index, tree.call_name(visited.node)), TokenKind::Function, DEFAULT_LIBRARY);
        let (function, argument) = tree.call(visited.node);
        if function == Function::Known(Known::GetAtt) && tree.kind(argument) == Kind::String {
            let whole = scalar(index, argument);
            let text = index.text().get(whole.start as usize..whole.end as usize).unwrap_or_default();
            if let Some((name, attribute)) = text.split_once('.')
                && !attribute.is_empty()
            {
                add(whole.start + name.len() as u32 + 1..whole.end, TokenKind::Property, 0);
            }
        }
    }
}

fn scalar(index: &FileIndex, node: NodeId) -> std::ops::Range<u32> {
    let range = index.range_of(index.tree().span(node));
    let text = index.text().get(range.start as usize..range.end as usize).unwrap_or_default();
    let is_quoted = text.len() >= 2 && text.starts_with(['"', '\'']) && text.ends_with(['"', '\'']);
    if is_quoted { range.start + 1..range.end - 1 } else { range }
}

/// Cuts inner tokens with their placeholders out of outer ones. The result has no overlaps.
fn flatten(text: &str, mut found: Vec<Token>) -> Vec<Token> {
    found.retain(|token| {
        let source = text.get(token.start as usize..token.end as usize);
        source.is_some_and(|source| !source.is_empty() && !source.contains(['\n', '\r']))
    });
    found.sort_by_key(|token| (token.start, std::cmp::Reverse(token.end), token.modifiers == 0, token.kind));
    found.dedup_by(|a, b| (a.start, a.end) == (b.start, b.end));
    let mut out: Vec<Token> = Vec::with_capacity(found.len());
    for token in found {
        // The earlier token begins before this one: it is cut where this one begins, and continues after it.
        let mut behind = None;
        while let Some(last) = out.last_mut().filter(|last| last.end > token.start) {
            let (open, close) = marks(text, &token);
            let rest = Token { start: close, ..*last };
            if behind.is_none() && rest.start < rest.end {
                behind = Some(rest);
            }
            last.end = open;
            if last.start < last.end {
                break;
            }
            out.pop();
        }
        out.push(token);
        out.extend(behind);
    }
    out
}

fn marks(text: &str, token: &Token) -> (u32, u32) {
    let before = text.get(..token.start as usize).unwrap_or_default();
    let is_placeholder = before.ends_with("${") || before.ends_with("&{");
    let after = text.get(token.end as usize..).unwrap_or_default();
    let open = if is_placeholder { token.start - 2 } else { token.start };
    (open, if is_placeholder && after.starts_with('}') { token.end + 1 } else { token.end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_cut_out_of_keys() {
        let text = "Bucket${Name}X: 1";
        let token = |start, end, kind| Token { start, end, kind, modifiers: 0 };
        let found = vec![token(8, 12, TokenKind::Variable), token(0, 14, TokenKind::Class)];
        let flat = flatten(text, found);
        let shown: Vec<&str> = flat.iter().map(|token| &text[token.start as usize..token.end as usize]).collect();
        assert_eq!(shown, ["Bucket", "Name", "X"]);
    }
}
