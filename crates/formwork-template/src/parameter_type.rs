//! Types of parameters (reference/parameters.md#existence).

use formwork_syntax::{Kind, NodeId, Origin, Style, Tree, flags};

/// AWS-specific types: values that must exist in the account.
pub const AWS_SPECIFIC: [&str; 10] = [
    "AWS::EC2::AvailabilityZone::Name",
    "AWS::EC2::Image::Id",
    "AWS::EC2::Instance::Id",
    "AWS::EC2::KeyPair::KeyName",
    "AWS::EC2::SecurityGroup::GroupName",
    "AWS::EC2::SecurityGroup::Id",
    "AWS::EC2::Subnet::Id",
    "AWS::EC2::Volume::Id",
    "AWS::EC2::VPC::Id",
    "AWS::Route53::HostedZone::Id",
];

/// The type of names of SSM parameters.
pub const SSM_NAME: &str = "AWS::SSM::Parameter::Name";

/// A parsed `Type` of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterType {
    /// The type of a single value.
    pub base: Base,
    /// Set if the value is a list, separated by commas.
    pub is_list: bool,
    /// Set if the value is the name of an SSM parameter that holds the actual value.
    pub is_ssm_value: bool,
}

/// The type of a single value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Base {
    /// Any string.
    String,
    /// A number.
    Number,
    /// A value of an AWS-specific type.
    AwsSpecific(String),
    /// The name of an SSM parameter.
    SsmName,
    /// A type that CloudFormation does not know.
    Unknown,
}

impl ParameterType {
    /// Parses a `Type`.
    pub fn parse(text: &str) -> ParameterType {
        if let Some(inner) = text.strip_prefix("AWS::SSM::Parameter::Value<").and_then(|rest| rest.strip_suffix('>')) {
            let inner = ParameterType::parse(inner.trim());
            let base = match inner.base {
                _ if inner.is_ssm_value => Base::Unknown,
                // Parameter Store holds strings.
                Base::Number if !inner.is_list => Base::String,
                base => base,
            };
            return ParameterType { base, is_list: inner.is_list, is_ssm_value: true };
        }
        if text == "CommaDelimitedList" {
            return ParameterType { base: Base::String, is_list: true, is_ssm_value: false };
        }
        if let Some(inner) = text.strip_prefix("List<").and_then(|rest| rest.strip_suffix('>')) {
            let inner = ParameterType::parse(inner.trim());
            let base = if inner.is_list || inner.is_ssm_value { Base::Unknown } else { inner.base };
            return ParameterType { base, is_list: true, is_ssm_value: false };
        }
        let base = match text {
            "String" => Base::String,
            "Number" => Base::Number,
            SSM_NAME => Base::SsmName,
            text if AWS_SPECIFIC.contains(&text) => Base::AwsSpecific(text.to_owned()),
            _ => Base::Unknown,
        };
        ParameterType { base, is_list: false, is_ssm_value: false }
    }

    /// Converts a value for `Fn::ToJsonString`: the type decides which values are numbers, not how the value was
    /// written (reference/functions.md#to-json-string).
    pub fn in_json(&self, tree: &mut Tree, value: NodeId) -> NodeId {
        if self.base != Base::Number || self.is_ssm_value || tree.has(value, flags::HAS_CALL) {
            return value;
        }
        let origin = Origin::Authored(tree.span(value));
        let number = |tree: &mut Tree, item: NodeId| match tree.string(item).map(str::to_owned) {
            Some(text) if is_json_number(&text) => tree.scalar(Kind::Number, Style::Plain, &text, origin),
            _ => item,
        };
        if tree.kind(value) != Kind::List {
            return number(tree, value);
        }
        let items: Vec<NodeId> = tree.items(value).to_vec();
        let items: Vec<NodeId> = items.into_iter().map(|item| number(tree, item)).collect();
        tree.list(&items, Style::Plain, origin)
    }

    /// Returns the type inside `AWS::SSM::Parameter::Value<...>` and `List<...>`. CloudFormation accepts any type
    /// there, and checks the values of those that it knows.
    pub fn inner(text: &str) -> Option<&str> {
        let inner = ["AWS::SSM::Parameter::Value<", "List<"].iter().find_map(|start| text.strip_prefix(start))?;
        let inner = inner.strip_suffix('>')?.trim();
        Some(ParameterType::inner(inner).unwrap_or(inner)).filter(|inner| !inner.is_empty())
    }

    /// Splits the string of a list value at commas; items are trimmed. The empty string is one empty
    /// item (reference/parameters.md#lists).
    pub fn split(text: &str) -> impl Iterator<Item = &str> {
        text.split(',').map(str::trim)
    }
}

fn is_json_number(text: &str) -> bool {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let text = text.strip_prefix('-').unwrap_or(text);
    let whole = digits(text);
    if whole == 0 || whole > 1 && text.starts_with('0') {
        return false;
    }
    let mut rest = &text[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        rest = &fraction[count..];
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let count = digits(exponent);
        return count > 0 && count == exponent.len();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_json() {
        for text in ["0", "1", "-1", "10", "1.50", "1e3", "1.5E-3", "-0", "99999999999.99"] {
            assert!(is_json_number(text), "{text}");
        }
        for text in ["", "-", "01", "+1", " 1", "1 ", "1.", ".5", "1e", "0x1", "1_000", "Infinity", "1.5.2", "1e+"] {
            assert!(!is_json_number(text), "{text}");
        }
    }

    #[test]
    fn types() {
        let parse = ParameterType::parse;
        assert!(parse("CommaDelimitedList").is_list);
        assert_eq!(parse("List<Number>"), ParameterType { base: Base::Number, is_list: true, is_ssm_value: false });
        let ssm = parse("AWS::SSM::Parameter::Value<List<AWS::EC2::Image::Id>>");
        assert_eq!((ssm.is_list, ssm.is_ssm_value), (true, true));
        assert_eq!(ssm.base, Base::AwsSpecific("AWS::EC2::Image::Id".into()));
        assert_eq!(parse("AWS::SSM::Parameter::Value<Number>").base, Base::String);
        assert_eq!(parse("AWS::SSM::Parameter::Value<List<Number>>").base, Base::Number);
        assert_eq!(parse("Strin").base, Base::Unknown);
        assert_eq!(parse("List<List<String>>").base, Base::Unknown);
        assert_eq!(ParameterType::split("a, b ,").collect::<Vec<_>>(), ["a", "b", ""]);
        assert_eq!(ParameterType::split("").collect::<Vec<_>>(), [""]);
    }
}
