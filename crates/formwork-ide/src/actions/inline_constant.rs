//! Inlines a constant.

use formwork::query::SymbolKind;
use formwork::tree::{Kind, Known};

use super::entry::remove;
use super::join::quoted;
use crate::Edit;
use crate::actions::{Action, ActionKind, Spot};
use crate::proof::is_same_but_order;
use crate::references::references;
use crate::visit::visit;

const PREFIX: &str = "Const::";

pub(super) fn action(spot: &Spot<'_, '_>) -> Option<Action> {
    let (ide, file) = (spot.ide, spot.file);
    let symbol = ide.project().symbol_at(file, spot.range.start)?;
    let declared = symbol.declared.clone().filter(|at| at.file == *file && symbol.kind == SymbolKind::Constant)?;
    let (index, root) = ide.file(file).and_then(|index| Some((index, index.root()?)))?;
    let tree = index.tree();
    let section = tree.get_text(root, "Constants")?;
    let entry = tree.entries(section).find(|entry| tree.text(entry.key) == symbol.name)?;
    let range = index.range_of(tree.site(entry.value));
    let source = index.text().get(range.start as usize..range.end as usize)?.trim_end();
    if source.contains('\n') || tree.is_alias(entry.value) {
        return None;
    }
    let is_string = tree.kind(entry.value) == Kind::String;
    // A string with variables becomes an `Fn::Sub` where it is referenced.
    let value = match (is_string && tree.text(entry.value).contains("${"), spot.is_json()) {
        (true, true) => format!("{{\"Fn::Sub\": {}}}", quoted(tree.text(entry.value))),
        (true, false) => format!("!Sub {}", quoted(tree.text(entry.value))),
        _ => source.to_owned(),
    };
    let mut edits = vec![remove(index, "Constants", &symbol.name)?];
    for used in references(ide, file, declared.start).into_iter().filter(|used| !used.is_declaration) {
        let before = index.text().get(..used.range.start as usize)?;
        let start = used.range.start - if before.ends_with(PREFIX) { PREFIX.len() as u32 } else { 0 };
        if index.text().get(..start as usize)?.ends_with("${") {
            if !tree.is_scalar(entry.value) {
                return None;
            }
            edits.push(Edit::new(start - 2, used.range.end + 1, tree.text(entry.value)));
            continue;
        }
        let mut call = None;
        visit(tree, root, &mut |visited| {
            let Some(argument) = tree.argument_of(visited.node, Known::Ref) else { return };
            let own = index.range_of(tree.span(argument));
            if own.start <= start && used.range.end <= own.end && !tree.is_alias(visited.node) {
                call = Some(index.range_of(tree.site(visited.node)));
            }
        });
        let call = call?;
        let end = call.start + index.text().get(call.start as usize..call.end as usize)?.trim_end().len() as u32;
        edits.push(Edit::new(call.start, end, value.clone()));
    }
    let action = spot.action(format!("replace constant {} by its value", symbol.name), ActionKind::Inline, edits);
    is_same_but_order(&spot.before, &action.edits).then_some(action)
}
