//! `AWS::Serverless::HttpApi`: an API of the second version of API Gateway, with its stage.

mod auth;
mod body;
mod domain;

use formwork_syntax::NodeId;

use crate::artifact::{self, Names};
use crate::attributes;
use crate::context::{Context, Input, Translated};
use crate::hash;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// The tag of everything that an API becomes.
const CREATOR: &str = "httpapi:createdBy";
const LOCATION: Names = Names { bucket: "Bucket", key: "Key", version: "Version" };
const DEFAULT_STAGE: &str = "$default";

/// Translates an API.
pub(crate) fn translate(cx: &mut Context, input: &Input) -> Translated {
    let (uri, authored) = (input.get("DefinitionUri"), input.get("DefinitionBody"));
    if let (Some(uri), Some(_)) = (uri, authored) {
        let sentence = "Specify either 'DefinitionUri' or 'DefinitionBody' property and not both.";
        return Err(Refusal::new(sentence).at(uri.origin()));
    }
    let mut api = Resource::new(&input.id, "AWS::ApiGatewayV2::Api").from(input.origin);
    api.attributes = attributes::of_main(&input.resource);
    let mut permissions = Vec::new();
    let mut is_tagged = false;
    if let Some(uri) = uri {
        check_location(input)?;
        api.set("BodyS3Location", artifact::location(uri, "DefinitionUri", &LOCATION)?);
    } else if let Some(authored) = authored {
        is_tagged = body::is_document(authored);
        api.set("Body", body::translate(cx, input, authored, &mut permissions)?);
    }
    api.set_some("FailOnWarnings", input.get("FailOnWarnings").cloned());
    let tags = tags(input, is_tagged);
    let stage = stage(input, tags.as_ref());
    let mut made = vec![api, stage];
    made.extend(domain::translate(cx, input, tags.as_ref())?);
    made.extend(permissions);
    Ok(made)
}

/// Properties that need a body, and the sentences about a location with them.
const NEED_BODY: [(&str, &str); 6] = [
    ("CorsConfiguration", "Cors works only with inline OpenApi specified in 'DefinitionBody' property."),
    ("Auth", "Auth works only with inline OpenApi specified in the 'DefinitionBody' property."),
    ("Tags", "Tags works only with inline OpenApi specified in the 'DefinitionBody' property."),
    ("DisableExecuteApiEndpoint", "DisableExecuteApiEndpoint works only within 'DefinitionBody' property."),
    ("Description", "Description works only with inline OpenApi specified in the 'DefinitionBody' property."),
    ("Name", "Name works only with inline OpenApi specified in the 'DefinitionBody' property."),
];

fn check_location(input: &Input) -> Result<(), Refusal> {
    for (name, sentence) in NEED_BODY {
        if let Some(value) = input.get(name) {
            return Err(Refusal::new(sentence).at(value.origin()));
        }
    }
    Ok(())
}

/// Returns the authored tags, with that of the transform where the body is a document.
fn tags(input: &Input, is_tagged: bool) -> Option<Map> {
    let mut tags = input.get("Tags").and_then(Value::map).cloned().unwrap_or_default();
    if is_tagged {
        tags.set(CREATOR, "SAM");
    }
    Some(tags).filter(|tags| !tags.is_empty())
}

/// Returns the ID of the stage.
fn stage_id(input: &Input) -> String {
    let name = input.get("StageName");
    let suffix = match name.and_then(Value::text) {
        None if name.is_some() => "Stage".to_owned(),
        None | Some(DEFAULT_STAGE) => "ApiGatewayDefaultStage".to_owned(),
        Some(text) if crate::openapi::stage_words(text) == text => format!("{text}Stage"),
        Some(text) => format!("Stage{}", hash::short_digest(text)),
    };
    format!("{}{suffix}", input.id)
}

const OF_STAGE: [(&str, &str); 4] = [
    ("AccessLogSettings", "AccessLogSettings"),
    ("DefaultRouteSettings", "DefaultRouteSettings"),
    ("RouteSettings", "RouteSettings"),
    ("StageVariables", "StageVariables"),
];

fn stage(input: &Input, tags: Option<&Map>) -> Resource {
    let mut stage = Resource::new(stage_id(input), "AWS::ApiGatewayV2::Stage").with(input.passed());
    stage.set("ApiId", make::reference(&input.id));
    stage.set("StageName", input.get("StageName").cloned().unwrap_or_else(|| DEFAULT_STAGE.into()));
    for (name, new) in OF_STAGE {
        stage.set_some(new, input.properties.get(name).filter(|value| !value.is_null()).cloned());
    }
    stage.set_some("Tags", tags.cloned());
    stage.set("AutoDeploy", true);
    stage.from(input.origin)
}

fn refuse(sentence: impl Into<String>, at: Option<NodeId>) -> Refusal {
    Refusal::new(sentence).at(at)
}
