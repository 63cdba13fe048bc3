//! The deletion of a stack, from listing its resources to its end (reference/deploy.md#delete).

use formwork_aws::Interrupt;

use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::failure::{DeployFailure, Leftover};
use crate::observer::{Answer, DeployObserver, Progress, Question};
use crate::operation::OperationEnd;
use crate::outcome::Outcome;
use crate::result::DeployResult;
use crate::service::Service;
use crate::stack_artifacts;
use crate::stack_resource::StackResource;
use crate::stack_state::{Stack, StackState};
use crate::status;
use crate::steps::stack_resources::StackContents;

/// The settings of a deletion.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeleteRequest {
    /// Name or ARN of the stack.
    pub stack_name: String,
    /// The role that CloudFormation assumes.
    pub role_arn: Option<String>,
    /// Logical IDs of resources that stay in the account. CloudFormation allows this after a deletion that failed.
    pub retained: Vec<String>,
    /// Deletes the objects of the stack's buckets first, in all versions.
    pub empties_buckets: bool,
    /// A bucket and a key prefix whose objects are deleted after the stack, as far as its templates refer to them.
    pub artifacts: Option<(String, Option<String>)>,
    /// Waits for an operation in progress.
    pub waits: bool,
    /// Ends the operation before the resources are deleted (express mode).
    pub is_express: bool,
    /// Deletes the stack by force: resources that cannot be deleted stay in the account. CloudFormation allows this
    /// after a deletion that failed.
    pub is_forced: bool,
    /// Deletes without a question.
    pub is_approved: bool,
}

/// A stack that can be deleted, and its resources. The next step is [`Deletion::run`].
#[derive(Debug)]
pub struct Deletion<'s> {
    service: &'s mut Service,
    request: DeleteRequest,
    stack: Stack,
    resources: Vec<StackResource>,
    /// Keys of the uploaded files that are deleted after the stack.
    artifacts: Vec<String>,
    /// Called at a second interrupt while buckets are emptied.
    on_second_interrupt: fn(),
}

/// The result of looking at the stack.
#[derive(Debug)]
pub enum DeletionStart<'s> {
    /// The stack can be deleted.
    Open(Box<Deletion<'s>>),
    /// Nothing is left to do: the stack does not exist, or a deletion that others began has ended.
    Over(Box<Outcome>),
}

const DELETED: &str = "DELETE_COMPLETE";

