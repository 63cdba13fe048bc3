//! References to names whose declarations are lost: in a part of a text that could not be read, in a section whose key is
//! misspelt or repeated. What is found at such a place is a consequence, whatever it is.

use formwork_base::{SourceMap, Span};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, Tree, View, symbol};
use formwork_template::reference;

/// A namespace in which names are looked up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Namespace {
    /// Parameters, resources, and imports.
    Values,
    Conditions,
    Mappings,
}

/// Places of references to lost names.
#[derive(Default)]
pub(super) struct LostReferences {
    /// In order of their starts.
    places: Vec<Span>,
    /// Such a name is in the collection of a loop: nobody knows what the loop generates.
    pub(super) is_in_collection: bool,
}

impl LostReferences {
    /// Finds the references at and below `root` to names that `is_lost` knows. Loops are looked into.
    pub(super) fn find(
        tree: &Tree,
        sources: &SourceMap,
        root: NodeId,
        is_lost: &dyn Fn(Namespace, &str) -> bool,
    ) -> LostReferences {
        let mut finder = Finder { tree, sources, is_lost, is_in_collection: false, found: LostReferences::default() };
        finder.walk(root);
        finder.found.places.sort_unstable_by_key(|place| place.start());
        finder.found
    }

    /// Returns whether a place is around such a reference, or in one.
    pub(super) fn meet(&self, place: Span) -> bool {
        // References are short and do not overlap: the last one that begins before the end decides.
        let before = self.places.partition_point(|one| one.start() < place.end());
        before.checked_sub(1).is_some_and(|last| self.places[last].end() > place.start())
    }
}

struct Finder<'f> {
    tree: &'f Tree,
    sources: &'f SourceMap,
    is_lost: &'f dyn Fn(Namespace, &str) -> bool,
    is_in_collection: bool,
    found: LostReferences,
}

impl Finder<'_> {
    fn walk(&mut self, node: NodeId) {
        let tree = self.tree;
        match tree.view(node) {
            View::Call(function, argument) => {
                match function {
                    Function::Known(Known::Ref) => self.name(Namespace::Values, argument),
                    Function::Known(Known::GetAtt) => {
                        if let Some((name, _, node)) = reference::get_att(tree, argument) {
                            self.named(Namespace::Values, name, tree.span(node));
                        }
                    }
                    Function::Known(Known::Sub) => self.variables(reference::sub_parts(tree, argument).0),
                    Function::Known(Known::Condition) => self.name(Namespace::Conditions, argument),
                    Function::Known(Known::If) => self.first(Namespace::Conditions, argument),
                    Function::Known(Known::FindInMap) => self.first(Namespace::Mappings, argument),
                    Function::Known(Known::Map) => {
                        let collection = tree.get(argument, symbol::COLLECTION);
                        return tree.children(argument).into_iter().for_each(|part| self.part(part, collection));
                    }
                    _ => {}
                }
                self.walk(argument);
            }
            View::Map => {
                for entry in tree.entries(node) {
                    match tree.symbol(entry.key) {
                        symbol::CONDITION => self.name(Namespace::Conditions, entry.value),
                        symbol::DEPENDS_ON => {
                            self.name(Namespace::Values, entry.value);
                            tree.items(entry.value).iter().for_each(|&item| self.name(Namespace::Values, item));
                        }
                        _ => {}
                    }
                    if tree.loop_name(entry.key).is_some() {
                        let collection = tree.items(entry.value).get(1).copied();
                        tree.items(entry.value).iter().for_each(|&part| self.part(part, collection));
                    } else {
                        self.walk(entry.value);
                    }
                }
            }
            View::List(items) => items.iter().for_each(|&item| self.walk(item)),
            _ => {}
        }
    }

    /// A part of a loop.
    fn part(&mut self, node: NodeId, collection: Option<NodeId>) {
        let was_in_collection = self.is_in_collection;
        self.is_in_collection |= collection == Some(node);
        self.walk(node);
        self.is_in_collection = was_in_collection;
    }

    fn first(&mut self, namespace: Namespace, argument: NodeId) {
        if let Some(&name) = self.tree.items(argument).first() {
            self.name(namespace, name);
        }
    }

    fn name(&mut self, namespace: Namespace, node: NodeId) {
        if self.tree.is_scalar(node) {
            self.named(namespace, self.tree.text(node), self.tree.span(node));
        }
    }

    fn named(&mut self, namespace: Namespace, name: &str, place: Span) {
        if (self.is_lost)(namespace, name) {
            self.found.places.push(place);
            self.found.is_in_collection |= self.is_in_collection;
        }
    }

    /// The variables of a string of `Fn::Sub`, as they are written.
    fn variables(&mut self, text: NodeId) {
        let place = self.tree.span(text);
        let written = self.sources.slice(place);
        for (at, _) in written.match_indices("${") {
            let Some(length) = written[at..].find('}') else { continue };
            let variable = written[at + 2..at + length].trim();
            let name = variable.split('.').next().unwrap_or(variable);
            let start = place.start() + at as u32;
            self.named(Namespace::Values, name, Span::new(start, start + length as u32 + 1));
        }
    }
}
