//! Sources that Lambda polls: queues and streams, each an event source mapping.

mod access;
mod destination;
mod kafka;

use super::event::{Event, Source};
use crate::context::{Context, Translated};
use crate::iam::{self, Role};
use crate::make;
use crate::properties::{Kind, Property, of};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// Returns the properties of a source: those of all, the position to begin at, and its own.
macro_rules! properties {
    ($position:expr $(, $own:expr)*) => {
        &[
            of("BatchSize", Kind::Number),
            $position,
            of("StartingPositionTimestamp", Kind::Any),
            of("Enabled", Kind::Bool),
            of("MaximumBatchingWindowInSeconds", Kind::Number),
            of("MaximumRetryAttempts", Kind::Number),
            of("BisectBatchOnFunctionError", Kind::Bool),
            of("MaximumRecordAgeInSeconds", Kind::Number),
            of("DestinationConfig", Kind::Map),
            of("ParallelizationFactor", Kind::Number),
            of("Topics", Kind::List),
            of("Queues", Kind::List),
            of("SourceAccessConfigurations", Kind::List),
            of("SecretsManagerKmsKeyId", Kind::Text),
            of("TumblingWindowInSeconds", Kind::Number),
            of("FunctionResponseTypes", Kind::List),
            of("KafkaBootstrapServers", Kind::List),
            of("FilterCriteria", Kind::Map),
            of("KmsKeyArn", Kind::Any),
            of("ConsumerGroupId", Kind::Text),
            of("ScalingConfig", Kind::Map),
            of("MetricsConfig", Kind::Map),
            of("LoggingConfig", Kind::Map),
            of("ProvisionedPollerConfig", Kind::Map),
            of("SchemaRegistryConfig", Kind::Map),
            $($own,)*
        ]
    };
}

const ANYWHERE: Property = of("StartingPosition", Kind::Any);
const SOMEWHERE: Property = of("StartingPosition", Kind::Any).required();
const STREAM: Property = of("Stream", Kind::Any).required();

/// All sources that are polled.
pub(super) const SOURCES: [Source; 7] = [
    Source {
        name: "SQS",
        properties: properties!(ANYWHERE, of("Queue", Kind::Any).required()),
        translate: |cx, event, role| managed(cx, event, role, "Queue", "AWSLambdaSQSQueueExecutionRole"),
    },
    Source {
        name: "Kinesis",
        properties: properties!(SOMEWHERE, STREAM),
        translate: |cx, event, role| managed(cx, event, role, "Stream", "AWSLambdaKinesisExecutionRole"),
    },
    Source {
        name: "DynamoDB",
        properties: properties!(SOMEWHERE, STREAM),
        translate: |cx, event, role| managed(cx, event, role, "Stream", "AWSLambdaDynamoDBExecutionRole"),
    },
    Source { name: "MSK", properties: properties!(SOMEWHERE, STREAM), translate: kafka::managed },
    Source { name: "SelfManagedKafka", properties: properties!(ANYWHERE), translate: kafka::own },
    Source {
        name: "MQ",
        properties: properties!(
            ANYWHERE,
            of("Broker", Kind::Any).required(),
            of("DynamicPolicyName", Kind::Bool).without_calls()
        ),
        translate: access::broker,
    },
    Source {
        name: "DocumentDB",
        properties: properties!(
            ANYWHERE,
            of("Cluster", Kind::Any).required(),
            of("DatabaseName", Kind::Any).required(),
            of("CollectionName", Kind::Any),
            of("FullDocument", Kind::Any)
        ),
        translate: access::documents,
    },
];

/// Properties that the mapping has as they are.
const SAME: [&str; 20] = [
    "BatchSize",
    "BisectBatchOnFunctionError",
    "Enabled",
    "FilterCriteria",
    "FunctionResponseTypes",
    "KmsKeyArn",
    "LoggingConfig",
    "MaximumBatchingWindowInSeconds",
    "MaximumRecordAgeInSeconds",
    "MaximumRetryAttempts",
    "MetricsConfig",
    "ParallelizationFactor",
    "ProvisionedPollerConfig",
    "Queues",
    "ScalingConfig",
    "SourceAccessConfigurations",
    "StartingPosition",
    "StartingPositionTimestamp",
    "Topics",
    "TumblingWindowInSeconds",
];

