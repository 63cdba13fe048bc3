//! Attributes of resources in `Fn::GetAtt` and in placeholders of `Fn::Sub`.

use std::ops::Range;

use formwork::query::FileIndex;
use formwork::tree::{Kind, Known};
use formwork::{FileRange, NodeId};

use super::Hover;
use crate::Ide;
use crate::markdown::code;
use crate::schema::schemas;
use crate::visit::visit;

struct Named {
    id: String,
    attribute: String,
    range: Range<u32>,
}

/// Returns the explanation of the attribute at an offset, if the type of its resource has it. The resource may be
/// generated.
pub(super) fn attribute_at(ide: &Ide<'_>, index: &FileIndex, offset: u32) -> Option<Hover> {
    let (tree, root) = (index.tree(), index.root()?);
    let mut found: Option<Named> = None;
    visit(tree, root, &mut |visited| {
        if tree.is_alias(visited.node) {
            return;
        }
        let all = match tree.argument_of(visited.node, Known::GetAtt) {
            Some(argument) => of_get_att(index, argument).into_iter().collect(),
            None => {
                tree.argument_of(visited.node, Known::Sub).map_or_else(Vec::new, |argument| of_sub(index, argument))
            }
        };
        found = found
            .take()
            .or_else(|| all.into_iter().find(|named| named.range.start <= offset && offset <= named.range.end));
    });
    let Named { id, attribute, range } = found?;
    let kind = type_of(index, root, &id).or_else(|| type_of_generated(ide, &id))?;
    let resource = schemas().resource_type(&kind)?;
    let is_known = resource.attributes().iter().any(|known| known.name == attribute);
    let markdown = code(&format!("(attribute of {kind}) {id}.{attribute}"));
    is_known.then(|| Hover { range: FileRange::new(index.path().clone(), range.start, range.end), markdown })
}

fn of_get_att(index: &FileIndex, argument: NodeId) -> Option<Named> {
    let tree = index.tree();
    let (id, attribute, node) = match tree.items(argument) {
        &[id, attribute] if tree.kind(argument) == Kind::List => (tree.string(id)?, tree.string(attribute)?, attribute),
        _ => {
            let (id, attribute) = tree.string(argument)?.split_once('.')?;
            (id, attribute, argument)
        }
    };
    let (start, source) = source_of(index, node)?;
    let start = start + source.rfind(attribute)? as u32;
    let range = start..start + attribute.len() as u32;
    Some(Named { id: id.to_owned(), attribute: attribute.to_owned(), range })
}

/// The placeholders of a string that refer to attributes.
fn of_sub(index: &FileIndex, argument: NodeId) -> Vec<Named> {
    let tree = index.tree();
    let text = tree.items(argument).first().copied().filter(|_| tree.kind(argument) == Kind::List);
    let Some((start, source)) = source_of(index, text.unwrap_or(argument)) else { return Vec::new() };
    let named = source.match_indices("${").filter_map(|(at, _)| {
        let at = at + 2;
        let name = source.get(at..)?.split('}').next()?;
        let (id, attribute) = name.split_once('.')?;
        let start = start + (at + id.len() + 1) as u32;
        let range = start..start + attribute.len() as u32;
        Some(Named { id: id.to_owned(), attribute: attribute.to_owned(), range })
    });
    named.collect()
}

fn source_of(index: &FileIndex, node: NodeId) -> Option<(u32, &str)> {
    let range = index.range_of(index.tree().span(node));
    Some((range.start, index.text().get(range.start as usize..range.end as usize)?))
}

fn type_of(index: &FileIndex, root: NodeId, id: &str) -> Option<String> {
    let tree = index.tree();
    let resource = tree.get_text(tree.get_text(root, "Resources")?, id)?;
    tree.get_text(resource, "Type").and_then(|kind| tree.string(kind)).map(str::to_owned)
}

pub(crate) fn type_of_generated(ide: &Ide<'_>, id: &str) -> Option<String> {
    let generated = ide.expansion()?.id(id)?;
    if generated.made.is_some() {
        return generated.made.clone();
    }
    let declared = &generated.declared;
    ide.project().symbol_at(&declared.file, declared.start)?.detail
}
