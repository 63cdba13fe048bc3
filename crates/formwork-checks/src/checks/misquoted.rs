//! Functions in quotes, which are plain strings, and typographic quotes, which are part of the value
//! (reference/structure.md#misquoted).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::{self, Known};
use formwork_syntax::{Entry, Format, Function, NodeId, NodeSet, Style, View, symbol};
use formwork_template::Section;
use formwork_template::sub_string::{self, Part};

use crate::Context;

/// Marks of files with such a value.
const MARKS: [&str; 2] = ["\"!", "'!"];
const TYPOGRAPHIC_MARKS: [&str; 3] = ["“", "„", "‘"];

/// The quotes of word processors: opening and closing characters.
const TYPOGRAPHIC: [(char, char); 4] = [('“', '”'), ('„', '“'), ('”', '”'), ('‘', '’')];

struct MisquotedString {
    node: NodeId,
    /// The function whose whole argument it is, if that is written as a tag: two tags are not allowed.
    tag: Option<Known>,
    what: Misquoted,
}

enum Misquoted {
    /// A short tag and its argument, in quotes.
    Call(Known, String),
    Value(String),
}

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(severity) = cx.severity_of_code(codes::MISQUOTED) else { return };
    let has = |text: &str, marks: &[&str]| marks.iter().any(|mark| text.contains(mark));
    let has_mark = |text: &str| has(text, &MARKS) || !text.is_ascii() && has(text, &TYPOGRAPHIC_MARKS);
    // A macro may take any string.
    if cx.template.has_own_macros() || !cx.sources.files().any(|file| has_mark(cx.sources.text(file))) {
        return;
    }
    let (mut found, mut done) = (Vec::new(), NodeSet::default());
    for section in [Section::Parameters, Section::Mappings, Section::Conditions, Section::Resources, Section::Outputs] {
        let members = cx.tree.get(cx.template.root, section.symbol());
        for member in members.into_iter().flat_map(|members| cx.tree.entries(members)) {
            if cx.is_cancelled() {
                return;
            }
            for part in parts(cx, section, member).into_iter().flatten() {
                walk(cx, part, &mut done, &mut found);
            }
        }
    }
    for one in found {
        let diagnostic = diagnostic(cx, &one);
        cx.push(diagnostic, severity);
    }
}

fn parts(cx: &Context<'_>, section: Section, member: Entry) -> [Option<NodeId>; 2] {
    let tree = cx.tree;
    if function::loop_name(tree.text(member.key)).is_some() {
        return [Some(member.value), None];
    }
    let part = |name| tree.get_text(member.value, name);
    match section {
        Section::Parameters => [part("Default"), part("AllowedValues")],
        Section::Resources => [tree.get(member.value, symbol::PROPERTIES), None],
        Section::Outputs => [tree.get(member.value, symbol::VALUE), tree.get(member.value, symbol::EXPORT)],
        _ => [Some(member.value), None],
    }
}

fn walk(cx: &Context<'_>, root: NodeId, done: &mut NodeSet, found: &mut Vec<MisquotedString>) {
    let tree = cx.tree;
    let mut pending = vec![(root, None)];
    while let Some((node, tag)) = pending.pop() {
        match tree.view(node) {
            View::String(_) => {
                if let Some(what) = misquoted(cx, node).filter(|_| done.insert(node)) {
                    found.push(MisquotedString { node, tag, what });
                }
            }
            View::List(items) => pending.extend(items.iter().rev().map(|&item| (item, None))),
            View::Map => pending.extend(tree.entries(node).rev().map(|entry| (entry.value, None))),
            // These take a name.
            View::Call(Function::Known(Known::Ref | Known::GetAtt | Known::Transform | Known::Condition), _) => {}
            // This takes a string.
            View::Call(Function::Known(Known::Sub), argument) => {
                pending.extend(tree.items(argument).iter().skip(1).map(|&map| (map, None)));
            }
            View::Call(function, argument) => {
                let tag = match function {
                    Function::Known(known) if tree.style(node) == Style::Tag => Some(known),
                    _ => None,
                };
                pending.push((argument, tag));
            }
            _ => {}
        }
    }
}

