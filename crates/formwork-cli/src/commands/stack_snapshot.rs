//! `formwork stack snapshot` (reference/plan.md#stack).

use formwork_deploy::{PollIntervals, RecordedStack};
use serde_json::{Map, Value, json};

use super::around::{Connection, Target};
use crate::args::StackSnapshotArgs;
use crate::commands::deploy::reporter::DeployReporter;
use crate::commands::deploy::retries::Retries;
use crate::failure::Failure;
use crate::output::Outputs;
use crate::report::Reporter;
use crate::{Status, configured, output, terminal};

/// Records a stack.
///
/// # Errors
/// When no stack is named, or the record cannot be written.
pub(crate) fn run(args: &StackSnapshotArgs) -> Result<Status, Failure> {
    Outputs::new(&[("--output", args.output.as_deref())], None).check(&[])?;
    let target = Target::new("stack_snapshot", args.stack.named(), None, &args.account)?;
    let name = target.stack()?.to_owned();
    configured::say_rest(Some(&args.report));
    let mut diagnostics = Reporter::new(&args.report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    let status = match record(&target.settings, &name, &mut reporter) {
        Ok(record) => {
            let text = format!("{record:#}\n");
            output::write(args.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
            terminal::say_written(args.output.as_deref());
            Status::Done
        }
        Err(status) => status,
    };
    reporter.finish();
    Ok(status)
}

/// Records a stack and those nested in it.
///
/// # Errors
/// When it cannot be looked at, with the status that the program ends with; why is printed.
pub(in crate::commands) fn record(
    settings: &formwork_aws::Settings,
    name: &str,
    reporter: &mut DeployReporter<'_, '_>,
) -> Result<Value, Status> {
    let mut connection = Connection::open(settings, PollIntervals::default(), reporter)?;
    let stack = connection.stack(name)?;
    match connection.service.record_stack(&stack.id, &mut Retries(connection.reporter)) {
        Ok(recorded) => Ok(object(&recorded)),
        Err(error) => Err(connection.refused(&error, name)),
    }
}

fn object(stack: &RecordedStack) -> Value {
    // A template in JSON is an object, one in YAML a string.
    let template = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    let part = |at: usize| stack.id.split(':').nth(at).unwrap_or_default().to_owned();
    let parameters = stack.parameters.iter().map(|(key, value, resolved)| {
        let mut one = json!({"ParameterKey": key, "ParameterValue": value});
        if let (Some(resolved), Some(one)) = (resolved, one.as_object_mut()) {
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
