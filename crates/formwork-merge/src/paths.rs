//! Relative paths in a template, which lead elsewhere from another directory (reference/merge.md#paths).

use formwork_base::VirtualPath;
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, Kind, NodeId, Origin, Tree, flags, symbol};
use formwork_template::artifact::{self, Treatment};
use formwork_template::include;
use rustc_hash::FxHashMap;

/// Returns the strings in a template that are paths of files: those of [`links`], and artifact properties.
pub fn all(tree: &Tree, root: NodeId) -> Vec<NodeId> {
    let mut found = Found { tree, nodes: links(tree, root) };
    if let Some(resources) = tree.get(root, symbol::RESOURCES) {
        found.resources(resources);
    }
    if let Some(globals) = tree.get(root, symbol::GLOBALS) {
        for section in tree.entries(globals) {
            found.artifacts(&format!("AWS::Serverless::{}", tree.text(section.key)), section.value);
        }
    }
    if let Some(metadata) = tree.get(root, symbol::METADATA)
        && let Some(application) = tree.get_text(metadata, artifact::SERVERLESS_REPO_METADATA)
    {
        for key in artifact::SERVERLESS_REPO {
            found.at(application, key.property, key.treatment);
        }
    }
    found.nodes.sort_unstable();
    found.nodes.dedup();
    found.nodes
}

/// Returns the strings in a template that are paths of modules, included and inserted files: what a template is linked
/// from.
pub fn links(tree: &Tree, root: NodeId) -> Vec<NodeId> {
    let mut found = Found { tree, nodes: Vec::new() };
    for section in ["Modules", "Packages"] {
        let imports = tree.get_text(root, section).into_iter().flat_map(|section| tree.entries(section));
        for import in imports {
            found.text(tree.get_text(import.value, "Source"), Treatment::File);
        }
    }
    if let Some(transform) = tree.get(root, symbol::TRANSFORM) {
        let one = [transform];
        let items = if tree.kind(transform) == Kind::List { tree.items(transform) } else { &one };
        for &item in items {
            found.text(include::location(tree, item), Treatment::File);
        }
    }
    found.calls(root);
    found.nodes
}

struct Found<'f> {
    tree: &'f Tree,
    nodes: Vec<NodeId>,
}

impl Found<'_> {
    /// Adds a string that is a local path.
    fn text(&mut self, node: Option<NodeId>, treatment: Treatment) {
        let Some((node, text)) = node.and_then(|node| Some((node, self.tree.string(node)?))) else { return };
        let is_remote = text.is_empty() || text.contains("://") || text.starts_with(['/', '$', '~']);
        let is_computed = text.contains("${") || text.contains("{{resolve:");
        // Any other value is the name of an image.
        let is_image = treatment == Treatment::Image && !text.starts_with("./") && !text.starts_with("../");
        if !is_remote && !is_computed && !is_image && !self.tree.is_alias(node) {
            self.nodes.push(node);
        }
    }

    fn calls(&mut self, node: NodeId) {
        let tree = self.tree;
        if !tree.has(node, flags::HAS_CALL | flags::HAS_TRANSFORM | flags::HAS_MIXED) {
            return;
        }
        if let Some(argument) = tree.argument_of(node, Known::Transform) {
            self.text(include::location(tree, argument), Treatment::File);
        }
        if let Some(argument) = tree.argument_of(node, Known::InsertFile) {
            self.text(Some(argument), Treatment::File);
        }
        for entry in tree.entries(node) {
            if tree.symbol(entry.key) == symbol::FN_TRANSFORM {
                self.text(include::location(tree, entry.value), Treatment::File);
            }
        }
        tree.children(node).into_iter().for_each(|child| self.calls(child));
    }

    fn resources(&mut self, resources: NodeId) {
        let tree = self.tree;
        for entry in tree.entries(resources) {
            if tree.loop_name(entry.key).is_some() {
                if let &[_, _, body] = tree.items(entry.value) {
                    self.resources(body);
                }
                continue;
            }
            self.text(
                tree.get_text(entry.value, "Source").filter(|_| tree.get(entry.value, symbol::TYPE).is_none()),
                Treatment::File,
            );
            let kind = tree.get(entry.value, symbol::TYPE).and_then(|kind| tree.string(kind));
            if let (Some(kind), Some(properties)) = (kind, tree.get(entry.value, symbol::PROPERTIES)) {
                self.artifacts(kind, properties);
            }
            if let Some(metadata) = tree.get(entry.value, symbol::METADATA) {
                self.text(tree.get_text(metadata, "DockerContext"), Treatment::File);
            }
        }
    }

    fn artifacts(&mut self, kind: &str, properties: NodeId) {
        for artifact in artifact::of_type(kind) {
            self.at(properties, artifact.property, artifact.treatment);
        }
    }

    fn at(&mut self, node: NodeId, property: &[&str], treatment: Treatment) {
        let tree = self.tree;
        if let Some(argument) = tree.argument_of(node, Known::If) {
            return tree.items(argument).iter().skip(1).for_each(|&branch| self.at(branch, property, treatment));
        }
        match property {
            [] => self.text(Some(node), treatment),
            ["*", rest @ ..] => tree.entries(node).for_each(|entry| self.at(entry.value, rest, treatment)),
            [name, rest @ ..] => {
                if let Some(value) = tree.get_text(node, name) {
                    self.at(value, rest, treatment);
                }
            }
        }
    }
}

