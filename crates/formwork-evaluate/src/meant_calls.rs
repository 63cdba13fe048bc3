//! Calls that are written as another function, or with the parts of another language: three values to compare, names in
//! place of a path, `Condition`, `Then` and `Else` as keys.

use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, Tree};

use crate::meant_form::{Words, compared, is_plain_word};

/// Limit of bytes of a call that is shown.
const MOST: usize = 120;

/// Returns the code that a call of the wrong shape means.
pub(crate) fn meant_call(
    tree: &Tree,
    call: NodeId,
    (function, argument): (Known, NodeId),
    is_json: bool,
) -> Option<String> {
    let code = call_of(tree, call, (function, argument), is_json)?;
    (code.len() <= MOST && !code.contains('`')).then_some(code)
}

fn call_of(tree: &Tree, call: NodeId, (function, argument): (Known, NodeId), is_json: bool) -> Option<String> {
    let write = Words { tree, is_json };
    let items = tree.items(argument);
    let is_word = |node: &NodeId| tree.string(*node).is_some_and(is_plain_word);
    match (function, items) {
        (Known::GetAtt, [_, _, _, ..]) if items.len() <= 5 && items.iter().all(is_word) => {
            let names: Vec<&str> = items.iter().map(|&item| tree.text(item)).collect();
            Some(write.attribute(call, names.first()?, &names.get(1..)?.join(".")))
        }
        (Known::GetAtt, []) if tree.kind(argument) == Kind::Map && tree.len(argument) == 1 => {
            let entry = tree.entries(argument).next()?;
            let attribute = tree.string(entry.value).filter(|name| name.split('.').all(is_plain_word))?;
            is_plain_word(tree.text(entry.key)).then(|| write.attribute(call, tree.text(entry.key), attribute))
        }
        (Known::Equals, [only]) => compared(tree, *only, is_json),
        (Known::Equals, [first, rest @ ..]) if (2..=5).contains(&rest.len()) => {
            let first = write.value(*first, 0)?;
            let one =
                |value: &NodeId| Some(write.nested(Known::Equals, &format!("[{first}, {}]", write.value(*value, 0)?)));
            let all: Option<Vec<String>> = rest.iter().map(one).collect();
            Some(write.call(call, Known::Or, &format!("[{}]", all?.join(", "))))
        }
        (Known::Not, [_, _, ..]) if items.iter().all(|&item| tree.kind(item) == Kind::Call) => {
            let all: Option<Vec<String>> = items.iter().map(|&item| write.value(item, 0)).collect();
            let either = write.nested(Known::Or, &format!("[{}]", all?.join(", ")));
            Some(write.call(call, Known::Not, &format!("[{either}]")))
        }
        (Known::If, []) if tree.kind(argument) == Kind::Map && tree.len(argument) == 3 => {
            of_keys(&write, call, &tree.entries(argument).collect::<Vec<_>>())
        }
        (Known::FindInMap, [map, top, second, default]) if tree.is_scalar(*default) => {
            let parts: Option<Vec<String>> = [map, top, second].into_iter().map(|&part| write.value(part, 0)).collect();
            let default = format!("{{{}: {}}}", write.word("DefaultValue"), write.value(*default, 0)?);
            Some(write.call(call, Known::FindInMap, &format!("[{}, {default}]", parts?.join(", "))))
        }
        _ => None,
    }
}

/// Returns `Fn::If` with the condition in front, where one of its values is the name of a condition.
pub(crate) fn condition_first(
    tree: &Tree,
    call: NodeId,
    (argument, condition): (NodeId, usize),
    is_json: bool,
) -> Option<String> {
    let write = Words { tree, is_json };
    let items = tree.items(argument);
    let others = items.iter().enumerate().filter(|(at, _)| *at != condition).map(|(_, item)| item);
    let all: Option<Vec<String>> =
        items.get(condition).into_iter().chain(others).map(|&item| write.value(item, 0)).collect();
    Some(write.call(call, Known::If, &format!("[{}]", all?.join(", "))))
}

/// Reads `Fn::If: {Condition: IsProd, Then: a, Else: b}`.
fn of_keys(write: &Words<'_>, call: NodeId, entries: &[Entry]) -> Option<String> {
    let tree = write.tree;
    let named = |names: &[&str]| {
        let is_one = |entry: &&Entry| names.contains(&tree.text(entry.key).to_ascii_lowercase().as_str());
        entries.iter().find(is_one).map(|entry| entry.value)
    };
    let parts =
        [named(&["condition", "if"])?, named(&["then", "true", "value"])?, named(&["else", "false", "otherwise"])?];
    let all: Option<Vec<String>> = parts.iter().map(|&part| write.value(part, 0)).collect();
    Some(write.call(call, Known::If, &format!("[{}]", all?.join(", "))))
}
