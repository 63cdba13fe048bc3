//! Values of parameters that their declarations list: `AllowedValues`, and a `Default`.

use std::rc::Rc;

use formwork_base::display::shown;
use formwork_base::{Code, Diagnostic, codes};
use formwork_schemas::{Kind, Node};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, Tree, View, symbol};
use formwork_template::reference;
use formwork_template::template::Parameter;
use rustc_hash::FxHashSet;

use super::super::formats::wrong;
use super::super::parameter_values::Refused;
use super::super::scalar::{Literal, allows, bound, is_placeholder, takes};
use super::super::walk::{At, Walk};
use super::super::words;
use super::words::quoted;

impl<'w> Walk<'w> {
    /// Checks the values that a parameter may have, where it is referred to.
    pub(super) fn parameter_values(&mut self, schema: Node<'w>, at: At) {
        let tree = self.tree;
        let Some(parameter) = self.parameter_of(at.node) else { return };
        let mark = (parameter.key, schema.key(), self.resource.map_or("", |resource| resource.name()));
        let refused = self.values.refused.entry(mark).or_insert_with(|| refused(tree, schema, parameter).map(Rc::new));
        let Some(refused) = refused.clone() else { return };
        let Refused { value, source, code, reason } = &*refused;
        // A condition may keep the value away from the property.
        if self.is_in_conditions(tree.text(parameter.key)) {
            return;
        }
        let Some(severity) = self.warning() else { return };
        let subject = words::subject(&self.path, tree.text(self.id));
        let title = format!("parameter {} allows {value}, which {subject} does not", shown(tree.text(parameter.key)));
        let help = if *source == "AllowedValues" {
            format!("remove {value} from AllowedValues")
        } else {
            "change the Default".to_owned()
        };
        let diagnostic = Diagnostic::titled(*code, title)
            .at(tree.span(at.node))
            .note(format!("{value} of {source} {reason}"))
            .help(help);
        self.push(diagnostic, severity, "");
    }
}

impl<'w> Walk<'w> {
    /// Returns the parameter that a value is the `Ref` of, if the values that its declaration lists are the property's.
    pub(in super::super) fn parameter_of(&self, node: NodeId) -> Option<&'w Parameter> {
        let View::Call(Function::Known(Known::Ref), argument) = self.tree.view(node) else { return None };
        let parameter = self.template.parameter(self.tree.symbols().get(self.tree.string(argument)?)?)?;
        // The value of Parameter Store is not known, and a list is not a string.
        let is_other = parameter.kind.is_ssm_value || parameter.kind.is_list || self.template.is_module;
        (!is_other).then_some(parameter)
    }

    /// Returns the value that the parameter of a `Ref` is assumed to have.
    pub(in super::super) fn assumed(&self, node: NodeId) -> Option<&'w str> {
        let (key, text) = self.values.assumed?;
        self.parameter_of(node).filter(|parameter| parameter.key == key).map(|_| text)
    }

    /// Returns the text of a literal, or the assumed value of a parameter.
    pub(in super::super) fn text_of(&self, node: NodeId) -> &'w str {
        self.assumed(node).unwrap_or_else(|| self.tree.text_form(node))
    }

    pub(in super::super) fn is_in_conditions(&mut self, name: &str) -> bool {
        let (tree, root) = (self.tree, self.template.root);
        let names = self.values.in_conditions.get_or_insert_with(|| {
            let mut names = FxHashSet::default();
            for section in [symbol::CONDITIONS, symbol::RULES].into_iter().filter_map(|section| tree.get(root, section))
            {
                reference::visit(tree, section, &mut |_| true, &mut |one| {
                    names.insert(one.name);
                });
            }
            names
        });
        names.contains(name)
    }
}

/// Returns the first value of a parameter that a property does not take.
fn refused(tree: &Tree, schema: Node<'_>, parameter: &Parameter) -> Option<Refused> {
    declared_values(tree, parameter).find_map(|(text, source)| {
        let (code, reason) = refusal(schema, text)?;
        Some(Refused { value: quoted(text), source, code, reason })
    })
}

/// Returns the values that the declaration of a parameter lists, each with the attribute that has it. An empty value
/// is left out: often it means none.
pub(in super::super) fn declared_values<'t>(
    tree: &'t Tree,
    parameter: &Parameter,
) -> impl Iterator<Item = (&'t str, &'static str)> {
    let allowed = tree.get(parameter.node, symbol::ALLOWED_VALUES).map(|list| tree.items(list)).unwrap_or_default();
    let allowed = allowed.iter().map(|&node| (node, "AllowedValues"));
    allowed
        .chain(parameter.default.map(|node| (node, "the Default")))
        .filter(|&(node, _)| tree.is_scalar(node))
        .map(|(node, source)| (tree.text_form(node), source))
        .filter(|(text, _)| !text.is_empty())
}

/// Returns the reason why a property does not take a string.
fn refusal(schema: Node<'_>, text: &str) -> Option<(Code, String)> {
    if is_placeholder(text) {
        return None;
    }
    if let Some(values) = schema.values() {
        return (!allows(values, text)).then(|| {
            let list: Vec<&str> = values.iter().collect();
            (codes::VALUE_NOT_ALLOWED, format!("is not one of {}", words::some(&list)))
        });
    }
    if let Some(pattern) = schema.pattern().filter(|pattern| pattern.matches(text) == Some(false)) {
        return Some((codes::PATTERN_OF_PROPERTY, format!("does not match `{}`", shown(pattern.text()))));
    }
    if !takes(schema, Literal::Text(text)) {
        return Some((codes::KIND_OF_PROPERTY, format!("is not {}", words::wanted(schema))));
    }
    let takes_text = schema.kinds().is_any() || schema.kinds().has(Kind::String);
    if let Some(wrong) = schema.format().filter(|_| takes_text).and_then(|format| wrong(format, text)) {
        return Some((codes::PATTERN_OF_PROPERTY, format!("is not {}", wrong.is_not)));
    }
    let (reason, ..) = bound(schema, text, takes_text, Literal::Text(text))?;
    Some((codes::BOUND_OF_PROPERTY, reason))
}
