//! Finds the endpoints of functions and APIs of a stack.

use std::collections::HashMap;

use formwork_aws::{JsonRequest, QueryRequest, Service};
use serde_json::Value;

use crate::calls::Calls;
use crate::endpoint::{FUNCTION, HTTP_API, REST_API, StackEndpoint, is_mapping, of_domains, of_stage};
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;
use crate::stack_resource::StackResource;

const TEMPLATE: &str = "GetTemplate";
const FUNCTION_URL: &str = "GetFunctionUrlConfig";

impl Calls {
    pub(crate) async fn endpoints(
        &mut self,
        stack_id: &str,
        region: &str,
        resources: &[StackResource],
        sink: &mut dyn EventSink,
    ) -> Result<Vec<StackEndpoint>, DeployError> {
        let mut templates: HashMap<Vec<String>, Value> = HashMap::new();
        let mut found = Vec::new();
        for resource in resources.iter().filter(|one| !one.physical_id.is_empty()) {
            let id = &resource.physical_id;
            let urls = match resource.kind.as_str() {
                FUNCTION => self.function_url(id, sink).await?.into_iter().collect(),
                REST_API | HTTP_API => {
                    let within = &resource.within;
                    let has_mappings = resources.iter().any(|one| one.within == *within && is_mapping(one));
                    if has_mappings && !templates.contains_key(within) {
                        let stack = stack_of(within, stack_id, resources);
                        let template = self.processed_template(stack, sink).await?;
                        templates.insert(within.clone(), template);
                    }
                    let mapped = templates.get(within).map(|template| of_domains(resource, template, resources));
                    if let Some(urls) = mapped.filter(|urls| !urls.is_empty()) {
                        urls
                    } else {
                        let stages = self.stage_names(resource, sink).await?;
                        stages.iter().map(|stage| of_stage(id, region, stage)).collect()
                    }
                }
                _ => continue,
            };
            found.push(StackEndpoint { resource: resource.clone(), urls });
        }
        Ok(found)
    }

    async fn stage_names(&mut self, api: &StackResource, sink: &mut dyn EventSink) -> Result<Vec<String>, DeployError> {
        if api.kind == REST_API {
            return self.rest_stages(&api.physical_id, sink).await;
        }
        let stages = self.http_stages(&api.physical_id, sink).await?;
        Ok(stages.iter().filter_map(|stage| stage["stageName"].as_str().map(str::to_owned)).collect())
    }

    /// Returns the URL of a function; `None` without one, and without permission, which is reported.
    async fn function_url(&mut self, name: &str, sink: &mut dyn EventSink) -> Result<Option<String>, DeployError> {
        let request = JsonRequest::new("GET", format!("/2021-10-31/functions/{}/url", JsonRequest::segment(name)));
        match self.look(FUNCTION_URL, Service::Lambda, request, sink).await? {
            Ok(answer) => Ok(answer["FunctionUrl"].as_str().map(str::to_owned)),
            Err(failure) if failure.status == Some(404) => Ok(None),
            Err(failure) => {
                sink.incomplete(FUNCTION_URL, &failure);
                Ok(None)
            }
        }
    }

    /// Returns the processed template of a stack; null when it cannot be read, which is reported.
    async fn processed_template(&mut self, stack: &str, sink: &mut dyn EventSink) -> Result<Value, DeployError> {
        let call = QueryRequest::new(TEMPLATE).with("StackName", stack).with("TemplateStage", "Processed");
        let mut retry = Retry::parting(&self.intervals);
        let answer = match retry.ask(TEMPLATE, &mut self.deadline, sink, || self.client.call(call.clone())).await {
            Ok(answer) => answer,
            Err(DeployError::Call { call, source }) => {
                sink.incomplete(call, &source);
                return Ok(Value::Null);
            }
            Err(stop) => return Err(stop),
        };
        let text = answer.text_of("TemplateBody").unwrap_or_default();
        let json = formwork::reformat(text, formwork::Format::Json, &formwork::Limits::default());
        Ok(json.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
    }
}

/// Returns the ARN of the nested stack at `within`.
fn stack_of<'a>(within: &[String], root: &'a str, resources: &'a [StackResource]) -> &'a str {
    let Some((own, around)) = within.split_last() else { return root };
    let is_it = |one: &&StackResource| one.within == around && one.logical_id == *own;
    resources.iter().find(is_it).map_or(root, |one| &one.physical_id)
}
