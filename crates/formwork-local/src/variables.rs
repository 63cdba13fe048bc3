//! The file of `--env-vars` (reference/local.md#variables).

use serde_json::Value;

use crate::function::Function;
use crate::localize::scalar_text;

/// Environment variables for functions: `{Id: {Name: value}}`, and `{Parameters: {Name: value}}` for all of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VariablesFile {
    groups: Vec<(String, Vec<(String, String)>)>,
}

/// An error of a file of variables, as a clause.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VariablesError {
    /// The file is not JSON.
    #[error("it is not JSON: {0}")]
    NotJson(String),
    /// The file is not an object.
    #[error("it is not an object: write {{\"FunctionId\": {{\"NAME\": \"value\"}}}}")]
    NotObject,
    /// The value for an ID is not an object.
    #[error("the value of {0} is not an object of names and values")]
    Group(String),
    /// A value is a list or an object.
    #[error("the value of {name} of {id} is not a string, number or Boolean")]
    Value {
        /// The function.
        id: String,
        /// The variable.
        name: String,
    },
}

/// The key of the group for all functions.
const ALL: &str = "Parameters";

impl VariablesFile {
    /// Parses the content of a file.
    ///
    /// # Errors
    /// When the content has another shape; the error is a clause.
    pub fn parse(text: &[u8]) -> Result<VariablesFile, VariablesError> {
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        let value: Value =
            serde_json::from_slice(text).map_err(|_| VariablesError::NotJson(formwork::why_not_json(text)))?;
        let Value::Object(groups) = value else {
            return Err(VariablesError::NotObject);
        };
        let mut found = Vec::new();
        for (id, variables) in groups {
            let Value::Object(variables) = variables else {
                return Err(VariablesError::Group(id));
            };
            let mut group = Vec::new();
            for (name, value) in variables {
                let text = match &value {
                    Value::Null => String::new(),
                    value => scalar_text(value)
                        .ok_or_else(|| VariablesError::Value { id: id.clone(), name: name.clone() })?,
                };
                group.push((name, text));
            }
            found.push((id, group));
        }
        Ok(VariablesFile { groups: found })
    }

    /// Returns the keys that are neither a function of `functions` nor the group for all.
    pub fn unknown<'a>(&'a self, functions: &[Function]) -> Vec<&'a str> {
        let is_known = |id: &str| id == ALL || functions.iter().any(|function| is_of(id, function));
        self.groups.iter().map(|(id, _)| id.as_str()).filter(|id| !is_known(id)).collect()
    }

    /// Returns the variables of a function: those declared, overridden by the values that the file has for all
    /// functions, and then by those for this one.
    pub fn applied(&self, function: &Function) -> Vec<(String, String)> {
        let mut variables = function.variables.clone();
        let all = self.groups.iter().filter(|(id, _)| id == ALL);
        let own = self.groups.iter().filter(|(id, _)| id != ALL && is_of(id, function));
        for (name, value) in all.chain(own).flat_map(|(_, group)| group) {
            match variables.iter_mut().find(|(known, _)| known == name) {
                Some(known) => known.1.clone_from(value),
                None => variables.push((name.clone(), value.clone())),
            }
        }
        variables
    }
}

fn is_of(id: &str, function: &Function) -> bool {
    id == function.id || id == function.logical_id() || function.name.as_deref() == Some(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::CodeSource;

    fn function() -> Function {
        Function {
            id: "Child/UsersFunction".into(),
            name: None,
            runtime: None,
            handler: None,
            code: CodeSource::Image,
            layers: Vec::new(),
            memory: 128,
            timeout: 3,
            variables: vec![("A".into(), "declared".into())],
            is_durable: false,
            place: None,
        }
    }

    #[test]
    fn the_group_of_the_function_wins_and_names_are_added() {
        let text = br#"{"UsersFunction": {"B": 3, "C": true}, "Parameters": {"A": "all", "B": "all"}, "Other": {}}"#;
        let file = VariablesFile::parse(text).expect("a file");
        let variables = file.applied(&function());
        let want = [("A", "all"), ("B", "3"), ("C", "true")].map(|(name, value)| (name.into(), value.into()));
        assert_eq!(variables, want);
        assert_eq!(file.unknown(&[function()]), ["Other"]);
    }

    #[test]
    fn other_shapes_are_refused() {
        for text in ["[]", "{\"A\": 1}", "{\"A\": {\"B\": []}}", "{"] {
            assert!(VariablesFile::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
