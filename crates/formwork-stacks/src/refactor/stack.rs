//! A stack of a refactor: the deployed template, and its author's current one.

use std::path::{Path, PathBuf};

use formwork::{Compilation, Format, Limits, PseudoParameter, Serverless, Values};
use formwork_deploy::{Stack, StackState, TemplateStage};
use formwork_refactor::{ResourceId, Sides};
use formwork_report::{Notice, printable};
use formwork_run::{Status, inputs};
use serde_json::Value;

use super::RefactorArgs;
use crate::Exit;
use crate::around::{Connection, add_pseudo, add_values, compile, missing_answer, with_nested};
use crate::places::{Origin, Sources};
use crate::retries::Retries;
use crate::secrets::Secrets;

/// A stack of a refactor.
pub struct RefactoredStack {
    /// The deployed stack; `None` when the refactor creates it.
    pub stack: Option<Stack>,
    /// The deployed and the current template.
    pub sides: Sides,
    /// The places of the template's resources.
    pub sources: Sources,
    /// The upload settings of the configuration file.
    pub upload: inputs::Upload,
}

impl RefactoredStack {
    /// Describes a stack and expands its template with the values of the stack. Makes only read calls.
    ///
    /// # Errors
    /// When the stack cannot be refactored, or the template has errors.
    pub fn read(
        (name, template): &(String, PathBuf),
        args: &RefactorArgs,
        connection: &mut Connection<'_, '_>,
    ) -> Result<RefactoredStack, Exit> {
        let stack = standing(name, args, connection)?;
        let deployed = match &stack {
            Some(stack) => deployed(stack, connection)?,
            None => Value::Null,
        };
        let (sources, upload) = sources(name, template, stack.as_ref(), args, connection)?;
        let authored = sources.expanded().unwrap_or_default();
        Ok(RefactoredStack { stack, sides: Sides { stack: name.clone(), deployed, authored }, sources, upload })
    }

    /// Returns the place of a resource of the template: that of the one which the serverless transform makes it of.
    pub fn origin(&mut self, logical_id: &str) -> Option<Origin> {
        self.sources.of(&[], logical_id)
    }

    /// Returns `true` if macros generate resources of the template, which are not known locally.
    pub fn has_macros(&self) -> bool {
        let template = self.sources.root().template();
        // The serverless transform stays where its result is not known.
        let is_kept = || {
            let transforms = self.sides.authored.get("Transform");
            let names = transforms.and_then(Value::as_array).into_iter().flatten().chain(transforms);
            names.filter_map(Value::as_str).any(|name| name.starts_with("AWS::Serverless-"))
        };
        template.has_other_transforms() && (!template.is_serverless() || template.has_unknown_names() || is_kept())
    }
}

/// Returns the stack with a name.
pub fn named<'s>(stacks: &'s mut [RefactoredStack], name: &str) -> Option<&'s mut RefactoredStack> {
    stacks.iter_mut().find(|stack| stack.sides.stack == name)
}

/// Returns the place of a resource of one of several templates.
pub fn origin(stacks: &mut [RefactoredStack], id: &ResourceId) -> Option<Origin> {
    named(stacks, &id.stack)?.origin(&id.logical_id)
}

/// Returns the stack, after waiting for an operation in progress.
fn standing(name: &str, args: &RefactorArgs, connection: &mut Connection<'_, '_>) -> Result<Option<Stack>, Exit> {
    let state = connection.service.describe_stack(name, &mut Retries(connection.reporter));
    let mut state = state.map_err(|error| connection.refused(&error, name))?;
    if let StackState::Busy(stack) = &state {
        let shown = printable(name);
        connection
            .reporter
            .print_line(&format!("Waiting until stack {shown} is stable: it is in {}", printable(&stack.status)));
        let waited = connection.service.until_stable(name, &mut Retries(connection.reporter));
        state = waited.map_err(|error| connection.refused(&error, name))?;
    }
    match state {
        StackState::Ready(stack) => Ok(Some(stack)),
        StackState::Absent if args.enable_stack_creation => Ok(None),
        StackState::Absent => {
            // This reports the error as every command around a stack does; a stack in REVIEW_IN_PROGRESS has no
            // template.
            connection.stack(name)?;
            let notice = Notice::error(format!("stack {} has no resources yet", printable(name)));
            connection
                .reporter
                .print(&notice.help("deploy it first, or delete it and pass `--enable-stack-creation`"), None);
            Err(Status::Errors.into())
        }
        StackState::Busy(stack) | StackState::Dead(stack) | StackState::Stuck(stack) => {
            let (name, status) = (printable(name), printable(&stack.status));
            let notice = Notice::error(format!("stack {name} is in {status} and cannot be refactored"));
            let notice = notice.help("bring it to a state in which it can be updated, with `formwork deploy`");
            connection.reporter.print(&notice, None);
            Err(Status::Errors.into())
        }
    }
}

