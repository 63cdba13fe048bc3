//! The places and reasons of changes.

use std::collections::{BTreeMap, BTreeSet};

use formwork_base::{Frame, FrameKind, Span};
use formwork_plan::{Change, ChangeKind, Definition, Place, Plan, PropertyKind, Step};
use formwork_provenance::Source;
use formwork_syntax::{Kind, NodeId};

use super::arguments::changed_arguments;
use super::collections::{self, bytes};
use super::globals;
use crate::compilation::Compilation;

/// Fills in the places of changes, and the arguments, items and files from which they come.
pub(super) fn locate(plan: &mut Plan<'_, '_>, old: Option<&Compilation>, new: Option<&Compilation>) {
    let changed = old.zip(new).map(|(old, new)| changed_arguments(old, new)).unwrap_or_default();
    let both = Both { changed: changed.into_iter().map(|(name, ..)| name).collect(), old, new };
    let mut before = old.map(|old| Locator::new(old, old_paths(plan)));
    let mut after = new.map(|new| Locator::new(new, new_paths(plan)));
    for change in &mut plan.changes {
        both.locate(change, before.as_mut(), after.as_mut());
    }
    let Some(mut after) = after else { return };
    for shift in &mut plan.shifts {
        let Some(id) = shift.ids.first() else { continue };
        let path = [formwork_plan::Section::Resources.name().to_owned(), id.clone()];
        shift.key_place = after.member(&path);
        let site = after.loop_site(&path, &shift.loop_name);
        if shift.instead.is_empty()
            && let Some(import) = site
        {
            shift.key_place = after.place(import, &[]);
        }
        shift.collection_place = site.and_then(|site| after.collection_place(site));
    }
}

type Path = Vec<String>;

fn path(section: &str, id: &str, steps: &[Step<'_>]) -> Path {
    [section, id].into_iter().map(str::to_owned).chain(steps.iter().map(text)).collect()
}

fn old_paths(plan: &Plan<'_, '_>) -> Vec<Path> {
    let mut paths = Vec::new();
    for change in &plan.changes {
        let there = change.properties.iter().filter(|property| property.kind != PropertyKind::Added);
        let id = change.old_id.unwrap_or(change.id);
        paths.extend(there.map(|property| path(change.section.name(), id, &property.old_path)));
        paths.extend(definitions(change).map(definition_path));
    }
    paths
}

fn new_paths(plan: &Plan<'_, '_>) -> Vec<Path> {
    let mut paths = Vec::new();
    for change in &plan.changes {
        let there = change.properties.iter().filter(|property| property.kind != PropertyKind::Removed);
        paths.extend(there.map(|property| path(change.section.name(), change.id, &property.path)));
        paths.extend(definitions(change).map(definition_path));
    }
    paths
}

fn definitions<'d>(change: &'d Change<'_, '_>) -> impl Iterator<Item = &'d Definition> {
    let all = change.resource.iter().flat_map(|resource| &resource.depends_on);
    all.filter_map(|dependency| dependency.definition.as_ref())
}

fn definition_path(definition: &Definition) -> Path {
    let names = [definition.section.name(), definition.id.as_str()].into_iter().chain(definition.row.as_deref());
    names.map(str::to_owned).collect()
}

struct Both<'c> {
    changed: BTreeSet<String>,
    old: Option<&'c Compilation>,
    new: Option<&'c Compilation>,
}

