//! Nested stacks with a local template: their parameters and outputs.

use std::ops::Range;
use std::sync::Arc;

use formwork::query::FileIndex;
use formwork::tree::{Kind, Known};
use formwork::{FileRange, VirtualPath};

use crate::Ide;
use crate::visit::visit;

/// The template of the nested stack with a logical ID, if it is a local file.
pub(crate) fn template_of(ide: &Ide<'_>, file: &VirtualPath, id: &str) -> Option<Arc<FileIndex>> {
    ide.snapshot().index(&template_path(ide.file(file)?, file, id)?)
}

fn template_path(index: &FileIndex, file: &VirtualPath, id: &str) -> Option<VirtualPath> {
    let tree = index.tree();
    let resource = tree.get_text(tree.get_text(index.root()?, "Resources")?, id)?;
    let url = tree.get_text(tree.get_text(resource, "Properties")?, "TemplateURL")?;
    let url = tree.string(url).filter(|url| !url.contains("://") && !url.contains("${"))?;
    Some(file.sibling(url))
}

pub(crate) fn members(index: &FileIndex, section: &str) -> Vec<String> {
    let tree = index.tree();
    let section = index.root().and_then(|root| tree.get_text(root, section));
    section
        .map_or_else(Vec::new, |section| tree.entries(section).map(|entry| tree.text(entry.key).to_owned()).collect())
}

/// Returns the declaration of the output or parameter of a nested stack at an offset: the name at the offset, the
/// declaration in the nested template, and the declared name.
pub fn definition(ide: &Ide<'_>, file: &VirtualPath, offset: u32) -> Option<[FileRange; 3]> {
    let index = ide.file(file)?;
    let tree = index.tree();
    let mut found: Option<(String, &str, String, Range<u32>)> = None;
    visit(tree, index.root()?, &mut |visited| {
        let range = index.range_of(tree.span(visited.node));
        if (range.start..=range.end).contains(&offset) && tree.kind(visited.node) == Kind::String {
            let source = index.text().get(range.start as usize..range.end as usize).unwrap_or_default();
            found = output(source, (offset - range.start) as usize)
                .map(|(id, name, at)| (id, "Outputs", name, range.start + at as u32..range.start + at as u32))
                .or(found.take());
        }
        if let Some(argument) = tree.argument_of(visited.node, Known::GetAtt)
            && let &[id, attribute] = tree.items(argument)
            && let Some(name) = tree.string(attribute).and_then(|attribute| attribute.strip_prefix("Outputs."))
        {
            let range = index.range_of(tree.span(attribute));
            if (range.start..=range.end).contains(&offset) {
                found = Some((tree.text(id).to_owned(), "Outputs", name.to_owned(), range));
            }
        }
        if let (Some(key), ["Resources", id, "Properties", "Parameters", name]) = (visited.key, visited.path) {
            let range = index.range_of(tree.span(key));
            if (range.start..=range.end).contains(&offset) {
                found = Some(((*id).to_owned(), "Parameters", (*name).to_owned(), range));
            }
        }
    });
    let (id, section, name, origin) = found?;
    let child = template_of(ide, file, &id)?;
    let tree = child.tree();
    let members = tree.get_text(child.root()?, section)?;
    let entry = tree.entries(members).find(|entry| tree.text(entry.key) == name)?;
    let (key, value) = (child.range_of(tree.span(entry.key)), child.range_of(tree.site(entry.value)));
    let (whole, start) = (key.start, unquoted(child.text(), &key));
    let key = start..start + name.len() as u32;
    let place = |start, end| FileRange::new(child.path().clone(), start, end);
    // A key or an attribute may have quotes, and `Outputs.` in front of the name.
    let written = index.text().get(origin.start as usize..origin.end as usize).unwrap_or_default();
    let start = origin.start + written.rfind(&name).unwrap_or_default() as u32;
    let origin = FileRange::new(file.clone(), start, start + name.len() as u32);
    Some([origin, place(whole, value.end.max(key.end)), place(key.start, key.end)])
}

