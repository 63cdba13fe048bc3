//! The source or the destination of a connector.

use super::Resources;
use crate::facts::Facts;
use crate::make;
use crate::refusal::Refusal;
use crate::value::{Map, Value};

/// A resource that is connected.
#[derive(Clone, Debug)]
pub(super) struct End<'a> {
    /// The logical ID, if it is a resource of the template.
    pub(super) id: Option<&'a str>,
    /// The type that it becomes.
    pub(super) kind: String,
    /// The type as it is authored.
    pub(super) authored_kind: String,
    /// The authored reference.
    reference: &'a Map,
    /// The properties of the resource of the template.
    properties: Option<&'a Map>,
}

/// Types that serverless types become, which a reference without `Id` may name.
const BECOMES: [(&str, &str); 5] = [
    ("AWS::Serverless::Api", "AWS::ApiGateway::RestApi"),
    ("AWS::Serverless::Function", "AWS::Lambda::Function"),
    ("AWS::Serverless::HttpApi", "AWS::ApiGatewayV2::Api"),
    ("AWS::Serverless::SimpleTable", "AWS::DynamoDB::Table"),
    ("AWS::Serverless::StateMachine", "AWS::StepFunctions::StateMachine"),
];

impl<'a> End<'a> {
    /// Reads a reference: an `Id` with at most a `Qualifier`, or a `Type` with what is known of the resource.
    pub(super) fn of(resources: Resources<'a>, reference: &'a Value) -> Result<End<'a>, Refusal> {
        let refused = |sentence: &str| Refusal::new(sentence).at(reference.origin());
        let Some(map) = reference.map() else { return Err(refused("'Type' is missing or not a string.")) };
        let others = map.keys().filter(|key| *key != "Id" && *key != "Qualifier").count();
        if map.has("Id") == (others > 0) {
            return Err(refused(
                "Must provide 'Id' (with optional 'Qualifier') or a supported combination of other properties.",
            ));
        }
        if let Some(id) = map.get("Id").filter(|id| id.is_true()) {
            let text = id.text().ok_or_else(|| refused("'Id' is missing or not a string."));
            return text.and_then(|text| End::of_id(resources, text, map)).map_err(|refusal| refusal.at(id.origin()));
        }
        let kind = map.get("Type").and_then(Value::text).filter(|kind| !kind.is_empty());
        let kind = kind.ok_or_else(|| refused("'Type' is missing or not a string."))?;
        let becomes = BECOMES.iter().find(|(name, _)| *name == kind).map_or(kind, |(_, becomes)| becomes);
        let (kind, authored_kind) = (becomes.to_owned(), becomes.to_owned());
        Ok(End { id: None, kind, authored_kind, reference: map, properties: None })
    }

    fn of_id(resources: Resources<'a>, id: &'a str, reference: &'a Map) -> Result<End<'a>, Refusal> {
        let found = resources.current.get(id).and_then(Value::map).filter(|resource| !resource.is_empty());
        let Some(resource) = found else {
            let sentence = format!("Unable to find resource with logical ID '{id}'.");
            return Err(Refusal::new(sentence).about(id));
        };
        let kind = |resource: &Map| resource.get("Type").and_then(Value::text).map(str::to_owned);
        let Some(now) = kind(resource).filter(|kind| !kind.is_empty()) else {
            return Err(Refusal::new("'Type' is missing or not a string."));
        };
        let authored = resources.authored.get(id).and_then(Value::map).and_then(kind);
        let properties = resource.get("Properties").and_then(Value::map);
        Ok(End {
            id: Some(id),
            authored_kind: authored.unwrap_or_else(|| now.clone()),
            kind: now,
            reference,
            properties,
        })
    }

    /// Returns an attribute: that of the reference, or the expression that reads it from the resource.
    pub(super) fn get(&self, name: &str) -> Option<Value> {
        let authored = self.reference.get(name).filter(|_| self.id.is_none() || name == "Qualifier");
        if let Some(value) = authored {
            return Some(value.clone()).filter(|value| !value.is_null());
        }
        let id = self.id?;
        let fact = match name {
            "QueueUrl" => "Url",
            "ResourceId" => "Id",
            other => other,
        };
        let expression = Facts::embedded().connectors().output(&self.kind, fact)?;
        Some(with_id(expression, id))
    }

    /// Returns the name of the resource's role.
    pub(super) fn role(&self, destination: &End<'_>) -> Option<Value> {
        if self.id.is_none() {
            return self.get("RoleName").filter(Value::is_true);
        }
        let property = Facts::embedded().connectors().input(&self.kind, "Role")?;
        let role = match property.as_str() {
            Some(property) => self.properties?.get(property)?,
            None => self.role_of_target(destination)?,
        };
        referred(role).map(make::reference)
    }

    /// Returns the role of the target of a rule that is the destination.
    fn role_of_target(&self, destination: &End<'_>) -> Option<&Value> {
        let targets = self.properties?.get("Targets")?.list()?;
        let arn = destination.get("Arn");
        let target = targets.iter().find(|target| {
            let Some(other) = target.get("Arn") else { return false };
            arn.as_ref() == Some(other) || destination.id.is_some_and(|id| referred(other) == Some(id))
        });
        target?.get("RoleArn")
    }
}

/// Returns the logical ID of a `Ref` or `Fn::GetAtt`.
pub(super) fn referred(value: &Value) -> Option<&str> {
    match value.call()? {
        ("Ref", argument) => argument.text(),
        ("Fn::GetAtt", argument) => match argument.list() {
            Some(parts) => parts.first()?.text(),
            None => argument.text()?.split_once('.').map(|(id, _)| id),
        },
        _ => None,
    }
}

/// Returns an expression of the facts with the logical ID in its place.
fn with_id(expression: &serde_json::Value, id: &str) -> Value {
    match expression {
        serde_json::Value::String(text) => text.replace("%{logicalId}", id).into(),
        serde_json::Value::Array(items) => items.iter().map(|item| with_id(item, id)).collect::<Vec<Value>>().into(),
        serde_json::Value::Object(map) => {
            map.iter().map(|(key, value)| (key, with_id(value, id))).collect::<Map>().into()
        }
        _ => Value::default(),
    }
}
