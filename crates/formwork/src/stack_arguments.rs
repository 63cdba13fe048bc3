//! The settings of a stack in parameters files, besides values of parameters (reference/deploy.md).

use formwork_base::{Diagnostic, Diagnostics, SourceMap, codes};
use formwork_syntax::{Document, Format, Kind, NodeId, Tree, write};

/// The settings of the stack as a whole in parameters files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct StackArguments {
    /// Tags in the order of the files; the last one of a key takes precedence.
    pub tags: Vec<(String, String)>,
    /// The policy of the stack, as JSON.
    pub policy: Option<String>,
}

impl StackArguments {
    /// Adds the settings of a parameters file: `Tags` or `tags`, a map or a list of `{Key, Value}`, and `StackPolicy`.
    pub(crate) fn add(&mut self, tree: &Tree, sources: &SourceMap, document: Document, diagnostics: &mut Diagnostics) {
        let root = document.root;
        if tree.kind(root) != Kind::Map {
            return;
        }
        let is_wrapped = ["Parameters", "parameters", "template-file-path"].iter().any(|name| {
            let member = tree.get_text(root, name);
            member
                .is_some_and(|node| *name == "template-file-path" || matches!(tree.kind(node), Kind::Map | Kind::List))
        });
        if !is_wrapped {
            // A plain map: these are names of parameters.
            return;
        }
        if let Some(tags) = tree.get_text(root, "Tags").or_else(|| tree.get_text(root, "tags")) {
            match read_tags(tree, tags) {
                Some(found) => self.tags.extend(found),
                None => diagnostics.push(
                    Diagnostic::new(codes::ARGUMENTS, "the value is not a map of tags")
                        .at(tree.span(tags))
                        .help("write a map of strings: `Tags: {Team: shop}`"),
                ),
            }
        }
        if let Some(policy) = tree.get_text(root, "StackPolicy").filter(|&node| tree.kind(node) == Kind::Map) {
            self.policy = Some(write::to_string(tree, policy, &document, sources, Format::Json));
        }
    }
}

/// A map of strings, or a list of `{Key, Value}`.
fn read_tags(tree: &Tree, node: NodeId) -> Option<Vec<(String, String)>> {
    let text = |node: NodeId| tree.is_scalar(node).then(|| tree.text_form(node).to_owned());
    match tree.kind(node) {
        Kind::Map => {
            tree.entries(node).map(|entry| Some((tree.text(entry.key).to_owned(), text(entry.value)?))).collect()
        }
        Kind::List => {
            let member = |item, name| tree.get_text(item, name).and_then(text);
            tree.items(node).iter().map(|&item| Some((member(item, "Key")?, member(item, "Value")?))).collect()
        }
        _ => None,
    }
}
