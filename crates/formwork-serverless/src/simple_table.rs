//! `AWS::Serverless::SimpleTable`.

use crate::context::{Context, Input, Translated};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};
use crate::{attributes, make, tags};

/// Types of keys with their letters.
const TYPES: [(&str, &str); 3] = [("String", "S"), ("Number", "N"), ("Binary", "B")];

/// The key of a table without `PrimaryKey`.
const KEY: (&str, &str) = ("id", "S");

/// Translates a table.
pub(crate) fn translate(_: &mut Context, input: &Input) -> Translated {
    let mut table = Resource::new(&input.id, "AWS::DynamoDB::Table").from(input.origin);
    table.attributes = attributes::of_main(&input.resource);
    let key = input.get("PrimaryKey");
    let (name, letter) = match key {
        Some(key) => primary_key(key)?,
        None => (KEY.0.into(), KEY.1),
    };
    let origin = key.and_then(Value::origin).or(input.origin);
    let definition = make::map([("AttributeName", name.clone()), ("AttributeType", letter.into())]);
    table.set("AttributeDefinitions", make::list([definition]).at(origin));
    let schema = make::map([("AttributeName", name), ("KeyType", "HASH".into())]);
    table.set("KeySchema", make::list([schema]).at(origin));
    let recovery = "PointInTimeRecoverySpecification";
    table.set_some(recovery, input.get(recovery).cloned());
    match input.get("ProvisionedThroughput") {
        Some(throughput) => table.set("ProvisionedThroughput", throughput.clone()),
        None => table.set("BillingMode", "PAY_PER_REQUEST"),
    }
    table.set_some("TableName", input.get("TableName").cloned());
    table.set_some("Tags", input.get("Tags").and_then(Value::map).map(tags::list));
    table.set_some("SSESpecification", input.get("SSESpecification").cloned());
    Ok(vec![table])
}

fn primary_key(key: &Value) -> Result<(Value, &'static str), Refusal> {
    let required = |name: &str| {
        let found = key.map().and_then(|key: &Map| key.get(name)).cloned();
        let refusal = || Refusal::new(format!("Property 'PrimaryKey.{name}' is required.")).at(key.origin());
        found.ok_or_else(refusal)
    };
    let name = required("Name")?;
    let kind = required("Type")?;
    let known = TYPES.iter().find(|(known, _)| Some(*known) == kind.text());
    let Some((_, letter)) = known else {
        let sentence = format!("Invalid 'Type' \"{}\".", kind.text().unwrap_or_default());
        return Err(Refusal::new(sentence).at(kind.origin()).titled("the primary key of @ has an unknown Type"));
    };
    Ok((name, letter))
}
