//! Includes whose `Location` is computed: in a loop each iteration has a file of its own
//! (reference/packaging.md#includes). They are read after the loops around them are expanded.

use formwork_base::{Diagnostic, IdMap, Severity, VirtualPath, codes};
use formwork_syntax::{FrameId, Kind, NodeId, Tree, View, flags, symbol};

use formwork_template::include::location;

use super::sites::{self, Site};
use super::{Context, Includes, Open};

/// An include whose `Location` was computed, or is to be computed.
#[derive(Clone, Copy, Debug)]
pub struct Computed {
    argument: NodeId,
    /// The `Location`.
    pub location: NodeId,
    depth: usize,
    is_in_section: bool,
}

impl Computed {
    /// Returns the includes of a template whose location is not literal. Remote locations are kept, whatever else is in
    /// them.
    pub fn of(tree: &Tree, root: NodeId) -> Vec<Computed> {
        let mut found = Vec::new();
        let mut open = vec![(root, 0)];
        while let Some((node, depth)) = open.pop() {
            if !tree.has(node, flags::HAS_TRANSFORM) {
                continue;
            }
            found
                .extend(sites::arguments(tree, node).filter_map(|argument| Computed::at(tree, argument, depth, false)));
            open.extend(tree.child_nodes(node).map(|child| (child, depth + 1)));
        }
        let section = tree.get(root, symbol::TRANSFORM).filter(|_| tree.kind(root) == Kind::Map);
        let listed = section.iter().flat_map(|section| sites::transforms(tree, section));
        found.extend(listed.filter_map(|&argument| Computed::at(tree, argument, 0, true)));
        found
    }

    fn at(tree: &Tree, argument: NodeId, depth: usize, is_in_section: bool) -> Option<Computed> {
        let location = location(tree, argument)?;
        let was_computed = tree.is_generated(location) || sites::is_computed(tree, location);
        (was_computed && !is_remote(tree, location)).then_some(Computed { argument, location, depth, is_in_section })
    }

    /// Returns `true` for an include in the section `Transform` whose location is a call: no function is evaluated
    /// there.
    pub fn is_kept(&self, tree: &Tree) -> bool {
        self.is_in_section && tree.kind(self.location) == Kind::Call
    }

    /// Returns the include of a local file with this path, which is relative to `base`.
    pub fn named(self, tree: &Tree, text: String, base: &VirtualPath) -> Named {
        let target = base.sibling(&text);
        let Computed { argument, location, depth, .. } = self;
        Named(Site { argument, span: tree.span(location), text, target, depth })
    }

    /// Returns the report of a location that is not known.
    pub fn unknown(self, tree: &Tree) -> Diagnostic {
        Diagnostic::new(codes::UNREADABLE_FILE, "the Location of AWS::Include is not known: the include is kept")
            .severity(Severity::Warning)
            .at(tree.span(self.location))
            .note("its file is neither included nor packaged")
            .help("write the path as a string, or compute it from the variables of the loops around it")
            .frames(tree.frame_chain(tree.frame_of(self.location)))
    }
}

/// An include whose computed location is known.
#[derive(Clone, Debug)]
pub struct Named(Site);

impl Includes {
    /// Returns the template with this root and these includes inlined. `path` is the path of the template.
    pub fn include_named(
        &mut self,
        cx: &mut Context<'_>,
        root: NodeId,
        path: &VirtualPath,
        includes: Vec<Named>,
    ) -> NodeId {
        if self.stopped || includes.is_empty() {
            return root;
        }
        let sites = includes.into_iter().map(|Named(site)| site).collect();
        let open = Open::with(cx.tree, root, path.clone(), sites);
        self.put_in(cx, open)
    }
}

/// Returns the tree below a node with computed locations in place of their expressions.
pub fn with_locations(tree: &mut Tree, node: NodeId, locations: &[(NodeId, NodeId)]) -> NodeId {
    put_below(tree, node, &locations.iter().copied().collect())
}

fn put_below(tree: &mut Tree, node: NodeId, locations: &IdMap<NodeId, NodeId>) -> NodeId {
    if let Some(&known) = locations.get(&node) {
        return known;
    }
    if !tree.has(node, flags::HAS_TRANSFORM) && !is_parameters(tree, node, locations) {
        return node;
    }
    let children = tree.children(node).into_iter();
    let children = children.map(|child| put_below(tree, child, locations)).collect::<Vec<_>>();
    tree.with_children(node, &children, FrameId::NONE)
}

/// Returns `true` for a node between a call and its location.
fn is_parameters(tree: &Tree, node: NodeId, locations: &IdMap<NodeId, NodeId>) -> bool {
    let holds = |node| tree.get(node, symbol::LOCATION).is_some_and(|location| locations.contains_key(&location));
    holds(node) || tree.get(node, symbol::PARAMETERS).is_some_and(holds)
}

fn is_remote(tree: &Tree, node: NodeId) -> bool {
    match tree.view(node) {
        View::String(text) => text.contains("://"),
        View::List(items) => items.iter().any(|&item| is_remote(tree, item)),
        View::Call(_, argument) => is_remote(tree, argument),
        _ => false,
    }
}
