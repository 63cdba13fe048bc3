//! `AWS::Serverless::Connector` and the attribute `Connectors`: permissions between two resources.
//!
//! Connectors are translated behind all other resources, since they read the properties of what those become. What
//! they grant is a fact ([`crate::facts`]).

mod all;
mod dependency;
mod embedded;
mod end;
mod permissions;
mod template;

pub(crate) use all::translate_all;
pub(crate) use embedded::{Embedded, extract};

use crate::attributes;
use crate::context::Translated;
use crate::facts::Facts;
use crate::make;
use crate::properties;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};
use end::End;

/// The type of a connector.
pub(crate) const KIND: &str = "AWS::Serverless::Connector";

/// The resources that connectors connect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resources<'a> {
    /// As they are authored.
    pub(crate) authored: &'a Map,
    /// As they are by now: those that were refused, and connectors, are still authored ones.
    pub(crate) current: &'a Map,
}

/// A resource that waits for a permission of a connector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dependency {
    /// The resource that gets a `DependsOn`.
    pub(crate) of: String,
    /// The resource that it names.
    pub(crate) on: String,
}

/// Translates a connector, a resource of [`KIND`]. The waiting resources are added to `dependencies`.
pub(crate) fn translate(
    resources: Resources<'_>,
    id: &str,
    connector: &Map,
    dependencies: &mut Vec<Dependency>,
) -> Translated {
    let empty = Map::new();
    let around = connector.get("Properties").and_then(Value::origin);
    let own = connector.get("Properties").and_then(Value::map).unwrap_or(&empty);
    if !id.chars().all(|character| character.is_ascii_alphanumeric()) {
        return Err(Refusal::new("Logical ids must be alphanumeric.").at(around));
    }
    properties::check_section(connector)?;
    properties::check(KIND, properties::CONNECTOR, own, around)?;
    let (Some(source), Some(destination)) = (own.get("Source"), own.get("Destination")) else { return Ok(Vec::new()) };
    let Some(list) = destination.list() else {
        return one(resources, &Names { id, suffix: String::new() }, connector, [source, destination], dependencies);
    };
    if list.is_empty() {
        return Err(Refusal::new("'Destination' is an empty list").at(destination.origin()));
    }
    let mut made = Vec::new();
    for (number, destination) in list.iter().enumerate() {
        let names = Names { id, suffix: format!("Destination{number}") };
        made.extend(one(resources, &names, connector, [source, destination], dependencies)?);
    }
    Ok(made)
}

struct Names<'a> {
    id: &'a str,
    /// The end of the ID of each resource that is made.
    suffix: String,
}

/// Translates the connection to one destination.
fn one(
    resources: Resources<'_>,
    names: &Names<'_>,
    connector: &Map,
    [source, destination]: [&Value; 2],
    dependencies: &mut Vec<Dependency>,
) -> Translated {
    let origin = destination.origin();
    let destination = End::of(resources, destination)?;
    let source = End::of(resources, source)?;
    let Some(permission) = Facts::embedded().connectors().permission(&source.kind, &destination.kind) else {
        let sentence = format!(
            "Unable to create connector from {} to {}; it's not supported or the template is invalid.",
            source.kind, destination.kind
        );
        return Err(Refusal::new(sentence).at(origin));
    };
    let wanted = connector.get("Properties").and_then(|own| own.get("Permissions"));
    let chosen = permissions::chosen(permission, wanted, &source.kind, &destination.kind)?;
    let attributes = attributes_of(names.id, connector, &source, &destination)?;
    let pair = template::Pair { source: &source, destination: &destination };
    let mut made = Vec::new();
    let mut add = |name: &str, kind: &'static str, properties: Map| {
        let id = format!("{}{name}{}", names.id, names.suffix);
        let mut resource = Resource::new(id, kind).with(attributes.clone()).from(origin);
        resource.properties = properties;
        made.push(resource);
    };
    match permission.kind {
        "AWS_IAM_ROLE_MANAGED_POLICY" => {
            let document = pair.document(&chosen).map_err(|refusal| refusal.at(origin))?;
            let (owner, side) = match permission.properties.get("SourcePolicy").and_then(serde_json::Value::as_bool) {
                Some(true) => (&source, "Source"),
                _ => (&destination, "Destination"),
            };
            let role = owner.role(&destination).ok_or_else(|| lacks("IAM role name", side).at(origin))?;
            add("Policy", "AWS::IAM::ManagedPolicy", entries([("PolicyDocument", document), ("Roles", list(role))]));
        }
        "AWS_SQS_QUEUE_POLICY" => {
            let document = pair.document(&chosen).map_err(|refusal| refusal.at(origin))?;
            let queue = destination.get("QueueUrl").filter(Value::is_true);
            let queue = queue.ok_or_else(|| lacks("SQS queue URL", "Destination").at(origin))?;
            add(
                "QueuePolicy",
                "AWS::SQS::QueuePolicy",
                entries([("PolicyDocument", document), ("Queues", list(queue))]),
            );
        }
        "AWS_SNS_TOPIC_POLICY" => {
            let document = pair.document(&chosen).map_err(|refusal| refusal.at(origin))?;
            let topic = destination.get("Arn").filter(Value::is_true);
            let topic = topic.ok_or_else(|| lacks("SNS topic ARN", "Destination").at(origin))?;
            add(
                "TopicPolicy",
                "AWS::SNS::TopicPolicy",
                entries([("PolicyDocument", document), ("Topics", list(topic))]),
            );
        }
        _ => {
            for (category, template) in &chosen {
                let filled = pair.filled(template).map_err(|refusal| refusal.at(origin))?;
                let function = destination.get("Arn").filter(Value::is_true);
                let function = function.ok_or_else(|| lacks("Lambda function ARN", "Destination").at(origin))?;
                let mut properties = filled.into_map().unwrap_or_default();
                properties.set("FunctionName", function);
                add(&format!("{category}LambdaPermission"), "AWS::Lambda::Permission", properties);
            }
        }
    }
    let on: Vec<String> = made.iter().map(|resource| resource.id.clone()).collect();
    let waiting = permission.properties.get("DependedBy").and_then(serde_json::Value::as_str);
    dependency::find(resources, waiting, &source, &destination, &on, dependencies);
    Ok(made)
}

fn entries<const N: usize>(entries: [(&str, Value); N]) -> Map {
    entries.into_iter().collect()
}

fn list(item: Value) -> Value {
    make::list([item])
}

fn lacks(attribute: &str, side: &str) -> Refusal {
    Refusal::new(format!("Unable to get {attribute} from '{side}' resource."))
}

/// Returns the attributes of everything that a connector becomes: its own, with the connected types as metadata.
fn attributes_of(id: &str, connector: &Map, source: &End<'_>, destination: &End<'_>) -> Result<Map, Refusal> {
    let mut attributes = attributes::of_main(connector);
    let authored = connector.get("Metadata");
    let mut metadata = match authored.map(|metadata| (metadata, metadata.map())) {
        None => Map::new(),
        Some((_, Some(map))) => map.clone(),
        Some((wrong, None)) => {
            let sentence = format!("Attribute '{id}.Metadata' should be a map.");
            return Err(Refusal::new(sentence).at(wrong.origin()));
        }
    };
    let kind = |end: &End<'_>| make::map([("Type", end.authored_kind.as_str().into())]);
    let types = make::map([("Source", kind(source)), ("Destination", kind(destination))]);
    metadata.set("aws:sam:connectors", make::map([(id, types)]));
    attributes.set("Metadata", metadata);
    Ok(attributes)
}
