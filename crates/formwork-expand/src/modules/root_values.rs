//! Values of the root's parameters, where names or their number must be known now
//! (reference/modules/parameters.md#root-values).

use formwork_base::{Diagnostic, codes};
use formwork_evaluate::ValueSource;
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Symbol};

use super::Linker;
use super::goals::Made;
use super::instance::InstanceId;

impl Linker<'_> {
    /// The value of a root parameter as it was passed, else its `Default` as it is written.
    pub(super) fn root_value(&self, name: Symbol) -> Option<NodeId> {
        let parameter = self.template.parameter(name)?;
        if parameter.no_echo {
            return None;
        }
        let bound = self.parameters.get(name);
        let written = parameter.default.filter(|&node| matches!(self.tree.kind(node), Kind::Map | Kind::List));
        match bound {
            Some(bound) if bound.given != ValueSource::Default && bound.value.is_some() => bound.value,
            bound => written.or_else(|| bound.and_then(|bound| bound.value)),
        }
    }

    /// A value of the result; for a reference to a root parameter that parameter's value. One that must not be
    /// looked at is reported for `what`.
    pub(super) fn known_root_value(&mut self, node: NodeId, what: &str, at: NodeId, scope: InstanceId) -> Made<NodeId> {
        let name = self.tree.argument_of(node, Known::Ref).and_then(|name| self.tree.string(name));
        let Some(name) = name.and_then(|name| self.tree.symbols().get(name)) else { return Ok(node) };
        match self.template.parameter(name) {
            Some(parameter) if parameter.no_echo => self.wrong(scope, self.secret(what, name, at)),
            Some(_) => Ok(self.root_value(name).unwrap_or(node)),
            None => Ok(node),
        }
    }

    /// The same for a node of a file that has to be known here.
    pub(super) fn evaluate_root_value(&mut self, node: NodeId, what: &str, scope: InstanceId) -> Made<NodeId> {
        let value = self.evaluate_known(node, scope)?;
        self.known_root_value(value, what, node, scope)
    }

    /// Reports a secret that has to be known.
    pub(super) fn secret(&self, what: &str, name: Symbol, at: NodeId) -> Diagnostic {
        let parameter = shown(self.tree.name(name));
        let message =
            format!("a value needed now is secret: `{what} cannot reference the NoEcho parameter [{parameter}]`");
        self.fault(codes::MODULE_FOR_EACH, at, message, "remove NoEcho from the parameter, or use another one")
            .note("its value would appear in the output, and the value of a NoEcho parameter is never written")
    }
}
