//! Reports with the chain of module uses that leads to them.

use formwork_base::display::shown;
use formwork_base::{Advice, Code, Diagnostic, Severity, codes};
use formwork_syntax::{FrameId, Kind, NodeId, Symbol, Tree};

use super::Linker;
use super::instance::InstanceId;
use super::stop::{Resolved, Stop};

/// Errors in a value that do not affect the rest of the template: the following stages look for more. After every other
/// error parts of the result are missing.
const LANGUAGE: [Code; 2] = [codes::NO_MAPPING_ENTRY, codes::SUB_VARIABLE];

impl Linker<'_> {
    pub(super) fn suggestion<'n>(&self, name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        self.diagnostics.suggester().nearest(name, names)
    }

    /// Returns a near name as advice, else `otherwise`.
    pub(super) fn advice<'n>(&self, name: &str, names: impl IntoIterator<Item = &'n str>, otherwise: &str) -> String {
        let near = self.suggestion(name, names);
        near.map_or_else(|| otherwise.to_owned(), |near| format!("did you mean `{near}`?"))
    }

    pub(super) fn error(
        &self,
        code: Code,
        at: NodeId,
        message: impl Into<String>,
        help: impl Into<Advice>,
    ) -> Diagnostic {
        Diagnostic::new(code, message).at(self.tree.span(at)).help(help)
    }

    pub(super) fn wrong<T>(&mut self, scope: InstanceId, diagnostic: Diagnostic) -> Resolved<T> {
        self.report(scope, diagnostic);
        Err(Stop::Reported)
    }

    /// Returns the name of the import of an instance, with its index; empty for the root template.
    pub(super) fn import_name(&self, scope: InstanceId) -> &str {
        self.values.instances[scope.at()].name.map_or("", |name| self.tree.name(name))
    }

    pub(super) fn report(&mut self, scope: InstanceId, diagnostic: Diagnostic) {
        self.emitted.result.is_broken |= diagnostic.severity == Severity::Error && !LANGUAGE.contains(&diagnostic.code);
        let frames =
            self.tree.frame_chain(self.values.instances.get(scope.at()).map_or(FrameId::NONE, |own| own.frame));
        self.diagnostics.push(diagnostic.frames(frames));
    }

    pub(super) fn names_in(&self, section: Option<NodeId>) -> impl Iterator<Item = &str> {
        let members = section.into_iter().flat_map(|section| self.tree.entries(section));
        members.map(|entry| self.tree.text(entry.key))
    }

    pub(super) fn file_name(&self, scope: InstanceId) -> String {
        self.loaded.files[self.values.instances[scope.at()].file].address.shown()
    }

    pub(super) fn scope_name(&self, scope: InstanceId) -> String {
        if scope == InstanceId::ROOT { "the template".to_owned() } else { self.import_name(scope).to_owned() }
    }

    pub(super) fn stop<T>(&mut self, scope: InstanceId, at: NodeId, what: &str) -> Resolved<T> {
        if std::mem::replace(&mut self.values.usage.stopped, true) {
            return Err(Stop::Reported);
        }
        let help = "find the import or loop that multiplies, and reduce it";
        let diagnostic = self
            .error(codes::MODULE_LIMIT, at, format!("{what}; the limit is exceeded"), help)
            .severity(Severity::Error)
            .note("the limit prevents hostile input from exhausting memory");
        self.wrong(scope, diagnostic)
    }

    /// Reports the name of a condition or mapping with two meanings in the result: declared at `at`, and added by a
    /// module. Once per name.
    pub(super) fn report_conflict(&mut self, what: &str, name: Symbol, at: (NodeId, InstanceId), other: NodeId) {
        if !self.emitted.conflicts.insert(name) {
            return;
        }
        let full = shown(self.tree.name(name));
        let message = format!("the name {full} has two meanings: `{what} name conflict: {full}`");
        let help = "rename it here, or rename the import that its name begins with";
        let (key, scope) = at;
        let diagnostic = self
            .error(codes::MODULE_NAME, key, message, help)
            .label("declared here with another meaning")
            .related(self.tree.span(other), "a module adds this one");
        self.report(scope, diagnostic);
    }
}

pub(super) fn describe_kind(tree: &Tree, node: NodeId) -> String {
    match tree.kind(node) {
        Kind::Null => "nothing".to_owned(),
        Kind::Bool => "a Boolean".to_owned(),
        Kind::Number => "a number".to_owned(),
        Kind::String | Kind::Key => "a string".to_owned(),
        Kind::List => "a list".to_owned(),
        Kind::Map => "a map".to_owned(),
        Kind::Call => {
            let (function, _) = tree.call(node);
            format!("a call of {}", tree.function_name(function))
        }
    }
}
