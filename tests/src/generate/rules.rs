//! Rules at random, over parameters with few values and a small account.

use formwork_syntax::value::Value;

use super::choices::Choices;
use super::values::{call, reference, text};

/// Parameters with all their values.
pub const DOMAINS: [(&str, &[&str]); 4] =
    [("Stage", &["dev", "prod"]), ("Size", &["1", "2", "3"]), ("Net", &["vpc-a", "vpc-b"]), ("Flag", &["", "yes"])];

/// The account that the rules are about.
pub const ACCOUNT: &str = r#"{
  "FormworkAccountSnapshot": "1", "Region": "eu-west-1",
  "Types": {
    "AWS::EC2::VPC::Id": {"vpc-a": {"Tags": {"Team": "dev"}}, "vpc-b": {"Tags": {}}},
    "AWS::EC2::Subnet::Id": {"subnet-1": {"VpcId": "vpc-a"}, "subnet-2": {"VpcId": "vpc-b"}}
  }
}"#;

fn map(members: Vec<(&str, Value)>) -> Value {
    Value::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A template with a few rules. `secret` adds a `NoEcho` parameter that the rules look at.
pub fn rules(choices: &mut Choices<'_>, secret: bool) -> Value {
    let mut parameters: Vec<(&str, Value)> = DOMAINS
        .iter()
        .map(|(name, values)| {
            let kind = if *name == "Net" { "AWS::EC2::VPC::Id" } else { "String" };
            let allowed = Value::List(values.iter().map(|value| text(*value)).collect());
            (*name, map(vec![("Type", text(kind)), ("AllowedValues", allowed)]))
        })
        .collect();
    if secret {
        parameters.push(("Secret", map(vec![("Type", text("String")), ("NoEcho", Value::Bool(true))])));
    }
    let count = 1 + choices.below(3);
    let rules = (0..count).map(|number| (format!("Rule{number}"), rule(choices, secret))).collect();
    map(vec![
        ("Parameters", map(parameters)),
        ("Rules", Value::Map(rules)),
        ("Resources", map(vec![("Topic", map(vec![("Type", text("AWS::SNS::Topic"))]))])),
    ])
}

fn rule(choices: &mut Choices<'_>, secret: bool) -> Value {
    let mut members = Vec::new();
    if choices.one_in(2) {
        members.push(("RuleCondition", truth(choices, secret, 2)));
    }
    let assertions = (0..=choices.below(2))
        .map(|_| map(vec![("Assert", truth(choices, secret, 3)), ("AssertDescription", text("it has to hold"))]))
        .collect();
    members.push(("Assertions", Value::List(assertions)));
    map(members)
}

fn truth(choices: &mut Choices<'_>, secret: bool, depth: usize) -> Value {
    let pair = |one, other| Value::List(vec![one, other]);
    let last = if depth == 0 { 5 } else { 8 };
    match choices.below(last) {
        0 | 1 => call("Fn::Equals", pair(single(choices, secret), single(choices, secret))),
        2 => call("Fn::Contains", pair(many(choices, secret), single(choices, secret))),
        3 => call("Fn::EachMemberIn", pair(many(choices, secret), many(choices, secret))),
        4 => call("Fn::EachMemberEquals", pair(many(choices, secret), single(choices, secret))),
        5 => call("Fn::Not", Value::List(vec![truth(choices, secret, depth - 1)])),
        number => {
            let operands = (0..2 + choices.below(2)).map(|_| truth(choices, secret, depth - 1)).collect();
            call(if number == 6 { "Fn::And" } else { "Fn::Or" }, Value::List(operands))
        }
    }
}

fn single(choices: &mut Choices<'_>, secret: bool) -> Value {
    if secret && choices.one_in(3) {
        return reference("Secret");
    }
    match choices.below(6) {
        0 | 1 => reference(choices.of(&["Stage", "Size", "Flag"])),
        2 => reference("Net"),
        3 => call("Fn::ValueOf", Value::List(vec![text("Net"), text("Tags.Team")])),
        _ => text(choices.of(&["dev", "prod", "2", "vpc-a", "", "yes"])),
    }
}

fn many(choices: &mut Choices<'_>, secret: bool) -> Value {
    match choices.below(5) {
        0 => call("Fn::RefAll", text("AWS::EC2::VPC::Id")),
        1 => call("Fn::ValueOfAll", Value::List(vec![text("AWS::EC2::Subnet::Id"), text("VpcId")])),
        2 => Value::List(vec![text("dev"), reference("Stage")]),
        3 if secret => Value::List(vec![reference("Secret"), text("dev")]),
        _ => Value::List(["dev", "prod", "1", "vpc-a"][..choices.below(5)].iter().map(|item| text(*item)).collect()),
    }
}
