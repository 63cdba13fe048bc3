//! Loops that have no items with the known values: their fragments are checked with a sample item
//! (reference/command-line.md#checks).
//!
//! The template is compiled a second time, with one item in each such collection. Of the errors in the fragments, those
//! that do not come from the item are reported.

use std::collections::{HashMap, HashSet};

use formwork_base::{Diagnostic, FileBytes, Goal, IdSet, Severity, Span, VirtualPath, codes};
use formwork_loops::LoopRun;
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, Kind, NodeId, Origin, Style, Tree, flags, symbol};
use formwork_template::NamePattern;

use super::Run;
use super::second::Second;

/// The sample item. No name of a template begins with it.
const ITEM: &str = "Zq7formwork";

const MOST: usize = 500;

impl Run<'_> {
    /// Adds the errors in the fragments of loops without items.
    pub(super) fn check_samples(&mut self, root: NodeId, loops: &[LoopRun], (path, bytes): (&VirtualPath, &FileBytes)) {
        let is_of_samples = matches!(self.second, Some(Second::Samples(_)));
        if self.goal != Goal::Check || is_of_samples || !self.tree.has(root, flags::HAS_LOOP) {
            return;
        }
        let run = loops.iter().filter(|run| run.items > 0).map(|run| self.tree.span(run.key)).collect();
        let mut finder = Finder { tree: &self.tree, run, found: Vec::new(), is_inside: false };
        finder.walk(root);
        if finder.found.is_empty() {
            return;
        }
        finder.found.truncate(MOST);
        // Nested loops are in the fragments of others.
        let mut fragments: Vec<Span> = Vec::new();
        for span in finder.found.iter().map(|sample| self.tree.span(sample.fragment)) {
            if fragments.last().is_none_or(|last| last.end() <= span.start()) {
                fragments.push(span);
            }
        }
        let sites = finder.found.iter().map(|sample| sample.site).collect();
        let variables: Vec<String> = finder
            .found
            .iter()
            .map(|sample| sample.variable.map_or("Value", |name| self.tree.text(name)).to_owned())
            .collect();
        // Keys of items that are objects, which is reported.
        let tree = &self.tree;
        let is_object = |&item: &NodeId| matches!(tree.kind(item), Kind::Map | Kind::List);
        let has_objects = |sample: &&Sample| tree.items(sample.collection).iter().any(is_object);
        let keys: Vec<String> = finder
            .found
            .iter()
            .filter(has_objects)
            .filter_map(|sample| Some(format!("{}.", tree.string(sample.variable?)?)))
            .collect();
        let second = self.compiled_again(Second::Samples(sites), path, bytes);
        let is_in_fragment = |at: Span| {
            let next = fragments.partition_point(|fragment| fragment.start() <= at.start());
            next.checked_sub(1).is_some_and(|before| fragments.get(before).is_some_and(|one| at.end() <= one.end()))
        };
        let named: HashSet<&str> = variables.iter().map(String::as_str).collect();
        for found in second.diagnostics() {
            let is_static = found.severity == Severity::Error
                && !found.code.info().needs_items
                && !self.diagnostics.has(found.code, found.span(), Severity::Error);
            let is_about = |text: &str| words(text).any(|word| named.contains(word));
            // An error about a generated entry itself occurs whatever the item is.
            let is_of_item = is_of_item(found)
                && (found.name().is_some_and(|name| name.contains(ITEM))
                    || found.code != codes::NO_TYPE && is_about(self.sources.slice(found.span())));
            let is_of_key = || keys.iter().any(|key| self.sources.slice(found.span()).contains(key.as_str()));
            if is_static && is_in_fragment(found.span()) && !is_of_item && !is_of_key() {
                self.diagnostics.push(without_item(found.clone(), is_in_fragment, &variables));
            }
        }
    }

    /// Adds an item to the loops of the sample. Returns the names that they may generate, too.
    pub(super) fn with_samples(&mut self, root: NodeId) -> (NodeId, Vec<NamePattern>) {
        let Some(Second::Samples(sites)) = self.second.clone() else { return (root, Vec::new()) };
        let mut finder = Finder { tree: &self.tree, run: HashSet::new(), found: Vec::new(), is_inside: false };
        finder.walk(root);
        let is_sample = |sample: &Sample| sites.contains(&sample.site);
        let found: Vec<Sample> = finder.found.into_iter().filter(is_sample).collect();
        let names = found.iter().flat_map(|sample| names(&self.tree, sample.fragment)).collect();
        let mut items: HashMap<NodeId, NodeId> = HashMap::new();
        for (number, sample) in found.iter().enumerate() {
            let origin = Origin::Generated(sample.collection, FrameId::NONE);
            let item = self.tree.scalar(Kind::String, Style::Plain, &format!("{ITEM}{number}x"), origin);
            items.insert(sample.collection, self.tree.list(&[item], Style::Flow, origin));
        }
        (self.replaced(root, &items), names)
    }

    fn replaced(&mut self, node: NodeId, items: &HashMap<NodeId, NodeId>) -> NodeId {
        if let Some(&item) = items.get(&node) {
            return item;
        }
        if !self.tree.has(node, flags::HAS_LOOP) {
            return node;
        }
        // The parts of a loop are below nodes that need not have a loop in them.
        let tree = &self.tree;
        let loops = tree.entries(node).filter(|entry| tree.loop_name(entry.key).is_some()).map(|entry| entry.value);
        let parts: IdSet<NodeId> = loops.chain(tree.argument_of(node, Known::Map)).collect();
        let mut new = Vec::new();
        for child in tree.children(node) {
            let child = if parts.contains(&child) {
                let below = self.tree.children(child);
                let below: Vec<NodeId> = below.into_iter().map(|part| self.replaced(part, items)).collect();
                self.tree.with_children(child, &below, FrameId::NONE)
            } else {
                self.replaced(child, items)
            };
            new.push(child);
        }
        self.tree.with_children(node, &new, FrameId::NONE)
    }
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    /// The key of the loop, or the name of the function.
    site: Span,
    variable: Option<NodeId>,
    collection: NodeId,
    fragment: NodeId,
}

