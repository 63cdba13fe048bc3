//! Extracts resources to a module: a new file, and an import that replaces them. Logical IDs stay the same, since the
//! full ID of a resource consists of the name of the import and its own name (reference/modules/README.md#words).

mod inputs;
mod names;

use std::ops::Range;

use formwork::query::FileIndex;
use formwork::tree::{Entry, Kind};
use formwork::{NodeId, VirtualPath};

use self::inputs::Inputs;
use self::names::split;
use super::entry::insert;
use crate::actions::{Action, ActionKind, Spot};
use crate::proof::is_same_but_order;
use crate::{Edit, FileEdits, apply};

/// Moves the resources of the selection, whole entries of `Resources`, into a module.
pub(super) fn action(spot: &Spot<'_, '_>) -> Option<Action> {
    let index = spot.ide.file(spot.file)?;
    let (tree, root) = (index.tree(), index.root()?);
    let resources = tree.get_text(root, "Resources").filter(|&node| tree.kind(node) == Kind::Map)?;
    let all: Vec<Entry> = tree.entries(resources).collect();
    let chosen = chosen(spot, index, &all)?;
    let ids: Vec<&str> = chosen.iter().map(|entry| tree.text(entry.key)).collect();
    let (import, inner) = split(&ids)?;
    let is_taken = |name: &str| {
        let occurrences = spot.ide.project().occurrences(spot.file);
        occurrences.iter().any(|one| one.is_declaration && spot.ide.text_of(&one.range) == name)
    };
    if is_taken(&import) {
        return None;
    }
    let renamed: Vec<(&str, &str)> = ids.iter().copied().zip(inner.iter().map(String::as_str)).collect();
    let mut inputs = Inputs::new(index, spot.is_json(), &renamed);
    for entry in &chosen {
        inputs.resource(*entry)?;
    }
    let file = new_file(spot, &import)?;
    let (whole, parts) = lines_of(index, &chosen)?;
    let body = inputs.rewritten(&parts)?;
    let module = module_text(spot, &inputs, &body);
    let source = format!("./{}", file.as_str().rsplit('/').next().unwrap_or_default());
    let declaration = import_of(index, &import, &source, &inputs)?;
    let removal = if chosen.len() == all.len() {
        let section = tree.entries(root).find(|entry| tree.text(entry.key) == "Resources")?;
        let range = index.range_of(tree.span(section.key)).start..index.range_of(tree.site(section.value)).end;
        super::inline_parameter::removal(index.text(), true, &range).filter(|_| !spot.is_json())?
    } else {
        whole
    };
    let mut edits = vec![declaration, removal];
    edits.sort();
    let action = Action {
        title: format!("extract to module {source}"),
        kind: ActionKind::Extract,
        is_preferred: false,
        is_proved: true,
        edits: vec![
            FileEdits { file, is_new: true, edits: vec![Edit::insert(0, module)] },
            FileEdits { file: spot.file.clone(), is_new: false, edits },
        ],
        fixes: None,
    };
    is_same_but_order(&spot.before, &action.edits).then_some(action)
}

/// The consecutive entries of the selection. It must contain each of them completely.
fn chosen(spot: &Spot<'_, '_>, index: &FileIndex, all: &[Entry]) -> Option<Vec<Entry>> {
    if spot.range.is_empty() {
        return None;
    }
    let tree = index.tree();
    let range = |entry: &Entry| {
        let range = index.range_of(tree.span(entry.key)).start..index.range_of(tree.site(entry.value)).end;
        let source = index.text().get(range.start as usize..range.end as usize).unwrap_or_default().trim_end();
        range.start..range.start + source.len() as u32
    };
    let is_touched = |entry: &&Entry| {
        let own = range(entry);
        own.start < spot.range.end && spot.range.start < own.end
    };
    let chosen: Vec<Entry> = all.iter().filter(is_touched).copied().collect();
    let is_whole = |entry: &Entry| {
        let own = range(entry);
        let quote = u32::from(spot.is_json());
        spot.range.start <= own.start + quote
            && own.end <= spot.range.end + quote
            && !tree.is_alias(entry.value)
            && tree.kind(entry.value) == Kind::Map
            && !tree.text(entry.key).starts_with("Fn::")
    };
    (!chosen.is_empty() && chosen.iter().all(is_whole)).then_some(chosen)
}

