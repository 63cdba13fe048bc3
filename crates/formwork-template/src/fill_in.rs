//! Code that substitutes the placeholders of a string: advice that works when it is typed, in the template's own
//! spelling.

use std::borrow::Cow;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fix, Span};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Style, Tree, View, flags};

use crate::sub_string::{self, Part};

/// The spelling of functions in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// JSON.
    Json,
    /// YAML, with short tags.
    Short,
    /// YAML, with the long names alone.
    Long,
}

impl Spelling {
    /// Returns `true` when the file with this root is JSON, or looks like it.
    pub fn is_json(tree: &Tree, root: NodeId) -> bool {
        tree.kind(root) == Kind::Map
            && tree.style(root) == Style::Flow
            && tree.entries(root).next().is_some_and(|entry| tree.style(entry.key) == Style::Double)
    }

    /// Returns the spelling of the file with this root. YAML without functions counts as YAML with short tags.
    pub fn of(tree: &Tree, root: NodeId) -> Spelling {
        if Spelling::is_json(tree, root) {
            return Spelling::Json;
        }
        let mut has_calls = false;
        let mut pending = vec![root];
        while let Some(node) = pending.pop().filter(|_| tree.has(root, flags::HAS_CALL)) {
            match tree.view(node) {
                View::List(items) => pending.extend(items),
                View::Map => pending.extend(tree.entries(node).map(|entry| entry.value)),
                View::Call(_, argument) => {
                    if tree.style(node) == Style::Tag {
                        return Spelling::Short;
                    }
                    has_calls = true;
                    pending.push(argument);
                }
                _ => {}
            }
        }
        if has_calls { Spelling::Long } else { Spelling::Short }
    }
}

/// The place of a plain string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Around {
    /// Any value is allowed.
    Value,
    /// The string is the whole argument of this call.
    Call(NodeId),
    /// CloudFormation accepts a literal name alone.
    Literal,
}

/// The replacement of a string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FillIn {
    /// The code of the replacement, for people.
    pub code: String,
    /// The edit of the source; `None` where it would span lines.
    pub fix: Option<Fix>,
}

const MESSAGE: &str = "substitute the placeholder with Fn::Sub";

/// Returns the replacement of the string `node` that substitutes its placeholders. `None` when nothing can be written.
/// `is_name` returns which names `Fn::Sub` replaces: other placeholders are not changed.
pub fn fill_in(
    tree: &Tree,
    node: NodeId,
    around: Around,
    spelling: Spelling,
    is_name: &dyn Fn(&str) -> bool,
) -> Option<FillIn> {
    let text = tree.string(node)?;
    let is_block = matches!(tree.style(node), Style::Literal | Style::Folded);
    let text = &*sub_text(text, is_name);
    let is_escaped = text != tree.text(node);
    if is_block && (spelling == Spelling::Json || is_escaped) {
        return None;
    }
    let scalar = |tree: &Tree, node: NodeId| if is_escaped { quoted(text) } else { scalar(tree, node) };
    match around {
        Around::Literal => None,
        Around::Value if is_block => Some(FillIn {
            code: "!Sub |".to_owned(),
            fix: fixed(tree, node, &[(tree.span(node).at_start(), "!Sub ".to_owned())]),
        }),
        Around::Value => {
            let (code, edit) = match spelling {
                Spelling::Short => (format!("!Sub {}", scalar(tree, node)), None),
                Spelling::Long => (format!("Fn::Sub: {}", scalar(tree, node)), Some(json_sub(text))),
                Spelling::Json => (json_sub(text), Some(json_sub(text))),
            };
            let edit = match edit {
                Some(text) => (tree.span(node), text),
                None if is_escaped => (tree.span(node), code.clone()),
                None => (tree.span(node).at_start(), "!Sub ".to_owned()),
            };
            Some(FillIn { code, fix: fixed(tree, node, &[edit]) })
        }
        Around::Call(call) => match tree.call(call).0 {
            Function::Known(Known::GetAtt) => get_att(tree, call, node, text, spelling),
            _ if is_block => None,
            function => Some(argument(tree, call, tree.function_name(function), node, text, spelling)),
        },
    }
}