/// Returns the processed template of a stack that may be refactored.
fn deployed(stack: &Stack, connection: &mut Connection<'_, '_>) -> Result<Value, Exit> {
    let text =
        connection.service.stack_template(&stack.id, TemplateStage::Processed, &mut Retries(connection.reporter));
    let text = text.map_err(|error| connection.refused(&error, &stack.name))?;
    let json = formwork::reformat(&text, Format::Json, &Limits::default());
    let Some(value) = json.and_then(|json| serde_json::from_str(&json).ok()) else {
        let notice = Notice::error(format!("the deployed template of stack {} cannot be read", printable(&stack.name)));
        connection.reporter.print(&notice, None);
        return Err(Status::Errors.into());
    };
    match connection.service.stack_policy(&stack.id) {
        Ok(None) => {}
        Ok(Some(_)) => {
            let notice = Notice::error(format!("stack {} has a stack policy", printable(&stack.name)))
                .because("CloudFormation refactors no stack that has one")
                .help("look at it with `aws cloudformation get-stack-policy`");
            connection.reporter.print(&notice, None);
            return Err(Status::Errors.into());
        }
        Err(formwork_deploy::Unavailable::Ended(error)) => return Err(connection.refused(&error, &stack.name).into()),
        Err(missing) => {
            let what = format!("whether stack {} has a stack policy is not known", printable(&stack.name));
            let is_verbose = connection.reporter.is_verbose();
            if let Some(notice) = missing_answer(&missing, &what, "cloudformation:GetStackPolicy", is_verbose) {
                connection.reporter.print(&notice, None);
            }
        }
    }
    Ok(value)
}

/// Expands the author's template with the values of the stack.
fn sources(
    name: &str,
    template: &Path,
    stack: Option<&Stack>,
    args: &RefactorArgs,
    connection: &mut Connection<'_, '_>,
) -> Result<(Sources, inputs::Upload), Exit> {
    let mut input = inputs::read(template, "refactor", Values::Keep, &args.inputs, args.report.strict)?;
    // A refactor is about what is deployed.
    input.options.serverless = Serverless::Output;
    add_pseudo(&mut input.options, PseudoParameter::Region, Some(connection.service.region()));
    add_pseudo(&mut input.options, PseudoParameter::StackName, Some(name));
    let mut checked = compile(&input);
    if let Some(stack) = stack.filter(|stack| !stack.parameters.is_empty()) {
        add_values(&mut input.options, checked.root.compilation(), stack);
        checked = compile(&input);
    }
    connection.reporter.hide(Secrets::new(&checked.root.compilation().secret_texts()));
    let missing = match stack {
        // A new parameter of an existing stack comes with the next deployment.
        Some(_) => None,
        None => checked.root.compilation().missing_values(&[]),
    };
    checked.root.append(missing);
    connection.reporter.diagnostics(&checked.root);
    if checked.root.has_errors() {
        connection.reporter.finish_diagnostics("; nothing was refactored");
        return Err(Status::Failed.into());
    }
    Ok((with_nested(checked), input.upload))
}

/// Returns the template that diagnostics about a stack are shown in.
pub fn compilation<'s>(stacks: &'s [RefactoredStack], name: &str) -> Option<&'s Compilation> {
    stacks.iter().find(|stack| stack.sides.stack == name).map(|stack| stack.sources.root())
}
