//! Lists the resources of a stack and of its nested stacks.

use std::collections::HashSet;

use formwork_aws::{Element, QueryRequest};

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;
use crate::stack_resource::{Fate, StackResource};

const LIST: &str = "ListStackResources";
const TEMPLATE: &str = "GetTemplate";

#[derive(Debug, Default)]
pub(crate) struct StackContents {
    /// The resources; those of a nested stack come after it.
    pub(crate) resources: Vec<StackResource>,
    /// The first error that hides which resources their `DeletionPolicy` keeps.
    pub(crate) unknown: Option<DeployError>,
    pub(crate) templates: Vec<String>,
}

impl Calls {
    pub(crate) async fn stack_resources(
        &mut self,
        stack_id: &str,
        retained: &[String],
        sink: &mut dyn EventSink,
    ) -> Result<StackContents, DeployError> {
        let (mut unknown, mut templates) = (None, Vec::new());
        let mut all: Vec<StackResource> = Vec::new();
        let mut seen: HashSet<String> = HashSet::from([stack_id.to_owned()]);
        // The last entry is the next resource to visit.
        let mut open = self.resources_of(stack_id, &[], (&mut unknown, &mut templates), sink).await?;
        for resource in open.iter_mut().filter(|resource| retained.contains(&resource.logical_id)) {
            resource.fate = Fate::Retained;
        }
        open.reverse();
        while let Some(resource) = open.pop() {
            let nested = resource.nested_stack().filter(|_| resource.fate == Fate::Deleted);
            if let Some(nested) = nested.filter(|nested| seen.insert((*nested).to_owned())) {
                let within: Vec<String> = resource.within.iter().chain([&resource.logical_id]).cloned().collect();
                let mut below = self.resources_of(nested, &within, (&mut unknown, &mut templates), sink).await?;
                below.reverse();
                open.extend(below);
            }
            all.push(resource);
        }
        Ok(StackContents { resources: all, unknown, templates })
    }

    async fn resources_of(
        &mut self,
        stack_id: &str,
        within: &[String],
        (unknown, templates): (&mut Option<DeployError>, &mut Vec<String>),
        sink: &mut dyn EventSink,
    ) -> Result<Vec<StackResource>, DeployError> {
        let summaries = self.summaries(stack_id, sink).await?;
        let mut found: Vec<StackResource> =
            summaries.iter().filter_map(|summary| StackResource::new(summary, within)).collect();
        if found.is_empty() {
            return Ok(found);
        }
        match self.processed(stack_id, sink).await {
            Ok(template) => {
                let policies = formwork::deletion_policies(template.as_bytes());
                templates.push(template);
                for (logical_id, policy) in policies {
                    if let Some(resource) = found.iter_mut().find(|resource| resource.logical_id == logical_id) {
                        resource.fate = Fate::of_policy(&policy);
                    }
                }
            }
            Err(error @ DeployError::Call { .. }) => *unknown = unknown.take().or(Some(error)),
            Err(stop) => return Err(stop),
        }
        Ok(found)
    }

    /// Returns the existing resources of one stack, without those of nested stacks.
    pub(crate) async fn list_resources(
        &mut self,
        stack: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<StackResource>, DeployError> {
        let summaries = self.summaries(stack, sink).await?;
        Ok(summaries.iter().filter_map(|summary| StackResource::new(summary, &[])).collect())
    }

    /// Returns the resources of a stack; those of a nested stack come after it.
    pub(crate) async fn all_resources(
        &mut self,
        stack_id: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<StackResource>, DeployError> {
        let mut seen: HashSet<String> = HashSet::from([stack_id.to_owned()]);
        let listed = |summaries: &[Element], within: &[String]| -> Vec<StackResource> {
            summaries.iter().rev().filter_map(|summary| StackResource::listed(summary, within)).collect()
        };
        // The last entry is the next resource to visit.
        let mut open = listed(&self.summaries(stack_id, sink).await?, &[]);
        let mut all: Vec<StackResource> = Vec::new();
        while let Some(resource) = open.pop() {
            let nested = resource.nested_stack().filter(|nested| seen.insert((*nested).to_owned()));
            if let Some(nested) = nested {
                let within: Vec<String> = resource.within.iter().chain([&resource.logical_id]).cloned().collect();
                open.extend(listed(&self.summaries(nested, sink).await?, &within));
            }
            all.push(resource);
        }
        Ok(all)
    }

    pub(crate) async fn summaries(
        &mut self,
        stack_id: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<Element>, DeployError> {
        let mut retry = Retry::asking(&self.intervals);
        let mut found = Vec::new();
        let (mut paging, mut next) = (self.listing(LIST)?, None::<String>);
        loop {
            let call = QueryRequest::new(LIST).with("StackName", stack_id).with_some("NextToken", next.as_deref());
            let page = retry.ask(LIST, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
            found.extend_from_slice(page.items("StackResourceSummaries"));
            next =
                paging.next(page.string_of("NextToken")).map_err(|source| DeployError::Call { call: LIST, source })?;
            if next.is_none() {
                return Ok(found);
            }
        }
    }

    /// Returns the processed template of a stack, which has the policies of its resources.
    async fn processed(&mut self, stack_id: &str, sink: &mut dyn EventSink) -> Result<String, DeployError> {
        let call = QueryRequest::new(TEMPLATE).with("StackName", stack_id).with("TemplateStage", "Processed");
        let mut retry = Retry::parting(&self.intervals);
        let answer = retry.ask(TEMPLATE, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
        Ok(answer.string_of("TemplateBody").unwrap_or_default())
    }
}
