//! Policy templates.

use serde_json::{Map, Value};

/// A policy that is named and completed with values.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyTemplate {
    /// The parameters, all of which are required. A statement refers to them by `Ref`.
    pub parameters: Vec<String>,
    /// The list of statements.
    pub statements: Value,
}

/// Policy templates by name.
#[derive(Debug, Default)]
pub struct PolicyTemplates(Map<String, Value>);

impl PolicyTemplates {
    pub(super) fn new(templates: Map<String, Value>) -> PolicyTemplates {
        PolicyTemplates(templates)
    }

    /// Returns the template of a name.
    pub fn get(&self, name: &str) -> Option<PolicyTemplate> {
        let (parameters, statements) = (self.0.get(name)?.get("Parameters")?, self.0.get(name)?.get("Statement")?);
        let parameters = parameters.as_array()?.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        Some(PolicyTemplate { parameters, statements: statements.clone() })
    }

    /// Returns `true` for a name that a template has.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns the names in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
