//! `AWS::Serverless::WebFunction`: a function with a revision of its code and an endpoint.

mod regions;
mod weights;

use crate::artifact::{self, Names};
use crate::attributes;
use crate::context::{Context, Input, Translated};
use crate::iam;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::shown;
use crate::tags;
use crate::value::{Data, Map, Value};

/// The tag of the function and its role.
const CREATOR: &str = "lambda:createdBy";
const OBJECT: Names = Names { bucket: "Bucket", key: "Key", version: "VersionId" };
const ENTRY_POINT: &str = "AWS_LAMBDA_NODEJS_ENTRYPOINT";
const MODES: [&str; 2] = ["LatestRevision", "Disabled"];
/// Seconds of a function without `Timeout`.
const TIMEOUT: i64 = 30;

/// Translates a web function.
pub(crate) fn translate(cx: &mut Context, input: &Input) -> Translated {
    let is_latest = mode(cx, input)? == "LatestRevision";
    if input.get("AuthType").is_none() {
        let sentence = "'AuthType' is required. Specify 'IamAuth' (Lambda authorizes requests with SigV4/IAM) or 'ApplicationManaged' (the endpoint is public and your function handles authorization).";
        return Err(Refusal::new(sentence).at(input.origin));
    }
    let endpoint_type = endpoint_type(cx, input)?;
    weights::check(input, &endpoint_type, is_latest)?;
    let timeout = timeout(input)?;
    let weights = weights::authored(input)?;
    check_variables(input)?;
    check_connector(input)?;
    let tags = tags::with_creator(input, CREATOR)?;
    let mut function = Resource::new(input.id.as_str(), "AWS::Lambda::WebFunction");
    function = function.with(attributes::of_main(&input.resource)).from(input.origin);
    let name = input.get("FunctionName").cloned().unwrap_or_else(|| default_name(&input.id));
    function.set("FunctionName", name.clone());
    function.set("Tags", tags.clone());
    let role = match some(input, "ExecutionRoleArn") {
        Some(_) => None,
        None => Some(role(cx, input, tags)),
    };
    let role_arn = some(input, "ExecutionRoleArn").cloned().or_else(|| Some(role.as_ref()?.get_att("Arn")));
    let revision = revision(input, &name, timeout, role_arn.unwrap_or_default())?;
    let weights = weights.unwrap_or_else(|| weights::of_revision(&revision));
    let endpoint = endpoint(input, &name, &revision, endpoint_type.authored, weights)?;
    Ok([function, revision, endpoint].into_iter().chain(role).collect())
}

/// Returns the value of a property that is not null.
fn some<'a>(input: &'a Input, name: &str) -> Option<&'a Value> {
    input.properties.get(name).filter(|value| !value.is_null())
}

/// Returns which revision the endpoint calls.
fn mode(cx: &Context, input: &Input) -> Result<String, Refusal> {
    let Some(authored) = input.get("AutoDeploymentMode") else { return Ok("LatestRevision".to_owned()) };
    let value = cx.parameters.resolve(authored)?;
    let words = shown::list(MODES);
    if value.map().is_some_and(|map| map.len() == 1) {
        let sentence = format!(
            "'AutoDeploymentMode' must resolve to one of {words} at transform time; unresolved intrinsic functions are not supported because it is not passed through to CloudFormation."
        );
        return Err(Refusal::new(sentence).at(authored.origin()));
    }
    if let Some(mode) = value.text().filter(|text| MODES.contains(text)) {
        return Ok(mode.to_owned());
    }
    let sentence = format!("'AutoDeploymentMode' must be one of {words}, got '{}'.", shown::plain(&value));
    Err(Refusal::new(sentence).at(authored.origin()))
}

fn timeout(input: &Input) -> Result<Value, Refusal> {
    let Some(value) = some(input, "Timeout") else { return Ok(TIMEOUT.into()) };
    let seconds = match value.data() {
        Data::Number(text) => text.parse().ok(),
        Data::Bool(truth) => Some(i64::from(*truth)),
        _ => return Ok(value.clone()),
    };
    if !seconds.is_some_and(|seconds| (3..=900).contains(&seconds)) {
        return Err(Refusal::new("'Timeout' must be an integer between 3 and 900.").at(value.origin()));
    }
    Ok(value.clone())
}

