//! Files with mappings, in the forms of the AWS CLI and of the CDK.

use serde_json::{Value, json};

use crate::{Mapping, ResourceId};

/// Parses a file of mappings in JSON: AWS's list of `{Source, Destination}`, each `{StackName, LogicalResourceId}`,
/// alone or below `ResourceMappings`, or the CDK's `{"mappings": [{"resources": {"Stack.Old": "Stack.New"}}]}`. `None`
/// for another shape.
pub fn read_mappings(file: &Value) -> Option<Vec<Mapping>> {
    if let Some(list) = file.as_array().or_else(|| file.get("ResourceMappings")?.as_array()) {
        let id = |value: Option<&Value>| {
            let text = |name| value?.get(name)?.as_str();
            Some(ResourceId::new(text("StackName")?, text("LogicalResourceId")?))
        };
        let of =
            |one: &Value| Some(Mapping { source: id(one.get("Source"))?, destination: id(one.get("Destination"))? });
        return list.iter().map(of).collect();
    }
    let groups = file.get("mappings")?.as_array()?;
    let mut found = Vec::new();
    for group in groups {
        for (old, new) in group.get("resources")?.as_object()? {
            found.push(Mapping::read(&format!("{old}={}", new.as_str()?), None)?);
        }
    }
    Some(found)
}

/// Returns mappings in the form that `aws cloudformation create-stack-refactor --resource-mappings` takes.
pub fn write_mappings(mappings: &[Mapping]) -> Value {
    let id = |id: &ResourceId| json!({"StackName": id.stack, "LogicalResourceId": id.logical_id});
    let of = |mapping: &Mapping| json!({"Source": id(&mapping.source), "Destination": id(&mapping.destination)});
    mappings.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read_and_one_is_written() {
        let want = [Mapping::read("shop.Old=data.New", None).expect("a mapping")];
        let aws = write_mappings(&want);
        assert_eq!(
            aws,
            json!([{"Source": {"StackName": "shop", "LogicalResourceId": "Old"},
                    "Destination": {"StackName": "data", "LogicalResourceId": "New"}}])
        );
        let cdk = json!({"mappings": [{"account": "1", "region": "r", "resources": {"shop.Old": "data.New"}}]});
        for file in [aws.clone(), json!({"ResourceMappings": aws}), cdk] {
            assert_eq!(read_mappings(&file).as_deref(), Some(&want[..]), "{file}");
        }
        for wrong in
            [json!({}), json!([{"Source": {}}]), json!({"mappings": [{"resources": {"Old": "New"}}]}), json!(1)]
        {
            assert_eq!(read_mappings(&wrong), None, "{wrong}");
        }
    }
}
