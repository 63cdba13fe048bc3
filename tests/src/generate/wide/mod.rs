//! Projects with every part of the module language, all of it right, in a template and in a module: packages, constants,
//! modules in modules, imports in every kind of loop, overrides, conditions of imports, objects and their keys,
//! schemas of parameters, `Fn::Flatten`, `Fn::Invoke` and `Fn::Merge`.

mod files;
mod imports;
mod values;

use formwork_syntax::value::Value;
use serde_json::json;

use super::choices::Choices;
use super::projects::Project;
use super::rooted::{OUTPUTS, ROOT};
use imports::imports;
use values::{Scope, resource, value};

/// Data as it is written in JSON.
fn data(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(truth) => Value::Bool(*truth),
        serde_json::Value::Number(number) => Value::Number(number.to_string()),
        serde_json::Value::String(text) => Value::String(text.clone()),
        serde_json::Value::Array(items) => Value::List(items.iter().map(data).collect()),
        serde_json::Value::Object(members) => {
            Value::Map(members.iter().map(|(name, value)| (name.clone(), data(value))).collect())
        }
    }
}

/// What the values of a template may name beside what every project has.
#[derive(Clone, Default)]
struct Facts {
    /// Whether the import `Opt` has the output `Maybe`.
    has_maybe: bool,
}

/// A project; the template is the first file. The parameter `Stage` decides nothing that is expanded.
pub fn wide(choices: &mut Choices<'_>) -> Project {
    let is_archive = choices.one_in(3);
    let root = root(choices, is_archive);
    let module = files::module(choices);
    let mut files = vec![(ROOT, root), ("m.json", module.clone())];
    if is_archive {
        files.extend([("kit.zip/m.json", module), ("kit.zip/kit/outer.json", files::outer(choices))]);
    } else {
        files.push(("kit/outer.json", files::outer(choices)));
    }
    let texts = ["a", "b", "c2"].map(|item| (format!("{item}.txt"), Value::String(format!("text of {item}"))));
    files.into_iter().map(|(name, file)| (name.to_owned(), data(&file))).chain(texts).collect()
}

fn root(choices: &mut Choices<'_>, is_archive: bool) -> serde_json::Value {
    let (mut imports, facts) = imports(choices);
    let package = if is_archive {
        // The root of the archive is that of the package.
        imports["Deep"]["Source"] = json!("$kit/kit/outer.json");
        choices.of(&["./kit.zip", "kit.zip"])
    } else {
        choices.of(&["./kit", "kit"])
    };
    let scope = Scope::new(facts);
    let mut resources = json!({
        "Fixed": {"Type": "AWS::SNS::Topic", "Properties": {"One": value(choices, &scope, 2)}},
        "Rep": copied(choices)
    });
    for at in 0..=choices.below(3) {
        let (name, entry) = entry(choices, &scope, at);
        resources[name] = entry;
    }
    let mut outputs = json!({OUTPUTS[0]: {"Value": value(choices, &scope, 0)}});
    let looped = json!({"Out${Name}": {"Value": value(choices, &scope.with("Name", true), 0)}});
    outputs["Fn::ForEach::Outs"] = json!(["Name", ["a", "b"], looped]);
    let mut conditions = json!({
        "IsDev": {"Fn::Equals": [{"Ref": "AWS::StackName"}, "dev"]},
        "IsOther": {"Fn::Not": [{"Condition": "IsDev"}]}
    });
    if choices.one_in(3) {
        let fragment =
            json!({"Is${C}": {"Fn::Equals": [{"Ref": "AWS::StackName"}, {"Fn::Sub": "${C}-${Const::Base}"}]}});
        conditions["Fn::ForEach::Conditions"] = json!(["C", ["x", "y"], fragment]);
    }
    json!({
        "Transform": "AWS::LanguageExtensions",
        "Packages": {"kit": {"Source": package}},
        "Constants": {
            "Base": "b",
            "Both": "${Const::Base}-x",
            "Data": {"A": "a", "B": ["b1", {"C": "c"}]},
            "List": ["a", "b"]
        },
        "Parameters": {
            "Stage": {"Type": "String", "Default": "dev"},
            "Kinds": {"Type": "CommaDelimitedList", "Default": "a,b"}
        },
        "Mappings": {"Table": {
            "a": {"Size": "1", "Names": ["x", "y"]},
            "b": {"Size": 2, "Names": ["z"]},
            "c2": {"Size": "3", "Names": []}
        }},
        "Conditions": conditions,
        "Modules": imports,
        "Resources": resources,
        "Outputs": outputs
    })
}