fn check_variables(input: &Input) -> Result<(), Refusal> {
    let variables = input.get("EnvironmentVariables").and_then(Value::map).into_iter().flat_map(Map::iter);
    for (name, value) in variables {
        if value.text() == Some("") {
            let sentence = format!("Environment variable '{name}' value must not be empty.");
            return Err(Refusal::new(sentence).at(value.origin()));
        }
    }
    Ok(())
}

/// Compares the ARN of a network connector with the form of one that has a version.
fn check_connector(input: &Input) -> Result<(), Refusal> {
    let Some(value) = some(input, "EgressNetworkConnectorArn") else { return Ok(()) };
    let Some(arn) = value.text() else { return Ok(()) };
    let parts: Vec<&str> = arn.split(':').collect();
    let is_versioned = match parts.as_slice() {
        [scheme, .., "network-connector", name, version] => {
            *scheme == "arn" && parts.len() == 8 && !name.is_empty() && !version.is_empty()
        }
        _ => false,
    };
    if is_versioned {
        return Ok(());
    }
    let sentence = "'EgressNetworkConnectorArn' must be a version-qualified network-connector ARN (ending in ':<version>', e.g. the connector's LatestVersionArn).";
    Err(Refusal::new(sentence).at(value.origin()))
}

/// Returns the ID with a part of the stack's ID.
fn default_name(id: &str) -> Value {
    let select = |number: i64, delimiter: &str, text: Value| {
        let split = make::call("Fn::Split", make::list([delimiter.into(), text]));
        make::call("Fn::Select", make::list([number.into(), split]))
    };
    let suffix = select(0, "-", select(2, "/", make::reference("AWS::StackId")));
    make::sub_with(&format!("{id}-${{StackIdSuffix}}"), [("StackIdSuffix", suffix)])
}

fn role(cx: &Context, input: &Input, tags: Value) -> Resource {
    let mut role = input.besides("Role", "AWS::IAM::Role");
    role.set("AssumeRolePolicyDocument", iam::trust("lambda.amazonaws.com"));
    let arn = iam::managed_arn(&cx.parameters.partition, "service-role/AWSLambdaBasicExecutionRole");
    role.set("ManagedPolicyArns", make::list([arn]));
    role.set("Tags", tags);
    role
}

fn revision(input: &Input, name: &Value, timeout: Value, role: Value) -> Result<Resource, Refusal> {
    let code = code(input)?;
    let runtime = some(input, "Runtime").ok_or_else(|| Refusal::new("'Runtime' is required.").at(input.origin))?;
    let mut service = Map::new();
    service.set("ExecutionRoleArn", role);
    service.set("TimeoutSeconds", timeout);
    service.set_some("EnvironmentVariables", variables(input)?);
    service.set_some("MaxConcurrencyPerEnvironment", some(input, "MaxConcurrencyPerEnvironment").cloned());
    service.set_some("EgressNetworkConnectorArn", some(input, "EgressNetworkConnectorArn").cloned());
    if let Some(logging) = input.get("LoggingConfig") {
        service.set("TelemetryConfig", make::map([("LoggingConfig", logging.clone())]));
    }
    let mut revision = input.besides("Revision", "AWS::Lambda::WebFunctionRevision");
    revision.attributes.set("DependsOn", make::list([input.id.as_str()]));
    revision.set("FunctionName", name.clone());
    let build = make::map([
        ("CodeConfig", make::map([("S3Object", code)])),
        ("RuntimeConfig", make::map([("Runtime", runtime.clone())])),
    ]);
    revision.set("BuildConfig", build);
    revision.set("ServiceConfig", service);
    revision.set_some("Description", some(input, "RevisionDescription").cloned());
    revision.set_some("KmsKeyArn", some(input, "KmsKeyArn").cloned());
    Ok(revision)
}

