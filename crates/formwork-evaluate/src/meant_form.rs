//! The intended form of a call whose arguments have the wrong shape, in the words and the spelling of the template.

use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Style, Tree, View};

/// Limit of bytes of a call that is shown: a longer one does not help.
const MOST: usize = 120;

/// Returns the intended call; `None` when that is not clear. `is_json` is how the template is written.
pub(crate) fn meant_form(tree: &Tree, call: NodeId, function: Known, is_json: bool) -> Option<String> {
    let argument = tree.argument_of(call, function)?;
    let items: Vec<NodeId> =
        if tree.kind(argument) == Kind::List { tree.items(argument).to_vec() } else { vec![argument] };
    let is_list = tree.kind(argument) == Kind::List;
    let write = Words { tree, is_json };
    if let Some(code) = of_names(&write, call, function, argument) {
        return Some(code).filter(|code| code.len() <= MOST && !code.contains('`'));
    }
    let list = |parts: Vec<Option<String>>| -> Option<String> {
        Some(format!("[{}]", parts.into_iter().collect::<Option<Vec<String>>>()?.join(", ")))
    };
    let text = |node: NodeId| write.value(node, 0);
    let is_scalar = |node: NodeId| !matches!(tree.kind(node), Kind::List | Kind::Map | Kind::Call);
    let is_item = |node: NodeId| !matches!(tree.kind(node), Kind::List | Kind::Map);
    let is_list_of = |node: NodeId| matches!(tree.kind(node), Kind::List | Kind::Call);
    let meant = match (function, &*items) {
        // The strings are beside the delimiter, instead of in a list.
        (Known::Join, [delimiter, rest @ ..])
            if is_list && is_scalar(*delimiter) && rest.len() > 1 && rest.iter().all(|&item| is_item(item)) =>
        {
            let rest = list(rest.iter().map(|&item| text(item)).collect());
            list(vec![text(*delimiter), rest])?
        }
        (Known::Join, [only])
            if is_list && tree.kind(*only) == Kind::List && tree.items(*only).iter().all(|&item| is_item(item)) =>
        {
            list(vec![Some("\"\"".to_owned()), text(*only)])?
        }
        // The delimiter is behind the strings.
        (Known::Join, [strings, delimiter])
            if is_list && tree.kind(*strings) == Kind::List && tree.string(*delimiter).is_some() =>
        {
            list(vec![text(*delimiter), text(*strings)])?
        }
        (Known::Equals, [only]) if !is_list => {
            let (first, second) = tree.string(*only)?.split_once(',')?;
            list([first, second].map(|part| write.written(part.trim())).to_vec())?
        }
        (Known::Select, [first, index]) if is_list && is_list_of(*first) && is_number(tree, *index) => {
            list(vec![text(*index), text(*first)])?
        }
        (Known::Select, [index, rest @ ..]) if is_list && is_number(tree, *index) && rest.len() > 1 => {
            let rest = list(rest.iter().map(|&item| text(item)).collect());
            list(vec![text(*index), rest])?
        }
        (Known::Select, [index, strings])
            if is_list && is_number(tree, *index) && tree.string(*strings).is_some_and(|text| text.contains(',')) =>
        {
            let split = write.nested(Known::Split, &list(vec![Some("\",\"".to_owned()), text(*strings)])?);
            list(vec![text(*index), Some(split)])?
        }
        (Known::Split, [only]) if tree.string(*only).is_some_and(|text| text.contains(',')) => {
            list(vec![Some("\",\"".to_owned()), text(*only)])?
        }
        (Known::If, [condition, value]) if is_list && is_scalar(*condition) => {
            list(vec![text(*condition), text(*value), Some(write.reference("AWS::NoValue"))])?
        }
        (Known::Not, [only]) if !is_list && tree.kind(*only) == Kind::Call => list(vec![text(*only)])?,
        (Known::Not, [name]) if tree.string(*name).is_some_and(is_plain_word) => {
            list(vec![Some(write.condition(tree.text(*name)))])?
        }
        (Known::Length, [name]) if !is_list && tree.string(*name).is_some_and(is_plain_word) => {
            return Some(write.call(call, function, &write.reference(tree.text(*name))));
        }
        (Known::Base64 | Known::Ref, [only]) if is_list => text(*only)?,
        (Known::Sub, [only]) if is_list && tree.string(*only).is_some() => text(*only)?,
        (Known::GetStackOutput, [stack, output]) if is_list => {
            let (stack, output) = (text(*stack)?, text(*output)?);
            let (one, other) = (write.word("StackName"), write.word("OutputName"));
            format!("{{{one}: {stack}, {other}: {output}}}")
        }
        _ => return None,
    };
    Some(write.call(call, function, &meant)).filter(|code| code.len() <= MOST && !code.contains('`'))
}

/// Returns the intended call of a name that is written in another form: `!Ref [Queue, Arn]`, `!GetAtt [Queue.Arn]`,
/// `Fn::Equals: {Stage: prod}`.
fn of_names(write: &Words<'_>, call: NodeId, function: Known, argument: NodeId) -> Option<String> {
    let tree = write.tree;
    let is_word = |node: NodeId| tree.string(node).is_some_and(is_plain_word);
    match (function, tree.items(argument)) {
        (Known::Ref, [resource, attribute]) if is_word(*resource) && is_word(*attribute) => {
            let parts = format!("{}.{}", tree.text(*resource), tree.text(*attribute));
            Some(write.call(call, Known::GetAtt, &write.word(&parts)))
        }
        (Known::GetAtt, [only]) if tree.string(*only).is_some_and(is_attribute) => {
            Some(write.call(call, function, &write.word(tree.text(*only))))
        }
        (Known::Equals, _) if tree.kind(argument) == Kind::Map && tree.len(argument) == 1 => {
            let entry = tree.entries(argument).next()?;
            let name = Some(tree.text(entry.key)).filter(|name| is_plain_word(name))?;
            let value = write.value(entry.value, 0)?;
            Some(write.call(call, function, &format!("[{}, {value}]", write.reference(name))))
        }
        (Known::FindInMap, _) => {
            let parts: Vec<&str> = tree.string(argument)?.split('.').collect();
            let is_key = |part: &&str| is_plain_word(&part.replace('-', "x"));
            let is_path = parts.len() == 3 && parts.iter().all(is_key);
            let words: Vec<String> = parts.iter().map(|part| write.word(part)).collect();
            is_path.then(|| write.call(call, function, &format!("[{}]", words.join(", "))))
        }
        _ => None,
    }
}

