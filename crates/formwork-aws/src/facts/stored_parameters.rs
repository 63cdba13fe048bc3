//! Values of SSM parameters.

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::Refusal;
use crate::aws_error::AwsError;
use crate::call_error::CallError;
use crate::clients::Clients;
use crate::json_api::JsonRequest;
use crate::snapshot::{Snapshot, StoredParameter};

const NAMES_AT_ONCE: usize = 10;

/// In `Incomplete`: a stored parameter that the snapshot does not contain may exist.
const SECTION: &str = "SsmParameters";

/// Adds the values of the parameters `names` to a snapshot. The section is omitted when the call fails: a name that is
/// missing from it would count as one that does not exist.
pub(super) async fn find(names: &[String], clients: &Clients, part: &mut Snapshot, errors: &mut Vec<AwsError>) {
    let found = match get(names, clients).await {
        Ok(found) => found,
        Err(refusal) => return errors.push(refusal.about("stored SSM parameters")),
    };
    let mut stored = IndexMap::new();
    for (name, parameter) in found {
        let Some(parameter) = parameter else { continue };
        let kind = parameter["Type"].as_str().filter(|kind| ["String", "StringList"].contains(kind));
        if let (Some(kind), Some(value)) = (kind, parameter["Value"].as_str()) {
            let version = parameter["Version"].as_i64().unwrap_or_default();
            stored.insert(name, StoredParameter { kind: kind.to_owned(), value: value.to_owned(), version });
        } else {
            errors.push(AwsError::secure(&name));
            part.incomplete = vec![SECTION.to_owned()];
        }
    }
    part.ssm_parameters = Some(stored);
}

/// Returns the parameters with these names, which may end in `:version` or `:label`; `None` for one that does not
/// exist.
pub(super) async fn get(names: &[String], clients: &Clients) -> Result<IndexMap<String, Option<Value>>, Refusal> {
    let mut found: IndexMap<String, Option<Value>> = names.iter().map(|name| (name.clone(), None)).collect();
    for some in batches(names) {
        let parameters = match call(&some, clients).await {
            // A string that is not a valid name makes the call fail for all.
            Err(failure) if is_no_name(&failure) => {
                let mut parameters = Vec::new();
                for name in &some {
                    match call(&[name], clients).await {
                        Ok(more) => parameters.extend(more),
                        Err(failure) if is_no_name(&failure) => {}
                        Err(failure) => return Err(Refusal::new("ssm:GetParameters", failure.without_detail())),
                    }
                }
                parameters
            }
            // The sentence may repeat a name, which a template may keep secret.
            result => result.map_err(|failure| Refusal::new("ssm:GetParameters", failure.without_detail()))?,
        };
        for parameter in parameters {
            // The response contains the name without its version. A query by ARN may match either.
            let names = [parameter["Name"].as_str(), parameter["ARN"].as_str()];
            let asked = some.iter().find(|name| names.contains(&Some(without_selector(name))));
            if let Some(slot) = asked.and_then(|name| found.get_mut(*name)) {
                *slot = Some(parameter);
            }
        }
    }
    Ok(found)
}

fn is_no_name(failure: &CallError) -> bool {
    failure.code.as_deref() == Some("ValidationException")
}

async fn call(names: &[&str], clients: &Clients) -> Result<Vec<Value>, CallError> {
    let body = json!({"Names": names, "WithDecryption": false});
    let request = JsonRequest::of_target("AmazonSSM.GetParameters", &body).version_1_1();
    listed(&clients.ssm.call(request).await?).cloned()
}

pub(super) fn listed(answer: &Value) -> Result<&Vec<Value>, CallError> {
    answer["Parameters"].as_array().ok_or_else(|| CallError::malformed("it has no list of parameters"))
}

/// Splits the names into batches of one call each. A call must not contain a name twice, of whatever version; an empty
/// name does not exist.
fn batches(names: &[String]) -> Vec<Vec<&str>> {
    let mut batches: Vec<Vec<&str>> = Vec::new();
    for name in names.iter().map(String::as_str).filter(|name| !name.is_empty()) {
        let fits = |batch: &Vec<&str>| {
            batch.len() < NAMES_AT_ONCE && batch.iter().all(|other| without_selector(other) != without_selector(name))
        };
        match batches.iter_mut().find(|batch| fits(batch)) {
            Some(batch) => batch.push(name),
            None => batches.push(vec![name]),
        }
    }
    batches
}

/// Removes the version or label from a name. An ARN has colons of its own, and a slash after them.
fn without_selector(name: &str) -> &str {
    match name.rsplit_once(':') {
        Some((base, selector)) if !selector.contains('/') => base,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lots() {
        let names: Vec<String> = ["/a", "/b:1", "/a:2", "", "/b:prod", "/c"].map(str::to_owned).into();
        assert_eq!(batches(&names), [vec!["/a", "/b:1", "/c"], vec!["/a:2", "/b:prod"]]);
        let names: Vec<String> = (0..25).map(|number| format!("/{number}")).collect();
        assert_eq!(batches(&names).iter().map(Vec::len).collect::<Vec<_>>(), [10, 10, 5]);
        assert_eq!(without_selector("arn:aws:ssm:eu-west-1:1:parameter/a"), "arn:aws:ssm:eu-west-1:1:parameter/a");
        assert_eq!(without_selector("arn:aws:ssm:eu-west-1:1:parameter/a:3"), "arn:aws:ssm:eu-west-1:1:parameter/a");
    }
}
