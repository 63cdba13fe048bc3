//! `EventInvokeConfig`: what happens with results of asynchronous invocations.

use crate::context::{Context, Input};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};
use crate::{attributes, conditions, hash, make, shown};

/// Types of destinations, in the order of the translator's sentence.
const TYPES: [&str; 5] = ["SQS", "SNS", "EventBridge", "Lambda", "S3Bucket"];

/// What the transform makes for a type of destinations that may be missing: suffix of its ID and type.
const MADE: [(&str, &str, &str); 2] = [("SQS", "Queue", "AWS::SQS::Queue"), ("SNS", "Topic", "AWS::SNS::Topic")];

/// Adds the configuration with the destinations that it makes, and returns the policies that the function needs.
pub(super) fn translate(
    cx: &mut Context,
    input: &Input,
    alias: Option<(&str, &str)>,
    besides: &mut Vec<Resource>,
) -> Result<Vec<Value>, Refusal> {
    let Some(config) = input.get("EventInvokeConfig") else { return Ok(Vec::new()) };
    let config = &cx.parameters.resolve(config)?;
    let id = format!("{}EventInvokeConfig", input.id);
    let mut policies = Vec::new();
    let mut destinations = Map::new();
    let given = config.get("DestinationConfig").filter(|given| given.is_true());
    if given.is_some_and(|given| given.map().is_none()) {
        let sentence = "Property 'EventInvokeConfig.DestinationConfig' should be a map.";
        return Err(Refusal::new(sentence).at(given.and_then(Value::origin)));
    }
    for name in ["OnSuccess", "OnFailure"] {
        let Some(destination) = given.and_then(|given| given.get(name)).filter(|one| !one.is_null()) else { continue };
        if destination.map().is_none() {
            let sentence = format!("Property 'EventInvokeConfig.DestinationConfig.{name}' should be a map.");
            return Err(Refusal::new(sentence).at(destination.origin()));
        }
        let (target, policy) = self::destination(cx, input, &id, (name, destination), besides)?;
        destinations.set(name, make::map([("Destination", target)]).at(destination.origin()));
        policies.extend(policy);
    }
    let mut made = Resource::new(&id, "AWS::Lambda::EventInvokeConfig").from(config.origin());
    made.attributes = attributes::of_main(&input.resource);
    made.attributes.remove("DependsOn");
    if let Some((alias, _)) = alias {
        made.attributes.set("DependsOn", make::list([alias]));
    }
    let given = given.and_then(Value::origin);
    made.set("DestinationConfig", Value::from(destinations).at(given.or(config.origin())));
    made.set("FunctionName", make::reference(&input.id));
    for name in ["MaximumEventAgeInSeconds", "MaximumRetryAttempts"] {
        made.set_some(name, config.get(name).filter(|value| !value.is_null()).cloned());
    }
    made.set("Qualifier", alias.map_or("$LATEST", |(_, name)| name));
    besides.push(made);
    Ok(policies)
}

/// Returns the ARN of a destination, and the policy for it.
fn destination(
    cx: &mut Context,
    input: &Input,
    id: &str,
    (name, destination): (&str, &Value),
    besides: &mut Vec<Resource>,
) -> Result<(Value, Option<Value>), Refusal> {
    let kind = destination.get("Type");
    let Some(known) = kind.and_then(Value::text).and_then(|kind| TYPES.into_iter().find(|known| *known == kind)) else {
        let shown = kind.map_or_else(|| "None".to_owned(), shown::plain);
        let sentence = format!("'Type: {shown}' must be one of {}", shown::list(TYPES));
        return Err(Refusal::new(sentence).at(kind.and_then(Value::origin).or(destination.origin())));
    };
    let target = destination.get("Destination").filter(|target| !target.is_null());
    let made = MADE.iter().find(|(kind, ..)| *kind == known);
    let choice = target.and_then(choice);
    let target = match (target, made, choice) {
        (None, None, _) | (Some(_), None, Some(_)) => {
            let sentence = "Destination is required if Type is not ['SQS', 'SNS']";
            return Err(Refusal::new(sentence).at(destination.origin()));
        }
        (Some(target), _, None) => target.clone(),
        (target, Some((_, suffix, kind)), choice) => {
            let mut made = input.besides("", kind).from(destination.origin());
            made.id = format!("{id}{name}{suffix}");
            let own = if *suffix == "Queue" { made.get_att("Arn") } else { made.reference() };
            let own = match choice {
                None => own,
                Some(choice) => {
                    let condition = if choice.is_first {
                        choice.condition.to_owned()
                    } else {
                        let negated = format!("NOT{}{}", choice.condition, hash::short_digest(id));
                        conditions::add_not(cx, &negated, choice.condition)?;
                        negated
                    };
                    made.attributes.set("Condition", with_own(cx, input, &condition)?);
                    make::if_else(condition.as_str(), own, choice.other.clone()).at(target.and_then(Value::origin))
                }
            };
            besides.push(made);
            own
        }
    };
    let policy = policy(known, &target);
    Ok((
        target,
        Some(make::policy(&format!("{id}{name}{}Policy", policy_name(known)), policy).at(destination.origin())),
    ))
}

/// An `Fn::If` of which one branch has no value: there, a destination is made.
struct Choice<'v> {
    condition: &'v str,
    /// Set when the destination is made where the condition holds.
    is_first: bool,
    other: &'v Value,
}

fn choice(target: &Value) -> Option<Choice<'_>> {
    let (_, argument) = target.call().filter(|(name, _)| *name == "Fn::If")?;
    let [condition, yes, no] = argument.list()? else { return None };
    let condition = condition.text()?;
    match (yes.is_no_value(), no.is_no_value()) {
        (true, false) => Some(Choice { condition, is_first: true, other: no }),
        (false, true) => Some(Choice { condition, is_first: false, other: yes }),
        _ => None,
    }
}

/// Returns the condition, joined with that of the function.
fn with_own(cx: &mut Context, input: &Input, condition: &str) -> Result<Value, Refusal> {
    let Some(own) = input.resource.get_true("Condition").and_then(Value::text) else { return Ok(condition.into()) };
    let both = format!("{own}AND{condition}{}", hash::short_digest(&input.id));
    conditions::add_and(cx, &both, own, condition)?;
    Ok(both.into())
}

fn policy_name(kind: &str) -> &str {
    if kind == "S3Bucket" { "S3" } else { kind }
}

fn policy(kind: &str, target: &Value) -> Value {
    let statement = |action: &str, resource: Value| {
        make::map([("Action", action.into()), ("Effect", "Allow".into()), ("Resource", resource)])
    };
    let statements = match kind {
        "SQS" => vec![statement("sqs:SendMessage", target.clone())],
        "SNS" => vec![statement("sns:publish", target.clone())],
        "EventBridge" => vec![statement("events:PutEvents", target.clone())],
        "Lambda" => vec![statement("lambda:InvokeFunction", target.clone())],
        _ => vec![
            statement("s3:PutObject", make::join("/", vec![target.clone(), "*".into()])),
            statement("s3:ListBucket", target.clone()),
        ],
    };
    make::map([("Statement", statements.into())])
}
