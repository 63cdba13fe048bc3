//! `AWS::Serverless::GraphQLApi`.

mod auth;
mod fields;
mod functions;
mod resolvers;
mod sources;

use crate::attributes;
use crate::context::{Context, Input, Translated};
use crate::iam;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::shape;
use crate::tags;
use crate::value::{Map, Value};

/// The tag of the API.
const CREATOR: &str = "graphqlapi:createdBy";
/// Authored properties that are handed on.
const SAME: [&str; 5] = ["Visibility", "OwnerContact", "IntrospectionConfig", "QueryDepthLimit", "ResolverCountLimit"];
const PUSH_TO_LOGS: &str = "arn:${AWS::Partition}:iam::aws:policy/service-role/AWSAppSyncPushToCloudWatchLogs";

/// The resources of an API, as far as they are generated.
struct Api<'a> {
    input: &'a Input,
    attributes: Map,
    made: Vec<Resource>,
}

impl Api<'_> {
    /// Returns the value of a property that is not null.
    fn get(&self, name: &str) -> Option<&Value> {
        some(&self.input.properties, name)
    }

    /// Returns a resource with the attributes of the API.
    fn resource(&self, suffix: &str, kind: &'static str, from: &Value) -> Result<Resource, Refusal> {
        let id = format!("{}{suffix}", self.input.id);
        if !id.chars().all(|character| character.is_ascii_alphanumeric()) {
            return Err(Refusal::new("Logical ids must be alphanumeric.").of_resource(&id).at(from.origin()));
        }
        let origin = from.origin().or(self.input.origin);
        Ok(Resource::new(id, kind).with(self.attributes.clone()).from(origin))
    }

    /// Returns a resource that belongs to the API.
    fn part(&self, suffix: &str, kind: &'static str, from: &Value) -> Result<Resource, Refusal> {
        let mut resource = self.resource(suffix, kind, from)?;
        resource.set("ApiId", self.api_id());
        Ok(resource)
    }

    fn api_id(&self) -> Value {
        make::get_att(&self.input.id, "ApiId")
    }

    fn role(&self, suffix: &str, from: &Value) -> Result<Resource, Refusal> {
        let mut role = self.resource(suffix, "AWS::IAM::Role", from)?;
        role.set("AssumeRolePolicyDocument", iam::trust("appsync.amazonaws.com"));
        Ok(role)
    }

    /// Adds a connector, which is translated behind all other resources.
    fn connect(&mut self, id: &str, source: Value, destination: Value, permissions: Value, from: &Value) {
        let origin = from.origin().or(self.input.origin);
        let mut connector = Resource::new(id, crate::connector::KIND).from(origin);
        connector.set("Source", source);
        connector.set("Destination", destination.at(origin));
        connector.set("Permissions", permissions);
        self.made.push(connector);
    }
}

/// Returns the value of a key that is not null.
fn some<'a>(map: &'a Map, name: &str) -> Option<&'a Value> {
    map.get(name).filter(|value| !value.is_null())
}

/// Returns the entries with these names, under other names, that are not null.
fn renamed(map: &Map, names: &[(&str, &str)]) -> Map {
    let mut out = Map::new();
    for (old, new) in names {
        if let Some(value) = some(map, old) {
            out.set(new, value.clone());
        }
    }
    out
}

/// Translates an API.
pub(crate) fn translate(_: &mut Context, input: &Input) -> Translated {
    let mut misfits = Vec::new();
    let around = Value::default().at(input.origin);
    shape::check_fields(fields::API, &input.properties, &around, "", &mut misfits);
    if let Some(misfit) = misfits.first() {
        return Err(Refusal::new(format!("Property '{}' is invalid.", misfit.path)).at(misfit.at));
    }
    let mut api = Api { input, attributes: attributes::of_main(&input.resource), made: Vec::new() };
    let mut main = main(&api);
    let mut connectors = Vec::new();
    auth::translate(&api, &mut main, &mut connectors)?;
    let logs = logs(&api, &mut main)?;
    let schema = schema(&api)?;
    api.made.extend([main, schema]);
    api.made.extend(logs);
    for (number, uri) in connectors.into_iter().enumerate() {
        auth::connect(&mut api, number + 1, &uri);
    }
    api_keys(&mut api)?;
    domain(&mut api)?;
    cache(&mut api)?;
    let sources = sources::translate(&mut api)?;
    let functions = functions::translate(&mut api, &sources)?;
    resolvers::translate(&mut api, &functions)?;
    Ok(api.made)
}

