//! Loops in which placeholders are where `Fn::Sub` is not: in plain strings of every style, in names, as
//! arguments of functions.

use super::Choices;

const TEXTS: [&str; 8] =
    ["${N}", "x${N}", "${N}y", "x-${N}.${N}", "${N}${N}", "${N}-${Gone}", "${N}${!Kept}", "a b ${N}: c"];
const NAMES: [&str; 4] = ["Topic${N}", "${N}Topic", "Topic${N}Of${M}", "Env${N}"];

/// A template in YAML, with short tags or long names, or in JSON.
pub fn placeholders(choices: &mut Choices<'_>) -> String {
    let spelling = choices.of(&["short", "long", "json"]);
    let mut properties = Vec::new();
    for at in 0..=choices.below(4) {
        properties.push((format!("P{at}"), value(choices, spelling, 2)));
    }
    let depends = choices.below(3);
    let name = choices.of(&NAMES);
    if spelling == "json" {
        let properties: Vec<String> = properties.iter().map(|(name, value)| format!("{name:?}: {value}")).collect();
        let depends = if depends == 0 { format!("\"DependsOn\": {name:?}, ") } else { String::new() };
        return format!(
            r#"{{"Transform": "AWS::LanguageExtensions", "Parameters": {{"Env": {{"Type": "String", "Default": "dev"}}}},
  "Conditions": {{"Isa": {{"Fn::Equals": ["a", "a"]}}, "Isb": {{"Fn::Equals": ["a", "b"]}}}},
  "Mappings": {{"Map": {{"a": {{"k": "one"}}, "b": {{"k": "two"}}}}}},
  "Resources": {{
    "Fn::ForEach::Outer": ["N", ["a", "b"], {{
      "Fn::ForEach::Inner": ["M", ["c"], {{
        "Topic${{N}}": {{"Type": "AWS::SNS::Topic"}}, "${{N}}Topic": {{"Type": "AWS::SNS::Topic"}},
        "Topic${{N}}Of${{M}}": {{"Type": "AWS::SNS::Topic"}},
        "User${{N}}": {{"Type": "AWS::SNS::Topic", {depends}"Properties": {{{}}}}}
      }}]
    }}]
  }}
}}
"#,
            properties.join(", ")
        );
    }
    let mut out = "Transform: AWS::LanguageExtensions\nParameters:\n  Env: {Type: String, Default: dev}\n\
Conditions:\n  Isa: {Fn::Equals: [a, a]}\n  Isb: {Fn::Equals: [a, b]}\n\
Mappings:\n  Map: {a: {k: one}, b: {k: two}}\nResources:\n  Fn::ForEach::Outer:\n  - N\n  - [a, b]\n\
  - Fn::ForEach::Inner:\n    - M\n    - [c]\n    - Topic${N}:\n        Type: AWS::SNS::Topic\n\
      ${N}Topic:\n        Type: AWS::SNS::Topic\n      Topic${N}Of${M}:\n        Type: AWS::SNS::Topic\n\
      User${N}:\n        Type: AWS::SNS::Topic\n"
        .to_owned();
    match depends {
        0 => out.extend(["        DependsOn: ", name, "\n"]),
        1 => out.push_str("        Condition: Is${N}\n"),
        _ => {}
    }
    out.push_str("        Properties:\n");
    for (name, value) in properties {
        if value.starts_with('\n') {
            out.extend(["          ", &name, ": |", &value]);
        } else {
            out.extend(["          ", &name, ": ", &value, "\n"]);
        }
    }
    out
}

/// A value on one line, or the lines of a block scalar.
fn value(choices: &mut Choices<'_>, spelling: &str, depth: u32) -> String {
    let text = choices.of(&TEXTS);
    let name = choices.of(&NAMES);
    let is_block = depth == 2;
    let quoted = |text: &str| format!("{text:?}");
    let long = |function: &str, argument: &str| match spelling {
        "json" => format!("{{\"{function}\": {argument}}}"),
        _ => format!("{{{function}: {argument}}}"),
    };
    let call = |short: &str, function: &str, argument: &str| match spelling {
        "short" => format!("!{short} {argument}"),
        _ => long(function, argument),
    };
    match choices.below(if depth == 0 { 4 } else { 11 }) {
        0 if spelling != "json" && is_block && !text.contains(": ") => text.to_owned(),
        1 if spelling != "json" => format!("'{text}'"),
        2 if spelling != "json" && is_block => format!("\n            {text}\n            more\n"),
        0..=3 => quoted(text),
        4 if spelling == "short" && is_block => format!("!Ref {name}"),
        4 => call("Ref", "Ref", &quoted(name)),
        5 if spelling == "short" && is_block => format!("!GetAtt {name}.TopicName"),
        5 => call("GetAtt", "Fn::GetAtt", &quoted(&format!("{name}.TopicName"))),
        6 => call("GetAtt", "Fn::GetAtt", &format!("[{}, \"TopicName\"]", quoted(name))),
        7 => call("ImportValue", "Fn::ImportValue", &quoted(text)),
        8 => {
            let inner = value(choices, spelling, depth - 1);
            let inner = if inner.starts_with('\n') { quoted(text) } else { inner };
            call("Join", "Fn::Join", &format!("[\"-\", [{inner}, \"c\"]]"))
        }
        9 => {
            let then = value(choices, spelling, depth - 1);
            let then = if then.starts_with('\n') { quoted(text) } else { then };
            call("If", "Fn::If", &format!("[\"Isa\", {then}, {}]", quoted(text)))
        }
        _ => call("FindInMap", "Fn::FindInMap", "[\"Map\", \"${N}\", \"k\"]"),
    }
}
