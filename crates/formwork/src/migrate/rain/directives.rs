//! Rewrites the directives that have an equivalent: `Embed`, `Constant`, and the long forms of `S3`.

use formwork_syntax::{Kind, NodeId};
use formwork_template::artifact;

use super::Files;
use super::document::{Argument, Edits, Rain, Visit};

pub(super) fn rewrite(rain: &Rain<'_>, files: Files<'_>) -> String {
    let mut edits = Edits::default();
    rain.walk(&mut |visit| {
        if let Some(key) = visit.property {
            names(rain, key, &mut edits);
        }
        match rain.directive(visit.node) {
            Some(("Embed", argument)) => embed(rain, visit, argument, files, &mut edits),
            Some(("Constant", argument)) => constant(rain, visit.node, argument, &mut edits),
            Some(("S3" | "S3Http", Argument::Long(_, value))) => upload(rain, visit, value, &mut edits),
            Some(_) => {}
            None => names(rain, visit.node, &mut edits),
        }
    });
    edits.apply(rain.text)
}

/// `Rain::Embed` strips the white space at the ends of the file; `Fn::InsertFile` keeps it, so content with such white
/// space is written out as a literal.
fn embed(rain: &Rain<'_>, visit: Visit, argument: Argument, files: Files<'_>, edits: &mut Edits) {
    let (path, replaced) = match argument {
        Argument::Tagged => (rain.tree.text(visit.node), visit.node),
        Argument::Long(_, value) => (rain.tree.text(value), visit.node),
    };
    match files(path) {
        Some(text) if text.trim().len() < text.len() => literal(rain, replaced, visit.in_flow, text.trim(), edits),
        _ => match argument {
            Argument::Tagged => {
                let start = rain.range(visit.node).start;
                edits.replace(start..start + "!Rain::Embed".len(), "!InsertFile");
            }
            Argument::Long(key, _) => rename(rain, key, "Fn::InsertFile", edits),
        },
    }
}

fn literal(rain: &Rain<'_>, node: NodeId, in_flow: bool, text: &str, edits: &mut Edits) {
    let range = rain.range(node);
    let is_plain = |c: char| c == '\n' || c == '\t' || !formwork_base::display::is_unprintable(c);
    let rest = &rain.text[range.end..rain.next_line(range.end)];
    let is_last = rest.trim().is_empty() || rest.trim_start().starts_with('#');
    if in_flow || rain.is_json || text.is_empty() || !text.chars().all(is_plain) || !is_last {
        edits.replace(range, serde_json::to_string(text).unwrap_or_default());
        return;
    }
    let line = &rain.text[rain.line_start(range.start)..];
    let indent = line.len() - line.trim_start_matches([' ', '-']).len() + 2;
    let mut block = String::new();
    if !rest.ends_with('\n') {
        block.push('\n');
    }
    for line in text.split('\n') {
        if !line.is_empty() {
            block.push_str(&" ".repeat(indent));
            block.push_str(line);
        }
        block.push('\n');
    }
    let end = rain.next_line(range.end);
    edits.replace(range, "|-");
    edits.replace(end..end, block);
}

fn constant(rain: &Rain<'_>, node: NodeId, argument: Argument, edits: &mut Edits) {
    let value = match argument {
        Argument::Tagged => {
            let range = rain.range(node);
            edits.replace(range.start..range.start + "!Rain::Constant".len(), "!Ref");
            let behind = &rain.text[range.start + "!Rain::Constant".len()..range.end];
            range.end - behind.trim_start().len()
        }
        Argument::Long(key, value) => {
            rename(rain, key, "Ref", edits);
            rain.range(value).start
        }
    };
    let quote = rain.text[value..].starts_with(['"', '\'']);
    let start = value + usize::from(quote);
    edits.replace(start..start, "Const::");
}

/// Replaces the long form of an upload in an artifact property by the path alone.
fn upload(rain: &Rain<'_>, visit: Visit, value: NodeId, edits: &mut Edits) {
    let name = visit.property.map(|key| rain.tree.text(key));
    let is_artifact = artifact::ALL.iter().any(|artifact| artifact.property.last().copied() == name);
    let path = match rain.tree.kind(value) {
        Kind::String => Some(value),
        Kind::Map if rain.tree.get_text(value, "Run").is_none() => rain.tree.get_text(value, "Path"),
        _ => None,
    };
    if let Some(path) = path.filter(|_| is_artifact && name.is_some()) {
        edits.replace(rain.range(visit.node), rain.written(path));
    }
}

/// Rewrites `${Rain::X}` of constants, and `Name[].Output` of older versions.
fn names(rain: &Rain<'_>, node: NodeId, edits: &mut Edits) {
    if !matches!(rain.tree.kind(node), Kind::String | Kind::Key) || rain.tree.is_alias(node) {
        return;
    }
    let range = rain.range(node);
    let written = rain.written(node);
    for (at, mark) in written.match_indices("${Rain::") {
        edits.replace(range.start + at..range.start + at + mark.len(), "${Const::");
    }
    let before = rain.text[..range.start].trim_end();
    let is_attribute = ["!GetAtt", "Fn::GetAtt:", "Fn::GetAtt\":"].iter().any(|call| before.ends_with(call));
    let first_variable = written.find("${").unwrap_or(written.len());
    for (at, mark) in written.match_indices("[].") {
        if is_attribute || first_variable < at {
            edits.replace(range.start + at..range.start + at + mark.len(), "[*].");
        }
    }
}

pub(super) fn rename(rain: &Rain<'_>, key: NodeId, name: &str, edits: &mut Edits) {
    let range = rain.range(key);
    let quote = rain.text[range.clone()].chars().next().filter(|c| matches!(c, '"' | '\''));
    let quote = quote.map(String::from).unwrap_or_default();
    edits.replace(range, format!("{quote}{name}{quote}"));
}
