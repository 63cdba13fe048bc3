//! Actions of the query protocol.

/// An action and its parameters, which are sent as a form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryRequest {
    pub(super) action: &'static str,
    pub(super) parameters: Vec<(String, String)>,
}

impl QueryRequest {
    /// Creates an action without parameters: `DescribeStacks`.
    pub fn new(action: &'static str) -> QueryRequest {
        QueryRequest { action, parameters: Vec::new() }
    }

    /// Returns the name of the action.
    pub fn action(&self) -> &'static str {
        self.action
    }

    /// Adds a parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> QueryRequest {
        self.parameters.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds a parameter if it has a value.
    #[must_use]
    pub fn with_some(self, name: &str, value: Option<&str>) -> QueryRequest {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds a list of strings. An empty list is sent as such.
    #[must_use]
    pub fn with_list<'v>(self, name: &str, values: impl IntoIterator<Item = &'v str>) -> QueryRequest {
        self.with_records(name, values.into_iter().map(|value| [("", value)]))
    }

    /// Adds a list of structures: the names and values of each. An empty list is sent as such.
    #[must_use]
    pub fn with_records<'v, R>(mut self, name: &str, records: impl IntoIterator<Item = R>) -> QueryRequest
    where
        R: IntoIterator<Item = (&'v str, &'v str)>,
    {
        let mut number = 0;
        for record in records {
            number += 1;
            for (member, value) in record {
                let dot = if member.is_empty() { "" } else { "." };
                self.parameters.push((format!("{name}.member.{number}{dot}{member}"), value.to_owned()));
            }
        }
        if number == 0 {
            self.parameters.push((name.to_owned(), String::new()));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_numbered() {
        let request = QueryRequest::new("CreateChangeSet")
            .with_some("RoleARN", None)
            .with_some("StackName", Some("shop"))
            .with_list("Capabilities", ["A", "B"])
            .with_records("Tags", [[("Key", "k"), ("Value", "v")]])
            .with_list("NotificationARNs", []);
        let parameters: Vec<_> = request.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(
            parameters,
            [
                "StackName=shop",
                "Capabilities.member.1=A",
                "Capabilities.member.2=B",
                "Tags.member.1.Key=k",
                "Tags.member.1.Value=v",
                "NotificationARNs=",
            ]
        );
    }
}
