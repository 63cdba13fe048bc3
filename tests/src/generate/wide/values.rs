//! Values of the template.

use serde_json::{Value, json};

use super::Facts;
use crate::generate::choices::Choices;
use crate::generate::loop_scope;

/// Variables of the loops around a value, with what there is in the file.
pub(super) type Scope = loop_scope::Scope<Facts>;

fn sub(pattern: impl Into<String>) -> Value {
    json!({"Fn::Sub": pattern.into()})
}

fn attribute(import: &Value, member: &str) -> Value {
    json!({"Fn::GetAtt": [import, member]})
}

fn one_of(choices: &mut Choices<'_>, names: &[&str]) -> Value {
    json!({"Fn::GetAtt": choices.of(names)})
}

/// Items that are alphanumeric, and whether imports and files are named by them.
pub(super) fn collection(choices: &mut Choices<'_>, scope: &Scope) -> (Value, bool) {
    match choices.below(10) {
        0 => (json!({"Fn::GetAtt": "Each[*].Label"}), true),
        1 => (attribute(&sub(format!("M{}", scope.item())), "Zones"), false),
        2 => (json!({"Fn::FindInMap": ["Table", sub(scope.item()), "Names"]}), false),
        3 => (json!({"Fn::GetAtt": "Net.Conf.Kinds"}), false),
        4 => (json!({"Ref": "Const::List"}), true),
        5 => (json!({"Ref": "Kinds"}), true),
        6 => (json!({"Fn::Flatten": {"Source": {"l": [{"n": "a"}, {"n": "b"}]}, "Pattern": "$.l[*].n"}}), true),
        7 => (json!({"Fn::Invoke": ["Net", {"Names": "b, c2"}, "Names"]}), true),
        _ => (json!(&["a", "b", "c2"][..=choices.below(3)]), true),
    }
}

pub(super) fn resource(choices: &mut Choices<'_>, scope: &Scope) -> Value {
    let names = ["One", "Two", "Three", "Four"];
    let count = 1 + choices.below(4);
    let properties: serde_json::Map<String, Value> =
        names.iter().take(count).map(|&name| (name.to_owned(), value(choices, scope, 3))).collect();
    let mut resource = json!({"Type": "AWS::SNS::Topic", "Properties": properties});
    match choices.below(10) {
        0 => resource["DependsOn"] = json!(choices.of(&["Net", "Deep", "Each", "Fixed"])),
        1 => resource["DependsOn"] = json!(["Fixed", sub(format!("M{}", scope.item()))]),
        2 => resource["Condition"] = json!(choices.of(&["IsDev", "IsOther"])),
        3 => resource["DeletionPolicy"] = json!("Retain"),
        4 => resource["Metadata"] = json!({"Of": value(choices, scope, 1)}),
        _ => {}
    }
    resource
}

/// A value that is known, a string.
pub(super) fn known(choices: &mut Choices<'_>, scope: &Scope) -> Value {
    match (choices.below(9), scope.names.last()) {
        (0, _) => json!({"Ref": "Stage"}),
        (1, _) => sub("${Stage}-${Const::Base}"),
        (2, _) => json!({"Ref": "Const::Both"}),
        (3 | 4, Some(name)) => json!({"Ref": name}),
        (5, Some(name)) => sub(format!("x-${{{name}}}-${{Stage}}")),
        (6, Some(name)) => json!({"Fn::Join": ["-", [{"Ref": name}, "j"]]}),
        (7, _) => json!({"Fn::FindInMap": ["Table", sub(scope.item()), "Size"]}),
        _ => json!(choices.of(&["plain", "é", "a b", "yes", "${!Literal}"])),
    }
}

