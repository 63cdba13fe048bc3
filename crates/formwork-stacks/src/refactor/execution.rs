//! Creates, reviews, and executes refactors in CloudFormation.

use formwork::{Diagnostic, codes};
use formwork_aws::CallError;
use formwork_deploy::{
    Answer, StackRefactor, StackRefactorRequest, StackState, TemplateBody, TemplateBodyError, TemplateSource,
};
use formwork_refactor::{Intermediate, Mapping, ResourceId};
use formwork_report::{Notice, printable};
use formwork_run::Status;
use formwork_run::upload::Upload;

use super::RefactorArgs;
use super::actions::{stack_name, unexpected};
use super::refusals;
use super::stack::RefactoredStack;
use super::summary::Summary;
use super::table;
use crate::Exit;
use crate::around::Connection;
use crate::packaging::Store;
use crate::retries::Retries;

/// Replaces the stack name in messages about a refactor as a whole.
const REFACTOR: &str = "refactor";

/// Creates a refactor and waits until CloudFormation has checked it. Nothing changes yet.
///
/// # Errors
/// When the refactor cannot be created, or would have other effects than requested.
pub fn create(
    args: &RefactorArgs,
    (sent, mappings): (&[Intermediate], &[Mapping]),
    stacks: &mut [RefactoredStack],
    connection: &mut Connection<'_, '_>,
    summary: &mut Summary,
) -> Result<(), Exit> {
    let mut definitions = Vec::new();
    for one in sent {
        definitions.push((one.stack.clone(), template(args, one, stacks, connection)?));
    }
    let name = |id: &ResourceId| (id.stack.clone(), id.logical_id.clone());
    let names: Vec<_> = mappings.iter().map(|one| (name(&one.source), name(&one.destination))).collect();
    let creates =
        sent.iter().any(|one| stacks.iter().any(|stack| stack.sides.stack == one.stack && stack.sides.is_new()));
    let request = StackRefactorRequest {
        definitions: &definitions,
        mappings: &names,
        creates_stacks: creates,
        description: args.description.as_deref(),
    };
    let id = connection.service.create_stack_refactor(request, &mut Retries(connection.reporter));
    let id = id.map_err(|error| connection.refused(&error, REFACTOR))?;
    if id.is_empty() {
        let notice = Notice::error("the answer to CreateStackRefactor has no ID; nothing was executed");
        let notice = notice.help("look at what answers there: AWS_ENDPOINT_URL, or a proxy (HTTPS_PROXY, NO_PROXY)");
        connection.reporter.print(&notice, None);
        return Err(Status::Errors.into());
    }
    summary.id = Some(id.clone());
    connection.reporter.print_line(&format!("Refactor {}:", printable(&id)));
    let refactor = connection.service.until_refactor_is_created(&id, &mut Retries(connection.reporter));
    let refactor = refactor.map_err(|error| connection.refused(&error, REFACTOR))?;
    if !refactor.is_created() {
        let reason = refactor.reason.as_deref().unwrap_or("the service reports no reason");
        not_created(reason, mappings, stacks, connection);
        return Err(Status::Errors.into());
    }
    if !refactor.is_open() {
        closed(&id, &refactor, connection);
        summary.result = Some("refused");
        return Err(Status::Errors.into());
    }
    look(&id, args, connection, summary)?;
    let wrong = unexpected(&summary.actions, mappings, creates);
    if !wrong.is_empty() {
        let count = wrong.len();
        let noun = if count == 1 { "action that is" } else { "actions that are" };
        let notice = Notice::error(format!("the refactor has {count} {noun} not in the mapping; nothing was executed"))
            .help("name every rename and move with `--map`, or take the edit back that causes it");
        connection.reporter.print(&notice, None);
        return Err(Status::Errors.into());
    }
    Ok(())
}

