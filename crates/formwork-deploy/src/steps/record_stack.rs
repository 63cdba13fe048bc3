//! Records a stack and its nested stacks; makes only read calls.

use formwork_aws::{Element, QueryRequest};

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::recorded_stack::RecordedStack;
use crate::retry::Retry;

const DESCRIBE: &str = "DescribeStacks";
const TEMPLATE: &str = "GetTemplate";

const STACKS: usize = 500;

impl Calls {
    pub(crate) async fn record_stack(
        &mut self,
        stack_id: &str,
        sink: &mut dyn EventSink,
    ) -> Result<RecordedStack, DeployError> {
        // Each stack with the index of its parent and its logical ID there; a nested stack comes after its parent.
        let mut found: Vec<(Option<usize>, String, RecordedStack)> = Vec::new();
        let mut open = vec![(None, String::new(), stack_id.to_owned())];
        let mut seen = std::collections::HashSet::from([stack_id.to_owned()]);
        while let Some((owner, logical_id, id)) = open.pop() {
            let stack = self.record_one(&id, sink).await?;
            let number = found.len();
            for [logical_id, physical_id, kind, _] in &stack.resources {
                let is_stack = kind == "AWS::CloudFormation::Stack" && physical_id.starts_with("arn:");
                if is_stack && seen.len() < STACKS && seen.insert(physical_id.clone()) {
                    open.push((Some(number), logical_id.clone(), physical_id.clone()));
                }
            }
            found.push((owner, logical_id, stack));
        }
        // The innermost are last.
        while found.len() > 1 {
            let Some((Some(owner), logical_id, mut stack)) = found.pop() else { break };
            stack.nested.sort_by(|a, b| a.0.cmp(&b.0));
            if let Some((_, _, outer)) = found.get_mut(owner) {
                outer.nested.push((logical_id, stack));
            }
        }
        let mut root = found.pop().map(|(.., stack)| stack).unwrap_or_default();
        root.nested.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(root)
    }

    async fn record_one(&mut self, id: &str, sink: &mut dyn EventSink) -> Result<RecordedStack, DeployError> {
        let call = QueryRequest::new(DESCRIBE).with("StackName", id);
        let mut retry = Retry::asking(&self.intervals);
        let answer = retry.ask(DESCRIBE, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
        let none = Element::default();
        let stack = answer.items("Stacks").first().unwrap_or(&none);
        let text = |element: &Element, name| element.string_of(name).unwrap_or_default();
        let mut recorded = RecordedStack {
            name: text(stack, "StackName"),
            id: text(stack, "StackId"),
            status: text(stack, "StackStatus"),
            parameters: stack
                .items("Parameters")
                .iter()
                .map(|one| (text(one, "ParameterKey"), text(one, "ParameterValue"), one.string_of("ResolvedValue")))
                .collect(),
            tags: stack.items("Tags").iter().map(|one| (text(one, "Key"), text(one, "Value"))).collect(),
            capabilities: stack.items("Capabilities").iter().map(|one| one.text.clone()).collect(),
            ..RecordedStack::default()
        };
        // A stack whose first change set was never executed has no template yet.
        if recorded.status == "REVIEW_IN_PROGRESS" {
            (recorded.template, recorded.processed) = ("{}".to_owned(), "{}".to_owned());
        } else {
            recorded.template = self.template_of(id, "Original", sink).await?;
            recorded.processed = self.template_of(id, "Processed", sink).await?;
        }
        let summaries = self.summaries(id, sink).await?;
        let rows = summaries.iter().map(|one| {
            [
                text(one, "LogicalResourceId"),
                text(one, "PhysicalResourceId"),
                text(one, "ResourceType"),
                text(one, "ResourceStatus"),
            ]
        });
        recorded.resources = rows.filter(|[.., status]| status != "DELETE_COMPLETE").collect();
        recorded.resources.sort();
        recorded.parameters.sort();
        recorded.tags.sort();
        recorded.capabilities.sort();
        Ok(recorded)
    }

    async fn template_of(&mut self, id: &str, stage: &str, sink: &mut dyn EventSink) -> Result<String, DeployError> {
        let call = QueryRequest::new(TEMPLATE).with("StackName", id).with("TemplateStage", stage);
        let mut retry = Retry::asking(&self.intervals);
        let answer = retry.ask(TEMPLATE, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
        Ok(answer.string_of("TemplateBody").unwrap_or_default())
    }
}
