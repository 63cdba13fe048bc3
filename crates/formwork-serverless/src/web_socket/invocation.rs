//! Addresses of functions.

use crate::make;
use crate::value::Value;

/// Returns the address at which API Gateway calls a function.
pub(super) fn invocation(variable: &str, arn: &Value) -> Value {
    let text = format!(
        "arn:${{AWS::Partition}}:apigateway:${{AWS::Region}}:lambda:path/2015-03-31/functions/${{{variable}}}/invocations"
    );
    make::sub_with(&text, [(variable, arn.clone())])
}
