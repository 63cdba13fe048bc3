//! Which help is code, and where it goes: the forms that the law of advice applies.

use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, Tree, View};
use formwork_template::Section;
use serde_json::Value;

/// Words before code that takes the place of the finding; besides, a clause that begins with `write` and ends in a
/// colon, or ends in `quotes:`.
const INSTEAD: [&str; 4] = ["did you mean ", "write ", "the form is ", "join that list on its own: "];

/// Words before a key that is added to the object that the finding is about.
const ADDED: [&str; 4] = ["add ", "add a resource: ", "name it: ", "add an Identifier to each item: "];

/// Words before a key that is added to a section, or to the template.
const DECLARED: [&str; 3] = ["declare it under Conditions: ", "declare it at the top: ", "declare it: "];

/// Words in code that stand for an argument, and an argument.
const SAMPLES: [(&str, &str); 14] = [
    (", ...]", "]"),
    ("{...}", "{}"),
    ("Equals [...]", "Equals [a, a]"),
    ("Fragment: ...", "Fragment: {Type: AWS::SNS::Topic}"),
    ("Key: ...", "Key: \"X${Value}\""),
    ("[condition, condition]", "[{Fn::Equals: [a, a]}, {Fn::Equals: [a, a]}]"),
    ("[condition]", "[{Fn::Equals: [a, a]}]"),
    ("[list, list]", "[[a], [b]]"),
    ("{name: list, name: list}", "{one: [a], two: [b]}"),
    ("[block, count, bits]", "[10.0.0.0/16, 1, 8]"),
    ("[index, ", "[0, "),
    ("[stop]", "[1]"),
    (": ...", ": x"),
    ("...", "x"),
];

/// Code that a help advises to write.
pub(super) struct Code<'h> {
    /// As it is written in the help.
    pub(super) text: &'h str,
    /// Placeholders that are written with it.
    also: Vec<&'h str>,
    how: How,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Instead,
    Added,
    Declared(Option<&'static str>),
}

/// The code of a help, each alternative of it; none when the help is words.
pub(super) fn codes(help: &str) -> Vec<Code<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(open) = help[start..].find('`').map(|at| start + at) {
        let Some(close) = help[open + 1..].find('`').map(|at| open + 1 + at) else { break };
        let (before, text, after) = (&help[..open], &help[open + 1..close], &help[close + 1..]);
        if let Some(how) = how(before) {
            // A word of a command line, what goes on in words or in the template, and what hides a secret are not
            // code for the place.
            let is_partial = text.ends_with(':')
                || text.contains("****")
                || text.ends_with(" ...")
                || after.starts_with(" with ")
                || after.starts_with(" and ");
            if !text.starts_with("--") && !is_partial {
                found.push(Code { text, also: Vec::new(), how });
            }
        } else if let Some(first) = found.last_mut().filter(|_| text.starts_with("${!") && before.ends_with("`, ")) {
            first.also.push(text);
        } else if before.starts_with("the form is ") && before.ends_with("` or ") && text.starts_with("Fn::") {
            found.push(Code { text, also: Vec::new(), how: How::Instead });
        }
        start = close + 1;
    }
    found
}

/// What the words before a piece of code mean for its place: the last clause of them.
fn how(before: &str) -> Option<How> {
    let clause = before.rsplit("or ").next().unwrap_or(before);
    let is_one_of = |all: &[&str]| all.contains(&clause);
    let is_told = |words: &str| words.starts_with("write ") && words.ends_with(": ") && !words.contains('`');
    if is_told(clause) || is_told(before) || is_one_of(&INSTEAD) || clause.ends_with("quotes: ") {
        return Some(How::Instead);
    }
    if is_one_of(&ADDED) {
        return Some(How::Added);
    }
    let declared = DECLARED.iter().find(|words| clause == **words)?;
    Some(How::Declared(declared.contains("Conditions").then_some("Conditions")))
}

/// A template as it is written: where each value, key and function name lies.
pub(super) struct Written {
    tree: Tree,
    root: NodeId,
    base: u32,
    is_json: bool,
    places: Vec<(NodeId, Place)>,
}