/// Prints why CloudFormation rejects a refactor, at the resources in its sentence.
fn not_created(
    reason: &str,
    mappings: &[Mapping],
    stacks: &mut [RefactoredStack],
    connection: &mut Connection<'_, '_>,
) {
    let is_named = |id: &str| reason.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == id);
    let named: Vec<ResourceId> = mappings
        .iter()
        .filter(|one| is_named(&one.source.logical_id) || is_named(&one.destination.logical_id))
        .map(|one| one.destination.clone())
        .collect();
    let note = format!("CloudFormation reports `{}`", connection.reporter.clean(reason));
    if named.is_empty() {
        let notice = Notice::error("CloudFormation rejects the refactor").because(note);
        connection.reporter.print(&notice, None);
        return;
    }
    for id in &named {
        let message = format!("CloudFormation rejects the refactor of {}", id.logical_id);
        let found = Diagnostic::new(codes::REFACTOR, message).note(note.clone());
        refusals::print_found(found, Some(id), stacks, connection.reporter);
    }
}

/// Returns the template of a stack in the form that is sent.
fn template(
    args: &RefactorArgs,
    one: &Intermediate,
    stacks: &[RefactoredStack],
    connection: &mut Connection<'_, '_>,
) -> Result<TemplateSource, Exit> {
    let text = one.template.to_string();
    let configured = stacks.iter().find(|stack| stack.sides.stack == one.stack).map(|stack| &stack.upload);
    let body = match configured.filter(|_| text.len() > TemplateBody::INLINE) {
        None => TemplateBody::inline(text).map_err(|error| error.to_string()),
        Some(configured) => {
            let region = Some(connection.service.region().to_owned());
            let aws = &args.inputs.live.aws;
            let upload = Upload::new(&args.upload, aws, configured, region.as_deref(), Some(&one.stack));
            let upload = upload?;
            let store = upload.is_somewhere().then_some(Store(&upload));
            TemplateBody::new(text, store.as_ref()).map_err(|error| match error {
                TemplateBodyError::NotStored(why) => format!("the template could not be uploaded: {why}"),
                error => error.to_string(),
            })
        }
    };
    match body {
        Ok(body) => Ok(body.source),
        Err(why) => {
            connection.reporter.print(&Notice::error(why), None);
            Err(Status::Failed.into())
        }
    }
}

fn look(id: &str, args: &RefactorArgs, connection: &mut Connection<'_, '_>, summary: &mut Summary) -> Result<(), Exit> {
    let actions = connection.service.stack_refactor_actions(id, &mut Retries(connection.reporter));
    summary.actions = actions.map_err(|error| connection.refused(&error, REFACTOR))?;
    for line in table::of_actions(&summary.actions, args.report.verbose).lines() {
        connection.reporter.print_line(&format!("  {line}"));
    }
    Ok(())
}

/// Asks, executes a refactor, and waits until its stacks are stable.
///
/// # Errors
/// When a call fails, or the run ends.
pub fn execute(
    id: &str,
    args: &RefactorArgs,
    connection: &mut Connection<'_, '_>,
    summary: &mut Summary,
) -> Result<Status, Exit> {
    if args.no_execute {
        summary.result = Some("not-executed");
        connection.reporter.print_line(&format!("not executed: run `formwork refactor --execute {}`", printable(id)));
        return Ok(Status::Done);
    }
    if !args.yes && !is_approved(connection, summary)? {
        summary.result = Some("not-executed");
        connection.reporter.print_line("nothing was executed");
        return Ok(Status::Errors);
    }
    summary.is_executed = true;
    let refactor = connection.service.execute_stack_refactor(id, &mut Retries(connection.reporter));
    let refactor = refactor.map_err(|error| connection.refused(&error, REFACTOR))?;
    if !refactor.is_executed() {
        let status = printable(&refactor.execution_status).into_owned();
        let mut notice = Notice::error(format!("the refactor ended in {status}"));
        if let Some(reason) = &refactor.execution_reason {
            notice = notice.because(format!("CloudFormation reports `{}`", printable(reason)));
        }
        connection.reporter.print(&notice, None);
        summary.result = Some("failed");
        return Ok(Status::Errors);
    }
    settled(connection, summary)
}

