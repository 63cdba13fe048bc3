//! The known parts of strings.

use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, Tree, View};
use formwork_template::sub_string::{self, Part};

/// Deeper calls are not known.
const DEEPEST: u32 = 6;

/// A part of a string.
pub(in super::super) enum Piece {
    Text(String),
    /// A value that is not known, with its least length.
    Unknown(usize),
}

impl Piece {
    /// Returns the least number of characters.
    pub(in super::super) fn least(&self) -> usize {
        match self {
            Piece::Text(text) => text.chars().count(),
            Piece::Unknown(least) => *least,
        }
    }
}

/// Returns the parts of a call of `Fn::Sub` or `Fn::Join`; `None` if it does not have its layout, or if there may be
/// text that something else fills in.
pub(in super::super) fn of(tree: &Tree, node: NodeId) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    add(tree, node, DEEPEST, &mut pieces)?;
    let is_template = |piece: &Piece| match piece {
        Piece::Text(text) => text.contains("{{") || text.contains("<<") || text.contains("${"),
        Piece::Unknown(_) => false,
    };
    (!pieces.iter().any(is_template)).then_some(pieces)
}

fn add(tree: &Tree, node: NodeId, left: u32, pieces: &mut Vec<Piece>) -> Option<()> {
    let left = left.checked_sub(1)?;
    match tree.view(node) {
        View::Call(Function::Known(Known::Sub), argument) => sub(tree, argument, left, pieces),
        View::Call(Function::Known(Known::Join), argument) => join(tree, argument, left, pieces),
        View::Call(..) => {
            pieces.push(Piece::Unknown(0));
            Some(())
        }
        View::List(_) | View::Map | View::Null => None,
        _ => {
            pieces.push(Piece::Text(tree.text_form(node).to_owned()));
            Some(())
        }
    }
}

fn sub(tree: &Tree, argument: NodeId, left: u32, pieces: &mut Vec<Piece>) -> Option<()> {
    let (text, variables) = match tree.view(argument) {
        View::List(&[text, variables]) => (text, Some(variables)),
        _ => (argument, None),
    };
    for part in sub_string::parts(tree.string(text)?) {
        let Some(name) = part.variable() else {
            let mut text = String::new();
            Part::write_plain(part, &mut text);
            pieces.push(Piece::Text(text));
            continue;
        };
        match variables.and_then(|variables| tree.get_text(variables, name)) {
            Some(value) => add(tree, value, left, pieces)?,
            None => pieces.push(Piece::Unknown(least_of(name))),
        }
    }
    Some(())
}

/// Returns the least length of a pseudo parameter.
fn least_of(name: &str) -> usize {
    match name {
        "AWS::AccountId" => 12,
        "AWS::Region" => 9,
        "AWS::Partition" => 3,
        "AWS::StackName" => 1,
        _ => 0,
    }
}

fn join(tree: &Tree, argument: NodeId, left: u32, pieces: &mut Vec<Piece>) -> Option<()> {
    let View::List(&[delimiter, list]) = tree.view(argument) else { return None };
    let delimiter = tree.string(delimiter)?;
    let View::List(items) = tree.view(list) else { return None };
    for (number, &item) in items.iter().enumerate() {
        // An element may be removed, and its delimiter with it.
        if let View::Call(Function::Known(Known::If), _) = tree.view(item) {
            return None;
        }
        if number > 0 && !delimiter.is_empty() {
            pieces.push(Piece::Text(delimiter.to_owned()));
        }
        add(tree, item, left, pieces)?;
    }
    Some(())
}
