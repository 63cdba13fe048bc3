//! CloudFormation's sentence for unknown functions.

/// Returns CloudFormation's sentence about a function that it does not support if the language transform has not
/// removed it (reference/transform.md#declare). `name` is the long name.
pub fn unsupported_function(name: &str) -> String {
    format!(
        "Template Error: Encountered unsupported function: {name} Supported functions are: [{}]",
        SUPPORTED.join(", ")
    )
}

/// The functions that plain CloudFormation supports, in CloudFormation's order.
pub const SUPPORTED: [&str; 23] = [
    "Fn::Base64",
    "Fn::GetAtt",
    "Fn::GetAZs",
    "Fn::ImportValue",
    "Fn::Join",
    "Fn::Split",
    "Fn::FindInMap",
    "Fn::Select",
    "Ref",
    "Fn::Equals",
    "Fn::If",
    "Fn::Not",
    "Condition",
    "Fn::And",
    "Fn::Or",
    "Fn::Contains",
    "Fn::EachMemberEquals",
    "Fn::EachMemberIn",
    "Fn::ValueOf",
    "Fn::ValueOfAll",
    "Fn::RefAll",
    "Fn::Sub",
    "Fn::Cidr",
];
