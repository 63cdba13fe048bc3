//! Values of parameters that their declarations list: `AllowedValues`, and a `Default`.

use std::rc::Rc;

use formwork_base::display::shown;
use formwork_base::{Code, Diagnostic, codes};
use formwork_schemas::{Kind, Node};
use formwork_syntax::{NodeId, Tree, symbol};
use formwork_template::reference;
use formwork_template::template::Parameter;
use rustc_hash::FxHashSet;

use super::super::parameter_values::Refused;
use super::super::scalar::{Literal, allows, bound, is_placeholder};
use super::super::walk::{At, Walk};
use super::super::words;
use super::words::quoted;

impl<'w> Walk<'w> {
    /// Checks the values that a parameter may have, where it is referred to.
    pub(super) fn parameter_values(&mut self, schema: Node<'w>, at: At, argument: NodeId) {
        let tree = self.tree;
        let name = tree.string(argument).and_then(|name| tree.symbols().get(name));
        let Some(parameter) = name.and_then(|name| self.template.parameter(name)) else { return };
        // The value of Parameter Store is not known, and a list is not a string.
        if parameter.kind.is_ssm_value || parameter.kind.is_list || self.template.is_module {
            return;
        }
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

impl Walk<'_> {
    fn is_in_conditions(&mut self, name: &str) -> bool {
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
    let allowed = tree.get(parameter.node, symbol::ALLOWED_VALUES).map(|list| tree.items(list)).unwrap_or_default();
    let allowed = allowed.iter().map(|&node| (node, "AllowedValues"));
    allowed.chain(parameter.default.map(|node| (node, "the Default"))).find_map(|(node, source)| {
        let text = tree.is_scalar(node).then(|| tree.text_form(node)).filter(|text| !text.is_empty())?;
        let (code, reason) = refusal(schema, text)?;
        Some(Refused { value: quoted(text), source, code, reason })
    })
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
    let takes_text = schema.kinds().is_any() || schema.kinds().has(Kind::String);
    let (reason, ..) = bound(schema, text, takes_text, Literal::Text(text))?;
    Some((codes::BOUND_OF_PROPERTY, reason))
}