impl Both<'_> {
    fn locate(
        &self,
        change: &mut Change<'_, '_>,
        mut before: Option<&mut Locator<'_>>,
        mut after: Option<&mut Locator<'_>>,
    ) {
        let section = change.section.name().to_owned();
        let old_path = [section.clone(), change.old_id.unwrap_or(change.id).to_owned()];
        let new_path = [section, change.id.to_owned()];
        let mut because = std::mem::take(&mut change.because);
        if change.kind != ChangeKind::Added {
            change.old_place = before.as_mut().and_then(|locator| locator.member(&old_path));
        }
        if change.kind != ChangeKind::Removed {
            change.place = after.as_mut().and_then(|locator| locator.member(&new_path));
        }
        let whole = match change.kind {
            ChangeKind::Removed => before.as_mut().map(|locator| locator.whole(&old_path)),
            ChangeKind::Added | ChangeKind::Moved | ChangeKind::LikelyMoved => {
                after.as_mut().map(|locator| locator.whole(&new_path))
            }
            _ => None,
        };
        if let Some((names, compilation, span)) = whole {
            let changed = names.into_iter().filter(|name| self.changed.contains(name));
            because.extend(changed.map(|name| format!("argument {name}")));
            // An added or removed item is not a change of the file in which its copies are written.
            let one = change.place.as_ref().or(change.old_place.as_ref());
            if one.is_none_or(|place| place.iterations.is_empty()) {
                because.extend(self.file(compilation, span));
            }
        }
        for property in &mut change.properties {
            let old_origin = match property.kind {
                PropertyKind::Added => None,
                _ => before.as_ref().and_then(|locator| {
                    locator.node(&path(change.section.name(), change.old_id.unwrap_or(change.id), &property.old_path))
                }),
            };
            let new_origin = match property.kind {
                PropertyKind::Removed => None,
                _ => after
                    .as_ref()
                    .and_then(|locator| locator.node(&path(change.section.name(), change.id, &property.path))),
            };
            property.old_place = old_origin.map(|origin| origin.place.clone());
            property.place = new_origin.map(|origin| origin.place.clone());
            if property.kind != PropertyKind::Reference {
                because.extend(self.reasons(old_origin, new_origin));
            }
        }
        for dependency in change.resource.iter_mut().flat_map(|resource| &mut resource.depends_on) {
            let Some(path) = dependency.definition.as_ref().map(definition_path) else { continue };
            let place = |locator: &Option<&mut Locator<'_>>| Some(locator.as_ref()?.node(&path)?.place.clone());
            dependency.place = place(&after).or_else(|| place(&before));
        }
        let mut seen = BTreeSet::new();
        because.retain(|reason| seen.insert(reason.clone()));
        change.because = because;
    }

    /// Returns the arguments, items and files of one side that differ from those of the other.
    fn reasons(&self, old: Option<&LocatedProperty>, new: Option<&LocatedProperty>) -> Vec<String> {
        let Some(one) = new.or(old) else { return Vec::new() };
        let others = if new.is_some() { old } else { None };
        let has = |kind: FrameKind, source: &Source| {
            let same = |other: &&Source| other.kind == kind && other.name == source.name && other.value == source.value;
            others.is_some_and(|found| found.sources.iter().any(|other| same(&other)))
        };
        let mut reasons = Vec::new();
        for source in &one.sources {
            match source.kind {
                FrameKind::Argument if self.changed.contains(&source.name) || !has(FrameKind::Argument, source) => {
                    reasons.push(format!("argument {}", source.name));
                }
                FrameKind::Loop if !has(FrameKind::Loop, source) => {
                    let value = source.value.as_deref().unwrap_or_default();
                    reasons.push(format!("item {}={value}", source.name));
                }
                _ => {}
            }
        }
        let compilation = if new.is_some() { self.new } else { self.old };
        reasons.extend(compilation.and_then(|compilation| self.file(compilation, one.span)));
        reasons
    }

    /// The file of a span, if it is not the template itself and its content differs.
    fn file(&self, compilation: &Compilation, span: Span) -> Option<String> {
        let file = compilation.sources.file_of(span).filter(|file| *file != compilation.document.file)?;
        let path = compilation.sources.path(file);
        let text = |compilation: Option<&Compilation>| {
            let sources = &compilation?.sources;
            sources.find(path).map(|file| sources.text(file).clone())
        };
        let is_same = match (text(self.old), text(self.new)) {
            (Some(old), Some(new)) => *old == *new,
            _ => false,
        };
        (!is_same).then(|| format!("file {path}"))
    }
}

fn text(step: &Step<'_>) -> String {
    match step {
        Step::Name(name) => (*name).to_owned(),
        Step::Index(index) => index.to_string(),
    }
}

struct LocatedProperty {
    place: Place,
    span: Span,
    sources: Vec<Source>,
}

struct Locator<'c> {
    compilation: &'c Compilation,
    /// The collections of loops, computed on first use.
    collections: Option<BTreeMap<(u32, u32), NodeId>>,
    found: BTreeMap<Path, LocatedProperty>,
}

