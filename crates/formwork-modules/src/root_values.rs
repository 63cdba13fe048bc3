//! Values of the root's parameters, for names and counts that must be known before the evaluation
//! (reference/modules/parameters.md#root-values).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_evaluate::{Bound, Outcome, ValueSource};
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Symbol};

use super::Linker;
use super::instance::InstanceId;
use super::stop::{Resolved, Stop};

impl Linker<'_> {
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

    /// Returns a value of the result; for a reference to a root parameter that parameter's value. A secret is reported
    /// for `what`.
    pub(super) fn known_root_value(
        &mut self,
        node: NodeId,
        what: &str,
        at: NodeId,
        scope: InstanceId,
    ) -> Resolved<NodeId> {
        let name = self.tree.argument_of(node, Known::Ref).and_then(|name| self.tree.string(name));
        let Some(name) = name.and_then(|name| self.tree.symbols().get(name)) else { return Ok(node) };
        match self.template.parameter(name) {
            Some(parameter) if parameter.no_echo => self.wrong(scope, self.secret(what, name, at)),
            Some(_) => Ok(self.root_value(name).unwrap_or(node)),
            None => Ok(node),
        }
    }

    /// Evaluates a node of a file that has to be known here. A function of root parameters is computed with their
    /// values.
    pub(super) fn evaluate_root_value(&mut self, node: NodeId, what: &str, scope: InstanceId) -> Resolved<NodeId> {
        let value = self.evaluate_known(node, scope)?;
        self.computed_root_value(value, what, node, scope)
    }

    pub(super) fn computed_root_value(
        &mut self,
        value: NodeId,
        what: &str,
        at: NodeId,
        scope: InstanceId,
    ) -> Resolved<NodeId> {
        let known = self.known_root_value(value, what, at, scope)?;
        if self.tree.kind(known) != Kind::Call {
            return Ok(known);
        }
        let outcome = self.with_root_values(known, |evaluator| match evaluator.resolve_silently(known) {
            // Again, with the error.
            Outcome::Poison => evaluator.resolve(known),
            outcome => outcome,
        });
        match outcome {
            Outcome::Known(value) => Ok(value),
            Outcome::Poison => {
                self.emitted.result.is_broken = true;
                Err(Stop::Reported)
            }
            Outcome::Secret { .. } => match self.referred_parameter(known, |bound| bound.secret) {
                Some(name) => self.wrong(scope, self.secret(what, name, at)),
                None => Ok(known),
            },
            Outcome::Residual(_) | Outcome::Omit(_) => Ok(known),
        }
    }

    /// Computes a value of the result with the values of root parameters, if possible; `None` for a secret.
    pub(super) fn quietly_computed(&mut self, value: NodeId) -> Option<NodeId> {
        if self.tree.kind(value) != Kind::Call {
            return Some(value);
        }
        let name = self.tree.argument_of(value, Known::Ref).and_then(|name| self.tree.string(name));
        if let Some(name) = name.and_then(|name| self.tree.symbols().get(name))
            && let Some(parameter) = self.template.parameter(name)
        {
            return if parameter.no_echo { None } else { Some(self.root_value(name).unwrap_or(value)) };
        }
        match self.with_root_values(value, |evaluator| evaluator.resolve_silently(value)) {
            Outcome::Known(known) => Some(known),
            Outcome::Secret { .. } => None,
            Outcome::Residual(_) | Outcome::Omit(_) | Outcome::Poison => Some(value),
        }
    }

    /// Returns the first name in references of a value whose binding `is_meant`: a root parameter or pseudo parameter.
    pub(super) fn referred_parameter(&self, value: NodeId, is_meant: impl Fn(&Bound) -> bool) -> Option<Symbol> {
        let mut found = None;
        formwork_template::reference::visit(self.tree, value, &mut |_| true, &mut |reference| {
            let name = self.tree.symbols().get(reference.name);
            let meant = name.filter(|&name| self.parameters.get(name).is_some_and(&is_meant));
            found = found.or(meant);
        });
        found
    }

    pub(super) fn secret(&self, what: &str, name: Symbol, at: NodeId) -> Diagnostic {
        let parameter = shown(self.tree.name(name));
        let message =
            format!("a value needed now is secret: `{what} cannot reference the NoEcho parameter [{parameter}]`");
        self.error(codes::MODULE_FOR_EACH, at, message, "remove NoEcho from the parameter, or use another one")
            .note("its value would appear in the output, and the value of a NoEcho parameter is never written")
    }
}
