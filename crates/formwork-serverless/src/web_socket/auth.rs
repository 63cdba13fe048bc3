//! `Auth`: who may connect.

use super::invocation::invocation;
use crate::context::Input;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::shown;
use crate::value::Value;

/// The authorization of the route `$connect`.
#[derive(Debug)]
pub(super) struct Authorizer {
    /// `AWS_IAM`, `CUSTOM` or `NONE`.
    pub(super) kind: String,
    /// The authorizer, and the permission to call its function.
    pub(super) made: Vec<Resource>,
}

/// Translates the authorization.
pub(super) fn translate(input: &Input, auth: &Value) -> Result<Authorizer, Refusal> {
    let refused = |sentence: String| Refusal::new(sentence).at(auth.origin());
    let own = auth.map().cloned().unwrap_or_default();
    let Some(kind) = own.get_true("AuthType") else {
        return Err(refused("AuthType must be specified for additional auth configurations.".to_owned()));
    };
    let Some(kind) = kind.text().filter(|kind| ["AWS_IAM", "CUSTOM", "NONE"].contains(kind)) else {
        let sentence = format!("AuthType '{}' is not one of AWS_IAM, CUSTOM or NONE.", shown::plain(kind));
        return Err(refused(sentence).at(kind.origin()));
    };
    if kind != "CUSTOM" {
        if own.len() > 1 {
            return Err(refused(format!("No additional configurations supported for AuthType {kind}.")));
        }
        return Ok(Authorizer { kind: kind.to_owned(), made: Vec::new() });
    }
    let Some(arn) = own.get_true("AuthArn") else {
        return Err(refused("AuthArn must be specified if AuthType is CUSTOM.".to_owned()));
    };
    let id = format!("{}ConnectAuthorizer", input.id);
    let mut authorizer = Resource::new(id.as_str(), "AWS::ApiGatewayV2::Authorizer").from(auth.origin());
    let some = |name: &str| own.get(name).filter(|value| !value.is_null()).cloned();
    authorizer.set("ApiId", make::reference(&input.id));
    authorizer.set("AuthorizerType", "REQUEST");
    authorizer.set("AuthorizerUri", invocation("AuthArn", arn));
    authorizer.set("Name", own.get_true("Name").cloned().unwrap_or_else(|| id.as_str().into()));
    authorizer.set_some("AuthorizerCredentialsArn", some("InvokeRole"));
    authorizer.set_some("IdentitySource", some("IdentitySource"));
    let mut made = vec![authorizer];
    if own.get_true("InvokeRole").is_none() {
        let id = format!("{}AuthorizerPermission", input.id);
        let mut permission = Resource::new(id, "AWS::Lambda::Permission").from(auth.origin());
        permission.set("Action", "lambda:InvokeFunction");
        permission.set("FunctionName", arn.clone());
        permission.set("Principal", "apigateway.amazonaws.com");
        let text = "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${__ApiId__}/authorizers/*";
        permission.set("SourceArn", make::sub_with(text, [("__ApiId__", make::reference(&input.id))]));
        made.push(permission);
    }
    Ok(Authorizer { kind: kind.to_owned(), made })
}
