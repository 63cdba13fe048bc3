//! `Policies`: statements, managed policies, and policy templates with their values.

use crate::facts::Facts;
use crate::make;
use crate::refusal::Refusal;
use crate::shown;
use crate::value::{Data, Map, Value};

/// The kinds of policies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Policy {
    /// A document.
    Statement,
    /// The name or ARN of a managed policy, or a call that returns one.
    Managed,
    /// A template of the transform.
    Template,
    /// Anything else.
    Unknown,
}

/// Returns the policies of the property.
pub(crate) fn entries(policies: &Value) -> &[Value] {
    policies.list().unwrap_or_else(|| std::slice::from_ref(policies))
}

/// Returns the kind of a policy. Both branches of an `Fn::If` have the same.
pub(crate) fn of(policy: &Value) -> Result<Policy, Refusal> {
    let Some(map) = policy.map() else {
        return Ok(if policy.text().is_some() { Policy::Managed } else { Policy::Unknown });
    };
    if map.has("Statement") {
        return Ok(Policy::Statement);
    }
    match policy.call() {
        Some(("Fn::If", argument)) => of_branches(argument),
        Some(_) => Ok(Policy::Managed),
        None => {
            let name = map.keys().next().filter(|_| map.len() == 1);
            let is_template = name.is_some_and(|name| Facts::embedded().policy_templates().has(name));
            Ok(if is_template { Policy::Template } else { Policy::Unknown })
        }
    }
}

fn of_branches(argument: &Value) -> Result<Policy, Refusal> {
    let Some([_, yes, no]) = argument.list() else {
        return Err(Refusal::of_template("Fn::If requires 3 arguments").at(argument.origin()));
    };
    match (yes.is_no_value(), no.is_no_value()) {
        (true, true) => Ok(Policy::Managed),
        (true, false) => of(no),
        (false, true) => of(yes),
        (false, false) => {
            let (one, other) = (of(yes)?, of(no)?);
            if one == other {
                return Ok(one);
            }
            let sentence = "Different policy types within the same Fn::If statement is unsupported. Separate different policy types into different Fn::If statements";
            Err(Refusal::of_template(sentence).at(argument.origin()))
        }
    }
}

/// Returns the inline policy of a document, or of the documents of an `Fn::If`.
pub(crate) fn inline(name: &str, policy: &Value) -> Value {
    let Some(("Fn::If", argument)) = policy.call() else { return make::policy(name, policy.clone()) };
    let mut items = argument.list().unwrap_or_default().to_vec();
    for branch in items.iter_mut().skip(1).filter(|branch| !branch.is_no_value()) {
        *branch = make::policy(name, branch.clone()).at(branch.origin());
    }
    make::call("Fn::If", items)
}

/// Replaces the policy templates among `Policies` by their statements.
pub(crate) fn expand(properties: &mut Map) -> Result<(), Refusal> {
    let Some(policies) = properties.get_true("Policies") else { return Ok(()) };
    let mut expanded = Vec::new();
    for policy in entries(policies) {
        expanded.push(match of(policy)? {
            Policy::Template => template(policy)?,
            _ => policy.clone(),
        });
    }
    let new = Value::from(expanded).at(policies.origin());
    if new != *policies
        && let Some(old) = properties.get_mut("Policies")
    {
        *old = new;
    }
    Ok(())
}

/// Returns the refusal of a policy that is of no kind.
pub(crate) fn not_valid(index: usize, policy: &Value) -> Refusal {
    let sentence = format!("Policy at index {index} in the 'Policies' property is not valid");
    let refusal = Refusal::new(sentence).titled("a policy of @ is neither a document nor a known template");
    match policy.map().and_then(|map| map.keys().next().map(|name| (name, map.key(name)))) {
        Some((name, key)) => {
            let refusal = refusal.about(name).among(Facts::embedded().policy_templates().names());
            refusal.at(key).at(policy.origin())
        }
        None => refusal.at(policy.origin()),
    }
}

fn template(policy: &Value) -> Result<Value, Refusal> {
    let Some(("Fn::If", argument)) = policy.call() else { return statements(policy) };
    let mut items = argument.list().unwrap_or_default().to_vec();
    for branch in items.iter_mut().skip(1).filter(|branch| !branch.is_no_value()) {
        *branch = statements(branch)?;
    }
    Ok(make::call("Fn::If", Value::from(items).at(argument.origin())).at(policy.origin()))
}

fn statements(policy: &Value) -> Result<Value, Refusal> {
    let (name, values) = policy.map().and_then(|map| map.iter().next()).unwrap_or(("", policy));
    let Some(template) = Facts::embedded().policy_templates().get(name) else {
        return Err(Refusal::new(format!("Template with name '{name}' is not found")).at(policy.origin()).about(name));
    };
    let Some(given) = values.map() else {
        let sentence = format!("Must specify valid parameter values for policy template '{name}'");
        return Err(Refusal::new(sentence).at(policy.origin()));
    };
    let parameters = template.parameters.iter().map(String::as_str);
    let missing: Vec<&str> = parameters.filter(|parameter| !given.has(parameter)).collect();
    if !missing.is_empty() {
        let missing = shown::list(missing);
        let sentence = format!("Following required parameters of template '{name}' don't have values: {missing}");
        return Err(Refusal::new(sentence).at(values.origin().or(policy.origin())));
    }
    let given: Map = given
        .iter()
        .filter(|(name, _)| template.parameters.iter().any(|known| known == name))
        .map(|(name, value)| (name, value.clone()))
        .collect();
    Ok(make::map([("Statement", filled(&template.statements, &given))]).at(policy.origin()))
}

/// Returns the data of a template with values in place of its parameters.
fn filled(data: &serde_json::Value, values: &Map) -> Value {
    use serde_json::Value as Json;
    match data {
        Json::Null => Data::Null.into(),
        Json::Bool(truth) => (*truth).into(),
        Json::Number(number) => Data::Number(number.to_string().into()).into(),
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => items.iter().map(|item| filled(item, values)).collect::<Vec<Value>>().into(),
        Json::Object(map) => {
            let reference = map.get("Ref").filter(|_| map.len() == 1).and_then(Json::as_str);
            if let Some(value) = reference.and_then(|name| values.get(name)) {
                return value.clone();
            }
            map.iter().map(|(key, value)| (key, filled(value, values))).collect::<Map>().into()
        }
    }
}
