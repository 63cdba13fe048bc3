//! The dependency graph of a compiled template (reference/graph.md).

use std::collections::{HashMap, HashSet};

pub use formwork_graph::*;
use formwork_template::Section;
use formwork_template::side::Side;

use crate::compilation::Compilation;
use crate::planning::{Compiled, side_of};

/// Draws a compiled template and, if `compiled` has them, its nested stacks. `resolved` is the same template as
/// deployed: an entry that is missing in it has a condition that is false.
pub fn graph(compiled: &Compiled, resolved: Option<&Compilation>, parts: Parts) -> Graph {
    let Some(root) = compiled.root.as_deref() else { return Graph::default() };
    let sides: Vec<LocatedSide<'_>> = std::iter::once(root)
        .chain(compiled.nested.templates.iter().map(|template| &**template))
        .map(LocatedSide::new)
        .collect();
    let present: Option<HashSet<&str>> = resolved.map(|resolved| ids(resolved).collect());
    let is_absent = |id: &str| present.as_ref().is_some_and(|present| !present.contains(id));
    let locators: Vec<Box<Locate<'_>>> = sides.iter().map(|side| side.locate()).collect();
    let never = |_: &str| false;
    let nested = templates(compiled, None, &sides, &locators, &never);
    let (Some(own), Some(locate)) = (sides.first(), locators.first()) else { return Graph::default() };
    Graph::of(&Template { side: &own.side, locate: &**locate, is_absent: &is_absent, nested }, parts)
}

struct LocatedSide<'c> {
    side: Side<'c>,
    places: HashMap<(Section, &'c str), (String, u32)>,
}

impl<'c> LocatedSide<'c> {
    fn new(compilation: &'c Compilation) -> LocatedSide<'c> {
        let (tree, sources) = (&compilation.tree, &compilation.sources);
        let mut places = HashMap::new();
        for section in [Section::Parameters, Section::Conditions, Section::Resources, Section::Outputs] {
            let Some(node) = tree.get_text(compilation.root, section.name()) else { continue };
            for entry in tree.entries(node) {
                if let Some(place) = sources.place(tree.span(entry.key)) {
                    let file = sources.path(place.file).as_str().to_owned();
                    places.insert((section, tree.text(entry.key)), (file, place.line));
                }
            }
        }
        LocatedSide { side: side_of(compilation), places }
    }

    fn locate(&self) -> Box<Locate<'_>> {
        Box::new(|section, id| self.places.get(&(section, id)).cloned())
    }
}

fn ids(compilation: &Compilation) -> impl Iterator<Item = &str> {
    let tree = &compilation.tree;
    let resources = tree.get_text(compilation.root, Section::Resources.name());
    resources.into_iter().flat_map(move |node| tree.entries(node).map(move |entry| tree.text(entry.key)))
}

fn templates<'v, 't>(
    compiled: &Compiled,
    owner: Option<usize>,
    sides: &'v [LocatedSide<'t>],
    locators: &'v [Box<Locate<'v>>],
    is_absent: &'v dyn Fn(&str) -> bool,
) -> Vec<(&'v str, Template<'v, 't>)> {
    let number = owner.map_or(0, |owner| owner + 1);
    let Some(own) = sides.get(number) else { return Vec::new() };
    let stacks = own.side.members(Section::Resources).iter().filter_map(|member| {
        let below = compiled.nested.template_of(owner, member.id)?;
        let (inner, locate) = sides.get(below + 1).zip(locators.get(below + 1))?;
        let nested = templates(compiled, Some(below), sides, locators, is_absent);
        Some((member.id, Template { side: &inner.side, locate: &**locate, is_absent, nested }))
    });
    stacks.collect()
}
