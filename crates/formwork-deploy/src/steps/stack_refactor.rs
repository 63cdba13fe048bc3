//! Creates, describes, and executes stack refactors.

use formwork_aws::QueryRequest;

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;
use crate::stack_refactor::{Course, StackRefactor, StackRefactorAction, StackRefactorRequest};
use crate::stack_state::StackState;
use crate::submission::TemplateSource;

const CREATE: &str = "CreateStackRefactor";
const DESCRIBE: &str = "DescribeStackRefactor";
const ACTIONS: &str = "ListStackRefactorActions";
const EXECUTE: &str = "ExecuteStackRefactor";

impl Calls {
    pub(crate) async fn create_stack_refactor(
        &mut self,
        request: StackRefactorRequest<'_>,
        sink: &mut dyn EventSink,
    ) -> Result<String, DeployError> {
        let definition = |(stack, template): &'_ (String, TemplateSource)| match template {
            TemplateSource::Body(text) => [("StackName", stack.clone()), ("TemplateBody", text.clone())],
            TemplateSource::Url(url) => [("StackName", stack.clone()), ("TemplateURL", url.clone())],
        };
        let definitions: Vec<_> = request.definitions.iter().map(definition).collect();
        let definitions = definitions.iter().map(|one| one.each_ref().map(|(name, value)| (*name, value.as_str())));
        let mappings = request.mappings.iter().map(|((stack, id), (other, other_id))| {
            [
                ("Source.StackName", stack.as_str()),
                ("Source.LogicalResourceId", id.as_str()),
                ("Destination.StackName", other.as_str()),
                ("Destination.LogicalResourceId", other_id.as_str()),
            ]
        });
        let call = QueryRequest::new(CREATE)
            .with_some("Description", request.description)
            .with_some("EnableStackCreation", request.creates_stacks.then_some("true"))
            .with_records("StackDefinitions", definitions)
            .with_records("ResourceMappings", mappings);
        let mut retry = Retry::asking(&self.intervals).uninterrupted();
        let answer = retry.ask(CREATE, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
        Ok(answer.string_of("StackRefactorId").unwrap_or_default())
    }

    pub(crate) async fn describe_stack_refactor(
        &mut self,
        id: &str,
        sink: &mut dyn EventSink,
    ) -> Result<StackRefactor, DeployError> {
        let call = QueryRequest::new(DESCRIBE).with("StackRefactorId", id);
        let mut retry = Retry::watching(&self.intervals);
        let answer = retry.ask(DESCRIBE, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
        Ok(StackRefactor::from(&answer))
    }

    pub(crate) async fn until_refactor_is_created(
        &mut self,
        id: &str,
        sink: &mut dyn EventSink,
    ) -> Result<StackRefactor, DeployError> {
        loop {
            let refactor = self.describe_stack_refactor(id, sink).await?;
            if Course::of(&refactor.status) != Course::GoesOn {
                return Ok(refactor);
            }
            self.deadline.pause(self.intervals.events).await?;
        }
    }

    pub(crate) async fn stack_refactor_actions(
        &mut self,
        id: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<StackRefactorAction>, DeployError> {
        let mut paging = self.listing(ACTIONS)?;
        let (mut found, mut next) = (Vec::new(), None::<String>);
        let mut retry = Retry::asking(&self.intervals);
        loop {
            let call = QueryRequest::new(ACTIONS).with("StackRefactorId", id).with_some("NextToken", next.as_deref());
            let page = retry.ask(ACTIONS, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
            found.extend(page.items("StackRefactorActions").iter().map(StackRefactorAction::from));
            match paging.next(page.string_of("NextToken")) {
                Ok(Some(token)) => next = Some(token),
                Ok(None) => return Ok(found),
                Err(source) => return Err(DeployError::Call { call: ACTIONS, source }),
            }
        }
    }

    pub(crate) async fn execute_stack_refactor(
        &mut self,
        id: &str,
        sink: &mut dyn EventSink,
    ) -> Result<StackRefactor, DeployError> {
        let call = QueryRequest::new(EXECUTE).with("StackRefactorId", id);
        let mut retry = Retry::asking(&self.intervals).uninterrupted();
        retry.ask(EXECUTE, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
        loop {
            let refactor = self.describe_stack_refactor(id, sink).await?;
            if Course::of(&refactor.execution_status) != Course::GoesOn {
                return Ok(refactor);
            }
            self.deadline.pause(self.intervals.events).await?;
        }
    }

    /// Waits until no operation on a stack is in progress, whatever its events are.
    pub(crate) async fn until_stable(
        &mut self,
        stack: &str,
        sink: &mut dyn EventSink,
    ) -> Result<StackState, DeployError> {
        loop {
            let state = self.describe_stack(stack, sink).await?;
            if !matches!(state, StackState::Busy(_)) {
                return Ok(state);
            }
            self.deadline.pause(self.intervals.events).await?;
        }
    }
}
