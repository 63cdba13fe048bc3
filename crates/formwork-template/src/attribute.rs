//! Attributes of resources, outputs and parameters.

use formwork_syntax::{Symbol, symbol};

/// Resource attributes of CloudFormation.
pub const RESOURCE: [Symbol; 10] = [
    symbol::TYPE,
    symbol::PROPERTIES,
    symbol::DEPENDS_ON,
    symbol::CONDITION,
    symbol::METADATA,
    symbol::CREATION_POLICY,
    symbol::UPDATE_POLICY,
    symbol::DELETION_POLICY,
    symbol::UPDATE_REPLACE_POLICY,
    symbol::DESCRIPTION,
];

/// Resource attributes that the serverless transform removes.
pub const SERVERLESS: [&str; 2] = ["Connectors", "IgnoreGlobals"];

/// Resource attributes that accept strings only; functions in them are part of `AWS::LanguageExtensions`.
pub const LITERAL: [Symbol; 4] =
    [symbol::DEPENDS_ON, symbol::CONDITION, symbol::DELETION_POLICY, symbol::UPDATE_REPLACE_POLICY];

/// Parameter attributes of CloudFormation.
pub const PARAMETER: [Symbol; 11] = [
    symbol::TYPE,
    symbol::DEFAULT,
    symbol::DESCRIPTION,
    symbol::NO_ECHO,
    symbol::ALLOWED_VALUES,
    symbol::ALLOWED_PATTERN,
    symbol::CONSTRAINT_DESCRIPTION,
    symbol::MIN_LENGTH,
    symbol::MAX_LENGTH,
    symbol::MIN_VALUE,
    symbol::MAX_VALUE,
];

/// Output attributes of CloudFormation.
pub const OUTPUT: [Symbol; 4] = [symbol::VALUE, symbol::DESCRIPTION, symbol::EXPORT, symbol::CONDITION];

const VERSION: &str = "Version";

/// Returns `true` for an attribute of a resource type that is not in [`RESOURCE`].
pub fn is_of_type(resource_type: &str, name: &str) -> bool {
    let is_custom = resource_type == "AWS::CloudFormation::CustomResource" || resource_type.starts_with("Custom::");
    is_custom && name == VERSION
}

/// Returns `true` for the type of a nested stack, whose attributes are the outputs of its template.
pub fn is_nested_stack(resource_type: &str) -> bool {
    matches!(resource_type, "AWS::CloudFormation::Stack" | "AWS::Serverless::Application")
}

/// Returns `true` for a module of the registry, which CloudFormation replaces with the module's resources.
pub fn is_registry_module(resource_type: &str) -> bool {
    resource_type.ends_with("::MODULE")
}

/// Returns the values of `DeletionPolicy` or `UpdateReplacePolicy` (reference/policies.md#values).
pub fn policy_values(name: &str) -> &'static [&'static str] {
    const VALUES: [&str; 4] = ["Delete", "Retain", "Snapshot", "RetainExceptOnCreate"];
    if name == "DeletionPolicy" { &VALUES } else { &VALUES[..3] }
}

/// Returns `true` if `text` can be the name of a resource type: two or more parts of letters, digits, `_`, `-`, `@`,
/// joined by `::` (reference/structure.md#resource-types).
pub fn is_type_name(text: &str) -> bool {
    // Colons in front of the next byte, and separators so far.
    let (mut colons, mut separators) = (0, 0);
    for byte in text.bytes() {
        if byte == b':' {
            colons += 1;
            continue;
        }
        if !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'-' | b'@') {
            return false;
        }
        match std::mem::take(&mut colons) {
            0 => {}
            2 => separators += 1,
            _ => return false,
        }
    }
    colons == 0 && separators > 0 && !text.starts_with(':')
}

/// Returns `true` for a type name that begins like one of AWS, but does not have its three parts.
pub fn is_cut_short(text: &str) -> bool {
    text.strip_prefix("AWS::").is_some_and(|rest| !rest.contains("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_names_have_two_parts_or_more() {
        for name in ["AWS::S3::Bucket", "Custom::a-b_c@1", "A::B"] {
            assert!(is_type_name(name), "{name}");
        }
        for name in ["", "AWS", "AWS::", "::S3", "AWS:S3", "AWS::::S3", "AWS:::S3", "A::B:", "A::B::", "A::B c"] {
            assert!(!is_type_name(name), "{name}");
        }
    }

    #[test]
    fn types_of_aws_have_three_parts() {
        assert!(is_cut_short("AWS::SNS") && !is_cut_short("AWS::SNS::Topic") && !is_cut_short("Custom::Thing"));
    }

    #[test]
    fn only_custom_resources_have_a_version() {
        assert!(is_of_type("Custom::Thing", "Version") && is_of_type("AWS::CloudFormation::CustomResource", "Version"));
        assert!(!is_of_type("AWS::S3::Bucket", "Version") && !is_of_type("Custom::Thing", "Versions"));
    }

    #[test]
    fn only_deletion_policy_retains_except_on_create() {
        assert!(policy_values("DeletionPolicy").contains(&"RetainExceptOnCreate"));
        assert!(!policy_values("UpdateReplacePolicy").contains(&"RetainExceptOnCreate"));
    }

    #[test]
    fn type_names() {
        for good in ["AWS::S3::Bucket", "Custom::My-Thing@1", "A::B", "AWS::Serverless::Function", "T::R"] {
            assert!(is_type_name(good), "{good}");
        }
        for bad in ["", "Bucket", "AWS::", "AWS:S3:Bucket", "\u{1b}]0;x\u{7}", "AWS::S3::Bu cket"] {
            assert!(!is_type_name(bad), "{bad}");
        }
    }
}
