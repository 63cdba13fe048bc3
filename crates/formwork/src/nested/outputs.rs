//! Outputs of a nested template to which its parent refers (reference/packaging.md#nested).

use std::collections::HashMap;

use formwork_base::display::shown;
use formwork_base::suggest::Suggester;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::{Kind, NodeId, function};
use formwork_template::{NamePatterns, Section, reference};
use rustc_hash::FxHashSet;

use crate::compilation::Compilation;

const OUTPUTS: &str = "Outputs.";

/// The transform that adds included content beside the sections.
const INCLUDE: &str = "AWS::Include";

pub(super) struct Declared<'c> {
    names: Vec<&'c str>,
    known: FxHashSet<&'c str>,
    suggester: Suggester,
    /// Patterns of names that loops over unknown items may generate.
    unchecked: &'c NamePatterns,
}

/// Returns the outputs that a nested template declares; `None` when there may be any others.
pub(super) fn declared(child: &Compilation) -> Option<Declared<'_>> {
    let replay = child.replay.as_ref().filter(|_| child.is_well_formed())?;
    let (tree, template) = (&child.tree, &child.template);
    // The serverless transform adds none.
    if template.has_own_macros() || template.transforms.iter().any(|transform| transform.name == INCLUDE) {
        return None;
    }
    let names = |root: NodeId| -> Option<Vec<&str>> {
        let Some(section) = tree.get(root, Section::Outputs.symbol()) else { return Some(Vec::new()) };
        let is_map = tree.kind(section) == Kind::Map;
        is_map.then(|| tree.entries(section).map(|entry| tree.text(entry.key)).collect())
    };
    let is_generator = |name: &&str| function::loop_name(name).is_some() || name.starts_with("Fn::");
    // A loop with an error generates less than it will.
    if child.has_errors() && names(template.root)?.iter().any(is_generator) {
        return None;
    }
    let names = names(replay.expanded)?;
    let are_known = !names.iter().any(is_generator);
    are_known.then(|| Declared {
        known: names.iter().copied().collect(),
        names,
        suggester: Suggester::default(),
        unchecked: &replay.unchecked,
    })
}

/// The outputs of a nested template, independent of its compilation.
#[derive(Debug)]
pub(super) struct OwnDeclared {
    names: Vec<String>,
    unchecked: NamePatterns,
}

impl OwnDeclared {
    /// Returns the outputs that a nested template declares; `None` when there may be any others.
    pub(super) fn of(child: &Compilation) -> Option<OwnDeclared> {
        let declared = declared(child)?;
        let names = declared.names.iter().map(|name| (*name).to_owned()).collect();
        Some(OwnDeclared { names, unchecked: declared.unchecked.clone() })
    }

    pub(super) fn borrowed(&self) -> Declared<'_> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let known = names.iter().copied().collect();
        Declared { known, names, suggester: Suggester::default(), unchecked: &self.unchecked }
    }
}

pub(super) struct OutputReference {
    resource: String,
    output: String,
    node: NodeId,
    member: NodeId,
    section: Section,
}

/// Returns all references of a template to outputs of stacks by literal name, by the logical ID of the stack.
pub(super) fn references(parent: &Compilation) -> HashMap<String, Vec<OutputReference>> {
    let tree = &parent.tree;
    let mut found: HashMap<String, Vec<OutputReference>> = HashMap::new();
    for section in [Section::Resources, Section::Outputs] {
        let Some(node) = tree.get(parent.root, section.symbol()).filter(|&node| tree.kind(node) == Kind::Map) else {
            continue;
        };
        for entry in tree.entries(node).filter(|entry| function::loop_name(tree.text(entry.key)).is_none()) {
            let mut visit = |reference: reference::Reference<'_>| {
                let output = reference.attribute.and_then(|attribute| attribute.strip_prefix(OUTPUTS));
                let Some(output) = output.filter(|output| !output.contains("${")) else { return };
                found.entry(reference.name.to_owned()).or_default().push(OutputReference {
                    resource: reference.name.to_owned(),
                    output: output.to_owned(),
                    node: reference.node,
                    member: entry.key,
                    section,
                });
            };
            reference::visit(tree, entry.value, &mut |_| true, &mut visit);
        }
    }
    found
}

/// Returns the error of a reference to an output that is not among `declared`, those of the template at `path`.
pub(super) fn unknown(
    parent: &Compilation,
    reference: &OutputReference,
    declared: &Declared<'_>,
    path: &str,
) -> Option<Diagnostic> {
    let OutputReference { resource, output, node, member, section } = reference;
    if declared.known.contains(output.as_str()) || declared.unchecked.matches(output) {
        return None;
    }
    let tree = &parent.tree;
    let (stack, name) = (shown(resource), shown(output));
    let help = match declared.suggester.nearest(output, declared.names.iter().copied()) {
        Some(near) => format!("did you mean `{}`?", shown(near)),
        None => format!("declare it under Outputs of {path}, or correct the name"),
    };
    let message = format!("stack {stack} has no output {name}: {path} does not declare it");
    let diagnostic = Diagnostic::new(codes::NO_SUCH_ATTRIBUTE, message)
        .at(tree.span(*node))
        .frames(tree.frame_chain(tree.frame_of(*member)))
        .path(format!("{}.{}", section.name(), shown(tree.text(*member))));
    Some(diagnostic.help(help))
}
