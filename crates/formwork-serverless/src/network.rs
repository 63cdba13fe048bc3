//! `AWS::Serverless::NetworkConnector`.

use crate::attributes;
use crate::context::{Context, Input, Translated};
use crate::make;
use crate::operator;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::shape::Shape::{Any, AnyDict, CallOrOneOf, List, Object};
use crate::shape::{self, Field, may, must};
use crate::shown;
use crate::value::{Map, Value};

/// The managed policy of the role that connects the network.
const OPERATOR: &str = "AWSLambdaNetworkConnectorOperatorPolicy";
const COMPUTE_TYPES: [&str; 2] = ["MicroVm", "WebFunction"];

/// Keys of the properties, in the order in which the translator looks at them.
const FIELDS: &[Field] = &[
    may("Name", Any),
    must("VpcConfig", Object(VPC)),
    may("ComputeTypes", List(&CallOrOneOf(&COMPUTE_TYPES))),
    may("OperatorRole", Any),
    may("Tags", AnyDict),
    may("PropagateTags", Any),
];

const VPC: &[Field] = &[
    must("SubnetIds", List(&Any)),
    must("SecurityGroupIds", List(&Any)),
    must("NetworkProtocol", CallOrOneOf(&["IPv4", "DualStack"])),
];

/// Translates a network connector.
pub(crate) fn translate(cx: &mut Context, input: &Input) -> Translated {
    check_compute_types(input)?;
    let mut misfits = Vec::new();
    let around = Value::default().at(input.origin);
    shape::check_fields(FIELDS, &input.properties, &around, "", &mut misfits);
    shape::refuse_all(&misfits)?;
    let mut connector = Resource::new(input.id.as_str(), "AWS::Lambda::NetworkConnector");
    connector = connector.with(attributes::of_main(&input.resource)).from(input.origin);
    connector.set_some("Name", input.get("Name").cloned());
    let authored = input.get("VpcConfig");
    let mut egress = authored.and_then(Value::map).cloned().unwrap_or_else(Map::new);
    let types = input.get("ComputeTypes").cloned().unwrap_or_else(|| make::list(["MicroVm"]));
    egress.set("AssociatedComputeResourceTypes", types);
    let egress = Value::from(egress).at(authored.and_then(Value::origin));
    connector.set("Configuration", make::map([("VpcEgressConfiguration", egress)]));
    let (arn, role) = operator::role(cx, input, "OperatorRole", OPERATOR);
    connector.set("OperatorRole", arn);
    connector.set("Tags", operator::tags(input));
    Ok(std::iter::once(connector).chain(role).collect())
}

fn check_compute_types(input: &Input) -> Result<(), Refusal> {
    let authored = input.properties.get("ComputeTypes");
    let Some(types) = authored.and_then(Value::list) else { return Ok(()) };
    let sentence = match types {
        [one] => match one.text().filter(|text| !COMPUTE_TYPES.contains(text)) {
            Some(text) => {
                format!("'ComputeTypes' values must be one of {}, got '{text}'.", shown::list(COMPUTE_TYPES))
            }
            None => return Ok(()),
        },
        other => format!("'ComputeTypes' must contain exactly one value, got {}.", other.len()),
    };
    Err(Refusal::new(sentence).at(authored.and_then(Value::origin)))
}
