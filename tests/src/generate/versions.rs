//! Two versions of a template whose conditions, lookups and names depend on values, for laws about plans.

use serde_json::{Map, Value, json};

use super::choices::Choices;

/// Two versions, and values for the names that have none.
#[derive(Clone, Debug)]
pub struct Versions {
    /// The old template.
    pub old: Value,
    /// The new one.
    pub new: Value,
    /// Parameters and pseudo parameters with a value each.
    pub values: Vec<(&'static str, &'static str)>,
}

const WORDS: [&str; 8] = ["dev", "prod", "a", "b", "true", "dev-x", "eu", "Retain"];
const REGIONS: [&str; 4] = ["eu-west-1", "us-east-1", "cn-north-1", "ap-south-1"];
const KEYS: [&str; 3] = ["Id", "Flag", "Name"];
const CONDITIONS: [&str; 4] = ["C0", "C1", "C2", "C3"];

/// Makes two versions.
pub fn versions(choices: &mut Choices<'_>) -> Versions {
    let values = vec![
        ("Env", choices.of(&["dev", "prod", "test", "b"])),
        ("Size", choices.of(&["a", "b", "1"])),
        ("Name", choices.of(&["a", "b", "dev", "x-dev"])),
        ("AWS::Region", choices.of(&REGIONS)),
        ("AWS::AccountId", choices.of(&["111111111111", "222222222222"])),
        ("AWS::StackName", choices.of(&["shop", "dev"])),
    ];
    let old = template(choices);
    let mut new = old.clone();
    for _ in 0..=choices.below(3) {
        mutate(&mut new, choices);
    }
    Versions { old, new, values }
}

fn template(choices: &mut Choices<'_>) -> Value {
    let mut env = json!({"Type": "String"});
    if choices.one_in(2) {
        env["AllowedValues"] = json!(["dev", "prod", "test", "b"]);
    }
    let parameters = json!({"Env": env, "Size": {"Type": "String"}, "Name": {"Type": "String"}});
    let row = |choices: &mut Choices<'_>| -> Value {
        KEYS.iter().map(|key| ((*key).to_owned(), json!(choices.of(&WORDS)))).collect::<Map<_, _>>().into()
    };
    let mut map = |keys: &[&str]| -> Value {
        keys.iter().map(|key| ((*key).to_owned(), row(choices))).collect::<Map<_, _>>().into()
    };
    let mappings = json!({"Regions": map(&REGIONS[..3]), "Envs": map(&["dev", "prod", "test"])});
    let mut conditions = Map::new();
    for (at, name) in CONDITIONS.iter().enumerate() {
        conditions.insert((*name).to_owned(), condition(choices, at, 2));
    }
    let mut resources = Map::new();
    for at in 0..=choices.below(4) {
        resources.insert(format!("R{at}"), resource(choices, at));
    }
    let mut outputs = Map::new();
    for at in 0..choices.below(3) {
        let mut output = json!({"Value": value(choices, 2)});
        if choices.one_in(2) {
            output["Export"] = json!({"Name": value(choices, 1)});
        }
        if choices.one_in(3) {
            output["Condition"] = json!(choices.of(&CONDITIONS));
        }
        outputs.insert(format!("O{at}"), output);
    }
    json!({
        "Parameters": parameters, "Mappings": mappings, "Conditions": conditions, "Resources": resources,
        "Outputs": outputs,
    })
}

/// A condition that names earlier ones only.
fn condition(choices: &mut Choices<'_>, at: usize, depth: usize) -> Value {
    let kinds = if depth == 0 { 1 } else { 5 };
    match choices.below(kinds) {
        1 if at > 0 => json!({"Condition": CONDITIONS[choices.below(at)]}),
        2 => json!({"Fn::Not": [condition(choices, at, depth - 1)]}),
        3 => json!({"Fn::And": [condition(choices, at, depth - 1), condition(choices, at, depth - 1)]}),
        4 => json!({"Fn::Or": [condition(choices, at, depth - 1), condition(choices, at, depth - 1)]}),
        _ => json!({"Fn::Equals": [plain(choices, 1), plain(choices, 1)]}),
    }
}

/// A string without a condition in it.
fn plain(choices: &mut Choices<'_>, depth: usize) -> Value {
    let kinds = if depth == 0 { 4 } else { 9 };
    match choices.below(kinds) {
        1 => json!({"Ref": choices.of(&["Env", "Size", "Name"])}),
        2 => json!({"Ref": choices.of(&["AWS::Region", "AWS::AccountId", "AWS::StackName", "AWS::Partition"])}),
        3 => json!({"Fn::Sub": choices.of(&["${Env}-x", "x-${Name}", "${AWS::Region}", "${Size}${Name}"])}),
        4 => json!({"Fn::FindInMap": ["Regions", {"Ref": "AWS::Region"}, choices.of(&KEYS)]}),
        5 => json!({"Fn::FindInMap": ["Envs", {"Ref": "Env"}, choices.of(&KEYS)]}),
        6 => json!({"Fn::Join": ["-", [plain(choices, depth - 1), plain(choices, depth - 1)]]}),
        7 => json!({"Fn::Select": [choices.below(2), {"Fn::Split": ["-", {"Fn::Sub": "${AWS::Region}-${Name}"}]}]}),
        8 => json!({"Fn::Select": [choices.below(2), [plain(choices, depth - 1), plain(choices, depth - 1)]]}),
        _ => json!(choices.of(&WORDS)),
    }
}

