//! The deployment and the stage of an API.

use super::written;
use crate::context::{Context, Input};
use crate::hash::{self, Data, ids};
use crate::make;
use crate::openapi::{ordered, stage_words as words};
use crate::resource::Resource;
use crate::tags;
use crate::value::Value;

/// Properties of a stage that are handed on.
const PASSED: [&str; 7] = [
    "AccessLogSetting",
    "CacheClusterEnabled",
    "CacheClusterSize",
    "CanarySetting",
    "MethodSettings",
    "TracingEnabled",
    "Variables",
];

/// Returns the deployment and the stage.
pub(super) fn translate(cx: &Context, input: &Input, body: &Data, domain: Option<&Value>) -> (Resource, Resource) {
    let deployment = deployment(cx, input, body, domain);
    let name = input.properties.get("StageName").cloned().unwrap_or_default();
    let mut stage = Resource::new(id(input), "AWS::ApiGateway::Stage").with(input.passed()).from(input.origin);
    stage.set("DeploymentId", deployment.reference());
    stage.set("RestApiId", make::reference(&input.id));
    stage.set("StageName", name);
    for name in PASSED {
        stage.set_some(name, written(input, name));
    }
    if let Some(tags) = input.properties.get("Tags").and_then(Value::map) {
        stage.set("Tags", tags::in_order(tags));
    }
    (deployment, stage)
}

/// Returns the ID of the stage.
pub(super) fn id(input: &Input) -> String {
    let name = input.properties.get("StageName").cloned().unwrap_or_default();
    let suffix = match name.text().filter(|text| !text.is_empty()) {
        Some(text) if words(text) == text => format!("{text}Stage"),
        Some(text) => format!("Stage{}", hash::short_digest(text)),
        None => "Stage".to_owned(),
    };
    format!("{}{suffix}", input.id)
}

fn deployment(cx: &Context, input: &Input, body: &Data, domain: Option<&Value>) -> Resource {
    let version = input.get("OpenApiVersion");
    let version_data: Option<hash::Data> = version.map(Into::into);
    let domain: Option<hash::Data> = domain.map(Into::into);
    let names = cx.apis.names(&input.id, || ordered(&cx.resources));
    let digits = ids::rest_deployment(ids::Deployment {
        body,
        open_api_version: version_data.as_ref(),
        domain: domain.as_ref(),
        function_names: &names,
    });
    let id = digits.get(..hash::DIGITS).unwrap_or_default();
    let mut deployment = input.besides(&format!("Deployment{id}"), "AWS::ApiGateway::Deployment");
    deployment.set("Description", format!("RestApi deployment id: {digits}"));
    deployment.set("RestApiId", make::reference(&input.id));
    if version.is_none() {
        deployment.set("StageName", "Stage");
    }
    deployment
}
