//! The repositories of images that SAM CLI and Formwork share by default (`--resolve-image-repos`): a companion stack
//! of the template's stack contains one for each function.

use std::time::{Duration, Instant};

use md5::{Digest, Md5};
use serde_json::{Value, json};

use super::interrupt::Interrupt;
use super::managed::{ManagedStack, PATIENCE, TAG, patiently};
use super::stack::{Stack, create, describe, update};
use crate::aws_error::AwsError;
use crate::cloud_formation::CloudFormation;
use crate::configuration::configuration;
use crate::runtime::runtime;
use crate::settings::{Settings, configured_region};
use crate::xml_api::QueryRequest;
use formwork_base::hexadecimal;

const INSTEAD: &str = "name a repository with --image-repository";
/// Maximum number of characters of the stack name in the companion's name, so that the whole name fits.
const STACK_PART: usize = 104;
const ID_PART: usize = 52;
const DIGITS: usize = 8;

/// Statuses of a stack whose repositories can be used.
const FITS: [&str; 5] = [
    "CREATE_COMPLETE",
    "UPDATE_COMPLETE",
    "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
    "UPDATE_ROLLBACK_COMPLETE",
    "IMPORT_COMPLETE",
];

/// Returns the path of the repository of a function (`STACK/FUNCTION` in a nested stack), as SAM CLI names it.
pub fn managed_repository_path(stack_name: &str, function: &str) -> String {
    let stack = format!("{}{}", letters(&stack_name.to_lowercase()), checksum(stack_name));
    format!("{stack}/{}{}repo", letters(&function.to_lowercase()), checksum(function))
}

/// Creates the missing repositories of the functions of a stack.
///
/// # Errors
/// When no Region is known, when the credentials are missing, or when CloudFormation rejects a call.
pub fn managed_repositories(
    settings: &Settings,
    stack_name: &str,
    functions: &[String],
    interrupt: &Interrupt,
) -> Result<(), AwsError> {
    let settings = Settings { region: configured_region(settings), ..settings.clone() };
    let runtime = runtime().map_err(|error| AwsError::no_runtime(&error))?;
    runtime.block_on(async {
        let work = async {
            let (config, region) = configuration(&settings).await?;
            make(&CloudFormation::new(&config, &region), stack_name, functions).await
        };
        tokio::select! {
            made = work => made,
            () = interrupt.wait() => Err(AwsError::interrupted()),
        }
    })
}

async fn make(client: &CloudFormation, stack_name: &str, functions: &[String]) -> Result<(), AwsError> {
    let name = companion(stack_name);
    let managed = ManagedStack { name: &name, resource: "repositories", instead: INSTEAD };
    let begin = Instant::now();
    let mut is_changed = false;
    loop {
        let stack = patiently(begin, || describe(client, &name)).await;
        let stack = stack.map_err(|failure| managed.refused("cloudformation:DescribeStacks", failure))?;
        match &stack {
            stack if !is_changed && stack.as_ref().is_none_or(Stack::is_in_review) => {
                let template = template(&name, stack_name, functions, &Value::Null).0.to_string();
                let made = patiently(begin, || create(client, &name, &template, TAG)).await;
                made.map_err(|failure| managed.refused("cloudformation:CreateStack", failure))?;
            }
            Some(stack) if stack.is_busy() && begin.elapsed() < PATIENCE => {
                tokio::time::sleep(Duration::from_secs(2)).await;
                continue;
            }
            Some(stack) => {
                managed.check_tag(stack)?;
                let is_undone = is_changed && stack.status == "UPDATE_ROLLBACK_COMPLETE";
                if is_undone || !FITS.contains(&stack.status.as_str()) {
                    return Err(managed.unusable(&format!("its status is {}", stack.status)));
                }
                if is_changed {
                    return Ok(());
                }
                let Some(template) = with_missing(client, managed, begin, (stack_name, functions)).await? else {
                    return Ok(());
                };
                let made = patiently(begin, || update(client, &name, &template)).await;
                made.map_err(|failure| managed.refused("cloudformation:UpdateStack", failure))?;
            }
            None => return Err(managed.unusable("it does not exist")),
        }
        is_changed = true;
    }
}

