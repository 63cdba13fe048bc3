//! The expanded template beside the authored one.

use std::collections::BTreeMap;
use std::sync::Arc;

use formwork::query::FileIndex;
use formwork::{Cancelled, ColumnUnit, Compilation, FileRange, Limits, LineColumn, LineIndex, Severity, SourceContent};

use crate::Ide;
use crate::visit::visit;

/// Which stage is shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Stage {
    /// What `expand` prints.
    #[default]
    Expand,
    /// What `resolve` prints.
    Resolve,
}

impl Stage {
    /// Its name in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Expand => "expand",
            Stage::Resolve => "resolve",
        }
    }

    /// The stage of this name.
    pub fn from_name(name: &str) -> Option<Stage> {
        [Stage::Expand, Stage::Resolve].into_iter().find(|stage| stage.name() == name)
    }
}

/// A place of the view and the place that it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mapped {
    /// First byte in the view.
    pub start: u32,
    /// One past the last byte in the view.
    pub end: u32,
    /// The authored place.
    pub site: FileRange,
    /// The iterations and imports that lead there, outermost first.
    pub frames: Vec<String>,
}

/// An expansion with its places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The text, byte for byte that of the command.
    pub text: String,
    /// Its nodes, in the order of the text.
    pub map: Vec<Mapped>,
    /// How many errors keep the template from being expanded; the text is empty then.
    pub errors: usize,
}

/// Expands or resolves the template.
///
/// # Errors
/// [`Cancelled`], when the session changed meanwhile.
pub fn expansion_view(ide: &Ide<'_>, stage: Stage) -> Result<Arc<View>, Cancelled> {
    ide.view(stage, || {
        let compiled = match stage {
            Stage::Expand => ide.expanded()?,
            Stage::Resolve => ide.resolved()?,
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

/// Where the keys and scalars of an output end, by where they begin.
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

impl View {
    /// Returns the places of the view that come from an authored place: the smallest node around `offset` in a file,
    /// each copy in the order of the view.
    pub fn copies_of(&self, file: &formwork::VirtualPath, offset: u32) -> Vec<&Mapped> {
        let holds = |mapped: &&Mapped| mapped.site.file == *file && mapped.site.touches(offset);
        let smallest = self.map.iter().filter(holds).map(|mapped| mapped.site.end - mapped.site.start).min();
        let Some(smallest) = smallest else { return Vec::new() };
        self.map.iter().filter(holds).filter(|mapped| mapped.site.end - mapped.site.start == smallest).collect()
    }

    /// Returns what an offset of the view comes from: the smallest node around it.
    pub fn site_of(&self, offset: u32) -> Option<&Mapped> {
        let around = self.map.iter().filter(|mapped| mapped.start <= offset && offset <= mapped.end);
        around.min_by_key(|mapped| mapped.end - mapped.start)
    }
}