fn value(choices: &mut Choices<'_>, depth: usize) -> Value {
    if depth > 0 && choices.one_in(3) {
        let name = choices.of(&CONDITIONS);
        let otherwise = if choices.one_in(4) { json!({"Ref": "AWS::NoValue"}) } else { value(choices, depth - 1) };
        return json!({"Fn::If": [name, value(choices, depth - 1), otherwise]});
    }
    plain(choices, depth.min(1))
}

fn resource(choices: &mut Choices<'_>, at: usize) -> Value {
    let (kind, properties) = match choices.below(8) {
        0 => ("AWS::DynamoDB::Table", json!({"TableName": value(choices, 2), "BillingMode": value(choices, 1)})),
        1 => ("AWS::SQS::Queue", json!({"QueueName": value(choices, 2), "DelaySeconds": value(choices, 1)})),
        2 => ("AWS::RDS::DBInstance", json!({"Engine": value(choices, 2), "PubliclyAccessible": value(choices, 2)})),
        3 => ("AWS::EC2::Instance", json!({"ImageId": value(choices, 2)})),
        4 => (
            "AWS::IAM::ManagedPolicy",
            json!({"PolicyDocument": {"Statement": [{
                "Effect": choices.of(&["Allow", "Deny"]), "Action": value(choices, 1), "Resource": value(choices, 2),
            }]}}),
        ),
        5 => ("AWS::S3::Bucket", json!({"PublicAccessBlockConfiguration": {"BlockPublicAcls": value(choices, 2)}})),
        6 => ("AWS::SNS::Topic", json!({"TopicName": value(choices, 1), "DisplayName": value(choices, 2)})),
        _ => (
            "AWS::EC2::SecurityGroup",
            json!({"GroupDescription": value(choices, 1), "SecurityGroupIngress": [
                {"IpProtocol": "tcp", "FromPort": 80, "ToPort": 80, "CidrIp": value(choices, 2)},
            ]}),
        ),
    };
    let mut resource = json!({"Type": kind, "Properties": properties});
    if at > 0 && choices.one_in(2) {
        let other = format!("R{}", choices.below(at));
        resource = json!({"Type": "AWS::SNS::Subscription", "Properties": {
            "Protocol": "sqs", "TopicArn": {"Fn::If": [choices.of(&CONDITIONS), {"Ref": other}, value(choices, 1)]},
        }});
    }
    if choices.one_in(2) {
        resource["Condition"] = json!(choices.of(&CONDITIONS));
    }
    for attribute in ["DeletionPolicy", "UpdateReplacePolicy"] {
        if choices.one_in(3) {
            resource[attribute] = json!(choices.of(&["Retain", "Delete", "Snapshot"]));
        }
    }
    resource
}

/// Changes one thing.
fn mutate(template: &mut Value, choices: &mut Choices<'_>) {
    match choices.below(7) {
        0 => {
            let map = choices.of(&["Regions", "Envs"]);
            let rows: Vec<String> = keys(&template["Mappings"][map]);
            let row = &rows[choices.below(rows.len())];
            template["Mappings"][map][row][choices.of(&KEYS)] = json!(choices.of(&WORDS));
        }
        1 => {
            let at = choices.below(CONDITIONS.len());
            template["Conditions"][CONDITIONS[at]] = condition(choices, at, 2);
        }
        2 => {
            let ids = keys(&template["Resources"]);
            let id = &ids[choices.below(ids.len())];
            template["Resources"][id]["Condition"] = json!(choices.of(&CONDITIONS));
        }
        3 => {
            let ids = keys(&template["Resources"]);
            let id = &ids[choices.below(ids.len())];
            let names = keys(&template["Resources"][id]["Properties"]);
            let name = &names[choices.below(names.len())];
            if !matches!(name.as_str(), "PolicyDocument" | "PublicAccessBlockConfiguration" | "SecurityGroupIngress") {
                template["Resources"][id]["Properties"][name] = value(choices, 2);
            }
        }
        4 => {
            // Another ID for the same body.
            let ids = keys(&template["Resources"]);
            let id = &ids[choices.below(ids.len())];
            let body = template["Resources"][id].clone();
            template["Resources"][format!("{id}b")] = body;
            template["Resources"][id]["Condition"] = json!(choices.of(&CONDITIONS));
        }
        5 => {
            let ids = keys(&template["Outputs"]);
            if let Some(id) = ids.get(choices.below(ids.len())) {
                template["Outputs"][id]["Value"] = value(choices, 2);
                template["Outputs"][id]["Condition"] = json!(choices.of(&CONDITIONS));
            }
        }
        _ => {
            let at = choices.below(9);
            let id = format!("R{at}");
            template["Resources"][id] = resource(choices, 0);
        }
    }
}

fn keys(value: &Value) -> Vec<String> {
    value.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect()
}
