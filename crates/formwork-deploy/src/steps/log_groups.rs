//! Finds the log groups of deployed resources.

use formwork_aws::{CallError, JsonRequest, Service};
use serde_json::{Value, json};

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::log_source::LogSource;
use crate::retry::Retry;
use crate::stack_resource::StackResource;

impl Calls {
    /// Returns the log groups of a resource: for a function the configured or the usual one, for an API that of each
    /// stage, for a state machine the configured ones; empty for a type without logs.
    pub(crate) async fn log_groups(
        &mut self,
        resource: &StackResource,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<LogSource>, DeployError> {
        let id = &resource.physical_id;
        let groups = match resource.kind.as_str() {
            "AWS::Lambda::Function" => vec![self.group_of_function(id, sink).await?],
            "AWS::ApiGateway::RestApi" => self.groups_of_rest_api(id, sink).await?,
            "AWS::ApiGatewayV2::Api" => self.groups_of_http_api(id, sink).await?,
            "AWS::StepFunctions::StateMachine" => self.groups_of_state_machine(id, sink).await?,
            _ => Vec::new(),
        };
        let source = |log_group| LogSource { logical_id: Some(resource.path()), log_group };
        Ok(groups.into_iter().map(source).collect())
    }

    /// Without the permission to read the configuration, returns the usual group.
    async fn group_of_function(&mut self, name: &str, sink: &mut dyn EventSink) -> Result<String, DeployError> {
        const CALL: &str = "GetFunctionConfiguration";
        let path = format!("/2015-03-31/functions/{}/configuration", JsonRequest::segment(name));
        let configuration = self.look(CALL, Service::Lambda, JsonRequest::new("GET", path), sink).await?;
        let configured =
            configuration.ok().and_then(|value| value["LoggingConfig"]["LogGroup"].as_str().map(str::to_owned));
        Ok(configured.filter(|group| !group.is_empty()).unwrap_or_else(|| format!("/aws/lambda/{name}")))
    }

    async fn groups_of_rest_api(&mut self, id: &str, sink: &mut dyn EventSink) -> Result<Vec<String>, DeployError> {
        let stages = self.rest_stages(id, sink).await?;
        Ok(stages.iter().map(|stage| format!("API-Gateway-Execution-Logs_{id}/{stage}")).collect())
    }

    async fn groups_of_http_api(&mut self, id: &str, sink: &mut dyn EventSink) -> Result<Vec<String>, DeployError> {
        let stages = self.http_stages(id, sink).await?;
        let group = |stage: &Value| group_of_arn(stage["accessLogSettings"]["destinationArn"].as_str()?);
        Ok(distinct(stages.iter().filter_map(group)))
    }

    async fn groups_of_state_machine(
        &mut self,
        arn: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<String>, DeployError> {
        const CALL: &str = "DescribeStateMachine";
        let request = JsonRequest::of_target("AWSStepFunctions.DescribeStateMachine", &json!({"stateMachineArn": arn}));
        let machine = self.look(CALL, Service::StepFunctions, request, sink).await?;
        let machine = machine.map_err(|source| DeployError::Call { call: CALL, source })?;
        let destinations = machine["loggingConfiguration"]["destinations"].as_array();
        let group = |one: &Value| group_of_arn(one["cloudWatchLogsLogGroup"]["logGroupArn"].as_str()?);
        Ok(distinct(destinations.into_iter().flatten().filter_map(group)))
    }

    pub(crate) async fn rest_stages(&mut self, id: &str, sink: &mut dyn EventSink) -> Result<Vec<String>, DeployError> {
        const CALL: &str = "GetStages";
        let request = JsonRequest::new("GET", format!("/restapis/{}/stages", JsonRequest::segment(id)));
        let stages = self.look(CALL, Service::ApiGateway, request, sink).await?;
        let stages = stages.map_err(|source| DeployError::Call { call: CALL, source })?;
        let stages = stages["item"].as_array().into_iter().flatten();
        Ok(stages.filter_map(|stage| stage["stageName"].as_str().map(str::to_owned)).collect())
    }

    pub(crate) async fn http_stages(&mut self, id: &str, sink: &mut dyn EventSink) -> Result<Vec<Value>, DeployError> {
        const CALL: &str = "GetStages";
        let (mut paging, mut next, mut found) = (self.listing(CALL)?, None::<String>, Vec::new());
        loop {
            let request = JsonRequest::new("GET", format!("/v2/apis/{}/stages", JsonRequest::segment(id)));
            let request = match &next {
                Some(token) => request.query("nextToken", token),
                None => request,
            };
            let page = self.look(CALL, Service::ApiGateway, request, sink).await?;
            let page = page.map_err(|source| DeployError::Call { call: CALL, source })?;
            found.extend(page["items"].as_array().into_iter().flatten().cloned());
            let token = page["nextToken"].as_str().map(str::to_owned);
            next = paging.next(token).map_err(|source| DeployError::Call { call: CALL, source })?;
            if next.is_none() {
                return Ok(found);
            }
        }
    }

    /// Calls another service than CloudFormation. The inner error is that of the service.
    pub(crate) async fn look(
        &mut self,
        call: &'static str,
        service: Service,
        request: JsonRequest,
        sink: &mut dyn EventSink,
    ) -> Result<Result<Value, CallError>, DeployError> {
        let mut retry = Retry::asking(&self.intervals);
        match retry.ask(call, &mut self.deadline, sink, || self.services.call(service, request.clone())).await {
            Ok(answer) => Ok(Ok(answer)),
            Err(DeployError::Call { source, .. }) => Ok(Err(source)),
            Err(stop) => Err(stop),
        }
    }
}

/// Returns the name in the ARN of a log group: `arn:aws:logs:REGION:ACCOUNT:log-group:NAME:*`.
fn group_of_arn(arn: &str) -> Option<String> {
    let name = arn.split_once(":log-group:")?.1;
    Some(name.strip_suffix(":*").unwrap_or(name).to_owned())
}

fn distinct(groups: impl Iterator<Item = String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for group in groups {
        if !found.contains(&group) {
            found.push(group);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_in_an_arn() {
        let group = |arn| group_of_arn(arn);
        assert_eq!(group("arn:aws:logs:eu-west-1:1:log-group:/aws/x:*").as_deref(), Some("/aws/x"));
        assert_eq!(group("arn:aws:logs:eu-west-1:1:log-group:a/b").as_deref(), Some("a/b"));
        assert_eq!(group("arn:aws:firehose:eu-west-1:1:deliverystream/x"), None);
    }
}
