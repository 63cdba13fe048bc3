//! Names that other tools use for concepts of CloudFormation: JSON Schema, Terraform, CDK, Serverless Framework. They
//! are too far from the names here to be slips of the keyboard.

pub(super) fn parameter_attribute(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "enum" | "values" | "options" | "choices" | "allowed" => "AllowedValues",
        "pattern" | "regex" | "validation" => "AllowedPattern",
        "value" | "defaultvalue" => "Default",
        "secret" | "sensitive" | "secure" | "hidden" | "password" => "NoEcho: true",
        "min" | "minimum" => "MinValue",
        "max" | "maximum" => "MaxValue",
        "comment" | "help" | "label" => "Description",
        "errormessage" | "error" => "ConstraintDescription",
        _ => return None,
    })
}

pub(crate) fn parameter_type(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "integer" | "int" | "float" | "double" | "decimal" | "long" => "Number",
        "str" | "text" | "password" | "secret" | "securestring" => "String",
        _ => return None,
    })
}

/// Returns the advice for a key beside `Type` and `Properties` of a resource.
pub(super) fn resource_attribute(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "count" | "foreach" | "for_each" | "loop" | "for" => {
            "write a loop around the resource: `Fn::ForEach::Name: [Item, [a, b], {...}]`"
        }
        "depends_on" => "write `DependsOn`",
        "lifecycle" => "write `DeletionPolicy: Retain` for a resource that is to stay",
        "if" | "when" => "write `Condition: Name`, and declare the condition under Conditions",
        "provider" => "deploy the template with `--region` or `--profile` of its stack",
        _ => return None,
    })
}

pub(super) fn section(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "version" => "write `AWSTemplateFormatVersion: \"2010-09-09\"`, or leave it out",
        "tags" => "remove it: tags of the stack are passed when it is deployed, with --tags",
        "imports" | "import" | "includes" => {
            "import a module in the section Modules: `Modules: {Name: {Source: module.yaml}}`"
        }
        "variables" | "variable" | "inputs" | "params" | "args" => "declare values that are passed under `Parameters`",
        "locals" | "vars" | "values" => {
            "write values that are fixed under `Mappings`, and read them with `Fn::FindInMap`"
        }
        "stackname" | "region" | "stack_name" => {
            "remove it, and pass it on the command line: `--stack-name NAME --region REGION`"
        }
        "data" | "provider" | "providers" => "remove it: CloudFormation has neither providers nor data sources",
        "loops" | "foreach" => "write a loop in Resources: `Fn::ForEach::Name: [Item, [a, b], {...}]`",
        _ => return None,
    })
}