fn settled(connection: &mut Connection<'_, '_>, summary: &mut Summary) -> Result<Status, Exit> {
    for stack in summary.stacks.clone() {
        let state = connection.service.until_stable(&stack, &mut Retries(connection.reporter));
        let state = state.map_err(|error| connection.refused(&error, &stack))?;
        if let StackState::Dead(stack) | StackState::Stuck(stack) = state {
            let notice =
                Notice::warning(format!("stack {} is in {}", printable(&stack.name), printable(&stack.status)));
            connection.reporter.print(&notice, None);
        }
    }
    summary.result = Some("refactored");
    let names = summary.stacks.join(", ");
    let noun = if summary.stacks.len() == 1 { "stack" } else { "stacks" };
    connection.reporter.print_line(&format!("{noun} {} refactored", printable(&names)));
    Ok(Status::Done)
}

fn is_approved(connection: &mut Connection<'_, '_>, summary: &Summary) -> Result<bool, Exit> {
    let account = connection.service.account().map_or_else(String::new, |account| format!(", account {account}"));
    let count = summary.actions.len();
    let noun = if count == 1 { "action" } else { "actions" };
    let question = format!(
        "Execute {count} {noun} on {} in {}{account}?",
        printable(&summary.stacks.join(", ")),
        connection.service.region()
    );
    let Answer::Pending(answer) = connection.reporter.ask(&question) else { return Ok(false) };
    let answer = connection.service.alongside(answer).map_err(|error| connection.refused(&error, REFACTOR))?;
    Ok(answer.unwrap_or(false))
}

/// Continues a refactor that was created earlier.
///
/// # Errors
/// When the refactor cannot be executed, or a call fails.
pub fn resume(
    id: &str,
    args: &RefactorArgs,
    connection: &mut Connection<'_, '_>,
    summary: &mut Summary,
) -> Result<Status, Exit> {
    summary.id = Some(id.to_owned());
    let shown = printable(id).into_owned();
    let refactor = connection.service.until_refactor_is_created(id, &mut Retries(connection.reporter));
    let refactor = match refactor {
        Err(error) if error.call().is_some_and(|(_, failure)| is_absent(failure)) => {
            let notice = Notice::error(format!("refactor {shown} does not exist"))
                .because("it was never created, or it is in another account or Region")
                .help("make a new one with `formwork refactor`");
            connection.reporter.print(&notice, None);
            summary.result = Some("refused");
            return Ok(Status::Errors);
        }
        refactor => refactor.map_err(|error| connection.refused(&error, REFACTOR))?,
    };
    summary.stacks = refactor.stacks.iter().map(|stack| stack_name(stack).to_owned()).collect();
    if refactor.is_executed() {
        summary.result = Some("refactored");
        connection.reporter.print_line(&format!("refactor {shown} is already executed"));
        return Ok(Status::Done);
    }
    if !refactor.is_created() || !refactor.is_open() {
        closed(id, &refactor, connection);
        summary.result = Some("refused");
        return Ok(Status::Errors);
    }
    look(id, args, connection, summary)?;
    execute(id, args, connection, summary)
}

fn closed(id: &str, refactor: &StackRefactor, connection: &mut Connection<'_, '_>) {
    let status = if refactor.is_created() { &refactor.execution_status } else { &refactor.status };
    let reason = refactor.execution_reason.as_ref().or(refactor.reason.as_ref());
    let (id, status) = (printable(id), printable(status));
    let mut notice = Notice::error(format!("refactor {id} cannot be executed: it is in {status}"));
    if let Some(reason) = reason {
        notice = notice.because(format!("CloudFormation reports `{}`", printable(reason)));
    }
    connection.reporter.print(&notice.help("make a new one with `formwork refactor`"), None);
}

fn is_absent(failure: &CallError) -> bool {
    failure.code.as_deref().is_some_and(|code| code.starts_with("StackRefactorNotFound"))
}
