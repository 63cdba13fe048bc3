//! The files of modules.

use serde_json::{Value, json};

use crate::generate::choices::Choices;

/// A module with parameters of all kinds, a condition, a mapping, loops and outputs of all shapes.
pub(super) fn module(choices: &mut Choices<'_>) -> Value {
    let topic = |properties: Value| json!({"Type": "AWS::SNS::Topic", "Properties": properties});
    let mut resources = json!({
        "Box": topic(json!({
            "DisplayName": {"Ref": "Label"},
            "Size": {"Fn::If": ["IsStd", {"Ref": "Conf.Size"}, {"Ref": "AWS::NoValue"}]},
            "Team": {"Fn::Sub": "${Conf.Tags.Team}-${Label}"},
            "Kinds": {"Ref": "Conf.Kinds"},
            "Tags": [{"Key": "own", "Value": {"Fn::Sub": ["${V}-${Box2.Arn}", {"V": {"Ref": "Label"}}]}}]
        })),
        "Box2": topic(json!({"Ports": {"Fn::GetAtt": "Units[*].Port"}, "Names": {"Fn::GetAtt": "Units[*]"}}))
    });
    if choices.one_in(2) {
        resources["Opt"] = json!({"Type": "AWS::SNS::Topic", "Condition": "IsStd", "DependsOn": ["Box", "Box2"],
            "Properties": {"One": {"Fn::FindInMap": ["Sizes", {"Ref": "Mode"}, "Size", {"DefaultValue": "none"}]}}});
    }
    match choices.below(4) {
        0 => resources["Box2"]["Properties"]["Key"] = json!({"Ref": "Key"}),
        1 => resources["Box2"]["Properties"]["Key"] = json!({"Fn::Sub": "${Label}-${Key}"}),
        2 => resources["Box2"]["Properties"]["Key"] = json!({"Fn::If": ["IsOpen", {"Ref": "Key"}, "none"]}),
        _ => {}
    }
    resources["Unit"] = json!({"Type": "AWS::SNS::Topic", "ForEach": {"Ref": "Units"},
        "Properties": {"Id": "$Identifier", "Port": "$Value.Port", "Of": {"Fn::GetAtt": ["Box", "TopicArn"]}}});
    if choices.one_in(2) {
        let fragment = json!({"Part${P}": topic(json!({"One": {"Fn::Sub": "${P}-${Label}"}, "Box": {"Ref": "Box"}}))});
        resources["Fn::ForEach::Parts"] = json!(["P", {"Ref": "Names"}, fragment]);
    }
    let equals = json!({"Fn::Equals": [{"Ref": "Mode"}, "std"]});
    let is_std = match choices.below(3) {
        0 => json!({"Fn::Not": [{"Fn::Not": [equals]}]}),
        1 => json!({"Fn::And": [equals, {"Fn::Equals": ["a", "a"]}]}),
        _ => equals,
    };
    let units = match choices.below(2) {
        0 => json!({"u1": {"Port": "80"}, "u2": {"Port": 81, "Note": "n"}}),
        _ => json!({"one": {"Port": ["80"]}}),
    };
    let zones = &["North", "South"][..=choices.below(2)];
    let mut module = json!({
        "Transform": "AWS::LanguageExtensions",
        "Parameters": {
            "Label": {"Type": "String", "Default": "none"},
            "Mode": {"Type": "String", "Default": "std"},
            "Key": {"Type": "String", "NoEcho": true, "Default": "hidden"},
            "Names": {"Type": "CommaDelimitedList", "Default": "p, q"},
            "Conf": {"Type": "Object", "Default": {"Size": "7", "Tags": {"Team": "core"}, "Kinds": ["k1", "k2"]}},
            "Units": {"Type": "Map", "Default": units}
        },
        "Conditions": {"IsStd": is_std, "IsOdd": {"Fn::Not": [{"Condition": "IsStd"}]},
            "IsOpen": {"Fn::Equals": [{"Ref": "Key"}, "open"]}},
        "Mappings": {"Sizes": {"std": {"Size": "small"}, "dev": {"Size": "big"}}},
        "Resources": resources,
        "Outputs": {
            "Arn": {"Value": {"Fn::GetAtt": ["Box", "TopicArn"]}},
            "Id": {"Value": {"Ref": "Box"}},
            "Label": {"Value": {"Ref": "Label"}},
            "Text": {"Value": {"Fn::Sub": "${Label}:${Box}:${AWS::Region}"}},
            "Sizes": {"Value": {"small": "1", "a": {"Ref": "Label"}, "b": {"Fn::Sub": "${Label}-b"}, "c2": "3"}},
            "Zones": {"Value": zones},
            "Names": {"Value": {"Ref": "Names"}},
            "Conf": {"Value": {"Ref": "Conf"}},
            "Size": {"Value": {"Ref": "Conf.Size"}},
            "Ports": {"Value": {"Fn::GetAtt": "Units[*].Port"}},
            "UnitArns": {"Value": {"Fn::GetAtt": "Unit[*].TopicArn"}},
            "Choice": {"Value": {"Fn::If": ["IsStd", {"Ref": "Label"}, "odd"]}},
            "Maybe": {"Condition": "IsStd", "Value": {"Fn::Sub": "maybe-${Box}"}},
            "Joined": {"Value": {"Fn::Join": ["-", [{"Ref": "Label"}, {"Ref": "Conf.Size"}, "x"]]}}
        }
    });
    if choices.one_in(3) {
        module["ParameterSchema"] = json!({
            "Label": {"Type": "String", "MinLength": 1},
            "Conf": {"Type": "Object", "Required": ["Size"], "Properties": {
                "Level": {"Type": "String", "Default": "low"},
                "Kinds": {"Type": "Array", "Items": {"Type": "String"}}
            }}
        });
        module["Resources"]["Box"]["Properties"]["Level"] = json!({"Ref": "Conf.Level"});
    }
    module
}

