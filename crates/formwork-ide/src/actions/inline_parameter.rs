//! Inlines the default of a parameter that is never passed.

use formwork::query::SymbolKind;
use formwork::tree::{Kind, Known};
use formwork::{ValueSource, VirtualPath};

use super::join::quoted;
use crate::Edit;
use crate::actions::{Action, ActionKind, Spot};
use crate::proof::is_same_resolved;
use crate::references::references;
use crate::visit::visit;

pub(super) fn action(spot: &Spot<'_, '_>) -> Option<Action> {
    let (ide, file): (_, &VirtualPath) = (spot.ide, spot.file);
    let symbol = ide.project().symbol_at(file, spot.range.start)?;
    let declared =
        symbol.declared.clone().filter(|range| range.file == *file && symbol.kind == SymbolKind::Parameter)?;
    let (_, given) = ide.compilation().value_of_parameter(&symbol.name)?;
    let (index, root) = ide.file(file).and_then(|index| Some((index, index.root()?)))?;
    let tree = index.tree();
    let section = tree.get_text(root, "Parameters")?;
    let entry = tree.entries(section).find(|entry| tree.text(entry.key) == symbol.name)?;
    let member = |name: &str| tree.get_text(entry.value, name);
    let default = member("Default").filter(|&default| tree.is_scalar(default))?;
    let is_plain = member("Type").is_none_or(|kind| matches!(tree.text(kind), "String" | "Number"));
    if given != ValueSource::Default || member("NoEcho").is_some() || !is_plain {
        return None;
    }
    let text = tree.text(default).to_owned();
    let mut edits = vec![removal(index.text(), tree.len(section) == 1, &{
        let key = index.range_of(tree.span(if tree.len(section) == 1 { section_key(index, root)? } else { entry.key }));
        key.start..index.range_of(tree.site(entry.value)).end
    })?];
    for used in references(ide, file, declared.start).into_iter().filter(|used| !used.is_declaration) {
        let before = index.text().get(..used.range.start as usize)?;
        if before.ends_with("${") {
            let value = text.replace("${", "${!");
            edits.push(Edit::new(used.range.start - 2, used.range.end + 1, value));
            continue;
        }
        let mut call = None;
        visit(tree, root, &mut |visited| {
            let Some(argument) = tree.argument_of(visited.node, Known::Ref) else { return };
            let own = index.range_of(tree.span(argument));
            if own.start <= used.range.start && used.range.end <= own.end && tree.kind(visited.node) == Kind::Call {
                call = Some(index.range_of(tree.site(visited.node)));
            }
        });
        let call = call?;
        let end = call.start + index.text().get(call.start as usize..call.end as usize)?.trim_end().len() as u32;
        edits.push(Edit::new(call.start, end, quoted(&text)));
    }
    let action = spot.action(format!("replace {} by its default", symbol.name), ActionKind::Inline, edits);
    is_same_resolved(&spot.before, &action.edits, without_parameters).then_some(action)
}

fn section_key(index: &formwork::query::FileIndex, root: formwork::NodeId) -> Option<formwork::NodeId> {
    let tree = index.tree();
    tree.entries(root).find(|entry| tree.text(entry.key) == "Parameters").map(|entry| entry.key)
}

/// The edit that removes an entry with its line, or with its comma.
pub(super) fn removal(text: &str, is_last: bool, range: &std::ops::Range<u32>) -> Option<Edit> {
    let (start, end) = (
        range.start as usize,
        range.start as usize + text.get(range.start as usize..range.end as usize)?.trim_end().len(),
    );
    let line = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    let rest = text.get(end..)?;
    let is_flow = text.trim_start().starts_with('{');
    if !is_flow && text.get(line..start)?.trim().is_empty() {
        let behind = rest.find('\n').map_or(rest.len(), |at| at + 1);
        return rest.get(..behind)?.trim().is_empty().then(|| Edit::new(line as u32, (end + behind) as u32, ""));
    }
    if !is_flow {
        return None;
    }
    let closes = if is_last { rest.find('}').map_or(0, |at| at + 1) } else { 0 };
    let behind = rest.get(closes..)?;
    let comma = behind.trim_start().strip_prefix(',').map(|after| behind.len() - after.trim_start().len());
    let end = end + closes;
    if let Some(comma) = comma {
        return Some(Edit::new(start as u32, (end + comma) as u32, ""));
    }
    // The last entry: the comma in front of it is removed.
    let before = text.get(..start)?.trim_end().strip_suffix(',')?;
    Some(Edit::new(before.len() as u32, end as u32, ""))
}

/// Removes the section of parameters from JSON without white space.
pub(super) fn without_parameters(data: &str) -> String {
    let Some(at) = data.find("\"Parameters\":{") else { return data.to_owned() };
    let open = at + "\"Parameters\":".len();
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for (number, byte) in data.bytes().enumerate().skip(open) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            b'{' if !in_string => depth += 1,
            b'}' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    let rest = data.get(number + 1..).unwrap_or_default();
                    let before = data.get(..at).unwrap_or_default();
                    return format!("{before}{}", rest.strip_prefix(',').unwrap_or(rest));
                }
            }
            _ => {}
        }
    }
    data.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_left_out_of_data() {
        assert_eq!(without_parameters("{\"Parameters\":{\"A\":{\"D\":\"}\"}},\"R\":1}"), "{\"R\":1}");
        assert_eq!(without_parameters("{\"R\":1}"), "{\"R\":1}");
    }
}
