//! Reasons why a node is not known.

use formwork_base::Span;
use formwork_evaluate::blocker::{self, Blocker};
use formwork_syntax::{NodeId, symbol};
use formwork_template::{PseudoParameter, parameter_option};
use rustc_hash::FxHashSet;

use crate::session::Session;

/// The reason why a value is not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The value exists once a resource is created.
    DeployTime,
    /// A parameter has no value.
    UnknownParameter,
    /// A pseudo parameter has no value.
    UnknownPseudo,
    /// The value is a secret, which is never written.
    NoEcho,
    /// The value is missing in the account data.
    FactMissing,
    /// A condition is undecided.
    UndecidedCondition,
    /// The language keeps the call, or the option keeps it for the deployment.
    Kept,
}

impl Reason {
    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Reason::DeployTime => "deploy-time",
            Reason::UnknownParameter => "unknown-parameter",
            Reason::UnknownPseudo => "unknown-pseudo",
            Reason::NoEcho => "no-echo",
            Reason::FactMissing => "fact-missing",
            Reason::UndecidedCondition => "undecided-condition",
            Reason::Kept => "kept",
        }
    }
}

/// A cause for which a node is not known.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Residual {
    /// Why.
    pub reason: Reason,
    /// The subject: `Id`, `Id.Attribute`, a name, a function.
    pub of: String,
    /// The span of the reference or call.
    pub span: Span,
    /// The advice, in words of the command line or of the language.
    pub hint: String,
}

impl Session<'_, '_> {
    /// Returns the causes for everything below a node of the output that is known only later, without duplicates.
    pub(super) fn residual(&self, node: NodeId) -> Vec<Residual> {
        let ev = self.replay.seen();
        let mut found: Vec<Residual> = Vec::new();
        let mut known = FxHashSet::default();
        for (blocker, at) in blocker::blockers_at(ev.tree, &ev.parameters, node) {
            let (reason, of) = self.reason(&blocker);
            if known.insert((reason, of.clone())) {
                let hint = self.hint(reason, &of);
                found.push(Residual { reason, of, span: ev.tree.span(at), hint });
            }
        }
        found
    }

    fn reason(&self, blocker: &Blocker) -> (Reason, String) {
        let name = |symbol| self.tree().name(symbol).to_owned();
        let or_kept = |reason| if self.keeps() { Reason::Kept } else { reason };
        match blocker {
            Blocker::Parameter(symbol) if self.stored(*symbol).is_some() && !self.keeps() => {
                (Reason::FactMissing, name(*symbol))
            }
            Blocker::Parameter(symbol) => (or_kept(Reason::UnknownParameter), name(*symbol)),
            Blocker::Pseudo(symbol) => (or_kept(Reason::UnknownPseudo), name(*symbol)),
            Blocker::NoEcho(symbol) => (Reason::NoEcho, name(*symbol)),
            Blocker::Condition(symbol) => (or_kept(Reason::UndecidedCondition), name(*symbol)),
            Blocker::Resource(text) | Blocker::Attribute(text) => (Reason::DeployTime, text.clone()),
            Blocker::Function(text) if text == "Fn::GetAZs" && !self.keeps() => {
                (Reason::FactMissing, formwork_evaluate::facts::AVAILABILITY_ZONE.to_owned())
            }
            Blocker::Function(text) => (Reason::Kept, text.clone()),
        }
    }

    fn hint(&self, reason: Reason, of: &str) -> String {
        match reason {
            Reason::DeployTime => {
                let id = of.split_once('.').map_or(of, |(id, _)| id);
                format!("exists once {id} is created; it can be read after that resource")
            }
            Reason::UnknownParameter => {
                let values = self.allowed_values(of);
                let tail = if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) };
                parameter_option(of, false) + &tail
            }
            Reason::UnknownPseudo => PseudoParameter::from_name(of).map(PseudoParameter::option).unwrap_or_default(),
            Reason::NoEcho => "its value is never written; it may decide conditions".to_owned(),
            Reason::FactMissing => {
                let stored = self.tree().symbols().get(of).and_then(|name| self.stored(name));
                match stored {
                    Some(stored) => format!("--account FILE that contains {stored} under SsmParameters"),
                    None => "--account FILE with the account's availability zones".to_owned(),
                }
            }
            Reason::UndecidedCondition => self.waits_for(of),
            Reason::Kept if of.starts_with("Fn::") => format!("{of} is evaluated at deployment"),
            Reason::Kept => "--values keep leaves it to the deployment".to_owned(),
        }
    }

    /// Returns the SSM name of a parameter whose stored value is not known.
    fn stored(&self, name: formwork_syntax::Symbol) -> Option<String> {
        let ev = self.replay.seen();
        let bound = ev.parameters.get(name).filter(|bound| bound.value.is_none())?;
        bound.stored.map(|stored| ev.tree.text_form(stored).to_owned())
    }

    fn allowed_values(&self, name: &str) -> Vec<String> {
        const SHOWN: usize = 5;
        let ev = self.replay.seen();
        let tree = &*ev.tree;
        let parameter = tree.symbols().get(name).and_then(|name| ev.template.parameter(name));
        let list = parameter.and_then(|parameter| tree.get(parameter.node, symbol::ALLOWED_VALUES));
        let items = list.map(|list| tree.items(list)).unwrap_or_default();
        let mut shown: Vec<String> = items.iter().take(SHOWN).map(|&item| tree.text_form(item).to_owned()).collect();
        if items.len() > SHOWN {
            shown.push(format!("and {} more", items.len() - SHOWN));
        }
        shown
    }

    /// Returns the subject on which an undecided condition depends.
    fn waits_for(&self, name: &str) -> String {
        let ev = self.replay.seen();
        let Some((_, node)) = ev.condition_node(name) else { return String::new() };
        let mut causes: Vec<String> = Vec::new();
        let mut pending = vec![node];
        let mut seen = vec![name.to_owned()];
        while let Some(node) = pending.pop() {
            for blocker in blocker::blockers(ev.tree, &ev.parameters, node) {
                match &blocker {
                    Blocker::Condition(inner) => {
                        let inner = ev.tree.name(*inner).to_owned();
                        if let Some((_, node)) = ev.condition_node(&inner).filter(|_| !seen.contains(&inner)) {
                            seen.push(inner);
                            pending.push(node);
                        }
                    }
                    Blocker::Parameter(symbol) | Blocker::Pseudo(symbol)
                        if ev.parameters.get(*symbol).is_some_and(|bound| bound.value.is_some()) => {}
                    blocker => causes.push(blocker.text(ev.tree)),
                }
            }
        }
        causes.dedup();
        format!("it waits for {}", causes.join(", "))
    }
}
