//! `Api` of a state machine: a method that starts it, with a role for API Gateway.

use super::{Route, auth, merge};
use crate::context::{Context, Translated};
use crate::events::{Event, Source};
use crate::iam::{self, Role};
use crate::openapi::{self, named};
use crate::properties::{Kind, of};
use crate::refusal::Refusal;
use crate::value::{Map, Value};
use crate::{make, tags};

pub(in crate::events) const SOURCE: Source = Source {
    name: "Api",
    properties: &[
        of("Path", Kind::Text).required(),
        of("Method", Kind::Text).required(),
        of("RestApiId", Kind::TextOrMap),
        of("Stage", Kind::Text),
        of("Auth", Kind::Map),
        of("UnescapeMappingTemplate", Kind::Bool),
    ],
    translate,
};

fn translate(cx: &mut Context, event: &Event<'_>, _: Option<&mut Role>) -> Translated {
    let id = format!("{}Role", event.id());
    let mut role = event.makes("Role", "AWS::IAM::Role");
    role.set("AssumeRolePolicyDocument", iam::trust("apigateway.amazonaws.com"));
    let statement = make::map([
        ("Action", "states:StartExecution".into()),
        ("Effect", "Allow".into()),
        ("Resource", event.target.arn.clone()),
    ]);
    let document = make::map([("Statement", make::list([statement]))]);
    role.set("Policies", make::list([make::policy(&format!("{id}StartExecutionPolicy"), document)]));
    role.set_some("PermissionsBoundary", event.owner.get("PermissionsBoundary").cloned());
    if let Some(tags) = tags::propagated(event.owner) {
        role.set("Tags", tags::list(tags));
    }
    let api = event.get("RestApiId").and_then(named).unwrap_or_default().to_owned();
    // The sentence of the translator is about the event alone.
    add_integration(cx, event, &api, &id).map_err(|refusal| refusal.of_event_alone(event.name))?;
    Ok(vec![role])
}

/// Returns the template that makes the input of an execution of a request.
fn request(event: &Event<'_>) -> Value {
    let is_unescaped = event.get("UnescapeMappingTemplate").is_some();
    let unescape = if is_unescaped { ".replaceAll(\"\\\\'\",\"'\")" } else { "" };
    let name = event.target.arn.reference().unwrap_or_default();
    make::sub(&format!(
        "{{\"input\": \"$util.escapeJavaScript($input.json('$')){unescape}\", \"stateMachineArn\": \"${{{name}}}\"}}"
    ))
}

fn integration(event: &Event<'_>, role: &str, condition: Option<&Value>) -> Map {
    let uri = make::sub("arn:${AWS::Partition}:apigateway:${AWS::Region}:states:action/StartExecution");
    let answer = |status: &str| make::map([("statusCode", status.into())]);
    let mut new = Map::new();
    new.set("responses", make::map([("200", answer("200")), ("400", answer("400"))]));
    new.set("uri", openapi::under(condition, uri));
    new.set("httpMethod", "POST");
    new.set("requestTemplates", make::map([("application/json", request(event))]));
    new.set("credentials", make::get_att(role, "Arn"));
    new.set("type", "aws");
    new
}

fn add_integration(cx: &mut Context, event: &Event<'_>, api: &str, role: &str) -> Result<(), Refusal> {
    let Some(own) = merge::take(cx, api, event.target.owner) else { return Ok(()) };
    let path = event.get("Path").and_then(Value::text).unwrap_or_default();
    let authored = event.get("Method").and_then(Value::text).unwrap_or_default();
    let (method, shown) = (openapi::method_key(authored), authored.to_lowercase());
    let route = Route { path, method: &method, shown: &shown };
    own.change(cx, event, &route, &mut |parameters, own, body| {
        super::check_new(event, body, &route)?;
        let condition = super::condition(event);
        let integration = integration(event, role, condition.as_ref());
        let word = |text: &str| make::map([("description", text.into())]);
        let responses = Map::from_iter([("200", word("OK")), ("400", word("Bad Request"))]);
        super::set_operation(body, &route, condition.as_ref(), &integration, &responses);
        auth::add(parameters, event, own, body, &route, event.get("Stage"))?;
        auth::define(body, &route);
        Ok(())
    })
}