/// Replaces the whole argument of a call: two short tags cannot follow each other.
fn argument(tree: &Tree, call: NodeId, name: &str, node: NodeId, text: &str, spelling: Spelling) -> FillIn {
    let is_escaped = text != tree.text(node);
    let own = if is_escaped { quoted(text) } else { scalar(tree, node) };
    let (code, edit) = match spelling {
        Spelling::Json => (format!("{{{}: {}}}", quoted(name), json_sub(text)), (tree.span(node), json_sub(text))),
        Spelling::Short | Spelling::Long if tree.style(call) == Style::Tag => {
            (format!("{name}: !Sub {own}"), (tree.span(call), format!("{{{name}: !Sub {}}}", quoted(text))))
        }
        Spelling::Short if is_escaped => (format!("{name}: !Sub {own}"), (tree.span(node), format!("!Sub {own}"))),
        Spelling::Short => (format!("{name}: !Sub {own}"), (tree.span(node).at_start(), "!Sub ".to_owned())),
        Spelling::Long => (format!("{name}: {}", json_sub(text)), (tree.span(node), json_sub(text))),
    };
    FillIn { code, fix: fixed(tree, node, &[edit]) }
}

/// Replaces `Name.Attribute` with a list.
fn get_att(tree: &Tree, call: NodeId, node: NodeId, text: &str, spelling: Spelling) -> Option<FillIn> {
    let (name, attribute) = split_outside_placeholders(text)?;
    let part = |text: &str| match (text.contains("${"), spelling) {
        (true, Spelling::Short) => format!("!Sub {}", quoted(text)),
        (true, _) => json_sub(text),
        (false, Spelling::Json) => quoted(text),
        (false, _) if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.') => text.to_owned(),
        (false, _) => quoted(text),
    };
    let list = format!("[{}, {}]", part(name), part(attribute));
    let code = match spelling {
        Spelling::Json => format!("{{\"Fn::GetAtt\": {list}}}"),
        _ if tree.style(call) == Style::Tag => format!("!GetAtt {list}"),
        _ => format!("Fn::GetAtt: {list}"),
    };
    Some(FillIn { code, fix: fixed(tree, node, &[(tree.span(node), list)]) })
}

/// Converts a plain string to the equivalent string of `Fn::Sub`, with the placeholders of these names as variables.
fn sub_text<'t>(text: &'t str, is_name: &dyn Fn(&str) -> bool) -> Cow<'t, str> {
    let is_kept = |part: &Part<'_>| match part {
        Part::Variable(name) => is_name(name.split_once('.').map_or(*name, |(name, _)| name)),
        Part::Text(_) => true,
        Part::Literal(_) => false,
    };
    if sub_string::parts(text).all(|part| is_kept(&part)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for part in sub_string::parts(text) {
        match part {
            Part::Variable(name) if !is_kept(&part) => Part::Literal(name).write(&mut out),
            Part::Literal(name) => out.extend(["${!!", name, "}"]),
            part => part.write(&mut out),
        }
    }
    Cow::Owned(out)
}

/// Splits at the first dot that is in no placeholder.
fn split_outside_placeholders(text: &str) -> Option<(&str, &str)> {
    let mut is_inside = false;
    for (at, c) in text.char_indices() {
        match c {
            '{' => is_inside = true,
            '}' => is_inside = false,
            '.' if !is_inside => return Some((&text[..at], &text[at + 1..])),
            _ => {}
        }
    }
    None
}

/// Returns a fix with these edits, unless the string is in no file or has an anchor.
fn fixed(tree: &Tree, node: NodeId, edits: &[(Span, String)]) -> Option<Fix> {
    let is_plain = tree.anchor(node).is_none() && edits.iter().all(|(span, _)| !span.is_none());
    is_plain.then(|| Fix { message: MESSAGE.to_owned(), edits: edits.to_vec(), is_safe: true })
}

/// Returns a string as written in block style.
fn scalar(tree: &Tree, node: NodeId) -> String {
    match tree.style(node) {
        Style::Plain => shown(tree.text(node)),
        Style::Single => format!("'{}'", shown(tree.text(node)).replace('\'', "''")),
        _ => quoted(tree.text(node)),
    }
}

fn json_sub(text: &str) -> String {
    format!("{{\"Fn::Sub\": {}}}", quoted(text))
}

/// Quotes a string so that JSON and YAML read the same.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() || !c.is_ascii() && shown(c.encode_utf8(&mut [0; 4])) != c.to_string() => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.extend(["\\u", &format!("{unit:04x}")]);
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

