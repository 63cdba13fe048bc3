//! Advice on failures.

use formwork_deploy::{Event, Hint, Stack};
use formwork_report::printable;
use serde_json::Value;

use crate::around::Places;

/// Returns the advice for a reason of CloudFormation; `failure` is the event of the resource that has it.
pub fn of(reason: &str, failure: Option<&Event>, stack: &Stack, places: &mut Places) -> Option<String> {
    let name = printable(&stack.name);
    let words = match Hint::of(reason)? {
        Hint::Exists => {
            "use another name, or take over what exists: `formwork deploy --import-existing-resources`".to_owned()
        }
        Hint::Permission(action) => {
            let action = action.as_deref().map_or("the action that the sentence names".into(), printable);
            match &stack.role {
                Some(role) => format!("allow {action} to the role of the stack (`--role-arn`): {}", printable(role)),
                None => format!("allow {action} to the credentials that deploy, or pass a role with `--role-arn`"),
            }
        }
        Hint::Throttled => "deploy again; change fewer resources in one deployment".to_owned(),
        Hint::Quota => "find the quota that the sentence means in Service Quotas, and request an increase".to_owned(),
        Hint::Imported => "change the stacks that import the export first".to_owned(),
        Hint::Kept => {
            let id = failure.map_or("ID".into(), |event| printable(&event.logical_id));
            format!("remove what keeps it, or leave it: `formwork delete --stack-name {name} --retain-resources {id}`")
        }
        Hint::CustomResource => match failure.and_then(|event| function_of(event, places)) {
            Some(function) => {
                format!("its function has the reason in its logs: `formwork logs {name} -n {}`", printable(&function))
            }
            None => "the function of its `ServiceToken` has the reason in its logs".to_owned(),
        },
        Hint::NotStable => "look at the resource in its own console; set a longer timeout if it has one".to_owned(),
        Hint::Replacement => {
            "deploy with rollback enabled: without `--disable-rollback` and `--on-failure do-nothing`".to_owned()
        }
        Hint::Packaging => {
            "package the template again with the values of this deployment: `formwork deploy` does".to_owned()
        }
        _ => return None,
    };
    Some(words)
}

/// Returns the path of the stack's function behind the `ServiceToken` of a custom resource.
fn function_of(event: &Event, places: &mut Places) -> Option<String> {
    let text = places.expansion(&event.within)?;
    let template: Value = serde_json::from_str(&text).ok()?;
    let token = &template["Resources"][&event.logical_id]["Properties"]["ServiceToken"];
    let function = match &token["Fn::GetAtt"] {
        Value::Array(parts) => parts.first()?.as_str()?,
        Value::String(path) => path.split('.').next()?,
        _ => return None,
    };
    let is_function = template["Resources"][function]["Type"].as_str()?.ends_with("::Function");
    let path = || event.within.iter().map(String::as_str).chain([function]).collect::<Vec<_>>().join("/");
    is_function.then(path)
}
