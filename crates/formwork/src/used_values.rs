//! The values with which a template was compiled, and their sources (reference/command-line.md#parameter-values).

use formwork_base::Span;
use formwork_base::display::MASK;
use formwork_evaluate::ValueSource;
use formwork_syntax::{Kind, NodeId, Symbol};
use formwork_template::PseudoParameter;

use crate::compilation::Compilation;

/// A parameter or pseudo parameter, and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UsedValue {
    /// The name.
    pub name: String,
    /// The value, elements of a list joined by commas: `****` for a secret, `None` when it is not known.
    pub value: Option<String>,
    /// The source of the value.
    pub given: ValueSource,
    /// The place of the value; empty for the command line.
    pub span: Span,
}

impl Compilation {
    /// Returns the declared parameters, in order, and the pseudo parameters that have a value.
    pub fn used_values(&self) -> Vec<UsedValue> {
        let Some(replay) = &self.replay else { return Vec::new() };
        let tree = &self.tree;
        let text = |node: NodeId| match tree.kind(node) {
            Kind::List => tree.items(node).iter().map(|&item| tree.text_form(item)).collect::<Vec<_>>().join(","),
            _ => tree.text_form(node).to_owned(),
        };
        let used = |name: Symbol| {
            let bound = replay.parameters.get(name)?;
            let value = bound.value.map(|value| if bound.secret { MASK.to_owned() } else { text(value) });
            let span = bound.value.filter(|_| !bound.secret).map_or(Span::NONE, |value| tree.span(value));
            Some(UsedValue { name: tree.name(name).to_owned(), value, given: bound.given, span })
        };
        let declared = self.template.parameters.iter().filter_map(|parameter| used(parameter.name));
        let pseudo = PseudoParameter::ALL.into_iter().filter_map(|pseudo| used(tree.symbols().get(pseudo.name())?));
        declared.chain(pseudo.filter(|one| one.value.is_some())).collect()
    }
}
