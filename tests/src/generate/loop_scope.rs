//! The loops around a value that is generated.

/// Variables of the loops around a value, and what else is known there.
#[derive(Clone, Default)]
pub(super) struct Scope<F = ()> {
    pub(super) names: Vec<String>,
    /// The first one whose items imports and files are named by.
    item: Option<String>,
    pub(super) facts: F,
}

impl<F: Clone> Scope<F> {
    pub(super) fn new(facts: F) -> Scope<F> {
        Scope { names: Vec::new(), item: None, facts }
    }

    /// The same in a loop with this variable.
    pub(super) fn with(&self, name: &str, is_item: bool) -> Scope<F> {
        let mut scope = self.clone();
        scope.names.push(name.to_owned());
        scope.item = scope.item.or_else(|| is_item.then(|| name.to_owned()));
        scope
    }

    /// The item of a loop as a part of a string of `Fn::Sub`.
    pub(super) fn item(&self) -> String {
        self.item.as_ref().map_or_else(|| "a".to_owned(), |name| format!("${{{name}}}"))
    }
}