fn code(input: &Input) -> Result<Value, Refusal> {
    let (inline, location) = (some(input, "InlineCode"), some(input, "CodeUri"));
    let is_true = |value: Option<&Value>| value.is_some_and(Value::is_true);
    if inline.is_some() && location.is_some() {
        let sentence = "Only one of 'InlineCode' or 'CodeUri' can be set.";
        return Err(Refusal::new(sentence).at(inline.and_then(Value::origin)));
    }
    if is_true(inline) {
        let sentence =
            "'InlineCode' is not yet supported for 'AWS::Serverless::WebFunction'. Please use 'CodeUri' instead.";
        return Err(Refusal::new(sentence).at(inline.and_then(Value::origin)));
    }
    match location.filter(|location| location.is_true()) {
        Some(location) => artifact::location(location, "CodeUri", &OBJECT),
        None => Err(Refusal::new("Either 'InlineCode' or 'CodeUri' must be set.").at(input.origin)),
    }
}

/// Returns the environment, with numbers and Booleans as strings.
fn variables(input: &Input) -> Result<Option<Value>, Refusal> {
    let authored = input.get("EnvironmentVariables");
    let entry_point = input.get("EntryPoint");
    if let (Some(authored), Some(_)) = (authored.filter(|value| value.is_call()), entry_point) {
        let sentence = "'EntryPoint' cannot be used when 'EnvironmentVariables' is an intrinsic function.";
        return Err(Refusal::new(sentence).at(authored.origin()));
    }
    let Some(own) = authored.and_then(Value::map).filter(|_| authored.is_some_and(|value| !value.is_call())) else {
        let alone = entry_point.map(|entry_point| make::map([(ENTRY_POINT, entry_point.clone())]));
        return Ok(authored.cloned().or(alone));
    };
    let mut variables = Map::new();
    for (name, value) in own.iter() {
        let text = match value.data() {
            Data::Number(text) => Some(text.to_string()),
            Data::Bool(truth) => Some(truth.to_string()),
            _ => None,
        };
        variables.set(name, text.map_or_else(|| value.clone(), |text| Value::from(text).at(value.origin())));
    }
    variables.set_some(ENTRY_POINT, entry_point.cloned());
    Ok(Some(Value::from(variables).at(authored.and_then(Value::origin))))
}

/// The place of the endpoint.
struct EndpointType {
    /// As the endpoint has it.
    authored: Value,
    is_multi_region: bool,
}

fn endpoint_type(cx: &Context, input: &Input) -> Result<EndpointType, Refusal> {
    let Some(authored) = input.get("EndpointType") else {
        return Ok(EndpointType { authored: "HomeRegion".into(), is_multi_region: false });
    };
    let value = cx.parameters.resolve(authored)?;
    let is_multi_region = value.text() == Some("MultiRegion");
    // The translator hands a reference on, and replaces those within another function.
    let authored = if authored.reference().is_some() { authored.clone() } else { value };
    Ok(EndpointType { authored, is_multi_region })
}

fn endpoint(
    input: &Input,
    name: &Value,
    revision: &Resource,
    endpoint_type: Value,
    weights: Value,
) -> Result<Resource, Refusal> {
    let mut endpoint = input.besides("Endpoint", "AWS::Lambda::WebFunctionEndpoint");
    endpoint.attributes.set("DependsOn", make::list([input.id.as_str(), revision.id.as_str()]));
    endpoint.set("FunctionName", name.clone());
    endpoint.set("EndpointName", input.get("EndpointName").cloned().unwrap_or_else(|| "prod".into()));
    endpoint.set("EndpointType", endpoint_type);
    endpoint.set_some("AuthType", input.get("AuthType").cloned());
    endpoint.set_some("Description", some(input, "EndpointDescription").cloned());
    endpoint.set_some("ScalingConfig", some(input, "ScalingConfig").cloned());
    endpoint.set_some("ThrottleConfig", some(input, "ThrottleConfig").cloned());
    endpoint.set("RevisionWeights", weights);
    if let Some(regions) = some(input, "ReplicaRegions") {
        endpoint.set("Regions", regions::of(regions).map_err(|refusal| refusal.at(regions.origin()))?);
    }
    Ok(endpoint)
}
