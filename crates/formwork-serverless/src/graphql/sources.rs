//! `DataSources`: tables and functions.

use super::{Api, renamed, some};
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// The generated IDs of data sources by their names.
pub(super) type Sources = Vec<(String, String)>;

/// Translates the data sources.
pub(super) fn translate(api: &mut Api<'_>) -> Result<Sources, Refusal> {
    let mut sources = Sources::new();
    let kinds = [("DynamoDb", table as Translate), ("Lambda", function as Translate)];
    for (kind, translate) in kinds {
        let all = api.get("DataSources").and_then(|all| all.get(kind)).cloned().unwrap_or_default();
        for (name, source) in all.map().into_iter().flat_map(Map::iter) {
            let id = translate(api, name, source)?;
            sources.push((name.to_owned(), id));
        }
    }
    Ok(sources)
}

type Translate = fn(&mut Api<'_>, &str, &Value) -> Result<String, Refusal>;

fn data_source(api: &Api<'_>, suffix: &str, name: &str, source: &Value, kind: &str) -> Result<Resource, Refusal> {
    let mut resource = api.part(suffix, "AWS::AppSync::DataSource", source)?;
    resource.set_some("Description", source.map().and_then(|source| some(source, "Description")).cloned());
    let own_name = source.map().and_then(|source| source.get_true("Name"));
    resource.set("Name", own_name.cloned().unwrap_or_else(|| name.into()));
    resource.set("Type", kind);
    Ok(resource)
}

/// Sets the role of a data source: the authored one, or a new one.
fn role(api: &Api<'_>, suffix: &str, source: &Value, resource: &mut Resource) -> Result<Option<Resource>, Refusal> {
    if let Some(role) = source.map().and_then(|source| source.get_true("ServiceRoleArn")) {
        resource.set("ServiceRoleArn", role.clone());
        return Ok(None);
    }
    let role = api.role(&format!("{suffix}Role"), source)?;
    resource.set("ServiceRoleArn", role.get_att("Arn"));
    Ok(Some(role))
}

fn table(api: &mut Api<'_>, name: &str, source: &Value) -> Result<String, Refusal> {
    let suffix = format!("{name}DynamoDBDataSource");
    let empty = Map::new();
    let own = source.map().unwrap_or(&empty);
    let mut resource = data_source(api, &suffix, name, source, "AMAZON_DYNAMODB")?;
    let new_role = role(api, &suffix, source, &mut resource)?;
    let region = own.get_true("Region").cloned().unwrap_or_else(|| make::reference("AWS::Region"));
    let table_name = own.get("TableName").cloned().unwrap_or_default();
    let mut config = Map::new();
    config.set("AwsRegion", region.clone());
    config.set("TableName", table_name.clone());
    config.set_some("UseCallerCredentials", own.get_true("UseCallerCredentials").cloned());
    config.set_some("Versioned", own.get_true("Versioned").cloned());
    config.set_some("DeltaSyncConfig", own.get_true("DeltaSync").cloned());
    resource.set("DynamoDBConfig", config);
    let id = resource.id.clone();
    api.made.push(resource);
    if let Some(role) = new_role {
        api.made.push(role);
        let arn = own.get_true("TableArn").cloned().unwrap_or_else(|| {
            let text = "arn:${AWS::Partition}:dynamodb:${__Region__}:${AWS::AccountId}:table/${__TableName__}";
            make::sub_with(text, [("__TableName__", table_name), ("__Region__", region)])
        });
        let destination = make::map([("Type", "AWS::DynamoDB::Table".into()), ("Arn", arn)]);
        let permissions = own.get_true("Permissions").cloned().unwrap_or_else(|| make::list(["Read", "Write"]));
        let connector = format!("{id}ToTableConnector");
        api.connect(&connector, make::map([("Id", id.as_str().into())]), destination, permissions, source);
    }
    Ok(id)
}

fn function(api: &mut Api<'_>, name: &str, source: &Value) -> Result<String, Refusal> {
    let suffix = format!("{name}LambdaDataSource");
    let empty = Map::new();
    let own = source.map().unwrap_or(&empty);
    let mut resource = data_source(api, &suffix, name, source, "AWS_LAMBDA")?;
    let new_role = role(api, &suffix, source, &mut resource)?;
    resource.set("LambdaConfig", renamed(own, &[("FunctionArn", "LambdaFunctionArn")]));
    let id = resource.id.clone();
    api.made.push(resource);
    if let Some(role) = new_role {
        api.made.push(role);
        let arn = own.get("FunctionArn").cloned().unwrap_or_default();
        let destination = make::map([("Type", "AWS::Lambda::Function".into()), ("Arn", arn)]);
        let connector = format!("{id}ToLambdaConnector");
        api.connect(&connector, make::map([("Id", id.as_str().into())]), destination, make::list(["Write"]), source);
    }
    Ok(id)
}
