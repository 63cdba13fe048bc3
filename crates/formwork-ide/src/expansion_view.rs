//! The expanded template beside the authored one.

use std::collections::BTreeMap;
use std::sync::Arc;

use formwork::query::FileIndex;
use formwork::{Cancelled, ColumnUnit, Compilation, Limits, LineColumn, LineIndex, Severity, SourceContent};

use crate::Ide;
pub use crate::view::{Mapped, Stage, View};
use crate::visit::visit;

/// Expands or resolves the template.
///
/// # Errors
/// [`Cancelled`] when the session changed meanwhile.
pub fn expansion_view(ide: &Ide<'_>, stage: Stage) -> Result<Arc<View>, Cancelled> {
    ide.view(stage, || {
        let compiled = match stage {
            Stage::Expand => ide.expanded()?,
            Stage::Resolve => ide.resolved()?,
            Stage::Deploy => ide.deployed()?,
        };
        Ok(view(&compiled))
    })
}

fn view(compiled: &Compilation) -> View {
    let Some((text, nodes)) = compiled.written_nodes() else {
        let errors = compiled.diagnostics().iter().filter(|found| found.severity == Severity::Error);
        return View { text: String::new(), map: Vec::new(), errors: errors.count() };
    };
    let ends = ends(compiled, &text);
    let lines = LineIndex::new(&text);
    let mapped = |node: formwork::WrittenNode| {
        let position = LineColumn { line: node.line, column: node.column };
        let start = lines.offset(&text, position, ColumnUnit::Scalar);
        let end = ends.get(&start).copied().unwrap_or(start);
        let frames = node.frames.into_iter().map(|frame| match frame.value {
            Some(value) => format!("{} = {value}", frame.name),
            None => frame.name,
        });
        Mapped { start, end, site: node.site, frames: frames.collect() }
    };
    let mut map: Vec<Mapped> = nodes.into_iter().map(mapped).collect();
    map.sort_by_key(|mapped| (mapped.start, mapped.site.end - mapped.site.start));
    View { text, map, errors: 0 }
}

/// The end offsets of the keys and scalars of an output, by their starts.
fn ends(compiled: &Compilation, text: &str) -> BTreeMap<u32, u32> {
    let source = SourceContent::new(text.into());
    let index = FileIndex::new(compiled.path().clone(), &source, &Limits::default());
    let mut ends = BTreeMap::new();
    let mut add = |node| {
        let range = index.range_of(index.tree().span(node));
        let end = ends.entry(range.start).or_insert(range.end);
        *end = (*end).min(range.end);
    };
    if let Some(root) = index.root() {
        visit(index.tree(), root, &mut |visited| {
            visited.key.into_iter().chain([visited.node]).for_each(&mut add);
        });
    }
    ends
}