/// A module of modules.
pub(super) fn outer(choices: &mut Choices<'_>) -> Value {
    let size = [json!("$Value.Size"), json!("$Value"), json!("$Identifier")][choices.below(3)].clone();
    let mut modules = json!({
        "In": {"Source": "../m.json", "Properties": {"Label": {"Fn::Sub": "${Label}-in"}, "Mode": {"Ref": "Mode"}}},
        "Many": {"Source": "../m.json", "ForEach": {"Ref": "Pairs"}, "Properties": {
            "Label": {"Fn::Sub": "$Identifier-${Label}"},
            "Conf": {"Size": size, "Tags": {"Team": {"Fn::GetAtt": ["In", "Label"]}}, "Kinds": {"Fn::GetAtt": "In.Names"}}
        }}
    });
    if choices.one_in(2) {
        let import = json!({"Source": "../m.json", "Properties": {"Label": {"Fn::Sub": "${V}-${Label}"}}});
        modules["Fn::ForEach::Loop"] = json!(["V", ["a", "b"], {"L${V}": import}]);
    }
    if choices.one_in(2) {
        modules["In"]["Overrides"] =
            json!({"Box": {"Properties": {"DisplayName": {"Ref": "Label"}, "By": {"Ref": "Own"}}}});
    }
    let mut own = json!({"Type": "AWS::SNS::Topic", "Properties": {
        "One": {"Fn::GetAtt": ["In", "Arn"]},
        "Two": {"Fn::GetAtt": "Many[*].Label"},
        "Three": {"Fn::Sub": "${Many[x].Label}-${In.Text}"},
        "Four": {"Fn::Merge": [{"A": "1", "B": {"C": {"Ref": "Label"}}}, {"B": {"D": {"Fn::GetAtt": "Many[0].Size"}}}]}
    }});
    match choices.below(3) {
        0 => own["DependsOn"] = json!("Many"),
        1 => own["Condition"] = json!("IsStd"),
        _ => {}
    }
    json!({
        "Parameters": {
            "Label": {"Type": "String", "Default": "out"},
            "Mode": {"Type": "String", "Default": "std"},
            "Pairs": {"Type": "Map", "Default": {"x": {"Size": "1"}, "y": {"Size": 2}}}
        },
        "Conditions": {"IsStd": {"Fn::Equals": [{"Ref": "AWS::StackName"}, {"Ref": "Mode"}]}},
        "Modules": modules,
        "Resources": {"Own": own},
        "Outputs": {
            "Label": {"Value": {"Fn::GetAtt": ["In", "Label"]}},
            "Labels": {"Value": {"Fn::GetAtt": "Many[*].Label"}},
            "Arns": {"Value": {"Fn::GetAtt": "Many[*].Arn"}},
            "First": {"Value": {"Fn::Sub": "${Many[0].Label}+${In.Joined}"}},
            "Confs": {"Value": {"Fn::GetAtt": "Many[*].Conf"}}
        }
    })
}