/// Returns the comparison that `!Ref Stage == prod` is meant as.
pub(crate) fn compared(tree: &Tree, node: NodeId, is_json: bool) -> Option<String> {
    let (name, value) = tree.string(tree.argument_of(node, Known::Ref)?)?.split_once("==")?;
    let (name, value) = (name.trim(), value.trim().trim_matches(['\'', '"']));
    if !is_plain_word(name) || !is_plain_word(value) {
        return None;
    }
    let write = Words { tree, is_json };
    let values = format!("[{}, {}]", write.reference(name), write.word(value));
    Some(match (is_json, tree.style(node) == Style::Tag) {
        (true, _) => format!("{{\"Fn::Equals\": {values}}}"),
        (false, true) => format!("!Equals {values}"),
        (false, false) => format!("Fn::Equals: {values}"),
    })
}

/// Returns `true` for a resource and an attribute: `Queue.Arn`.
fn is_attribute(text: &str) -> bool {
    text.split_once('.').is_some_and(|(resource, rest)| is_plain_word(resource) && rest.split('.').all(is_plain_word))
}

/// Returns `true` for a name, which needs no quotes.
pub(crate) fn is_plain_word(text: &str) -> bool {
    const OTHERS: [&str; 10] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan"];
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && !OTHERS.iter().any(|other| text.eq_ignore_ascii_case(other))
}

fn is_number(tree: &Tree, node: NodeId) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    tree.kind(node) == Kind::Number || tree.string(node).is_some_and(is_digits)
}

pub(crate) struct Words<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) is_json: bool,
}

impl Words<'_> {
    pub(crate) fn call(&self, call: NodeId, function: Known, argument: &str) -> String {
        let is_short = self.tree.style(call) == Style::Tag;
        match (self.is_json, is_short) {
            (true, _) => format!("{{\"{}\": {argument}}}", function.long()),
            // Two tags cannot follow each other.
            (false, true) if !argument.starts_with('!') => format!("!{} {argument}", short(function)),
            (false, true) => {
                format!("!{} {{{}}}", short(function), argument.trim_start_matches('!').replacen(' ', ": ", 1))
            }
            (false, false) => format!("{}: {argument}", function.long()),
        }
    }

    /// Writes a call that reads an attribute.
    pub(crate) fn attribute(&self, call: NodeId, resource: &str, attribute: &str) -> String {
        match (self.is_json, self.tree.style(call) == Style::Tag) {
            (false, true) => format!("!GetAtt {resource}.{attribute}"),
            _ => self.call(call, Known::GetAtt, &format!("[{}, {}]", self.word(resource), self.word(attribute))),
        }
    }

    pub(crate) fn nested(&self, function: Known, argument: &str) -> String {
        if self.is_json {
            format!("{{\"{}\": {argument}}}", function.long())
        } else {
            format!("!{} {argument}", short(function))
        }
    }

    fn written(&self, part: &str) -> Option<String> {
        match part.strip_prefix("!Ref ") {
            Some(name) if is_plain_word(name.trim()) => Some(self.reference(name.trim())),
            None if is_plain_word(part) => Some(self.word(part)),
            _ => None,
        }
    }

    fn reference(&self, name: &str) -> String {
        if self.is_json { format!("{{\"Ref\": \"{name}\"}}") } else { format!("!Ref {name}") }
    }

    fn condition(&self, name: &str) -> String {
        if self.is_json { format!("{{\"Condition\": \"{name}\"}}") } else { format!("!Condition {name}") }
    }

    pub(crate) fn word(&self, word: &str) -> String {
        if self.is_json { format!("\"{word}\"") } else { word.to_owned() }
    }

    pub(crate) fn value(&self, node: NodeId, depth: usize) -> Option<String> {
        if depth > 4 {
            return None;
        }
        let tree = self.tree;
        Some(match tree.view(node) {
            View::List(items) => {
                let items: Option<Vec<String>> = items.iter().map(|&item| self.value(item, depth + 1)).collect();
                format!("[{}]", items?.join(", "))
            }
            View::Map => return None,
            View::Call(_, argument) => {
                let name = tree.text(tree.call_name(node));
                let argument = self.value(argument, depth + 1)?;
                if tree.style(node) == Style::Tag && !argument.starts_with('!') {
                    format!("!{} {argument}", name.strip_prefix("Fn::").unwrap_or(name))
                } else {
                    format!("{{{}: {argument}}}", if self.is_json { format!("\"{name}\"") } else { name.to_owned() })
                }
            }
            _ => match tree.string(node) {
                Some(text) if text.len() > MOST || text.contains(['\n', '"', '\\']) => return None,
                Some(text) if !self.is_json && is_plain_word(text) => text.to_owned(),
                Some(text) => format!("\"{text}\""),
                None => tree.text_form(node).to_owned(),
            },
        })
    }
}

fn short(function: Known) -> &'static str {
    let long = function.long();
    long.strip_prefix("Fn::").unwrap_or(long)
}