struct Finder<'t> {
    tree: &'t Tree,
    run: HashSet<Span>,
    found: Vec<Sample>,
    /// Set inside of a loop that was found.
    is_inside: bool,
}

impl Finder<'_> {
    fn walk(&mut self, node: NodeId) {
        let tree = self.tree;
        if !tree.has(node, flags::HAS_LOOP) {
            return;
        }
        if let Some(argument) = tree.argument_of(node, Known::Map) {
            let site = tree.span(tree.call_name(node));
            let parts = (tree.get(argument, symbol::COLLECTION), tree.get(argument, symbol::FRAGMENT));
            if let (Some(collection), Some(fragment)) = parts {
                self.add(Sample { site, variable: tree.get(argument, symbol::VALUE), collection, fragment });
            }
            return;
        }
        if tree.kind(node) != Kind::Map {
            return tree.children(node).into_iter().for_each(|child| self.walk(child));
        }
        for entry in tree.entries(node) {
            match (tree.loop_name(entry.key), tree.items(entry.value)) {
                (Some(_), &[variable, collection, fragment]) => {
                    let (site, variable) = (tree.span(entry.key), Some(variable));
                    self.add(Sample { site, variable, collection, fragment });
                }
                _ => self.walk(entry.value),
            }
        }
    }

    fn add(&mut self, sample: Sample) {
        let was_inside = self.is_inside;
        self.is_inside |= !self.run.contains(&sample.site);
        if self.is_inside {
            self.found.push(sample);
        }
        self.walk(sample.fragment);
        self.is_inside = was_inside;
    }
}

fn names(tree: &Tree, fragment: NodeId) -> Vec<NamePattern> {
    let keys = tree.entries(fragment).filter(|entry| tree.loop_name(entry.key).is_none());
    keys.map(|entry| NamePattern::of_key(tree.text(entry.key))).filter(NamePattern::varies).collect()
}

/// Returns `true` if an error is caused by the sample item.
fn is_of_item(found: &Diagnostic) -> bool {
    let texts = [&found.message].into_iter().chain(&found.notes).chain(&found.help);
    let labels = found.primary.iter().chain(&found.related).map(|label| &label.text);
    texts.chain(labels).any(|text| text.contains(ITEM))
}

/// Removes the iteration from an error and replaces the item by the loop variable.
fn without_item(mut found: Diagnostic, is_near: impl Fn(Span) -> bool, variables: &[String]) -> Diagnostic {
    let is_item = |text: &Option<String>| text.as_ref().is_some_and(|text| text.contains(ITEM));
    found.frames.retain(|frame| !is_item(&frame.value));
    found.related.retain(|label| is_near(label.span));
    found.path = found.path.filter(|path| !path.contains(ITEM));
    found.site = found.site.filter(|site| !site.contains(ITEM));
    found.subject = found.subject.filter(|subject| !subject.contains(ITEM));
    found.count = 1;
    let labels = found.primary.iter_mut().chain(&mut found.related).map(|label| &mut label.text);
    let texts = std::iter::once(&mut found.message).chain(&mut found.notes).chain(&mut found.help).chain(labels);
    for text in texts.filter(|text| text.contains(ITEM)) {
        *text = with_variables(text, variables);
    }
    found
}

fn with_variables(text: &str, variables: &[String]) -> String {
    let mut parts = text.split(ITEM);
    let mut new = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once('x').unwrap_or_default();
        let variable = number.parse().ok().and_then(|number: usize| variables.get(number));
        new.extend(["${", variable.map_or("Item", String::as_str), "}", rest]);
    }
    new
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
}
