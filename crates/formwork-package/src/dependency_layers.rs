//! Layers with the packages of functions, in a nested stack of their own (reference/build.md#dependency-layers).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, Origin, Style, Tree, symbol};

use crate::artifact_property::member;
use crate::call::call;

use crate::plan::{ArtifactSite, ArtifactValue, Content};
use crate::value_path::{Edits, NEW, ValuePath, new_key, new_text};

/// Logical ID of the nested stack with the layers.
pub const STACK: &str = "AwsSamAutoDependencyLayerNestedStack";

pub(crate) const PROPERTY: &str = "Layers";

pub(crate) const ATTRIBUTE: &str = "LayerOutputKey";

/// The layers with the packages of the functions of a template.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DependencyLayers {
    /// For each need of the plan the output of the stack with the ARN of the layer, such as
    /// `Outputs.OrdersFunctionLayer`; `None` without a layer.
    pub outputs: Vec<Option<String>>,
    /// The path of the stack's template from the directory of the template that is written.
    pub template: String,
}

impl DependencyLayers {
    /// Returns the output for the code of a function in one iteration.
    pub(crate) fn output_of(&self, instance: &ArtifactValue) -> Option<String> {
        match instance.content {
            Content::ArtifactRef(need) => self.outputs.get(need).cloned().flatten(),
            _ => None,
        }
    }

    pub(crate) fn has_any(&self, slot: &ArtifactSite) -> bool {
        slot.instances.iter().any(|instance| self.output_of(instance).is_some())
    }

    /// Returns the output of every iteration, if it is the same.
    pub(crate) fn output_of_all(&self, slot: &ArtifactSite) -> Option<String> {
        let mut outputs = slot.instances.iter().map(|instance| self.output_of(instance));
        let first = outputs.next().flatten()?;
        outputs.all(|output| output.as_ref() == Some(&first)).then_some(first)
    }

    pub(crate) fn put_stack(
        &self,
        tree: &mut Tree,
        root: NodeId,
        edits: &mut Edits,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let Some((place, resources)) = member(tree, root, &ValuePath::default(), "Resources") else { return };
        if self.outputs.iter().all(Option::is_none) {
            return;
        }
        if let Some(taken) = tree.entries(resources).find(|entry| tree.text(entry.key) == STACK) {
            let message = format!("the resource {STACK} has the name of the nested stack of dependency layers");
            let diagnostic = Diagnostic::new(codes::BUILD, message).at(tree.span(taken.key));
            return diagnostics.push(diagnostic.help("rename it, or build without `--dependency-layer`"));
        }
        let url = new_text(tree, &self.template, None);
        let url = Entry { key: new_key(tree, "TemplateURL"), value: url };
        let properties = tree.map(&[url], Style::Plain, NEW);
        let kind = new_text(tree, "AWS::CloudFormation::Stack", None);
        let kind = Entry { key: new_key(tree, "Type"), value: kind };
        let properties = Entry { key: new_key(tree, "Properties"), value: properties };
        let stack = tree.map(&[kind, properties], Style::Plain, NEW);
        edits.put(&place.absent(&[STACK]), stack);
    }
}

/// Adds the layer to a function; the node `name` evaluates to the name of the output.
pub(crate) fn add(
    tree: &mut Tree,
    slot: &ArtifactSite,
    name: NodeId,
    edits: &mut Edits,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let found = &slot.found;
    if !found.branches.is_empty() {
        let property = found.property(tree);
        let why = format!("its {property} is an Fn::If");
        return diagnostics.push(refused(tree, found.resource, found.value, &why));
    }
    let stack = new_text(tree, STACK, None);
    let argument = tree.list(&[stack, name], Style::Flow, NEW);
    let layer = call(tree, Known::GetAtt, argument, None);
    let place = properties(&found.place);
    let own = tree.get(found.body, symbol::PROPERTIES).and_then(|node| member(tree, node, &place, PROPERTY));
    match own {
        None => {
            let list = tree.list(&[layer], Style::Plain, NEW);
            edits.put(&place.absent(&[PROPERTY]), list);
        }
        Some((place, node)) if tree.kind(node) == Kind::List => {
            let items: Vec<NodeId> = tree.items(node).iter().copied().chain([layer]).collect();
            let origin = Origin::Generated(node, tree.frame_of(node));
            let list = tree.list(&items, tree.style(node), origin);
            edits.put(&place, list);
        }
        Some((_, node)) => diagnostics.push(refused(tree, found.resource, Some(node), "its Layers is not a list")),
    }
}

fn properties(of_property: &ValuePath) -> ValuePath {
    let mut place = of_property.clone();
    if place.missing.pop().is_none() {
        place.steps.pop();
    }
    place
}

fn refused(tree: &Tree, resource: NodeId, at: Option<NodeId>, why: &str) -> Diagnostic {
    let id = shown(tree.text(resource));
    Diagnostic::new(codes::BUILD, format!("no dependency layer can be added to {id}: {why}"))
        .at(tree.span(at.unwrap_or(resource)))
        .help("exclude it with `--exclude`, or build without `--dependency-layer`")
}
