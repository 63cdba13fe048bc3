//! Results of an expansion: items of loops, and the logical IDs that loops and modules generate.

use formwork_base::{FileRange, FrameKind, SourceMap};
use formwork_syntax::{Kind, NodeId, Tree, symbol};
use formwork_template::Section;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// The results of the last expansion of a template. Its ranges may be those of older versions of the files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expansion {
    ids: Vec<GeneratedId>,
    by_id: FxHashMap<String, usize>,
    items: FxHashMap<FileRange, Vec<String>>,
}

/// A name that a loop or a module generated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct GeneratedId {
    /// The section: `Resources`, `Outputs`, `Conditions` or `Mappings`.
    pub section: String,
    /// The name.
    pub id: String,
    /// The key that it was generated from.
    pub declared: FileRange,
    /// The ranges of the loops and imports that generated it, outermost first.
    pub generated_by: Vec<FileRange>,
    /// The items of these loops, such as `Name=Logs`.
    pub items: Vec<String>,
    /// The type of a resource that the serverless transform makes of another one, at whose key it is declared.
    pub made: Option<String>,
}

impl Expansion {
    /// Collects the results from the tree of a run, whose result has the root `root`. `owner` returns the key of the
    /// resource of which the serverless transform makes another one, by its logical ID.
    pub fn new(tree: &Tree, sources: &SourceMap, root: NodeId, owner: &dyn Fn(&str) -> Option<NodeId>) -> Expansion {
        let mut found = Expansion::default();
        found.add_items(tree, sources);
        for section in [Section::Resources, Section::Conditions, Section::Mappings, Section::Outputs] {
            let members = tree.get(root, section.symbol()).filter(|&node| tree.kind(node) == Kind::Map);
            for entry in members.into_iter().flat_map(|members| tree.entries(members)) {
                let owner = owner(tree.text(entry.key)).filter(|_| section == Section::Resources);
                let kind = tree.get(entry.value, symbol::TYPE).and_then(|kind| tree.string(kind));
                let made = owner.and(kind).map(str::to_owned);
                found.add_id(tree, sources, section, (entry.key, owner.unwrap_or(entry.key)), made);
            }
        }
        found
    }

    fn add_id(
        &mut self,
        tree: &Tree,
        sources: &SourceMap,
        section: Section,
        (key, declared): (NodeId, NodeId),
        made: Option<String>,
    ) {
        let frames = tree.frame_chain(tree.frame_of(declared));
        let is_of = |kind| matches!(kind, FrameKind::Loop | FrameKind::Module);
        let around: Vec<_> = frames.into_iter().filter(|frame| is_of(frame.kind)).collect();
        let is_generated = !around.is_empty() || made.is_some();
        let Some(declared) = sources.file_range(tree.span(declared)).filter(|_| is_generated) else { return };
        let loops = around.iter().filter(|frame| frame.kind == FrameKind::Loop);
        let items = loops.filter_map(|frame| Some(format!("{}={}", frame.name, frame.value.as_ref()?))).collect();
        let id = tree.text(key).to_owned();
        self.by_id.entry(id.clone()).or_insert(self.ids.len());
        self.ids.push(GeneratedId {
            section: section.name().to_owned(),
            id,
            declared,
            generated_by: around.iter().filter_map(|frame| sources.file_range(frame.span)).collect(),
            items,
            made,
        });
    }

    fn add_items(&mut self, tree: &Tree, sources: &SourceMap) {
        for record in tree.frames().records().filter(|record| record.kind == FrameKind::Loop) {
            let (Some(site), Some(item)) = (sources.file_range(record.site), tree.frame(&record).value) else {
                continue;
            };
            let items = self.items.entry(site).or_default();
            if !items.contains(&item) {
                items.push(item);
            }
        }
    }

    /// Returns every generated name, in the order of the result.
    pub fn ids(&self) -> &[GeneratedId] {
        &self.ids
    }

    /// Returns a generated name.
    pub fn id(&self, id: &str) -> Option<&GeneratedId> {
        self.by_id.get(id).map(|&at| &self.ids[at])
    }

    /// Returns the items of the loop that is declared at a range, in the order of their iterations and without
    /// duplicates.
    pub fn items(&self, site: &FileRange) -> Vec<String> {
        self.items.get(site).cloned().unwrap_or_default()
    }
}