fn main(api: &Api<'_>) -> Resource {
    let input = api.input;
    let mut main = Resource::new(input.id.as_str(), "AWS::AppSync::GraphQLApi").with(api.attributes.clone());
    main.origin = input.origin;
    main.set("Name", input.get("Name").cloned().unwrap_or_else(|| input.id.as_str().into()));
    let mut own = api.get("Tags").and_then(Value::map).cloned().unwrap_or_default();
    own.set(CREATOR, "SAM");
    main.set("Tags", tags::list(&own));
    if let Some(value) = api.get("XrayEnabled") {
        let truth = shape::truth(value).unwrap_or_default();
        main.set(
            "XrayEnabled",
            if value.truth().is_some() { value.clone() } else { Value::from(truth).at(value.origin()) },
        );
    }
    for name in SAME {
        main.set_some(name, input.get(name).cloned());
    }
    main
}

/// Sets `LogConfig`. Returns the role that writes the log, if the author names none.
fn logs(api: &Api<'_>, main: &mut Resource) -> Result<Option<Resource>, Refusal> {
    let empty = Map::new();
    let logging = api.get("Logging");
    let config = logging.and_then(Value::map).unwrap_or(&empty);
    if logging.and_then(shape::truth) == Some(false) {
        return Ok(None);
    }
    let mut log = Map::new();
    log.set_some("ExcludeVerboseContent", config.get_true("ExcludeVerboseContent").cloned());
    log.set("FieldLogLevel", config.get_true("FieldLogLevel").cloned().unwrap_or_else(|| "ALL".into()));
    let from = logging.cloned().unwrap_or_default();
    let role = if let Some(role) = config.get_true("CloudWatchLogsRoleArn") {
        log.set("CloudWatchLogsRoleArn", role.clone());
        None
    } else {
        let mut role = api.role("CloudWatchRole", &from)?;
        role.set("ManagedPolicyArns", make::list([make::sub(PUSH_TO_LOGS)]));
        log.set("CloudWatchLogsRoleArn", role.get_att("Arn"));
        Some(role)
    };
    main.set("LogConfig", Value::from(log).at(from.origin()));
    Ok(role)
}

fn schema(api: &Api<'_>) -> Result<Resource, Refusal> {
    let (inline, uri) = (api.get("SchemaInline"), api.get("SchemaUri"));
    let is_true = |value: Option<&Value>| value.is_some_and(Value::is_true);
    match (is_true(inline), is_true(uri)) {
        (true, true) => {
            let sentence = "Both 'SchemaInline' and 'SchemaUri' cannot be defined at the same time.";
            return Err(Refusal::new(sentence).at(uri.and_then(Value::origin)));
        }
        (false, false) => {
            return Err(Refusal::new("One of 'SchemaInline' or 'SchemaUri' must be set.").at(api.input.origin));
        }
        _ => {}
    }
    let from = inline.or(uri).cloned().unwrap_or_default();
    let mut schema = api.part("Schema", "AWS::AppSync::GraphQLSchema", &from)?;
    schema.set_some("Definition", inline.cloned());
    schema.set_some("DefinitionS3Location", uri.cloned());
    Ok(schema)
}

fn api_keys(api: &mut Api<'_>) -> Result<(), Refusal> {
    let Some(keys) = api.get("ApiKeys").and_then(Value::map) else { return Ok(()) };
    let mut made = Vec::new();
    for (name, key) in keys.iter() {
        let mut resource = api.part(name, "AWS::AppSync::ApiKey", key)?;
        let names = [("ApiKeyId", "ApiKeyId"), ("Description", "Description"), ("ExpiresOn", "Expires")];
        for (name, value) in renamed(key.map().unwrap_or(&Map::new()), &names).iter() {
            resource.set(name, value.clone());
        }
        made.push(resource);
    }
    api.made.extend(made);
    Ok(())
}

fn domain(api: &mut Api<'_>) -> Result<(), Refusal> {
    let Some(domain) = api.get("DomainName").filter(|domain| domain.is_true()).cloned() else { return Ok(()) };
    let mut name = api.resource("DomainName", "AWS::AppSync::DomainName", &domain)?;
    name.properties = domain.map().map(without_nulls).unwrap_or_default();
    let mut association = api.part("DomainNameApiAssociation", "AWS::AppSync::DomainNameApiAssociation", &domain)?;
    association.set("DomainName", name.reference());
    api.made.extend([name, association]);
    Ok(())
}

fn cache(api: &mut Api<'_>) -> Result<(), Refusal> {
    let Some(cache) = api.get("Cache").filter(|cache| cache.is_true()).cloned() else { return Ok(()) };
    let mut resource = api.part("ApiCache", "AWS::AppSync::ApiCache", &cache)?;
    for (name, value) in cache.map().map(without_nulls).unwrap_or_default().iter() {
        resource.set(name, value.clone());
    }
    api.made.push(resource);
    Ok(())
}

fn without_nulls(map: &Map) -> Map {
    map.iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name, value.clone())).collect()
}