impl<'s> Deletion<'s> {
    /// Describes the stack and lists its resources. A deletion in progress is followed to its end; another operation in
    /// progress is waited for when the request allows it.
    ///
    /// # Errors
    /// When the stack cannot be described or cannot be deleted, or does not have a resource that is to be retained.
    pub fn begin(
        service: &'s mut Service,
        request: DeleteRequest,
        on_second_interrupt: fn(),
        observer: &mut dyn DeployObserver,
    ) -> Result<DeletionStart<'s>, Box<DeployFailure>> {
        let fail = |service: &Service, error, leaves| Err(DeployFailure::new(error, leaves, base(service, &request)));
        let mut name = request.stack_name.clone();
        loop {
            let found = match service.find_stack(&name, observer) {
                Ok(found) => found.filter(|stack| stack.status != DELETED),
                Err(error) => return fail(service, error, Leftover::Nothing),
            };
            let Some(stack) = found else {
                let result = DeployResult::NoStack;
                return Ok(DeletionStart::Over(Box::new(Outcome { result, ..base(service, &request) })));
            };
            if stack.status == "DELETE_IN_PROGRESS" {
                observer.progress(Progress::Waiting(&stack));
                return follow_others(service, &request, &stack, observer);
            }
            if status::is_in_progress(&stack.status) {
                if !request.waits {
                    return fail(service, DeployError::Busy(Box::new(stack)), Leftover::Nothing);
                }
                observer.progress(Progress::Waiting(&stack));
                if let Err(error) = service.wait_until_idle(&stack, observer) {
                    return fail(service, error, Leftover::Operation(status::operation(&stack.status)));
                }
                name = stack.id;
                continue;
            }
            if stack.is_protected {
                return fail(service, DeployError::Protected(Box::new(stack)), Leftover::Nothing);
            }
            if request.is_forced && stack.status != "DELETE_FAILED" {
                return fail(service, DeployError::NotForcible(Box::new(stack)), Leftover::Nothing);
            }
            let contents = match service.stack_resources(&stack.id, &request.retained, observer) {
                Ok(found) => found,
                Err(error) => return fail(service, error, Leftover::Nothing),
            };
            let StackContents { resources, unknown, templates } = contents;
            if let Some(error) = &unknown {
                observer.progress(Progress::PoliciesUnknown(error));
            }
            let is_root = |name: &String| resources.iter().any(|one| one.within.is_empty() && one.logical_id == *name);
            let missing: Vec<String> = request.retained.iter().filter(|name| !is_root(name)).cloned().collect();
            if !missing.is_empty() {
                return fail(service, DeployError::NotInStack { resources: missing }, Leftover::Nothing);
            }
            let artifacts = request.artifacts.as_ref().map_or_else(Vec::new, |(bucket, prefix)| {
                templates.iter().flat_map(|text| artifacts_of(text, bucket, prefix.as_deref())).collect()
            });
            let deletion = Deletion { service, request, stack, resources, artifacts, on_second_interrupt };
            return Ok(DeletionStart::Open(Box::new(deletion)));
        }
    }

    /// Returns the stack.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// Returns the resources of the stack. Those of a nested stack come after it.
    pub fn resources(&self) -> &[StackResource] {
        &self.resources
    }

    /// Returns the keys of the uploaded files that are deleted after the stack.
    pub fn artifacts(&self) -> &[String] {
        &self.artifacts
    }

    /// Asks, empties buckets when requested, deletes the stack, and follows the deletion to its end.
    ///
    /// # Errors
    /// When the deletion is not approved, does not begin, or is not followed to its end. A deletion that was followed
    /// and failed is an [`Outcome`] with [`DeployResult::Failed`].
    pub fn run(&mut self, observer: &mut dyn DeployObserver) -> Result<Outcome, Box<DeployFailure>> {
        let outcome = Outcome {
            stack_id: Some(self.stack.id.clone()),
            status: Some(self.stack.status.clone()),
            ..base(self.service, &self.request)
        };
        match self.is_approved(observer) {
            Ok(true) => {}
            Ok(false) => return Ok(Outcome { result: DeployResult::NotExecuted, ..outcome }),
            Err(error) => return Err(DeployFailure::new(error, Leftover::Nothing, outcome)),
        }
        let mut emptied = Vec::new();
        if self.request.empties_buckets
            && let Err(error) = self.empty_buckets(&mut emptied, observer)
        {
            return Err(DeployFailure::new(error, leftover(emptied), outcome));
        }
        let DeleteRequest { retained, role_arn, is_express, is_forced, .. } = &self.request;
        let how = (*is_express, *is_forced);
        let begun = self.service.delete_stack(&self.stack.id, retained, role_arn.as_deref(), how, observer);
        let mut operation = match begun {
            Ok(operation) => operation,
            Err(error) if error.may_be_done() => {
                return Err(DeployFailure::new(error, Leftover::Unknown("the delete"), outcome));
            }
            Err(error) => return Err(DeployFailure::new(error, leftover(emptied), outcome)),
        };
        observer.progress(Progress::DeletionBegun);
        match self.service.follow(&mut operation, observer) {
            Ok(end) => {
                let stabilizing = if outcome.is_express { operation.stabilizing() } else { Vec::new() };
                if end.is_success {
                    self.delete_artifacts(observer);
                }
                Ok(ended(end, Outcome { stabilizing, ..outcome }))
            }
            Err(error) => Err(DeployFailure::new(error, Leftover::Operation("the delete"), outcome)),
        }
    }

    fn delete_artifacts(&mut self, observer: &mut dyn DeployObserver) {
        let Some((bucket, _)) = self.request.artifacts.as_ref().filter(|_| !self.artifacts.is_empty()) else { return };
        match self.service.delete_objects(bucket, &self.artifacts) {
            Ok(count) => observer.progress(Progress::ArtifactsDeleted(bucket, count)),
            Err(error) => observer.progress(Progress::ArtifactsLeft(&error)),
        }
    }

    fn is_approved(&mut self, observer: &mut dyn DeployObserver) -> Result<bool, DeployError> {
        if self.request.is_approved {
            return Ok(true);
        }
        match observer.ask(Question::Delete(&self.resources)) {
            Answer::Yes => Ok(true),
            Answer::No => Ok(false),
            Answer::Unattended => Err(DeployError::Unattended),
            Answer::Pending(answer) => Ok(self.service.alongside(answer)?.unwrap_or(false)),
        }
    }

    /// Deletes the objects of every bucket that is deleted. First it checks that CloudFormation will not reject the
    /// deletion for a reason known already. The numbers of deleted objects are added to `emptied`, also when it ends
    /// early.
    fn empty_buckets(
        &mut self,
        emptied: &mut Vec<(String, u64)>,
        observer: &mut dyn DeployObserver,
    ) -> Result<(), DeployError> {
        let buckets: Vec<StackResource> =
            self.resources.iter().filter(|one| one.is_deleted_bucket()).cloned().collect();
        if buckets.is_empty() {
            return Ok(());
        }
        if !self.request.retained.is_empty() && self.stack.status != "DELETE_FAILED" {
            return Err(DeployError::NotRetainable(Box::new(self.stack.clone())));
        }
        for export in self.stack.exports.clone() {
            let stacks = self.service.importing_stacks(&export, observer)?;
            if !stacks.is_empty() {
                return Err(DeployError::ExportInUse { export, stacks });
            }
        }
        let interrupt = Interrupt::listen(self.on_second_interrupt).unwrap_or_else(|_| Interrupt::never());
        for bucket in &buckets {
            observer.progress(Progress::EmptyingBucket(bucket));
            let mut count = 0;
            let result = self.service.empty_bucket(&bucket.physical_id, &interrupt, &mut count);
            if count > 0 {
                emptied.push((bucket.physical_id.clone(), count));
            }
            match result {
                Ok(()) => observer.progress(Progress::BucketEmptied(bucket, count)),
                Err(error) if error.kind == formwork_aws::AwsErrorKind::Interrupted => {
                    return Err(DeployError::Interrupted);
                }
                Err(error) => return Err(DeployError::NotEmptied { bucket: bucket.path(), source: Box::new(error) }),
            }
        }
        Ok(())
    }
}

