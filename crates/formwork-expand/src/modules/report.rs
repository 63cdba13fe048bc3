//! Reports with the chain of module uses that leads to them.

use formwork_base::{Code, Diagnostic, Severity, codes};
use formwork_syntax::{Kind, NodeId, Tree};

use super::Linker;
use super::instance::{Bound, Lazy, Scope};
use super::suspend::Goal;

/// What is wrong in a value and leaves the rest of the template as it is: the stages behind this one look
/// for more. After every other error the result lacks what was meant to be there.
const LANGUAGE: [Code; 7] = [
    codes::UNKNOWN_CONDITION,
    codes::NO_MAPPING_ENTRY,
    codes::SELECT_RANGE,
    codes::CONDITION_LAYOUT,
    codes::CONDITION_CYCLE,
    codes::SUB_VARIABLE,
    codes::FUNCTION_LAYOUT,
];

impl Linker<'_> {
    /// Reports a fault seen from an instance. What is found while work is given up is found again.
    pub(super) fn report(&mut self, scope: Scope, diagnostic: Diagnostic) {
        if self.suspended.is_some() {
            return;
        }
        self.is_broken |= diagnostic.severity == Severity::Error && !LANGUAGE.contains(&diagnostic.code);
        let frames = self.tree.frame_chain(self.instances.get(scope.0).map_or(self.frame, |own| own.frame));
        self.diagnostics.push(diagnostic.frames(frames));
    }

    /// How a file is called in messages.
    pub(super) fn file_name(&self, scope: Scope) -> String {
        self.files[self.instances[scope.0].file].address.shown()
    }

    /// What an import is called in messages: its name, or that it is the template.
    pub(super) fn scope_name(&self, scope: Scope) -> String {
        if scope == Scope::ROOT { "the template".to_owned() } else { self.instances[scope.0].name.clone() }
    }

    /// Reports that a value needs itself.
    pub(super) fn report_goal_cycle(&mut self, goal: Goal) {
        let (scope, what, at) = match goal {
            Goal::Binding(scope, name) => {
                let at = self.instances[scope.0].properties.and_then(|node| self.tree.get(node, name));
                let what = format!("property {} of {}", self.tree.name(name), self.scope_name(scope));
                (scope, what, at)
            }
            Goal::Output(scope, name) => {
                let section = self.section(scope, "Outputs");
                let at = section.and_then(|node| self.tree.get(node, name));
                (scope, format!("output {} of {}", self.tree.name(name), self.scope_name(scope)), at)
            }
            // The conditions as they are written have it, too, and the stage that checks them reports it.
            Goal::Condition(..) => return,
        };
        let at = at.unwrap_or(self.instances[scope.0].key);
        let diagnostic = Diagnostic::new(codes::MODULE_CYCLE, format!("{what} needs its own value: a cycle"))
            .at(self.tree.span(at))
            .note("outputs and properties may use each other in any order, but none may need itself")
            .help("take one of the references out of the circle");
        self.report(scope, diagnostic);
    }

    /// Marks something as wrong, so that it is not tried again.
    pub(super) fn poison(&mut self, goal: Goal) {
        match goal {
            Goal::Binding(scope, name) => {
                self.instances[scope.0].bindings.insert(name, Lazy::Ready(Bound::Poison));
            }
            Goal::Output(scope, name) => {
                self.instances[scope.0].outputs.insert(name, Lazy::Ready(Bound::Poison));
            }
            Goal::Condition(scope, name) => self.poison_condition(scope, name),
        }
    }

    /// A limit on modules is exceeded: nothing more is done.
    pub(super) fn stop(&mut self, scope: Scope, at: NodeId, what: &str) {
        if std::mem::replace(&mut self.stopped, true) {
            return;
        }
        let diagnostic = Diagnostic::new(codes::MODULE_LIMIT, format!("{what}; the limit is exceeded"))
            .severity(Severity::Error)
            .at(self.tree.span(at))
            .note("the limit keeps hostile input from exhausting memory")
            .help("find the import or loop that multiplies, and make it smaller");
        self.report(scope, diagnostic);
    }
}

/// What a node is, in a few words.
pub(super) fn kind_words(tree: &Tree, node: NodeId) -> String {
    match tree.kind(node) {
        Kind::Null => "nothing".to_owned(),
        Kind::Bool => "a truth value".to_owned(),
        Kind::Number => "a number".to_owned(),
        Kind::String | Kind::Key => "a text".to_owned(),
        Kind::List => "a list".to_owned(),
        Kind::Map => "a map".to_owned(),
        Kind::Call => {
            let (function, _) = tree.call(node);
            format!("a call of {}", tree.function_name(function))
        }
    }
}