/// Returns every place in a template that uses a parameter or output of the nested template `child`: keys of
/// `Parameters`, and `ID.Outputs.Name`. `section` is `Parameters` or `Outputs`.
pub fn uses(ide: &Ide<'_>, file: &VirtualPath, child: &VirtualPath, section: &str, name: &str) -> Vec<FileRange> {
    let Some((index, root)) = ide.file(file).and_then(|index| Some((index, index.root()?))) else { return Vec::new() };
    let tree = index.tree();
    let Some(resources) = tree.get_text(root, "Resources") else { return Vec::new() };
    let ids: Vec<&str> = tree
        .entries(resources)
        .map(|entry| tree.text(entry.key))
        .filter(|id| template_path(index, file, id).as_ref() == Some(child))
        .collect();
    if ids.is_empty() {
        return Vec::new();
    }
    let text = index.text();
    let mut found = Vec::new();
    let mut add = |start: u32| found.push(FileRange::new(file.clone(), start, start + name.len() as u32));
    visit(tree, root, &mut |visited| {
        let range = index.range_of(tree.span(visited.node));
        if section == "Parameters" {
            if let (Some(key), ["Resources", id, "Properties", "Parameters", own]) = (visited.key, visited.path)
                && *own == name
                && ids.contains(id)
            {
                add(unquoted(text, &index.range_of(tree.span(key))));
            }
            return;
        }
        if let Some(argument) = tree.argument_of(visited.node, Known::GetAtt)
            && let &[id, attribute] = tree.items(argument)
            && ids.contains(&tree.text(id))
            && tree.string(attribute).and_then(|attribute| attribute.strip_prefix("Outputs.")) == Some(name)
        {
            let own = index.range_of(tree.span(attribute));
            let source = text.get(own.start as usize..own.end as usize).unwrap_or_default();
            if let Some(at) = source.find("Outputs.") {
                add(own.start + (at + "Outputs.".len()) as u32);
            }
        }
        if tree.kind(visited.node) == Kind::String {
            let source = text.get(range.start as usize..range.end as usize).unwrap_or_default();
            for id in &ids {
                let reference = format!("{id}.Outputs.{name}");
                for (at, _) in source.match_indices(&reference) {
                    let is_part = |c: char| c.is_ascii_alphanumeric();
                    let before = source.get(..at).is_some_and(|before| before.ends_with(is_part));
                    let behind = source.get(at + reference.len()..).is_some_and(|rest| rest.starts_with(is_part));
                    if !before && !behind {
                        add(range.start + (at + reference.len() - name.len()) as u32);
                    }
                }
            }
        }
    });
    found.sort();
    found.dedup();
    found
}

fn unquoted(text: &str, range: &Range<u32>) -> u32 {
    let is_quoted = text.get(range.start as usize..).is_some_and(|rest| rest.starts_with(['"', '\'']));
    range.start + u32::from(is_quoted)
}

/// The reference `Id.Outputs.Name` around an offset of a text: ID, name, and offset of the name.
fn output(source: &str, offset: usize) -> Option<(String, String, usize)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.';
    let before = source.get(..offset)?;
    let start = before.rfind(|c| !is_part(c)).map_or(0, |at| at + 1);
    let rest = source.get(start..)?;
    let word = rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len()))?;
    let (id, name) = word.split_once(".Outputs.")?;
    Some((id.to_owned(), name.to_owned(), start + id.len() + ".Outputs.".len()))
}

#[cfg(test)]
mod tests {
    use super::output;

    #[test]
    fn outputs_are_found_in_placeholders_and_alone() {
        let want = Some(("Child".to_owned(), "Arn".to_owned(), 16));
        assert_eq!(output("x${Child.Outputs.Arn}", 18).map(|(id, name, at)| (id, name, at - 1)), want);
        assert_eq!(output("Child.Arn", 7), None);
    }
}
