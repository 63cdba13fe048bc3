//! The record of a stack, for plans without an account (reference/plan.md#stack).

use formwork::display::MASK;
use std::collections::HashSet;

use formwork::{Goal, MemoryHost, Options, Session, VirtualPath};
use formwork_deploy::{PollIntervals, RecordedStack};
use formwork_run::Status;
use serde_json::{Map, Value, json};

use super::Connection;
use crate::reporter::DeployReporter;
use crate::retries::Retries;

/// Records a stack and the stacks nested in it.
///
/// # Errors
/// When a stack cannot be described, with the exit status of the program; the reason is printed.
pub fn record(
    settings: &formwork_aws::Settings,
    name: &str,
    reporter: &mut DeployReporter<'_>,
) -> Result<Value, Status> {
    let mut connection = Connection::open(settings, PollIntervals::default(), reporter)?;
    let stack = connection.stack(name)?;
    match connection.service.record_stack(&stack.id, &mut Retries(connection.reporter)) {
        Ok(recorded) => Ok(object(&recorded)),
        Err(error) => Err(connection.refused(&error, name)),
    }
}

/// CloudFormation hides `NoEcho` values itself, other servers do not.
fn no_echo(template: &str) -> HashSet<String> {
    let path = VirtualPath::new("stack");
    let host = MemoryHost::new().with(path.as_str(), template.as_bytes().to_vec());
    let compiled = Session::new(host, Options::default()).analyze(&path).compile(Goal::Expand);
    let parameters = compiled.declared_parameters().into_iter().filter(|parameter| parameter.no_echo);
    parameters.map(|parameter| parameter.name.clone()).collect()
}

fn object(stack: &RecordedStack) -> Value {
    let hidden = no_echo(&stack.template);
    // A template in JSON is an object, one in YAML a string.
    let template = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    let part = |at: usize| stack.id.split(':').nth(at).unwrap_or_default().to_owned();
    let parameters = stack.parameters.iter().map(|(key, value, resolved)| {
        let is_hidden = hidden.contains(key);
        let mut one = json!({"ParameterKey": key, "ParameterValue": if is_hidden { MASK } else { value }});
        if let (Some(resolved), Some(one)) = (resolved.as_ref().filter(|_| !is_hidden), one.as_object_mut()) {
            one.insert("ResolvedValue".to_owned(), resolved.as_str().into());
        }
        one
    });
    let resources = stack.resources.iter().map(|[logical_id, physical_id, kind, status]| {
        json!({
            "LogicalResourceId": logical_id, "PhysicalResourceId": physical_id,
            "ResourceType": kind, "ResourceStatus": status,
        })
    });
    let nested: Map<String, Value> = stack.nested.iter().map(|(id, stack)| (id.clone(), object(stack))).collect();
    let mut record = json!({
        "formwork_stack": 1,
        "StackName": stack.name,
        "StackId": stack.id,
        "Region": part(3),
        "AccountId": part(4),
        "StackStatus": stack.status,
        "Template": template(&stack.template),
        "Parameters": parameters.collect::<Vec<_>>(),
        "Resources": resources.collect::<Vec<_>>(),
        "Tags": stack.tags.iter().map(|(key, value)| json!({"Key": key, "Value": value})).collect::<Vec<_>>(),
        "Capabilities": stack.capabilities,
        "Nested": nested,
    });
    let processed = template(&stack.processed);
    if let Some(record) = record.as_object_mut().filter(|_| processed != template(&stack.template)) {
        record.insert("Processed".to_owned(), processed);
    }
    record
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_no_echo_parameters_are_hidden() {
        let one = |name: &str| (name.to_owned(), format!("value of {name}"), Some(format!("resolved {name}")));
        let mut stack = RecordedStack::default();
        stack.template = "Parameters: {A: {Type: String}, B: {Type: String, NoEcho: true}}\nResources: {}\n".to_owned();
        stack.parameters = vec![one("A"), one("B")];
        let expected = json!([
            {"ParameterKey": "A", "ParameterValue": "value of A", "ResolvedValue": "resolved A"},
            {"ParameterKey": "B", "ParameterValue": "****"},
        ]);
        assert_eq!(object(&stack)["Parameters"], expected);
    }
}