/// Returns a template in which each of these strings has another text.
pub fn replaced(tree: &mut Tree, root: NodeId, texts: &[(NodeId, String)]) -> NodeId {
    let mut rewritten = Rewritten::of(tree, texts);
    rewritten.node(tree, root)
}

/// Nodes with their replacements.
#[derive(Debug, Default)]
pub(crate) struct Rewritten(FxHashMap<NodeId, NodeId>);

impl Rewritten {
    pub(crate) fn of(tree: &mut Tree, texts: &[(NodeId, String)]) -> Rewritten {
        let mut rewritten = Rewritten::default();
        for (node, text) in texts {
            let (style, origin) = (tree.style(*node), Origin::Authored(tree.span(*node)));
            let new = tree.scalar(Kind::String, style, text, origin);
            rewritten.0.insert(*node, new);
        }
        rewritten
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get(&self, node: NodeId) -> NodeId {
        self.0.get(&node).copied().unwrap_or(node)
    }

    /// Replaces what is at and below a node.
    pub(crate) fn node(&mut self, tree: &mut Tree, node: NodeId) -> NodeId {
        if let Some(&known) = self.0.get(&node) {
            return known;
        }
        if !tree.is_collection(node) {
            return node;
        }
        let children: Vec<NodeId> = tree.children(node).into_iter().map(|child| self.node(tree, child)).collect();
        let new = tree.with_children(node, &children, FrameId::NONE);
        self.0.insert(node, new);
        new
    }
}

/// Returns a path that is written in one file so that it leads to the same file from the directory of another one.
pub fn moved(path: &str, from: &VirtualPath, to: &VirtualPath) -> String {
    let target = from.sibling(path);
    let parts = |path: &str| -> Vec<String> { path.split('/').map(str::to_owned).collect() };
    let (target_parts, mut directory) = (parts(target.as_str()), parts(to.as_str()));
    directory.pop();
    let shared = directory.iter().zip(&target_parts).take_while(|(one, other)| one == other).count();
    let ups = directory.iter().skip(shared).map(|_| "..".to_owned());
    let mut moved: Vec<String> = ups.chain(target_parts.into_iter().skip(shared)).collect();
    if path.starts_with("./") && moved.first().is_none_or(|first| first != "..") {
        moved.insert(0, ".".to_owned());
    }
    if path.ends_with('/') && moved.last().is_some_and(|last| !last.is_empty()) {
        moved.push(String::new());
    }
    if moved.is_empty() { ".".to_owned() } else { moved.join("/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_the_same_file_from_elsewhere() {
        let of = |path: &str, from: &str, to: &str| moved(path, &VirtualPath::new(from), &VirtualPath::new(to));
        assert_eq!(of("./src/", "auth/queue.yaml", "out.yaml"), "./auth/src/");
        assert_eq!(of("src", "auth/queue.yaml", "auth/parent.yaml"), "src");
        assert_eq!(of("../shared/a.yaml", "auth/queue.yaml", "build/out.yaml"), "../shared/a.yaml");
        assert_eq!(of("module.yaml", "parent.yaml", "build/deep/out.yaml"), "../../module.yaml");
    }
}
