//! `AWS::Serverless::MicrovmImage`.

use crate::attributes;
use crate::context::{Context, Input, Translated};
use crate::iam;
use crate::make;
use crate::operator;
use crate::resource::Resource;
use crate::shape::Shape::{Any, AnyDict, CallOrNumber, CallOrOneOf, List, Object, Truth};
use crate::shape::{self, Field, may, must};
use crate::value::{Map, Value};

/// Keys of the properties, in the order in which the translator looks at them.
const FIELDS: &[Field] = &[
    must("Name", Any),
    must("CodeUri", Any),
    must("BaseImageArn", Any),
    must("BaseImageVersion", Any),
    may("BuildRoleArn", Any),
    may("Description", Any),
    may("Tags", AnyDict),
    may("Logging", Object(LOGGING)),
    may("EgressNetworkConnectors", List(&Any)),
    may("CpuConfigurations", List(&Object(&[must("Architecture", CallOrOneOf(&["ARM_64"]))]))),
    may("Resources", List(&Object(&[must("MinimumMemoryInMiB", CallOrNumber("integer"))]))),
    may("AdditionalOsCapabilities", List(&CallOrOneOf(&["ALL"]))),
    may("Hooks", Object(HOOKS)),
    may("EnvironmentVariables", AnyDict),
    may("PropagateTags", Any),
];

const LOGGING: &[Field] =
    &[may("Disabled", Truth), may("CloudWatch", Object(&[may("LogGroup", Any), may("LogStream", Any)]))];

const HOOKS: &[Field] = &[
    may("Port", CallOrNumber("integer")),
    may("MicrovmHooks", Object(MICROVM_HOOKS)),
    may("MicrovmImageHooks", Object(IMAGE_HOOKS)),
];

const STATE: shape::Shape = CallOrOneOf(&["ENABLED", "DISABLED"]);
const SECONDS: shape::Shape = CallOrNumber("integer");

const MICROVM_HOOKS: &[Field] = &[
    may("Run", STATE),
    may("RunTimeoutInSeconds", SECONDS),
    may("Resume", STATE),
    may("ResumeTimeoutInSeconds", SECONDS),
    may("Suspend", STATE),
    may("SuspendTimeoutInSeconds", SECONDS),
    may("Terminate", STATE),
    may("TerminateTimeoutInSeconds", SECONDS),
];

const IMAGE_HOOKS: &[Field] = &[
    may("Ready", STATE),
    may("ReadyTimeoutInSeconds", SECONDS),
    may("Validate", STATE),
    may("ValidateTimeoutInSeconds", SECONDS),
];

/// Properties that are handed on.
const SAME: [&str; 3] = ["Name", "BaseImageArn", "BaseImageVersion"];
/// Lists and mappings that are handed on, or empty.
const LISTS: [&str; 4] = ["EgressNetworkConnectors", "CpuConfigurations", "Resources", "AdditionalOsCapabilities"];
const MAPS: [&str; 2] = ["Logging", "Hooks"];

/// Translates an image.
pub(crate) fn translate(_: &mut Context, input: &Input) -> Translated {
    let mut misfits = Vec::new();
    let around = Value::default().at(input.origin);
    shape::check_fields(FIELDS, &input.properties, &around, "", &mut misfits);
    shape::refuse_all(&misfits)?;
    let mut image = Resource::new(input.id.as_str(), "AWS::Lambda::MicrovmImage");
    image = image.with(attributes::of_main(&input.resource)).from(input.origin);
    let value = |name: &str| input.properties.get(name).filter(|value| !value.is_null()).cloned();
    for name in SAME {
        image.set_some(name, value(name));
    }
    let location = value("CodeUri").unwrap_or_default();
    image.set("CodeArtifact", make::map([("Uri", location.clone())]));
    let role = if let Some(arn) = input.get("BuildRoleArn") {
        image.set("BuildRoleArn", arn.clone());
        None
    } else {
        let role = build_role(input, &location);
        image.set("BuildRoleArn", role.get_att("Arn"));
        Some(role)
    };
    image.set("Description", input.get("Description").cloned().unwrap_or_else(|| "".into()));
    image.set("Tags", operator::tags(input));
    for name in LISTS {
        image.set(name, input.get(name).cloned().unwrap_or_else(|| Vec::new().into()));
    }
    for name in MAPS {
        image.set(name, input.get(name).cloned().unwrap_or_else(|| Map::new().into()));
    }
    let variables = input.get("EnvironmentVariables").and_then(Value::map).into_iter().flat_map(Map::iter);
    let variable = |(key, value): (&str, &Value)| make::map([("Key", key.into()), ("Value", value.clone())]);
    image.set("EnvironmentVariables", variables.map(variable).collect::<Vec<Value>>());
    Ok(std::iter::once(image).chain(role).collect())
}

/// Returns the role that reads the code and writes logs.
fn build_role(input: &Input, location: &Value) -> Resource {
    let bucket = location.text().and_then(|text| text.strip_prefix("s3://")?.split('/').next());
    let objects = if let Some(bucket) = bucket.filter(|bucket| !bucket.is_empty()) {
        make::sub(&format!("arn:${{AWS::Partition}}:s3:::{bucket}/*"))
    } else {
        let parts = make::call("Fn::Split", make::list(["/".into(), location.clone()]));
        let bucket = make::call("Fn::Select", make::list([2.into(), parts]));
        make::sub_with("arn:${AWS::Partition}:s3:::${Bucket}/*", [("Bucket", bucket)])
    };
    let logs = ["logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"];
    let statements = [(make::list(["s3:GetObject"]), objects), (make::list(logs), "*".into())];
    let statements = statements.into_iter().map(|(actions, resource)| {
        make::map([("Effect", "Allow".into()), ("Action", actions), ("Resource", resource)])
    });
    let statements: Vec<Value> = statements.collect();
    let document = make::map([("Version", iam::VERSION.into()), ("Statement", statements.into())]);
    let mut role = operator::new_role(input, "BuildRole");
    role.set("Policies", make::list([make::policy("MicrovmImageBuildPolicy", document)]));
    role
}
