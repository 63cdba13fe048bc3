//! Attributes of resources in `Fn::GetAtt`.

use formwork::query::FileIndex;
use formwork::tree::{Kind, Known};
use formwork::{FileRange, NodeId};

use super::{Hover, code};
use crate::schema::schemas;
use crate::visit::visit;

/// Returns what the attribute at an offset is, where the type of its resource has it.
pub(super) fn attribute_at(index: &FileIndex, offset: u32) -> Option<Hover> {
    let (tree, root) = (index.tree(), index.root()?);
    let mut found: Option<(String, String, std::ops::Range<u32>)> = None;
    visit(tree, root, &mut |visited| {
        let Some(argument) = tree.argument_of(visited.node, Known::GetAtt) else { return };
        if tree.is_alias(visited.node) {
            return;
        }
        let (id, attribute, node) = match tree.items(argument) {
            &[id, attribute] if tree.kind(argument) == Kind::List => {
                (tree.string(id), tree.string(attribute), attribute)
            }
            _ => match tree.string(argument).and_then(|text| text.split_once('.')) {
                Some((id, attribute)) => (Some(id), Some(attribute), argument),
                None => return,
            },
        };
        let (Some(id), Some(attribute)) = (id, attribute) else { return };
        let range = index.range_of(tree.span(node));
        let source = index.text().get(range.start as usize..range.end as usize).unwrap_or_default();
        let Some(at) = source.rfind(attribute) else { return };
        let start = range.start + at as u32;
        let own = start..start + attribute.len() as u32;
        if own.start <= offset && offset <= own.end {
            found = Some((id.to_owned(), attribute.to_owned(), own));
        }
    });
    let (id, name, range) = found?;
    let kind = type_of(index, root, &id)?;
    let resource = schemas().resource_type(&kind)?;
    let is_known = resource.attributes().iter().any(|attribute| attribute.name == name);
    let markdown = code(&format!("(attribute of {kind}) {id}.{name}"));
    is_known.then(|| Hover { range: FileRange::new(index.path().clone(), range.start, range.end), markdown })
}

fn type_of(index: &FileIndex, root: NodeId, id: &str) -> Option<String> {
    let tree = index.tree();
    let resource = tree.get_text(tree.get_text(root, "Resources")?, id)?;
    tree.get_text(resource, "Type").and_then(|kind| tree.string(kind)).map(str::to_owned)
}