/// Returns the template of the stack with its missing repositories; `None` when all exist.
async fn with_missing(
    client: &CloudFormation,
    managed: ManagedStack<'_>,
    begin: Instant,
    (stack_name, functions): (&str, &[String]),
) -> Result<Option<String>, AwsError> {
    let get = || async {
        let answer = client.call(QueryRequest::new("GetTemplate").with("StackName", managed.name)).await?;
        Ok(answer.string_of("TemplateBody").unwrap_or_default())
    };
    let text = patiently(begin, get).await;
    let text = text.map_err(|failure| managed.refused("cloudformation:GetTemplate", failure))?;
    let known: Value = serde_json::from_str(&text).map_err(|_| managed.unusable("its template is not JSON"))?;
    let (template, is_new) = template(managed.name, stack_name, functions, &known);
    Ok(is_new.then(|| template.to_string()))
}

/// Returns a template with a repository for each function besides the existing ones, and `true` if one is new.
fn template(name: &str, stack_name: &str, functions: &[String], known: &Value) -> (Value, bool) {
    let mut template = known.clone();
    if !template.is_object() {
        template = json!({"Description": format!("Repositories for the images of {stack_name}"), "Resources": {}});
    }
    let mut is_new = false;
    for function in functions {
        let mut id = letters(&function.to_lowercase());
        id.truncate(ID_PART);
        let id = format!("{id}{}Repo", checksum(function));
        if template["Resources"].get(&id).is_none() {
            template["Resources"][&id] = repository(name, &managed_repository_path(stack_name, function));
            is_new = true;
        }
    }
    (template, is_new)
}

/// Returns a repository from which Lambda may run images.
fn repository(stack: &str, path: &str) -> Value {
    json!({
        "Type": "AWS::ECR::Repository",
        "Properties": {
            "RepositoryName": path,
            "Tags": [{"Key": TAG.0, "Value": TAG.1}, {"Key": "AwsSamCliCompanionStack", "Value": stack}],
            "RepositoryPolicyText": {
                "Version": "2012-10-17",
                "Statement": [{
                    "Sid": "AllowLambdaSLR",
                    "Effect": "Allow",
                    "Principal": {"Service": ["lambda.amazonaws.com"]},
                    "Action": ["ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer", "ecr:GetRepositoryPolicy"]
                }]
            }
        }
    })
}

fn companion(stack_name: &str) -> String {
    let part: String = stack_name.chars().take(STACK_PART).collect();
    format!("{part}-{}-CompanionStack", checksum(stack_name))
}

fn letters(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Returns the beginning of the MD5, as SAM CLI has it in names.
fn checksum(text: &str) -> String {
    hexadecimal(&Md5::digest(text.as_bytes())[..DIGITS / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_sam_cli() {
        // The example of its documentation.
        let path = managed_repository_path("sam-app", "HelloWorldFunction");
        assert_eq!(path, "samapp7427b055/helloworldfunction19d43fc4repo");
        assert_eq!(companion("sam-app"), "sam-app-7427b055-CompanionStack");
        assert!(companion(&"x".repeat(128)).len() <= 128);
    }

    #[test]
    fn what_is_there_stays() {
        let functions = ["A".to_owned(), "Child/A".to_owned()];
        let (first, is_new) = template("c", "s", &functions[..1], &Value::Null);
        assert!(is_new && first["Resources"].as_object().is_some_and(|resources| resources.len() == 1));
        let (second, is_new) = template("c", "s", &functions, &first);
        assert!(is_new && second["Resources"].as_object().is_some_and(|resources| resources.len() == 2));
        assert_eq!(template("c", "s", &functions[1..], &second), (second.clone(), false));
    }
}