/// The edit that removes the entries, and the range of each in the source, including comments in front of all but the
/// first.
fn lines_of(index: &FileIndex, chosen: &[Entry]) -> Option<(Edit, Vec<Range<usize>>)> {
    let (tree, text) = (index.tree(), index.text());
    let end_of = |entry: &Entry| {
        let (start, end) = (index.range_of(tree.span(entry.key)).start, index.range_of(tree.site(entry.value)).end);
        Some(start as usize + text.get(start as usize..end as usize)?.trim_end().len())
    };
    let start = index.range_of(tree.span(chosen.first()?.key)).start as usize;
    let end = end_of(chosen.last()?)?;
    let line = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    if !text.get(line..start)?.trim().is_empty() {
        return None;
    }
    let whole = start..end;
    let behind = text.get(end..)?;
    if text.trim_start().starts_with('{') {
        let rest = behind.trim_start();
        let removal = if let Some(after) = rest.strip_prefix(',') {
            Edit::new(start as u32, (end + behind.len() - after.trim_start().len()) as u32, "")
        } else {
            let before = text.get(..start)?.trim_end().strip_suffix(',')?;
            Edit::new(before.len() as u32, end as u32, "")
        };
        return Some((removal, vec![whole]));
    }
    let rest = behind.find('\n').map_or(behind.len(), |at| at + 1);
    if !behind.get(..rest)?.trim().is_empty() {
        return None;
    }
    Some((Edit::new(line as u32, (end + rest) as u32, ""), vec![whole]))
}

/// The path of a file beside the template that does not exist.
fn new_file(spot: &Spot<'_, '_>, import: &str) -> Option<VirtualPath> {
    let extension = if spot.is_json() { "json" } else { "yaml" };
    let name = import.to_ascii_lowercase();
    let names = std::iter::once(format!("{name}.{extension}"))
        .chain((2..10).map(|number| format!("{name}{number}.{extension}")));
    let mut paths = names.map(|name| spot.file.sibling(&name));
    paths.find(|path| spot.ide.snapshot().source(path).is_err())
}

fn module_text(spot: &Spot<'_, '_>, inputs: &Inputs<'_>, body: &str) -> String {
    let text = spot.text();
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    if spot.is_json() {
        let parameters: Vec<String> =
            inputs.all().map(|(name, input)| format!("    \"{name}\": {{\"Type\": \"{}\"}}", input.kind)).collect();
        let list = parameters.join(&format!(",{line_break}"));
        let section = format!("  \"Parameters\": {{{line_break}{list}{line_break}  }},{line_break}");
        let parameters = if parameters.is_empty() { String::new() } else { section };
        return format!(
            "{{{line_break}{parameters}  \"Resources\": {{{line_break}    {body}{line_break}  }}{line_break}}}{line_break}"
        );
    }
    let indent = indent_of(text);
    let declared = inputs
        .all()
        .map(|(name, input)| format!("{indent}{name}:{line_break}{indent}{indent}Type: {}{line_break}", input.kind));
    let declared = declared.collect::<Vec<_>>().concat();
    let parameters = if declared.is_empty() { declared } else { format!("Parameters:{line_break}{declared}") };
    format!("{parameters}Resources:{line_break}{indent}{body}{line_break}")
}

fn indent_of(text: &str) -> &str {
    let resources = text.lines().skip_while(|line| !line.starts_with("Resources"));
    let below = resources.skip(1).find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let indent = below.and_then(|line| line.get(..line.len() - line.trim_start().len()));
    indent.filter(|indent| !indent.is_empty()).unwrap_or("  ")
}

fn import_of(index: &FileIndex, name: &str, source: &str, inputs: &Inputs<'_>) -> Option<Edit> {
    let mut yaml = vec![format!("Source: {source}")];
    let mut json = vec![format!("\"Source\": \"{source}\"")];
    if let Some(condition) = inputs.condition() {
        yaml.push(format!("Condition: {condition}"));
        json.push(format!("\"Condition\": \"{condition}\""));
    }
    let bindings: Vec<String> = inputs.all().map(|(name, input)| format!("  {name}: {}", input.value)).collect();
    if !bindings.is_empty() {
        yaml.push("Properties:".to_owned());
        yaml.extend(bindings);
        let members: Vec<String> = inputs.all().map(|(name, input)| format!("\"{name}\": {}", input.value)).collect();
        json.push(format!("\"Properties\": {{{}}}", members.join(", ")));
    }
    let yaml: Vec<&str> = yaml.iter().map(String::as_str).collect();
    insert(index, "Modules", name, &yaml, &format!("{{{}}}", json.join(", ")))
}

/// The source of a node, if it is on one line.
fn one_line(index: &FileIndex, node: NodeId) -> Option<&str> {
    let range = index.range_of(index.tree().site(node));
    let source = index.text().get(range.start as usize..range.end as usize)?.trim_end();
    (!source.contains('\n')).then_some(source)
}

/// Applies edits to a part of a text; their ranges count from the start of the whole text.
fn part_with(text: &str, part: &Range<usize>, edits: &[Edit]) -> Option<String> {
    let mut own: Vec<Edit> = edits
        .iter()
        .filter(|edit| part.contains(&(edit.start as usize)) && edit.end as usize <= part.end)
        .map(|edit| Edit::new(edit.start - part.start as u32, edit.end - part.start as u32, edit.text.clone()))
        .collect();
    own.sort();
    own.dedup();
    Some(apply(text.get(part.clone())?, &own))
}
