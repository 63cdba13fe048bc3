//! Imports of the template.

use serde_json::{Value, json};

use super::Facts;
use super::values::{Scope, known};
use crate::generate::choices::Choices;

/// What decides the condition of the module: known or not.
fn mode(choices: &mut Choices<'_>) -> Value {
    [json!("std"), json!("other"), json!({"Ref": "AWS::StackName"}), json!({"Fn::Sub": "${AWS::StackName}-x"})]
        [choices.below(4)]
    .clone()
}

/// The imports, and what they have.
pub(super) fn imports(choices: &mut Choices<'_>) -> (Value, Facts) {
    let label = known(choices, &Scope::new(Facts::default()));
    let mut imports = json!({
        "Net": {"Source": "./m.json"},
        "Each": {
            "Source": "m.json",
            "ForEach": ["a", "b", "c2"],
            "Properties": {"Label": "$Identifier", "Conf": {"Size": "$Index", "Tags": {"Team": "t"}, "Kinds": []}}
        },
        "Deep": {"Source": "$kit/outer.json", "Properties": {"Label": label}}
    });
    for item in ["a", "b", "c2"] {
        let mut import = json!({"Source": "./m.json"});
        if choices.one_in(2) {
            import["Properties"] =
                json!({"Label": known(choices, &Scope::new(Facts::default())), "Mode": mode(choices)});
        }
        imports[format!("M{item}")] = import;
    }
    match choices.below(4) {
        0 => imports["Ma"]["Properties"]["Key"] = json!("open"),
        1 => imports["Ma"]["Properties"]["Key"] = json!({"Ref": "Stage"}),
        2 => imports["Ma"]["Properties"]["Key"] = json!({"Ref": "AWS::StackName"}),
        _ => {}
    }
    imports["Over"] = json!({"Source": "m.json", "Overrides": overrides(choices)});
    let labels =
        [json!("$Value.Size"), json!({"Fn::Sub": "$Identifier-${Index}"}), json!({"Fn::Sub": "${Value.Size}x"})];
    imports["Obj"] = json!({
        "Source": "m.json",
        "ForEach": objects(choices),
        "Properties": {
            "Label": labels[choices.below(3)],
            "Conf": {"Size": {"Fn::Sub": "${Stage}-$Index"}, "Tags": {"Team": "$Identifier"}, "Kinds": ["$Value.Size"]}
        }
    });
    let mode = mode(choices);
    let has_maybe = mode != "other";
    imports["Opt"] = json!({"Source": "m.json", "Properties": {"Mode": mode}});
    imports["Cond"] = json!({"Source": "m.json", "Condition": choices.of(&["IsDev", "IsOther"])});
    match choices.below(4) {
        0 => {
            let import = json!({"Source": "./m.json", "Properties": {"Label": {"Fn::Sub": "l-${V}"}, "Mode": "${V}"}});
            imports["Fn::ForEach::Units"] = json!(["V", {"Ref": "Const::List"}, {"Unit${V}": import}]);
        }
        1 => {
            let import = json!({"Source": "./m.json", "Properties": {"Label": {"Ref": "V"}}});
            let mapped = json!({"Value": "V", "Collection": ["a", "b"], "Key": "Unit&{V}", "Fragment": import});
            imports["Fn::Merge"] = json!([{"Fn::Map": mapped}]);
        }
        _ => {}
    }
    (imports, Facts { has_maybe })
}

/// Collections of the items `one` and `two`, that have a `Size`.
fn objects(choices: &mut Choices<'_>) -> Value {
    match choices.below(3) {
        0 => json!([{"Identifier": "one", "Size": "1"}, {"Identifier": "two", "Size": "2"}]),
        1 => json!({"one": {"Size": "1"}, "two": {"Size": 2}}),
        _ => {
            let source = json!([{"name": "one", "sizes": ["1"]}, {"name": "two", "sizes": ["2"]}]);
            json!({"Fn::Flatten": {
                "Source": source,
                "Transform": {
                    "Template": {"Identifier": "$item.name", "Size": "$size"},
                    "Variables": {"size": "$item.sizes[*]"}
                }
            }})
        }
    }
}

/// Changes of what the module makes.
fn overrides(choices: &mut Choices<'_>) -> Value {
    let scope = Scope::new(Facts::default());
    let mut changed = json!({"Properties": {"DisplayName": known(choices, &scope), "More": {"Ref": "Fixed"}}});
    match choices.below(6) {
        0 => changed["Metadata"] = json!({"Of": known(choices, &scope)}),
        1 => changed["DependsOn"] = json!("Fixed"),
        2 => changed["DeletionPolicy"] = json!("Retain"),
        3 => changed["Properties"]["Tags"] = json!([{"Key": "k", "Value": known(choices, &scope)}]),
        4 => changed["DependsOn"] = json!(["Net", "Fixed"]),
        _ => {}
    }
    json!({"Box": changed})
}
