//! Advice for functions of other languages. Their names are too far from those of CloudFormation to be typos, or
//! correcting them as typos leads to the opposite: `NotEquals` is not `Equals`.

/// Returns the advice for a function that CloudFormation does not have, by its name without `Fn::`.
pub fn advice(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "notequals" | "notequal" | "ne" | "neq" => "write `Fn::Not` around it: `Fn::Not: [Fn::Equals: [value, value]]`",
        "in" | "oneof" => "compare with each value: `Fn::Or: [Fn::Equals: [value, a], Fn::Equals: [value, b]]`",
        "concat" | "concatenate" | "plus" => "write `Fn::Join` with an empty delimiter: `Fn::Join: [\"\", [a, b]]`",
        "format" | "printf" | "interpolate" | "template" | "substitute" | "subst" => {
            "write `Fn::Sub` with the names in the string: `Fn::Sub: \"a-${Name}\"`"
        }
        "import" | "importexport" => {
            "read an export of another stack with `Fn::ImportValue`; include a file with `Fn::Transform` and `AWS::Include`, or import a module in Modules"
        }
        "getref" | "reference" | "refer" => "write `Ref`",
        "include" => {
            "write `Fn::Transform: {Name: AWS::Include, Parameters: {Location: FILE}}`, or import a module in Modules"
        }
        "var" | "param" | "parameter" | "variable" => "write `Ref` with the name of the parameter",
        "env" | "getenv" => "declare a parameter, and refer to it: `Ref: Name`; no variable of the environment is read",
        "lookup" | "getmap" => "write `Fn::FindInMap: [Map, TopKey, SecondKey]`",
        "ternary" | "switch" | "case" | "unless" => "write `Fn::If: [condition, value, value]`",
        "lower" | "upper" | "lowercase" | "uppercase" | "tolower" | "toupper" | "replace" | "trim" => {
            "pass the string in the form that is wanted: CloudFormation does not change strings"
        }
        "add" | "sum" | "subtract" | "multiply" | "divide" | "mod" => {
            "pass the number that is wanted: CloudFormation does not calculate"
        }
        "file" | "readfile" | "filebase64" => "write the text into the template: CloudFormation reads no files",
        "secret" | "ssm" | "getsecret" => "write a dynamic reference: `\"{{resolve:ssm:name}}\"`",
        _ => return None,
    })
}

#[test]
fn no_advice_is_for_a_function_that_exists() {
    for known in crate::function::Known::ALL {
        assert_eq!(advice(known.long().trim_start_matches("Fn::")), None, "{}", known.long());
    }
    assert!(advice("NotEquals").is_some_and(|text| text.contains("Fn::Not")));
    assert_eq!(advice("Equal"), None);
}
