//! `FunctionUrlConfig`: an address of a function, and who may call it.

use crate::context::Input;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Data, Value};

/// The kinds of values of `Cors`.
const CORS: [(&str, &str); 6] = [
    ("AllowOrigins", "list"),
    ("AllowMethods", "list"),
    ("AllowCredentials", "bool"),
    ("AllowHeaders", "list"),
    ("ExposeHeaders", "list"),
    ("MaxAge", "int"),
];

/// Adds the address of a function or its alias, `target`.
pub(super) fn translate(input: &Input, target: &str, besides: &mut Vec<Resource>) -> Result<(), Refusal> {
    let Some(config) = input.get("FunctionUrlConfig") else { return Ok(()) };
    check(config)?;
    let mut url = input.besides("Url", "AWS::Lambda::Url").from(config.origin());
    url.set("TargetFunctionArn", make::reference(target));
    for name in ["AuthType", "Cors", "InvokeMode"] {
        let is_written = |value: &&Value| value.is_true() || name != "Cors" && !value.is_null();
        url.set_some(name, config.get(name).filter(is_written).cloned());
    }
    besides.push(url);
    if config.get("AuthType").and_then(Value::text) == Some("NONE") {
        let permission = |suffix: &str, action: &str, key: &str, value: Value| {
            let mut permission = input.besides(suffix, "AWS::Lambda::Permission").from(config.origin());
            permission.set("Action", action);
            permission.set("FunctionName", make::reference(target));
            permission.set("Principal", "*");
            permission.set(key, value);
            permission
        };
        let (url, of_url) = ("UrlPublicPermissions", "FunctionUrlAuthType");
        besides.push(permission(url, "lambda:InvokeFunctionUrl", of_url, "NONE".into()));
        let (all, of_all) = ("URLInvokeAllowPublicAccess", "InvokedViaFunctionUrl");
        besides.push(permission(all, "lambda:InvokeFunction", of_all, true.into()));
    }
    Ok(())
}

fn check(config: &Value) -> Result<(), Refusal> {
    if config.is_call() {
        return Ok(());
    }
    let kind = config.get("AuthType");
    let is_known = kind.is_some_and(|kind| kind.is_call() || matches!(kind.text(), Some("NONE" | "AWS_IAM")));
    if !is_known {
        let sentence = "AuthType is required to configure function property `FunctionUrlConfig`. Please provide either AWS_IAM or NONE.";
        return Err(Refusal::new(sentence).at(kind.and_then(Value::origin).or(config.origin())));
    }
    let Some(cors) = config.get("Cors").filter(|cors| cors.is_true() && !cors.is_call()) else { return Ok(()) };
    let Some(members) = cors.map() else {
        return Err(Refusal::new("Property 'FunctionUrlConfig.Cors' should be a map.").at(cors.origin()));
    };
    for (name, value) in members.iter() {
        let Some((_, kind)) = CORS.iter().find(|(known, _)| *known == name) else {
            let sentence = format!("{name} is not a valid property for configuring Cors.");
            return Err(Refusal::new(sentence).at(members.key(name)).about(name));
        };
        let fits = match *kind {
            "list" => value.list().is_some(),
            "bool" => value.truth().is_some(),
            _ => value.truth().is_some() || matches!(value.data(), Data::Number(text) if text.parse::<i64>().is_ok()),
        };
        if !fits && !value.is_call() {
            return Err(Refusal::new(format!("{name} must be of type {kind}.")).at(value.origin()));
        }
    }
    Ok(())
}