fn managed(cx: &Context, event: &Event<'_>, role: Option<&mut Role>, source: &str, policy: &str) -> Translated {
    let (mapping, policies) = mapping(event, Some(source), None)?;
    grant(role, vec![iam::managed_arn(&cx.parameters.partition, &format!("service-role/{policy}"))], policies);
    Ok(vec![mapping])
}

/// Returns the mapping of an event, and the inline policies for its destination. `source` is the property with the ARN
/// of what is polled; `kafka` is the property of a Kafka source's configuration.
fn mapping(
    event: &Event<'_>,
    source: Option<&str>,
    kafka: Option<&'static str>,
) -> Result<(Resource, Vec<Value>), Refusal> {
    check_filters(event)?;
    let mut mapping = event.makes("", "AWS::Lambda::EventSourceMapping");
    mapping.set_some("EventSourceArn", source.and_then(|source| event.written(source)));
    mapping.set("FunctionName", event.target.name.clone());
    for name in SAME {
        mapping.set_some(name, event.written(name));
    }
    if let Some(kafka) = kafka {
        let mut config = Map::new();
        config.set_some("ConsumerGroupId", event.get("ConsumerGroupId").cloned());
        config.set_some("SchemaRegistryConfig", event.get("SchemaRegistryConfig").cloned());
        if !config.is_empty() {
            mapping.set(kafka, config);
        }
    } else if let Some(group) = event.get("ConsumerGroupId") {
        let kind = event.kind;
        let sentence = format!("Property ConsumerGroupId not defined for resource of type {kind}.");
        return Err(Refusal::new(sentence).of_event(&event.id()).at(group.origin()));
    }
    let policies = destination::set(event, &mut mapping)?;
    Ok((mapping, policies))
}

fn check_filters(event: &Event<'_>) -> Result<(), Refusal> {
    let Some(criteria) = event.get("FilterCriteria").filter(|criteria| !criteria.is_call()) else { return Ok(()) };
    if criteria.get("Filters").is_some() {
        return Ok(());
    }
    Err(Refusal::new("FilterCriteria field has a wrong format").of_event(event.name).at(criteria.origin()))
}

/// Adds policies to the role of the owner.
fn grant(role: Option<&mut Role>, managed: Vec<Value>, inline: Vec<Value>) {
    let Some(role) = role else { return };
    for arn in managed {
        if !role.managed.contains(&arn) {
            role.managed.push(arn);
        }
    }
    for policy in inline {
        if !role.inline.contains(&policy) {
            role.inline.push(policy);
        }
    }
}

/// Returns a statement that allows actions.
fn allow(actions: impl Into<Value>, resource: Value) -> Value {
    make::map([("Action", actions.into()), ("Effect", "Allow".into()), ("Resource", resource)])
}

fn secret(uri: &Value) -> Value {
    allow(make::list(["secretsmanager:GetSecretValue"]), uri.clone())
}

/// Returns the statement for network interfaces.
fn network() -> Value {
    let actions = [
        "ec2:CreateNetworkInterface",
        "ec2:DescribeNetworkInterfaces",
        "ec2:DeleteNetworkInterface",
        "ec2:DescribeVpcs",
        "ec2:DescribeSubnets",
        "ec2:DescribeSecurityGroups",
    ];
    allow(make::list(actions), "*".into())
}

/// Returns the ARN of the key that decrypts secrets.
fn key(event: &Event<'_>) -> Result<Option<Value>, Refusal> {
    let Some(key) = event.get("SecretsManagerKmsKeyId") else { return Ok(None) };
    let Some(id) = key.text() else {
        let sentence = "Property 'SecretsManagerKmsKeyId' should be a string.";
        return Err(Refusal::new(sentence).of_event(event.name).at(key.origin()));
    };
    Ok(Some(make::sub(&format!("arn:${{AWS::Partition}}:kms:${{AWS::Region}}:${{AWS::AccountId}}:key/{id}"))))
}

/// Returns an inline policy of statements, without a version.
fn policy(name: &str, statements: Vec<Value>) -> Value {
    make::policy(name, make::map([("Statement", statements.into())]))
}
