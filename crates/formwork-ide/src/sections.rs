//! Short descriptions of the words of templates.

use formwork_template::parameter_type::{AWS_SPECIFIC, SSM_NAME};

/// The sections of a template, in the usual order, with their descriptions. Those of the module language have `true`.
pub(crate) const SECTIONS: [(&str, &str, bool); 16] = [
    ("AWSTemplateFormatVersion", "The version of the template format: `2010-09-09`.", false),
    ("Description", "A text about the template, at most 1,024 bytes.", false),
    ("Metadata", "Data about the template, for tools.", false),
    ("Transform", "Macros that process the template, such as `AWS::LanguageExtensions`.", false),
    ("Parameters", "Values that are passed when the template is deployed.", false),
    ("Rules", "Assertions about parameters, checked before anything is created.", false),
    ("Mappings", "Tables of constant values, read with `Fn::FindInMap`.", false),
    ("Conditions", "Named conditions, decided by parameters.", false),
    ("Globals", "Properties that resources of the serverless transform share.", false),
    ("Resources", "The resources of the stack.", false),
    ("Outputs", "Values that the stack returns.", false),
    ("Hooks", "Deployment hooks, such as those of CodeDeploy.", false),
    ("Modules", "Imports of modules: other templates, inlined.", true),
    ("Packages", "Directories and archives of modules, by their alias.", true),
    ("Constants", "Values that are inserted where `Const::Name` refers to them.", true),
    ("ParameterSchema", "Types and bounds of a module's parameters.", true),
];

/// The attributes of the entries of a section, in the usual order, with their descriptions; required ones have `true`.
pub(crate) fn attributes(section: &str) -> &'static [(&'static str, &'static str, bool)] {
    match section {
        "Resources" => &[
            ("Type", "The type of the resource, such as `AWS::S3::Bucket`.", true),
            ("Properties", "The properties of the resource.", false),
            ("Condition", "The condition under which the resource exists.", false),
            ("DependsOn", "Resources that are created before this one.", false),
            ("DeletionPolicy", "What becomes of the resource when it leaves the stack.", false),
            ("UpdateReplacePolicy", "What becomes of the resource when an update replaces it.", false),
            ("CreationPolicy", "The signals that creation waits for.", false),
            ("UpdatePolicy", "How updates of the resource proceed.", false),
            ("Metadata", "Data about the resource, for tools.", false),
        ],
        "Parameters" => &[
            ("Type", "The type of the parameter, such as `String`.", true),
            ("Default", "The value when none is passed.", false),
            ("Description", "A text about the parameter.", false),
            ("AllowedValues", "The values that may be passed.", false),
            ("AllowedPattern", "A regular expression that a value matches.", false),
            ("ConstraintDescription", "What is reported when a value is not allowed.", false),
            ("MinLength", "The smallest number of characters.", false),
            ("MaxLength", "The largest number of characters.", false),
            ("MinValue", "The smallest number.", false),
            ("MaxValue", "The largest number.", false),
            ("NoEcho", "Whether the value is masked wherever it is shown.", false),
        ],
        "Outputs" => &[
            ("Value", "The value of the output.", true),
            ("Description", "A text about the output.", false),
            ("Export", "The name by which other stacks import the value.", false),
            ("Condition", "The condition under which the output exists.", false),
        ],
        "Modules" => &[
            ("Source", "The file of the module.", true),
            ("Properties", "Values for the parameters of the module.", false),
            ("Overrides", "Changes of resources of the module.", false),
            ("ForEach", "A collection: the module is imported once for each item.", false),
            ("Condition", "The condition under which the resources of the module exist.", false),
        ],
        "Rules" => &[("Assertions", "What has to hold.", true), ("RuleCondition", "When the rule applies.", false)],
        "Packages" => &[("Source", "The directory or archive of the package.", true)],
        "ParameterSchema" => &[
            ("Type", "The type of the value.", true),
            ("Default", "The value when none is passed.", false),
            ("Description", "A text about the parameter.", false),
            ("Enum", "The values that may be passed.", false),
        ],
        _ => &[],
    }
}

/// The pseudo parameters with their descriptions.
pub(crate) const PSEUDO: [(&str, &str); 8] = [
    ("AWS::AccountId", "The ID of the account in which the stack is created."),
    ("AWS::NoValue", "Nothing: a property with this value is left out."),
    ("AWS::NotificationARNs", "The topics that are notified of events of the stack."),
    ("AWS::Partition", "The partition of the Region, such as `aws`."),
    ("AWS::Region", "The Region in which the stack is created."),
    ("AWS::StackId", "The ID of the stack."),
    ("AWS::StackName", "The name of the stack."),
    ("AWS::URLSuffix", "The suffix of domains in the Region, such as `amazonaws.com`."),
];

