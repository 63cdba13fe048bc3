//! Roles with which Lambda works for the author, and tags behind the author's own.

use crate::context::{Context, Input};
use crate::iam;
use crate::make;
use crate::resource::Resource;
use crate::tags;
use crate::value::{Map, Value};

/// The tag of what the transform makes.
const CREATOR: &str = "lambda:createdBy";

/// Returns the ARN in the property `name`; or that of a new role with a managed policy, and the role.
pub(crate) fn role(cx: &Context, input: &Input, name: &str, policy: &str) -> (Value, Option<Resource>) {
    if let Some(arn) = input.get(name) {
        return (arn.clone(), None);
    }
    let mut role = new_role(input, name);
    role.set("ManagedPolicyArns", make::list([iam::managed_arn(&cx.parameters.partition, policy)]));
    (role.get_att("Arn"), Some(role))
}

/// Returns a role that Lambda assumes, with the tags of its owner where it propagates them.
pub(crate) fn new_role(input: &Input, suffix: &str) -> Resource {
    let mut role = input.besides(suffix, "AWS::IAM::Role");
    role.set("AssumeRolePolicyDocument", iam::trust("lambda.amazonaws.com"));
    let mut all = Map::new();
    all.set(CREATOR, "SAM");
    for (name, value) in tags::propagated(input).into_iter().flat_map(Map::iter) {
        all.set(name, value.clone());
    }
    role.set("Tags", tags::list(&all));
    role
}

/// Returns the tags of the author, and behind them the one of the transform.
pub(crate) fn tags(input: &Input) -> Value {
    let mut all = input.get("Tags").and_then(Value::map).cloned().unwrap_or_default();
    all.set(CREATOR, "SAM");
    tags::list(&all).into()
}