/// Returns the misquoted value, if that is certain: a function must refer to something that exists.
fn misquoted(cx: &Context<'_>, node: NodeId) -> Option<Misquoted> {
    call(cx, node).map(|(known, argument)| Misquoted::Call(known, argument)).or_else(|| typographic(cx, node))
}

/// Returns the function that is written in a string, and its argument.
pub(super) fn call(cx: &Context<'_>, node: NodeId) -> Option<(Known, String)> {
    let (tag, argument) = cx.tree.string(node)?.trim().strip_prefix('!')?.split_once(' ')?;
    let argument = argument.trim();
    let quoted = |quote: char| argument.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    let argument = quoted('"').or_else(|| quoted('\'')).unwrap_or(argument);
    let known = Known::from_short(tag)?;
    let is_meant = match known {
        Known::Ref => !argument.contains('.') && cx.has_name(argument),
        Known::GetAtt => argument.contains('.') && cx.has_name(argument),
        Known::Sub => sub_string::parts(argument).any(|part| matches!(part, Part::Variable(name) if cx.has_name(name))),
        _ => false,
    };
    (is_meant && !argument.contains(['"', '\\', '\n'])).then(|| (known, argument.to_owned()))
}

fn typographic(cx: &Context<'_>, node: NodeId) -> Option<Misquoted> {
    // In quotes of YAML or JSON they are intended.
    let text = cx.tree.string(node).filter(|_| cx.tree.style(node) == Style::Plain)?;
    let inner = TYPOGRAPHIC.iter().find_map(|&(open, close)| text.strip_prefix(open)?.strip_suffix(close))?;
    let is_quote = |c: char| TYPOGRAPHIC.iter().any(|&(open, close)| c == open || c == close);
    let is_whole = !inner.contains(is_quote) && !inner.contains(['"', '\\', '\n']);
    is_whole.then(|| Misquoted::Value(inner.to_owned()))
}

fn diagnostic(cx: &Context<'_>, found: &MisquotedString) -> Diagnostic {
    let tree = cx.tree;
    let (title, note, code) = match &found.what {
        Misquoted::Call(known, argument) => {
            let (short, argument) = (short(*known), shown(argument));
            (
                format!("{short} is in quotes: the value is a plain string, not a function"),
                "in quotes, a short tag is text",
                code(cx.document.format, *known, &argument),
            )
        }
        Misquoted::Value(inner) => (
            "the value is in typographic quotes, which are part of it".to_owned(),
            "YAML has the quotes `\"` and `'`",
            format!("\"{}\"", shown(inner)),
        ),
    };
    let help = match found.tag.filter(|_| matches!(found.what, Misquoted::Call(..))) {
        Some(outer) => format!("write the outer function in full: `{}: {code}`", outer.long()),
        None => format!("write `{code}`"),
    };
    Diagnostic::new(codes::MISQUOTED, title)
        .at(tree.span(found.node))
        .frames(tree.frame_chain(tree.frame_of(found.node)))
        .note(note)
        .help(help)
}

fn short(known: Known) -> &'static str {
    match known {
        Known::GetAtt => "!GetAtt",
        Known::Sub => "!Sub",
        _ => "!Ref",
    }
}

fn code(format: Format, known: Known, argument: &str) -> String {
    match (format, known) {
        (Format::Yaml, Known::Sub) => format!("!Sub \"{argument}\""),
        (Format::Yaml, _) => format!("{} {argument}", short(known)),
        (Format::Json, Known::GetAtt) => {
            let (name, attribute) = argument.split_once('.').unwrap_or((argument, ""));
            format!("{{\"Fn::GetAtt\": [\"{name}\", \"{attribute}\"]}}")
        }
        (Format::Json, _) => format!("{{\"{}\": \"{argument}\"}}", known.long()),
    }
}