/// The types of parameters: those of any string, those of values that exist in the account, and lists of these.
pub(crate) fn parameter_types() -> impl Iterator<Item = &'static str> {
    let first = [
        "String",
        "Number",
        "CommaDelimitedList",
        "List<Number>",
        "AWS::SSM::Parameter::Value<String>",
        "AWS::SSM::Parameter::Value<List<String>>",
        SSM_NAME,
    ];
    let lists =
        ["List<AWS::EC2::AvailabilityZone::Name>", "List<AWS::EC2::SecurityGroup::Id>", "List<AWS::EC2::Subnet::Id>"];
    first.into_iter().chain(AWS_SPECIFIC).chain(lists)
}

/// The intrinsic functions: long name, form and result.
pub(crate) const FUNCTIONS: [(&str, &str, &str); 34] = [
    ("Ref", "!Ref Name", "The value of a parameter, or the identifier of a resource."),
    ("Condition", "!Condition Name", "The outcome of a condition."),
    ("Fn::GetAtt", "!GetAtt Id.Attribute", "An attribute of a resource, or an output of an import."),
    ("Fn::Sub", "!Sub \"${Name}-text\"", "A string with values in the place of `${Name}`."),
    ("Fn::Join", "!Join [\"-\", [a, b]]", "Strings, joined by a delimiter."),
    ("Fn::Split", "!Split [\",\", \"a,b\"]", "The parts of a string between delimiters."),
    ("Fn::Select", "!Select [0, [a, b]]", "The element of a list at an index, from 0."),
    ("Fn::FindInMap", "!FindInMap [Map, key, key]", "An entry of the section Mappings."),
    ("Fn::If", "!If [Condition, then, else]", "One of two values, by a condition."),
    ("Fn::And", "!And [condition, condition]", "Whether all conditions hold."),
    ("Fn::Or", "!Or [condition, condition]", "Whether one of the conditions holds."),
    ("Fn::Not", "!Not [condition]", "Whether a condition does not hold."),
    ("Fn::Equals", "!Equals [a, b]", "Whether two values are equal."),
    ("Fn::Base64", "!Base64 text", "A string, encoded in Base64."),
    ("Fn::Cidr", "!Cidr [block, count, bits]", "Address blocks of a larger one."),
    ("Fn::GetAZs", "!GetAZs \"\"", "The Availability Zones of a Region."),
    ("Fn::ImportValue", "!ImportValue name", "A value that another stack exports."),
    ("Fn::Transform", "Fn::Transform: {Name: Macro}", "What a macro makes of a part of the template."),
    ("Fn::Length", "Fn::Length: [a, b]", "The number of elements of a list."),
    ("Fn::ToJsonString", "Fn::ToJsonString: {a: b}", "A value as JSON in a string."),
    (
        "Fn::Map",
        "Fn::Map: {Collection: [a], Fragment: ...}",
        "A fragment for each item of a collection, as a list or an object.",
    ),
    ("Fn::Merge", "Fn::Merge: [{a: 1}, {b: 2}]", "Several objects or lists in one."),
    ("Fn::Range", "Fn::Range: [1, 3]", "Numbers, one after another."),
    ("Fn::Zip", "Fn::Zip: [[a], [b]]", "Several lists, item by item."),
    ("Fn::Contains", "Fn::Contains: [[a, b], a]", "Whether a list contains a string; in rules."),
    ("Fn::EachMemberEquals", "Fn::EachMemberEquals: [[a], a]", "Whether all strings of a list equal one; in rules."),
    ("Fn::EachMemberIn", "Fn::EachMemberIn: [[a], [a, b]]", "Whether all strings of a list are in another; in rules."),
    ("Fn::RefAll", "Fn::RefAll: AWS::EC2::VPC::Id", "All values of a parameter type; in rules."),
    ("Fn::ValueOf", "Fn::ValueOf: [Name, attribute]", "An attribute of what a parameter names; in rules."),
    ("Fn::ValueOfAll", "Fn::ValueOfAll: [type, attribute]", "An attribute of all values of a type; in rules."),
    ("Fn::Flatten", "!Flatten [[a], [b]]", "Lists of lists in one list; in modules."),
    ("Fn::InsertFile", "!InsertFile path", "The text of a file; in modules."),
    ("Fn::Invoke", "!Invoke [Import, values, output]", "An output of a module for other values."),
    ("Fn::GetStackOutput", "Fn::GetStackOutput: {...}", "An output of another stack."),
];

pub(crate) fn function(long: &str) -> Option<(&'static str, &'static str)> {
    FUNCTIONS.iter().find(|(name, ..)| *name == long).map(|(_, form, words)| (*form, *words))
}

#[cfg(test)]
mod tests {
    use formwork::tree::Known;

    use super::*;

    #[test]
    fn every_function_has_a_line() {
        let names: Vec<&str> = FUNCTIONS.iter().map(|(name, ..)| *name).collect();
        let all: Vec<&str> = Known::ALL.iter().map(|known| known.long()).collect();
        assert_eq!(names, all);
    }

    #[test]
    fn every_pseudo_parameter_has_a_line() {
        let mut all: Vec<&str> = formwork::PseudoParameter::ALL.iter().map(|pseudo| pseudo.name()).collect();
        all.sort_unstable();
        assert_eq!(PSEUDO.map(|(name, _)| name).to_vec(), all);
    }
}
