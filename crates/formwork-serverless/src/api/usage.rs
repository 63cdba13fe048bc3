//! Usage plans and API keys.

use crate::context::{Context, Input};
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::Value;

const KEYS: [&str; 6] = ["CreateUsagePlan", "Description", "Quota", "Tags", "Throttle", "UsagePlanName"];
const WORDS: [&str; 3] = ["PER_API", "SHARED", "NONE"];

/// The condition of a usage plan that several APIs share.
const CONDITION: &str = "SharedUsagePlanCondition";

/// Returns the usage plan of an API with its key.
pub(super) fn translate(cx: &mut Context, input: &Input, stage: &Resource) -> Result<Vec<Resource>, Refusal> {
    let plan = input.get("Auth").and_then(|auth| auth.get("UsagePlan")).filter(|plan| !plan.is_null());
    let Some(authored) = plan else { return Ok(Vec::new()) };
    let refuse = |sentence: &str| Err(Refusal::new(sentence).at(authored.origin()));
    let Some(plan) = authored.map() else {
        return refuse("'UsagePlan' must be a dictionary");
    };
    let Some(kind) = plan.get("CreateUsagePlan") else {
        return refuse("'CreateUsagePlan' is a required field for UsagePlan.");
    };
    if !kind.is_true() {
        return Ok(Vec::new());
    }
    if plan.keys().any(|key| !KEYS.contains(&key)) {
        return refuse("Invalid property for 'UsagePlan'");
    }
    let prefix = match kind.text().filter(|kind| WORDS.contains(kind)) {
        Some("PER_API") => input.id.clone(),
        Some("SHARED") => "Serverless".to_owned(),
        Some(_) => return Ok(Vec::new()),
        None => {
            return refuse("'CreateUsagePlan' accepts one of ['SHARED', 'PER_API', 'NONE'].");
        }
    };
    let own = vec![(input.id.clone(), stage.id.clone())];
    let (apis, attributes) = if kind.text() == Some("SHARED") {
        let shared = &mut cx.apis.plans;
        for api in own {
            shared.add(api, input.passed());
        }
        let (attributes, condition) = shared.attributes(CONDITION);
        match condition {
            Some(condition) => cx.conditions.set(CONDITION, condition),
            None => drop(cx.conditions.remove(CONDITION)),
        }
        (shared.apis.clone(), attributes)
    } else {
        (own, input.passed())
    };
    let make = |suffix: &str, kind: &'static str| {
        Resource::new(format!("{prefix}{suffix}"), kind).with(attributes.clone()).from(authored.origin())
    };
    let mut usage = make("UsagePlan", "AWS::ApiGateway::UsagePlan");
    let mut key = make("ApiKey", "AWS::ApiGateway::ApiKey");
    let mut link = make("UsagePlanKey", "AWS::ApiGateway::UsagePlanKey");
    depends(&mut usage, apis.iter().map(|(api, _)| api.as_str()));
    depends(&mut key, [usage.id.as_str()]);
    depends(&mut link, [key.id.as_str()]);
    let stages = |api: &str, stage: &str| -> Vec<Value> {
        let one =
            |(id, name): &(String, String)| make::map([(api, make::reference(id)), (stage, make::reference(name))]);
        apis.iter().map(one).collect()
    };
    usage.set("ApiStages", stages("ApiId", "Stage"));
    for name in KEYS.into_iter().skip(1) {
        usage.set_some(name, plan.get(name).filter(|value| !value.is_null()).cloned());
    }
    key.set("Enabled", true);
    key.set("StageKeys", stages("RestApiId", "StageName"));
    link.set("KeyId", key.reference());
    link.set("KeyType", "API_KEY");
    link.set("UsagePlanId", usage.reference());
    Ok(vec![usage, key, link])
}

fn depends<'i>(resource: &mut Resource, ids: impl IntoIterator<Item = &'i str>) {
    let ids: Vec<Value> = ids.into_iter().map(Value::from).collect();
    resource.attributes.set("DependsOn", ids);
}