impl FillIn {
    /// Adds the advice and the fix to a diagnostic.
    #[must_use]
    pub fn add_to(self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.fix = self.fix.map(Box::new);
        diagnostic.help(format!("write `{}`", self.code))
    }
}

#[cfg(test)]
mod tests {
    use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath};
    use formwork_syntax::symbol;

    use super::*;

    /// Returns the advice for the value of `V`, and the result of applying it.
    fn check(text: &str) -> (String, String) {
        let (mut tree, mut sources) = (Tree::new(), SourceMap::new());
        let file = sources.add(VirtualPath::new("t.yaml"), text).expect("room");
        let root = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut Diagnostics::new()).root;
        let value = tree.get_text(root, "V").or(tree.get(root, symbol::VALUE)).expect("a value");
        let (node, around) = match tree.view(value) {
            View::Call(_, argument) => (argument, Around::Call(value)),
            _ => (value, Around::Value),
        };
        let found = fill_in(&tree, node, around, Spelling::of(&tree, root), &|name| name != "Other").expect("advice");
        let mut fixed = text.to_owned();
        for (span, with) in found.fix.expect("a fix").edits {
            let base = sources.base(file);
            fixed.replace_range((span.start() - base) as usize..(span.end() - base) as usize, &with);
        }
        (found.code, fixed)
    }

    #[test]
    fn a_value_is_put_into_fn_sub() {
        assert_eq!(check("V: a${X}"), ("!Sub a${X}".into(), "V: !Sub a${X}".into()));
        assert_eq!(check("V: 'a${X}'"), ("!Sub 'a${X}'".into(), "V: !Sub 'a${X}'".into()));
        assert_eq!(check("V: |\n  a${X}\n"), ("!Sub |".into(), "V: !Sub |\n  a${X}\n".into()));
        assert_eq!(
            check("V: a${X}\nW: {Ref: A}"),
            ("Fn::Sub: a${X}".into(), "V: {\"Fn::Sub\": \"a${X}\"}\nW: {Ref: A}".into())
        );
        assert_eq!(
            check("{\"V\": \"a${X}\"}"),
            ("{\"Fn::Sub\": \"a${X}\"}".into(), "{\"V\": {\"Fn::Sub\": \"a${X}\"}}".into())
        );
    }

    #[test]
    fn other_placeholders_stay_as_they_are() {
        assert_eq!(
            check("V: a${X}${Other}${!Y}"),
            ("!Sub \"a${X}${!Other}${!!Y}\"".into(), "V: !Sub \"a${X}${!Other}${!!Y}\"".into())
        );
        assert_eq!(
            check("V: !Ref a${X}${Other.b}"),
            ("Ref: !Sub \"a${X}${!Other.b}\"".into(), "V: {Ref: !Sub \"a${X}${!Other.b}\"}".into())
        );
    }

    #[test]
    fn a_short_tag_around_the_text_gets_its_long_name() {
        assert_eq!(check("V: !Ref a${X}"), ("Ref: !Sub a${X}".into(), "V: {Ref: !Sub \"a${X}\"}".into()));
        assert_eq!(
            check("V:\n  Ref: a${X}\nW: !Ref A"),
            ("Ref: !Sub a${X}".into(), "V:\n  Ref: !Sub a${X}\nW: !Ref A".into())
        );
        assert_eq!(
            check("{\"V\": {\"Ref\": \"a${X}\"}}"),
            ("{\"Ref\": {\"Fn::Sub\": \"a${X}\"}}".into(), "{\"V\": {\"Ref\": {\"Fn::Sub\": \"a${X}\"}}}".into())
        );
    }

    #[test]
    fn the_text_of_get_att_becomes_a_list() {
        assert_eq!(
            check("V: !GetAtt ${Az}Topic.Arn"),
            ("!GetAtt [!Sub \"${Az}Topic\", Arn]".into(), "V: !GetAtt [!Sub \"${Az}Topic\", Arn]".into())
        );
        assert_eq!(
            check("{\"V\": {\"Fn::GetAtt\": \"${V.a}T.Arn\"}}"),
            (
                "{\"Fn::GetAtt\": [{\"Fn::Sub\": \"${V.a}T\"}, \"Arn\"]}".into(),
                "{\"V\": {\"Fn::GetAtt\": [{\"Fn::Sub\": \"${V.a}T\"}, \"Arn\"]}}".into()
            )
        );
    }
}
