//! Definitions of requirements.

use crate::make;
use crate::value::Value;

/// The requirement of an API key.
pub(crate) const KEY: &str = "api_key";
/// The requirement that marks a method without an API key.
pub(crate) const NO_KEY: &str = "api_key_false";
/// The authorizer that is the caller's identity.
pub(crate) const IAM: &str = "AWS_IAM";

const IAM_TYPE: &str = "awsSigv4";

/// Returns the definition of API keys.
pub(crate) fn key() -> Value {
    make::map([("type", "apiKey".into()), ("name", "x-api-key".into()), ("in", "header".into())])
}

/// Returns the definition of signed requests.
pub(crate) fn iam() -> Value {
    definition("Authorization", IAM_TYPE)
}

/// Returns the definitions that events need.
pub(crate) fn of_events() -> [(&'static str, Value); 2] {
    let iam = make::map([
        ("x-amazon-apigateway-authtype", IAM_TYPE.into()),
        ("type", "apiKey".into()),
        ("name", "Authorization".into()),
        ("in", "header".into()),
    ]);
    [(KEY, key()), (IAM, iam)]
}

/// Returns the definition of a header.
pub(crate) fn definition(header: impl Into<Value>, kind: &str) -> Value {
    make::map([
        ("type", "apiKey".into()),
        ("name", header.into()),
        ("in", "header".into()),
        ("x-amazon-apigateway-authtype", kind.into()),
    ])
}