/// A resource with `ForEach`, whose copies have loops.
fn copied(choices: &mut Choices<'_>) -> serde_json::Value {
    let collections = [
        json!("x,y"),
        json!({"x": {"Port": "80"}, "y": {"Port": "81"}}),
        json!([{"Identifier": "x", "Port": 80}, {"Identifier": "y", "Port": [1, "2"]}]),
        json!({"Fn::FindInMap": ["Table", "a", "Names"]}),
    ];
    let properties = json!({"Id": "$Identifier", "At": {"Fn::Sub": "${Index}-${Stage}"}, "All": "$Value"});
    let which = choices.below(collections.len());
    let mut copied = json!({"Type": "AWS::SNS::Topic", "ForEach": collections[which], "Properties": properties});
    let fragment = match choices.below(6) {
        0 => json!({"Fn::Sub": "$Identifier${W}-$Index"}),
        1 => json!({"Fn::Sub": "${Index}${W}${Identifier}"}),
        2 => json!({"Fn::Join": ["", ["$Identifier", {"Ref": "W"}, {"Fn::GetAtt": "Net.Label"}]]}),
        3 => json!({"Fn::Sub": ["${V}-${W}", {"V": "$Identifier"}]}),
        4 => json!({"W": {"Ref": "W"}, "All": "$Value"}),
        _ => return copied,
    };
    let own = ["Ports", "Names"][choices.below(2)];
    copied["Properties"][own] = if choices.one_in(2) {
        json!({"Fn::Map": {"Value": "W", "Collection": ["1", "$Identifier"], "Fragment": fragment}})
    } else {
        json!({"Fn::ForEach::Parts": ["W", ["p", "q"], {"K${W}": fragment}]})
    };
    copied
}

/// An entry of the resources: one, a loop of them, or a merge.
fn entry(choices: &mut Choices<'_>, scope: &Scope, at: usize) -> (String, serde_json::Value) {
    let variable = format!("N{at}");
    let (collection, is_item) = values::collection(choices, scope);
    let inner = scope.with(&variable, is_item);
    match choices.below(4) {
        0 => (format!("Own{at}"), resource(choices, scope)),
        1 if at == 0 => {
            let key = format!("Mapped&{{{variable}}}");
            let mapped = json!({
                "Value": variable,
                "Collection": collection,
                "Key": key,
                "Fragment": resource(choices, &inner)
            });
            let plain = json!({"Merged": resource(choices, scope)});
            ("Fn::Merge".to_owned(), json!([{"Fn::Map": mapped}, plain]))
        }
        2 => {
            let nested = format!("I{at}");
            let (other, is_item) = values::collection(choices, &inner);
            let own = resource(choices, &inner.with(&nested, is_item));
            let body = json!({
                format!("R{at}x${{{variable}}}"): resource(choices, &inner),
                format!("Fn::ForEach::Inner{at}"): [nested, other, {format!("T{at}x${{{variable}}}x&{{I{at}}}"): own}]
            });
            (format!("Fn::ForEach::Loop{at}"), json!([variable, collection, body]))
        }
        _ => {
            let body = json!({format!("R{at}x&{{{variable}}}"): resource(choices, &inner)});
            (format!("Fn::ForEach::Loop{at}"), json!([variable, collection, body]))
        }
    }
}
