//! Topics of Kafka: of Amazon MSK, and of an own cluster.

use super::{allow, grant, key, mapping, network, policy, secret};
use crate::context::{Context, Translated};
use crate::events::event::Event;
use crate::iam::{self, Role};
use crate::make;
use crate::refusal::Refusal;
use crate::value::{Map, Value};

/// Fields that `SchemaRegistryConfig` needs.
const REGISTRY: [&str; 3] = ["SchemaRegistryURI", "EventRecordFormat", "SchemaValidationConfigs"];
/// Types of `SourceAccessConfigurations` with which a function proves who it is.
const PROOFS: [&str; 4] = ["SASL_SCRAM_256_AUTH", "SASL_SCRAM_512_AUTH", "BASIC_AUTH", "CLIENT_CERTIFICATE_TLS_AUTH"];

/// Translates an event of Amazon MSK.
pub(super) fn managed(cx: &mut Context, event: &Event<'_>, role: Option<&mut Role>) -> Translated {
    let (mapping, mut policies) = mapping(event, Some("Stream"), Some("AmazonManagedKafkaEventSourceConfig"))?;
    check_registry(event)?;
    let arn = iam::managed_arn(&cx.parameters.partition, "service-role/AWSLambdaMSKExecutionRole");
    let own = event.get("SourceAccessConfigurations").and_then(Value::list).unwrap_or_default();
    let mut statements = secrets(own, "CLIENT_CERTIFICATE_TLS_AUTH");
    statements.extend(registry_secrets(event));
    if !statements.is_empty() {
        policies.insert(0, policy("MSKExecutionRolePolicy", statements));
    }
    grant(role, vec![arn], policies);
    Ok(vec![mapping])
}

/// Translates an event of a cluster of the author.
pub(super) fn own(_: &mut Context, event: &Event<'_>, role: Option<&mut Role>) -> Translated {
    let (mut mapping, mut policies) = mapping(event, None, Some("SelfManagedKafkaEventSourceConfig"))?;
    let refused = |sentence: &str| Refusal::new(sentence).of_event(event.name).at(event.origin);
    let Some(servers) = event.get("KafkaBootstrapServers") else {
        return Err(refused("No KafkaBootstrapServers provided for self managed kafka as an event source"));
    };
    let endpoints = make::map([("KafkaBootstrapServers", servers.clone())]);
    mapping.set("SelfManagedEventSource", make::map([("Endpoints", endpoints)]));
    let Some(topics) = event.get("Topics") else {
        return Err(refused("No Topics provided for self managed kafka as an event source"));
    };
    if topics.list().is_some_and(|topics| topics.len() != 1) {
        return Err(refused("Topics for self managed kafka only supports single configuration entry."));
    }
    let mut statements = access(event)?;
    check_registry(event)?;
    statements.extend(registry_secrets(event));
    statements.extend(key(event)?.map(|key| allow(make::list(["kms:Decrypt"]), key)));
    if !statements.is_empty() {
        let document = make::map([("Version", iam::VERSION.into()), ("Statement", statements.into())]);
        policies.insert(0, make::policy("SelfManagedKafkaExecutionRolePolicy", document));
    }
    grant(role, Vec::new(), policies);
    Ok(vec![mapping])
}

/// Returns the statements for `SourceAccessConfigurations`.
fn access(event: &Event<'_>) -> Result<Vec<Value>, Refusal> {
    let authored = event.get("SourceAccessConfigurations");
    let refused = |sentence: &str| {
        Refusal::new(sentence).of_event(event.name).at(authored.and_then(Value::origin).or(event.origin))
    };
    let Some(authored) = authored else {
        return Err(refused("No SourceAccessConfigurations for self managed kafka event provided."));
    };
    let Some(items) = authored.list() else {
        return Err(refused("SourceAccessConfigurations for self managed kafka event should be a list."));
    };
    let (mut proof, mut authority, mut subnet, mut group) = (None, None, false, false);
    for item in items {
        let Some(own) = item.map() else {
            let refusal = Refusal::new("Property 'SourceAccessConfigurations' should be a map.");
            return Err(refusal.of_resource(event.name).at(item.origin()));
        };
        let kind = own.get("Type").and_then(Value::text).unwrap_or_default();
        let uri = own.get_true("URI");
        let needed = |name: &str| {
            uri.cloned().ok_or_else(|| {
                refused(&format!(
                    "No {name} URI property specified in SourceAccessConfigurations for self managed kafka event."
                ))
            })
        };
        match kind {
            "VPC_SUBNET" => subnet = needed(kind).map(|_| true)?,
            "VPC_SECURITY_GROUP" => group = needed(kind).map(|_| true)?,
            "SERVER_ROOT_CA_CERTIFICATE" => authority = Some(needed(kind)?),
            _ if PROOFS.contains(&kind) => {
                if proof.is_some() {
                    return Err(refused(
                        "Multiple auth mechanism properties specified in SourceAccessConfigurations for self managed kafka event.",
                    ));
                }
                proof = Some(needed("auth mechanism")?);
            }
            _ => {
                return Err(refused("Invalid SourceAccessConfigurations Type provided for self managed kafka event."));
            }
        }
    }
    if subnet != group {
        return Err(refused(
            "VPC_SUBNET and VPC_SECURITY_GROUP in SourceAccessConfigurations for SelfManagedKafka must be both provided.",
        ));
    }
    let mut statements: Vec<Value> = proof.iter().chain(&authority).map(secret).collect();
    statements.extend(subnet.then(network));
    Ok(statements)
}

fn check_registry(event: &Event<'_>) -> Result<(), Refusal> {
    let Some(config) = event.get("SchemaRegistryConfig") else { return Ok(()) };
    let missing = REGISTRY.iter().find(|field| config.get(field).is_none_or(Value::is_null));
    missing.map_or(Ok(()), |field| {
        let sentence = format!("Missing required field {field} in SchemaRegistryConfig");
        Err(Refusal::new(sentence).of_event(event.name).at(config.origin()))
    })
}

/// Returns the statements for secrets of a schema registry.
fn registry_secrets(event: &Event<'_>) -> Vec<Value> {
    let config = event.get("SchemaRegistryConfig").and_then(|config| config.get("AccessConfigs"));
    config.and_then(Value::list).unwrap_or_default().iter().filter_map(|one| one.get("URI")).map(secret).collect()
}

fn secrets(items: &[Value], kind: &str) -> Vec<Value> {
    let of_kind = |item: &&Value| item.get("Type").and_then(Value::text) == Some(kind);
    items
        .iter()
        .filter(of_kind)
        .filter_map(|item| item.map().and_then(|item: &Map| item.get("URI")))
        .map(secret)
        .collect()
}
