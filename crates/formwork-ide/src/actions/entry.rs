//! Adding an entry to a section.

use formwork::query::FileIndex;
use formwork::tree::Kind;

use crate::Edit;

/// The edit that adds an entry to a section, in front of its others; a section that is missing is added. `yaml` are
/// the lines of the value, one step to the right of its key; `json` is the same on one line.
pub(super) fn insert(index: &FileIndex, section: &str, name: &str, yaml: &[&str], json: &str) -> Option<Edit> {
    let (tree, root) = (index.tree(), index.root()?);
    let text = index.text();
    let is_json = text.trim_start().starts_with('{');
    let existing = tree.get_text(root, section).filter(|&members| tree.kind(members) == Kind::Map);
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    if let Some(first) = existing.and_then(|members| tree.entries(members).next()) {
        let start = index.range_of(tree.span(first.key)).start;
        let before = text.get(..start as usize)?;
        let line = before.rsplit('\n').next().unwrap_or_default();
        let is_block = !is_json && line.trim_matches(' ').is_empty();
        if !is_block {
            let key = if is_json { format!("\"{name}\"") } else { name.to_owned() };
            let gap =
                if line.trim_matches([' ', '\t']).is_empty() { format!("{line_break}{line}") } else { " ".to_owned() };
            return Some(Edit::insert(start, format!("{key}: {json},{gap}")));
        }
        let step = if line.is_empty() { "  " } else { line };
        let value = lines(yaml, &format!("{line}{step}"), line_break);
        return Some(Edit::insert(start, format!("{name}:{line_break}{value}{line}")));
    }
    if existing.is_some() {
        return None;
    }
    let resources = tree.entries(root).find(|entry| tree.text(entry.key) == "Resources")?;
    let start = index.range_of(tree.span(resources.key)).start;
    let line = text.get(..start as usize)?.rsplit('\n').next().unwrap_or_default();
    if is_json {
        let gap =
            if line.trim_matches([' ', '\t']).is_empty() { format!("{line_break}{line}") } else { " ".to_owned() };
        return Some(Edit::insert(start, format!("\"{section}\": {{\"{name}\": {json}}},{gap}")));
    }
    if !line.is_empty() {
        return None;
    }
    let value = lines(yaml, "    ", line_break);
    Some(Edit::insert(start, format!("{section}:{line_break}  {name}:{line_break}{value}")))
}

/// Lines with something in front of each.
fn lines(parts: &[&str], before: &str, line_break: &str) -> String {
    parts.iter().fold(String::new(), |text, part| text + before + part + line_break)
}