impl<'c> Locator<'c> {
    /// Creates a locator of the nodes at `paths`, for which the stages are repeated in one pass.
    fn new(compilation: &'c Compilation, paths: Vec<Path>) -> Locator<'c> {
        let mut locator = Locator { compilation, collections: None, found: BTreeMap::new() };
        let mut generated = Vec::new();
        for path in paths {
            let of_globals = locator.in_globals(&path);
            let there = locator.existing(of_globals.as_deref().unwrap_or(&path));
            match locator.as_written(there) {
                Some(found) => {
                    locator.found.insert(path, found);
                }
                None => generated.push(path),
            }
        }
        if generated.is_empty() {
            return locator;
        }
        let origins = compilation.in_session(|session, _| {
            let one = |path: Path| Some((session.origin_at(locator.existing(&path))?, path));
            generated.into_iter().filter_map(one).collect::<Vec<_>>()
        });
        for ((origin, frames), path) in origins.unwrap_or_default() {
            if let Some(place) = locator.place(origin.span, &frames) {
                locator.found.insert(path, LocatedProperty { place, span: origin.span, sources: origin.sources });
            }
        }
        locator
    }

    /// The path in `Globals` of a value that a resource has only from there.
    fn in_globals(&self, path: &[String]) -> Option<Path> {
        let [section, id, ..] = path else { return None };
        if section != formwork_plan::Section::Resources.name() || self.existing(path).len() == path.len() {
            return None;
        }
        let tree = &self.compilation.tree;
        let (_, node) = self.entry(&[section.clone(), id.clone()])?;
        let kind = tree.get_text(node, "Type").map(|kind| tree.text_form(kind))?;
        globals::path(kind, path).filter(|path| self.existing(path).len() == path.len())
    }

    /// The longest prefix of a path that the output has: the alternatives below an undecided call are not in it.
    fn existing<'p>(&self, path: &'p [String]) -> &'p [String] {
        let tree = &self.compilation.tree;
        let mut node = self.compilation.root;
        for (at, step) in path.iter().enumerate() {
            let next = match tree.kind(node) {
                Kind::Map => tree.get_text(node, step),
                Kind::List => step.parse::<usize>().ok().and_then(|at| tree.items(node).get(at).copied()),
                _ => None,
            };
            match next {
                Some(next) => node = next,
                // A missing entry of a section has no path at all.
                None => return path.get(..at).filter(|_| at > 1).unwrap_or(path),
            }
        }
        path
    }

    fn entry(&self, path: &[String; 2]) -> Option<(Option<NodeId>, NodeId)> {
        let tree = &self.compilation.tree;
        let [section, id] = path;
        let node = tree.get_text(self.compilation.root, section)?;
        let member = tree.symbols().get(id).and_then(|name| tree.member(node, name));
        Some(member.map_or((None, node), |entry| (Some(entry.key), entry.value)))
    }

    fn key_span(&self, path: &[String; 2]) -> Span {
        let tree = &self.compilation.tree;
        self.entry(path).map_or(Span::NONE, |(key, node)| tree.span(key.unwrap_or(node)))
    }

    /// The names on which the loops around an entry depend, and the place of its key.
    fn whole(&mut self, path: &[String; 2]) -> (Vec<String>, &'c Compilation, Span) {
        (self.collection_names(path), self.compilation, self.key_span(path))
    }

    fn member(&self, path: &[String; 2]) -> Option<Place> {
        let tree = &self.compilation.tree;
        let (key, node) = self.entry(path)?;
        let node = key.unwrap_or(node);
        self.place(tree.span(node), &tree.frame_chain(tree.frame_of(node)))
    }

    fn place(&self, span: Span, frames: &[Frame]) -> Option<Place> {
        let sources = &self.compilation.sources;
        let place = sources.place(span)?;
        let items = frames.iter().filter(|frame| frame.kind == FrameKind::Loop);
        Some(Place {
            file: sources.path(place.file).as_str().to_owned(),
            line: place.line,
            column: place.column,
            span: bytes(span),
            iterations: items.filter_map(|frame| Some((frame.name.clone(), frame.value.clone()?))).collect(),
        })
    }

    /// The loops around the key of an entry, outermost first: name and place.
    fn loops(&self, path: &[String; 2]) -> Vec<(String, Span)> {
        let tree = &self.compilation.tree;
        let Some((Some(key), _)) = self.entry(path) else { return Vec::new() };
        let frames = tree.frame_chain(tree.frame_of(key));
        let loops = frames.into_iter().filter(|frame| frame.kind == FrameKind::Loop);
        loops.map(|frame| (frame.loop_name.unwrap_or_default(), frame.span)).collect()
    }

    fn loop_site(&self, path: &[String; 2], name: &str) -> Option<Span> {
        self.loops(path).into_iter().find(|(known, _)| known == name).map(|(_, span)| span)
    }

    fn collection(&mut self, site: Span) -> Option<NodeId> {
        let collections = self.collections.get_or_insert_with(|| collections::collections(self.compilation));
        collections.get(&bytes(site)).copied()
    }

    fn collection_place(&mut self, site: Span) -> Option<Place> {
        let node = self.collection(site)?;
        self.place(self.compilation.tree.span(node), &[])
    }

    /// The names to which the collections of the loops around an entry refer.
    fn collection_names(&mut self, path: &[String; 2]) -> Vec<String> {
        let mut names = Vec::new();
        for (_, site) in self.loops(path) {
            if let Some(node) = self.collection(site) {
                collections::names(self.compilation, node, &mut names);
            }
        }
        names
    }

    fn node(&self, path: &[String]) -> Option<&LocatedProperty> {
        self.found.get(path)
    }

    /// The place of a node that no stage changed.
    fn as_written(&self, path: &[String]) -> Option<LocatedProperty> {
        let tree = &self.compilation.tree;
        let mut node = self.compilation.root;
        let mut key = None;
        for step in path {
            if tree.is_generated(node) {
                return None;
            }
            (key, node) = match tree.kind(node) {
                Kind::Map => {
                    let entry = tree.member(node, tree.symbols().get(step)?)?;
                    (Some(entry.key), entry.value)
                }
                Kind::List => (None, *tree.items(node).get(step.parse::<usize>().ok()?)?),
                _ => return None,
            };
        }
        if tree.is_generated(node) || key.is_some_and(|key| tree.is_generated(key)) {
            return None;
        }
        let has_key_place = matches!(tree.kind(node), Kind::Map | Kind::List);
        let span = tree.span(key.filter(|_| has_key_place).unwrap_or(node));
        Some(LocatedProperty { place: self.place(span, &[])?, span, sources: Vec::new() })
    }
}