/// A value: a string at depth 0.
pub(super) fn value(choices: &mut Choices<'_>, scope: &Scope, depth: usize) -> Value {
    let item = scope.item();
    let kind = choices.below(if depth == 0 { 12 } else { 30 });
    match kind {
        0 => one_of(choices, &["Net.Arn", "Net.Label", "Net.Text", "Net.Sizes.small", "Net.Conf.Tags.Team"]),
        1 => attribute(&sub(format!("M{item}")), choices.of(&["Arn", "Label", "Text", "Size", "Choice"])),
        2 => attribute(&sub(format!("Each[{item}]")), choices.of(&["Arn", "Label", "Joined", "Conf.Size"])),
        3 => one_of(choices, &["Deep.Label", "Deep.First", "Over.Arn", "Over.Label", "Obj[one].Label", "Obj[1].Size"]),
        4 => json!({"Fn::GetAtt": ["Net", sub(format!("Sizes.{item}"))]}),
        5 => sub(choices.of(&[
            "x-${Net.Label}",
            "${Net.Text}/y",
            "${Obj[0].Label}-z",
            "${Ma.Label}${Mb.Arn}",
            "${Deep.First}!",
            "${Each[a].Conf.Size}",
            "${Opt.Joined}${Over.Id}",
        ])),
        6 => {
            json!({"Fn::Invoke": ["Net", {"Label": known(choices, scope)}, choices.of(&["Label", "Joined", "Choice"])]})
        }
        7 => json!({"Fn::InsertFile": sub(format!("{item}.txt"))}),
        8..12 => known(choices, scope),
        12 => {
            one_of(choices, &["Each[*].Arn", "Each[*].Label", "Deep.Labels", "Deep.Arns", "Obj[*].Label", "Deep.Confs"])
        }
        13 => one_of(
            choices,
            &["Net.Conf", "Net.Sizes", "Net.Ports", "Net.UnitArns", "Cond.Arn", "Cond.Sizes", "Opt.Choice"],
        ),
        14 if scope.facts.has_maybe => json!({"Fn::GetAtt": "Opt.Maybe"}),
        15 => json!({"Ref": choices.of(&["Const::Data", "Const::List", "Fixed"])}),
        16 => one_of(choices, &["Each[*].Joined", "Net.Names", "Obj[*].Conf"]),
        17 => json!({"Fn::Invoke": [
            "Net",
            {"Label": known(choices, scope), "Conf": {"Size": value(choices, scope, 0), "Tags": {}, "Kinds": []}},
            ["Size", "Conf", "Zones"]
        ]}),
        18 => {
            let source =
                json!([{"n": value(choices, scope, depth - 1), "g": "x"}, {"n": "2", "g": choices.of(&["x", "y"])}]);
            // A call has no place in the text of a template.
            let mut flatten = json!({"Source": source});
            match choices.below(3) {
                0 => flatten["Pattern"] = json!("$[*].n"),
                1 => flatten["Transform"] = json!({"Template": {"N": "$item.n", "T": "t-$item.g"}}),
                _ => flatten = json!({"Source": [{"n": "1", "g": "x"}, {"n": "2", "g": "y"}], "GroupBy": "g"}),
            }
            json!({"Fn::Flatten": flatten})
        }
        19 => json!({"Fn::Merge": [
            {"A": value(choices, scope, depth - 1), "B": {"C": known(choices, scope)}},
            {"A": value(choices, scope, depth - 1), "B": {"D": "d"}},
            {"Fn::GetAtt": "Net.Sizes"}
        ]}),
        20 => {
            let name = format!("Item{depth}");
            let (collection, is_item) = collection(choices, scope);
            let own = value(choices, &scope.with(&name, is_item), depth - 1);
            let mut mapped =
                json!({"Value": name, "Collection": collection, "Fragment": [sub(format!("${{{name}}}-{item}")), own]});
            if choices.one_in(2) {
                mapped["Key"] = json!(format!("K-${{{name}}}"));
            }
            json!({"Fn::Map": mapped})
        }
        21 => json!({"Fn::If": [
            choices.of(&["IsDev", "IsOther"]),
            value(choices, scope, depth - 1),
            value(choices, scope, depth - 1)
        ]}),
        22 => json!({"Fn::Select": [choices.of(&["0", "1"]), {"Fn::GetAtt": "Deep.Labels"}]}),
        23 => json!({"Fn::Join": ["+", [known(choices, scope), {"Ref": "AWS::Region"}, value(choices, scope, 0)]]}),
        24 => json!({"Fn::Length": one_of(choices, &["Net.Names", "Each[*].Arn", "Deep.Confs"])}),
        25 => json!({"Fn::ToJsonString": {"A": value(choices, scope, depth - 1)}}),
        26 => (0..choices.below(3)).map(|_| value(choices, scope, depth - 1)).collect(),
        27 => json!({"A": value(choices, scope, depth - 1), "B": value(choices, scope, depth - 1)}),
        28 => {
            let name = format!("P{depth}");
            let (collection, is_item) = collection(choices, scope);
            let own = value(choices, &scope.with(&name, is_item), depth - 1);
            json!({
                format!("Fn::ForEach::Props{depth}"): [name, collection, {format!("K${{{name}}}"): own}],
                "Own": known(choices, scope)
            })
        }
        _ => one_of(choices, &["Rep[*].TopicArn", "Rep[x].TopicArn", "Rep[0].TopicArn", "Rep0.TopicArn"]),
    }
}
