//! Templates without a mistake, plain and serverless, in which values at hand turn parts off: resources under a condition
//! that a Default decides, branches that are not taken, elements that are not selected.

use formwork_syntax::value::Value;

use super::choices::Choices;
use super::values::{call, reference, text};

fn map(members: Vec<(&str, Value)>) -> Value {
    Value::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A template that `check` has no error for.
pub fn sound(choices: &mut Choices<'_>) -> Value {
    let is_serverless = choices.one_in(2);
    let mut sections = vec![("AWSTemplateFormatVersion", text("2010-09-09")), ("Description", text("An example"))];
    if is_serverless {
        sections.push(("Transform", text("AWS::Serverless-2016-10-31")));
        let variables = map(vec![("STAGE", value(choices, 0)), ("TABLE", value(choices, 0))]);
        let function =
            vec![("Timeout", Value::Number("3".to_owned())), ("Environment", map(vec![("Variables", variables)]))];
        sections.push(("Globals", map(vec![("Function", map(function))])));
    }
    sections.push(("Metadata", map(vec![("Owner", text("platform"))])));
    sections.push(("Parameters", parameters(choices)));
    let row = |size: &str| map(vec![("InstanceSize", text(size)), ("ImageName", text("base"))]);
    sections.push(("Mappings", map(vec![("StageSizes", map(vec![("dev", row("small")), ("prod", row("large"))]))])));
    let is_prod = call("Fn::Equals", Value::List(vec![reference("StageName"), text("prod")]));
    let is_other = match choices.below(3) {
        0 => call("Fn::Not", Value::List(vec![map(vec![("Condition", text("IsProduction"))])])),
        1 => call("Fn::Equals", Value::List(vec![reference("OptionalName"), text("x")])),
        _ => call("Fn::Equals", Value::List(vec![reference("AWS::Region"), text("eu-west-1")])),
    };
    sections.push(("Conditions", map(vec![("IsProduction", is_prod), ("IsOptional", is_other)])));
    let mut resources = vec![("OrdersTopic", resource("AWS::SNS::Topic", Vec::new())), ("OrdersQueue", queue(choices))];
    if is_serverless {
        let event =
            map(vec![("Type", text("Api")), ("Properties", map(vec![("Path", text("/")), ("Method", text("get"))]))]);
        let mut properties = vec![("Handler", text("app.run")), ("Runtime", text("python3.13"))];
        properties.push(("InlineCode", text("def run(event, context): pass")));
        let subnets = Value::List(vec![text("subnet-12345678")]);
        properties.push(("VpcConfig", map(vec![("SubnetIds", subnets)])));
        properties.push(("Events", map(vec![("ListOrders", event)])));
        resources.push(("OrdersFunction", resource("AWS::Serverless::Function", properties)));
    }
    for name in ["ArchiveBucket", "AuditTopic", "ReportTable"] {
        let (kind, [first, second, third]) = choices.of(&[
            ("AWS::SNS::Topic", ["TopicName", "DisplayName", "KmsMasterKeyId"]),
            ("AWS::Logs::LogGroup", ["LogGroupName", "KmsKeyId", "LogGroupClass"]),
            ("AWS::SecretsManager::Secret", ["Name", "Description", "KmsKeyId"]),
        ]);
        let tag = map(vec![("Key", text("Owner")), ("Value", value(choices, 1))]);
        let properties = vec![
            (first, value(choices, 0)),
            (second, value(choices, 0)),
            (third, value(choices, 0)),
            ("Tags", Value::List(vec![tag])),
        ];
        let Value::Map(mut attributes) = resource(kind, properties) else { continue };
        if !choices.one_in(3) {
            attributes.push(("Condition".to_owned(), text(choices.of(&["IsProduction", "IsOptional"]))));
        }
        if choices.one_in(2) {
            let names = choices.of(&["OrdersTopic", "OrdersQueue"]);
            attributes.push((
                "DependsOn".to_owned(),
                if choices.one_in(2) { Value::List(vec![text(names)]) } else { text(names) },
            ));
        }
        if choices.one_in(2) {
            attributes.push(("DeletionPolicy".to_owned(), text("Retain")));
        }
        resources.push((name, Value::Map(attributes)));
    }
    sections.push(("Resources", map(resources)));
    sections.push(("Outputs", outputs(choices, is_serverless)));
    map(sections)
}

fn parameters(choices: &mut Choices<'_>) -> Value {
    let mut stage = vec![("Type", text("String")), ("Description", text("Where it runs"))];
    if !choices.one_in(4) {
        stage.push(("Default", text(choices.of(&["dev", "prod"]))));
    }
    stage.push(("AllowedValues", Value::List(vec![text("dev"), text("prod")])));
    let optional = vec![("Type", text("String")), ("Default", text("")), ("MaxLength", Value::Number("9".to_owned()))];
    map(vec![("StageName", map(stage)), ("OptionalName", map(optional))])
}

fn resource(kind: &str, properties: Vec<(&str, Value)>) -> Value {
    let mut attributes = vec![("Type", text(kind))];
    if !properties.is_empty() {
        attributes.push(("Properties", map(properties)));
    }
    map(attributes)
}

fn queue(choices: &mut Choices<'_>) -> Value {
    resource("AWS::SQS::Queue", vec![("QueueName", value(choices, 1)), ("KmsMasterKeyId", value(choices, 0))])
}

fn outputs(choices: &mut Choices<'_>, is_serverless: bool) -> Value {
    let mut topic = vec![("Description", text("The topic")), ("Value", reference("OrdersTopic"))];
    let name = call("Fn::Sub", text("${AWS::StackName}-topic"));
    topic.push(("Export", map(vec![("Name", name)])));
    let mut queue = vec![("Value", call("Fn::GetAtt", Value::List(vec![text("OrdersQueue"), text("Arn")])))];
    if choices.one_in(2) {
        queue.push(("Condition", text("IsProduction")));
    }
    let mut outputs = vec![("TopicName", map(topic)), ("QueueArn", map(queue))];
    if is_serverless {
        let url = call("Fn::Sub", text("https://${ServerlessRestApi}.execute-api.${AWS::Region}.amazonaws.com/"));
        outputs.push(("Url", map(vec![("Value", url)])));
        let role = call("Fn::GetAtt", Value::List(vec![text("OrdersFunctionRole"), text("Arn")]));
        outputs.push(("Role", map(vec![("Value", role)])));
    }
    map(outputs)
}

/// A string, as a call or not.
fn value(choices: &mut Choices<'_>, depth: usize) -> Value {
    let most = if depth > 2 { 6 } else { 12 };
    let condition = choices.of(&["IsProduction", "IsOptional"]);
    match choices.below(most) {
        0 => text("plain"),
        1 => reference(choices.of(&["StageName", "OptionalName", "OrdersTopic"])),
        2 => reference(choices.of(&["AWS::Region", "AWS::StackName", "AWS::AccountId"])),
        3 => call("Fn::GetAtt", Value::List(vec![text("OrdersTopic"), text("TopicName")])),
        4 => call("Fn::Sub", text("${StageName}-${OrdersTopic.TopicName}-${AWS::Partition}")),
        5 => call("Fn::FindInMap", Value::List(vec![text("StageSizes"), reference("StageName"), text("InstanceSize")])),
        6 | 7 => {
            let branches = [value(choices, depth + 1), value(choices, depth + 1)];
            call("Fn::If", Value::List([text(condition)].into_iter().chain(branches).collect()))
        }
        8 => {
            let parts = vec![value(choices, depth + 1), value(choices, depth + 1)];
            call("Fn::Join", Value::List(vec![text("-"), Value::List(parts)]))
        }
        9 => {
            let items = vec![value(choices, depth + 1), value(choices, depth + 1)];
            call("Fn::Select", Value::List(vec![text("0"), Value::List(items)]))
        }
        10 => {
            let variables = map(vec![("Part", value(choices, depth + 1))]);
            call("Fn::Sub", Value::List(vec![text("a-${Part}-${AWS::Region}"), variables]))
        }
        _ => call("Fn::Base64", value(choices, depth + 1)),
    }
}