fn artifacts_of(text: &str, bucket: &str, prefix: Option<&str>) -> Vec<String> {
    let json = formwork::reformat(text, formwork::Format::Json, &formwork::Limits::default());
    let template = json.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default();
    stack_artifacts::keys(&template, bucket, prefix)
}

fn follow_others<'s>(
    service: &mut Service,
    request: &DeleteRequest,
    stack: &Stack,
    sink: &mut dyn EventSink,
) -> Result<DeletionStart<'s>, Box<DeployFailure>> {
    let outcome = Outcome { stack_id: Some(stack.id.clone()), ..base(service, request) };
    // The deletion may end before its events are read, so the stack itself is described.
    let stack = match service.wait_until_idle(stack, sink) {
        Ok(StackState::Absent) => None,
        Ok(StackState::Ready(stack) | StackState::Dead(stack) | StackState::Busy(stack) | StackState::Stuck(stack)) => {
            Some(stack)
        }
        Err(error) => return Err(DeployFailure::new(error, Leftover::Operation("the delete"), outcome)),
    };
    let end = match stack {
        None => OperationEnd { status: DELETED.to_owned(), reason: None, is_success: true, first_failure: None },
        Some(Stack { status, reason, .. }) => OperationEnd { status, reason, is_success: false, first_failure: None },
    };
    Ok(DeletionStart::Over(Box::new(ended(end, outcome))))
}

fn ended(end: OperationEnd, outcome: Outcome) -> Outcome {
    let status = Some(end.status.clone());
    if end.is_success {
        return Outcome { result: DeployResult::Deleted, status, ..outcome };
    }
    Outcome { result: DeployResult::Failed, status, failure: Some(end), ..outcome }
}

fn leftover(emptied: Vec<(String, u64)>) -> Leftover {
    if emptied.is_empty() { Leftover::Nothing } else { Leftover::EmptiedBuckets(emptied) }
}

fn base(service: &Service, request: &DeleteRequest) -> Outcome {
    let outcome = Outcome::new(DeployResult::default(), &request.stack_name, service.region());
    Outcome { is_express: request.is_express, ..outcome }
}