#[derive(Clone, Copy)]
struct Place {
    /// The entry whose key or value it is, or whose value it is inside of.
    entry: Option<Entry>,
    /// The call whose name it is.
    call: Option<NodeId>,
    /// Number of the place around it.
    outer: Option<usize>,
    is_key: bool,
}

/// An edit of the text: start, end, new text.
pub(super) type Edit = (usize, usize, String);

impl Code<'_> {
    /// The edits that put the code where its help advises, for a finding at these offsets; `None` when the finding is
    /// about no node of the template. What is not well-formed has no nodes: there the code takes the place itself.
    pub(super) fn edits(&self, text: &str, written: Option<&Written>, place: (usize, usize)) -> Option<Vec<Edit>> {
        match written {
            Some(written) => written.edits(text, self, place),
            None => (self.how == How::Instead).then(|| vec![(place.0, place.1, self.text.to_owned())]),
        }
    }
}

impl Written {
    /// Reads a template; `None` when it is not well-formed.
    pub(super) fn read(text: &str) -> Option<Written> {
        let (mut tree, mut sources, mut diagnostics) = (Tree::new(), SourceMap::new(), Diagnostics::new());
        let file = sources.add(VirtualPath::new("template.yaml"), text)?;
        let document = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut diagnostics);
        let is_json = text.trim_start().starts_with('{') && serde_json::from_str::<Value>(text).is_ok();
        let mut written = Written { tree, root: document.root, base: sources.base(file), is_json, places: Vec::new() };
        written.note(document.root, Place { entry: None, call: None, outer: None, is_key: false });
        document.is_well_formed.then_some(written)
    }

    fn note(&mut self, node: NodeId, place: Place) {
        let at = self.places.len();
        self.places.push((node, place));
        let inner = Place { entry: None, call: None, outer: Some(at), is_key: false };
        match self.tree.view(node) {
            View::List(_) => {
                for at in 0..self.tree.len(node) {
                    self.note(self.tree.items(node)[at], inner);
                }
            }
            View::Map => {
                for entry in self.tree.entries(node).collect::<Vec<_>>() {
                    self.places.push((entry.key, Place { entry: Some(entry), is_key: true, ..inner }));
                    self.note(entry.value, Place { entry: Some(entry), ..inner });
                }
            }
            View::Call(_, argument) => {
                self.places.push((self.tree.call_name(node), Place { call: Some(node), ..inner }));
                self.note(argument, inner);
            }
            _ => {}
        }
    }

    fn range(&self, node: NodeId) -> Option<(usize, usize)> {
        let span = self.tree.span(node);
        Some((span.start().checked_sub(self.base)? as usize, span.end().checked_sub(self.base)? as usize))
    }

    fn edits(&self, text: &str, code: &Code<'_>, (start, end): (usize, usize)) -> Option<Vec<Edit>> {
        // A fragment in Outputs is an output.
        let outputs = self.tree.get_text(self.root, "Outputs").and_then(|outputs| self.range(outputs));
        let is_output = outputs.is_some_and(|(from, to)| from <= start && end <= to);
        let written =
            if is_output { code.text.replace("Fragment: ...", "Fragment: {Value: x}") } else { code.text.to_owned() };
        let samples = SAMPLES.iter();
        let sample = samples.fold(written, |text, (word, sample)| text.replace(word, sample));
        let data = crate::data::read(&format!("{sample}\n")).ok()?;
        let member = data.as_object().filter(|members| members.len() == 1 && !is_call(&data)).and_then(|members| {
            let (key, value) = members.iter().next()?;
            (!sample.starts_with(['{', '!'])).then_some((key.as_str(), value))
        });
        if let How::Declared(section) = code.how {
            let map = match section {
                Some(name) => self.tree.get_text(self.root, name)?,
                None => self.root,
            };
            return self.add(text, map, &sample, member?);
        }
        if let Some((key, value)) = member.filter(|(key, _)| Section::ALL.iter().any(|section| section.name() == *key))
        {
            let known = self.tree.symbols().get(key).and_then(|name| self.tree.member(self.root, name));
            return match known {
                Some(entry) => {
                    self.over(entry.key, entry.value, self.member(key, value, &sample)).map(|edit| vec![edit])
                }
                None => self.add(text, self.root, &sample, (key, value)),
            };
        }
        // Placeholders in the string that the finding is about.
        if code.text.starts_with("${!") {
            let string = text.get(start..end)?;
            let new = std::iter::once(&code.text).chain(&code.also);
            let new = new.fold(string.to_owned(), |string, new| string.replace(&new.replacen('!', "", 1), new));
            return Some(vec![(start, end, new)]);
        }
        let at = self.places.iter().position(|&(node, _)| self.range(node) == Some((start, end)));
        let Some(at) = at else {
            // A piece of a string: `${Name}`, or a name in it.
            return (code.how == How::Instead && data.is_string()).then(|| vec![(start, end, sample)]);
        };
        let (node, place) = self.places[at];
        if code.how == How::Added {
            let map = if place.is_key { place.entry?.value } else { node };
            let map = self.call_argument(place.call.unwrap_or(map));
            return self.add(text, map, &sample, member?);
        }
        if let Some((key, value)) = member {
            // The entry with this name that the finding is in, or the one whose name is the finding.
            let mut around = Some(at);
            while let Some(number) = around {
                let (_, place) = self.places[number];
                if let Some(entry) = place.entry.filter(|entry| self.tree.text(entry.key) == key) {
                    return Some(vec![self.over(entry.key, entry.value, self.member(key, value, &sample))?]);
                }
                around = place.outer;
            }
        }
        if place.is_key {
            let entry = place.entry?;
            return match member {
                Some((key, value)) => {
                    Some(vec![self.over(entry.key, entry.value, self.member(key, value, &sample))?])
                }
                None if data.is_string() => Some(vec![(start, end, self.value(&data, &sample))]),
                None => None,
            };
        }
        let node = place.call.unwrap_or(node);
        if place.call.is_some() && data.is_string() {
            return Some(vec![(start, end, self.value(&data, &sample))]);
        }
        Some(vec![self.over(node, node, self.value(&data, &sample))?])
    }

    fn call_argument(&self, node: NodeId) -> NodeId {
        if self.tree.kind(node) == Kind::Call { self.tree.call(node).1 } else { node }
    }

    fn over(&self, first: NodeId, last: NodeId, new: String) -> Option<Edit> {
        let (start, end) = (self.range(first)?.0, self.range(last)?.1);
        (start <= end).then_some((start, end, new))
    }

    fn value(&self, data: &Value, sample: &str) -> String {
        match data {
            _ if self.is_json => data.to_string(),
            Value::Object(_) if !sample.starts_with(['{', '!']) => format!("{{{sample}}}"),
            _ => sample.to_owned(),
        }
    }

    fn member(&self, key: &str, value: &Value, sample: &str) -> String {
        if self.is_json { format!("{}: {value}", Value::from(key)) } else { sample.to_owned() }
    }

    /// Adds an entry to a map, in front of the others.
    fn add(&self, text: &str, map: NodeId, sample: &str, (key, value): (&str, &Value)) -> Option<Vec<Edit>> {
        let (start, end) = self.range(map)?;
        let new = self.member(key, value, sample);
        if self.tree.kind(map) != Kind::Map {
            return Some(vec![(start, end, format!("{{{new}}}"))]);
        }
        let first = self.tree.entries(map).next();
        if text.get(start..)?.starts_with('{') {
            let comma = if first.is_some() { ", " } else { "" };
            return Some(vec![(start + 1, start + 1, format!("{new}{comma}"))]);
        }
        let at = self.range(first?.key)?.0;
        let line = text.get(..at)?.rfind('\n').map_or(0, |line| line + 1);
        Some(vec![(at, at, format!("{new}\n{}", " ".repeat(at - line)))])
    }
}

/// Whether data is a call of a function, and so a value and not an entry.
fn is_call(data: &Value) -> bool {
    data.as_object().and_then(|members| members.keys().next()).is_some_and(|name| {
        Known::from_long(name).is_some_and(|known| known != Known::Condition) || name.starts_with("Fn::")
    })
}
