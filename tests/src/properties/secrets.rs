//! The value of a `NoEcho` parameter is seen nowhere.
//!
//! Holds reference/parameters.md#no-echo.

use formwork::{Compilation, Goal, Options, Session, SourceFile, Values, codes};
use formwork_report::{Context, human, json, rules, short};
use formwork_syntax::value::Value;

use super::solved_rules::with_account;
use super::{Verdict, compile, with_parameters};
use crate::generate::{CANARY, Choices, Project, RULES_DOMAINS, json as json_text};

/// The law for one template with a parameter `Secret`.
///
/// # Errors
/// In words.
pub fn secrets(text: &str) -> Verdict {
    let given = with_parameters(&[("Secret", CANARY), ("Stage", "dev")]);
    for values in [Values::Keep, Values::Pin, Values::All] {
        for stage in [Goal::Expand, Goal::Resolve, Goal::Check] {
            let options = formwork::Options { values, ..given.clone() };
            let result = compile(text, &options, stage);
            let mut said = reported(&result);
            if let Ok(output) = result.output() {
                said.push_str(&output.render(None));
                let map = output.write_with_map(None, "out", &mut |_| {});
                said.push_str(&map.unwrap_or_default());
            }
            if said.contains(CANARY) {
                return Err(format!("{} shows the secret\n{text}\n---\n{said}", stage.name()));
            }
        }
    }
    Ok(())
}

/// The law for a project with a parameter `Stage`, which is made a secret.
///
/// # Errors
/// In words.
pub fn secrets_of_projects(project: &Project) -> Verdict {
    let Some((name, root)) = project.first() else { return Ok(()) };
    let root = json_text(&with_secret(root));
    let others = project.iter().skip(1).map(|(name, file)| (name.as_str(), json_text(file)));
    let host = super::host(others.chain([(name.as_str(), root)]));
    for values in [Values::Keep, Values::Pin, Values::All] {
        for goal in [Goal::Expand, Goal::Resolve, Goal::Check] {
            let options = Options { values, ..with_parameters(&[("Stage", CANARY)]) };
            let result = Session::new(&host, options).compile(name, goal);
            let mut said = reported(&result);
            if let Ok(output) = result.output() {
                said.push_str(&output.render(None));
                said.push_str(&output.write_with_map(None, "out", &mut |_| {}).unwrap_or_default());
            }
            if said.contains(CANARY) {
                let files: Vec<String> =
                    project.iter().map(|(name, file)| format!("{name}: {}", json_text(file))).collect();
                return Err(format!("{} shows the secret\n{}\n---\n{said}", goal.name(), files.join("\n")));
            }
        }
    }
    Ok(())
}

/// The template with `Stage` as a secret.
fn with_secret(root: &Value) -> Value {
    let Value::Map(sections) = root else { return root.clone() };
    let secret = [("Type", Value::String("String".to_owned())), ("NoEcho", Value::Bool(true))];
    let secret = Value::Map(secret.map(|(name, value)| (name.to_owned(), value)).to_vec());
    let of = |(name, value): &(String, Value)| match value {
        Value::Map(all) if name == "Parameters" => {
            let other = all.iter().filter(|(name, _)| name != "Stage").cloned();
            (name.clone(), Value::Map(other.chain([("Stage".to_owned(), secret.clone())]).collect()))
        }
        _ => (name.clone(), value.clone()),
    };
    Value::Map(sections.iter().map(of).collect())
}

/// The law for a file of parameter values, whatever is wrong with it.
///
/// # Errors
/// In words.
pub fn secrets_of_files(text: &str) -> Verdict {
    const TEMPLATE: &str = "Parameters: {Secret: {Type: String, NoEcho: true}, Stage: {Type: String, Default: dev, AllowedValues: [dev]}}\nResources: {R: {Type: 'AWS::SNS::Topic'}}\n";
    for name in ["values.json", "values.yaml"] {
        let file = SourceFile { path: name.into(), display: name.into(), bytes: text.as_bytes().into() };
        let options = Options { parameter_files: vec![file], ..Options::default() };
        for stage in [Goal::Resolve, Goal::Check, Goal::Rules, Goal::Deploy] {
            let result = compile(TEMPLATE, &options, stage);
            let said = reported(&result);
            if said.contains(CANARY) {
                return Err(format!("{} shows the secret\n{text}\n---\n{said}", stage.name()));
            }
        }
    }
    Ok(())
}

/// The law for a template in which the declaration of the secret is broken by one mark.
///
/// # Errors
/// In words.
pub fn secrets_of_broken_texts(choices: &mut Choices<'_>) -> Verdict {
    let flag = choices.of(&["true", "\"TRUE\"", "1", "!Ref Stage", "yes", "[true]"]);
    let value = choices
        .of(&[
            "X",
            "\"X\"",
            "'X'",
            "|\n      X\n      X",
            ">\n      a\n     X",
            "\"a\n      X\"",
            "!X",
            "!X a",
            "*X",
            "&X",
            "[X]",
        ])
        .replace('X', CANARY);
    let declaration = format!("  Secret:\n    Type: String\n    NoEcho: {flag}\n    Default: ");
    let rest = "\n    Description: x\nResources:\n  Topic: {Type: AWS::SNS::Topic}\n";
    let mark = choices.of(&["", "\"", "'", "{", "}", "[", "]", ": ", "- ", "\t", "|", "\n", "\n ", "? ", "@"]);
    // After the words that announce a secret, and not inside of it.
    let place = choices.below(4);
    let (front, behind) = match place {
        0 => (mark, ""),
        1 => ("", mark),
        _ => ("", ""),
    };
    let at = choices.below(rest.len());
    let rest = if place > 1 { [&rest[..at], mark, &rest[at..]].concat() } else { rest.to_owned() };
    let text = format!("Parameters:\n{declaration}{front}{value}{behind}{rest}");
    for stage in [Goal::Expand, Goal::Check] {
        let result = compile(&text, &Options::default(), stage);
        let said = reported(&result);
        if said.contains(CANARY) {
            return Err(format!("{} shows the secret\n{text}\n---\n{said}", stage.name()));
        }
    }
    Ok(())
}

/// The law for a template that ends in the middle of its secret's declaration, or whose key `NoEcho` is damaged there, beside
/// an error in the syntax.
///
/// # Errors
/// In words.
pub fn secrets_of_cut_texts(choices: &mut Choices<'_>) -> Verdict {
    let is_json = choices.one_in(3);
    let other = choices.of(&["", "    Description: some words\n", "    MinLength: 3\n    MaxLength: 30\n"]);
    let head = if is_json {
        format!(
            "{{\n \"Parameters\": {{\n  \"Stage\": {{\"Type\": \"String\", \"Default\": \"dev\"}},\n  \"Secret\": {{\n   \"Type\": \"String\",\n   \"Default\": \"{CANARY}\",\n"
        )
    } else {
        let stage = choices.of(&[
            "",
            "  Stage: {Type: String, Default: dev}\n",
            "  Stage:\n    Default: dev\n    Type: String\n",
        ]);
        format!("Parameters:\n{stage}  Secret:\n    Type: String\n    Default: {CANARY}\n{other}")
    };
    let tail = if is_json {
        "   \"NoEcho\": true\n  }\n },\n \"Resources\": {\"Topic\": {\"Type\": \"AWS::SNS::Topic\"}}\n}\n".to_owned()
    } else {
        let flag = choices.of(&["true", "'true'", "\"true\"", "\n      true"]);
        format!("    NoEcho: {flag}\nResources:\n  Topic: {{Type: AWS::SNS::Topic}}\n")
    };
    let tail = match choices.below(5) {
        // The end of the file, at any byte.
        0 | 1 => tail[..choices.below(tail.len())].to_owned(),
        // Another indentation, and an error.
        2 => format!("{}{}", choices.of(&[" ", "   ", "\t", "     "]), tail.trim_start()),
        // A part of the key is something else.
        which => {
            let key = tail.find("NoEcho").unwrap_or_default();
            let (from, to) = (key + choices.below(7), key + 6);
            let mark = choices.of(&["", "\"", "'", "{", "[", "]", "}", ": ", "\t", "@", "\n", "#", "|", "&", "*", "!"]);
            let rest = if which == 3 { &tail[to..] } else { &tail[from..] };
            [&tail[..from], mark, rest].concat()
        }
    };
    let text = head + &tail;
    for stage in [Goal::Expand, Goal::Check] {
        let result = compile(&text, &Options::default(), stage);
        let is_broken = result.diagnostics().iter().any(|found| found.code == codes::NOT_WELL_FORMED);
        let said = reported(&result);
        if is_broken && said.contains(CANARY) {
            return Err(format!("{} shows the secret\n{text}\n---\n{said}", stage.name()));
        }
    }
    Ok(())
}

/// The law for one template with random rules that look at the secret.
///
/// # Errors
/// In words.
pub fn secrets_of_rules(text: &str) -> Verdict {
    let mut values: Vec<(&str, &str)> = RULES_DOMAINS.iter().map(|(name, values)| (*name, values[0])).collect();
    values.push(("Secret", CANARY));
    let given = with_account(with_parameters(&values));
    let searching = with_account(with_parameters(&[("Secret", CANARY)]));
    for (stage, options) in
        [(Goal::Rules, &given), (Goal::Resolve, &given), (Goal::Check, &given), (Goal::Solve, &searching)]
    {
        let result = compile(text, options, stage);
        let context = Context { sources: result.sources(), secrets: result.secrets(), color: false, width: None };
        let mut said = reported(&result);
        if let Some(report) = result.rules() {
            said.push_str(&rules::check_json(report, result.sources()));
            said.push_str(&rules::check_text(report, &context));
        }
        if stage == Goal::Solve {
            let (Some(Ok(solution)), Some(Ok(table))) = (result.solve(None), result.tabulate(None)) else {
                return Err(format!("no answer to\n{text}"));
            };
            said.push_str(&rules::solve_json(&solution));
            said.push_str(&rules::solve_text(&solution));
            said.push_str(&rules::table_json(&table));
            said.push_str(&rules::table_text(&table));
        }
        if said.contains(CANARY) {
            return Err(format!("{} shows the secret\n{text}\n---\n{said}", stage.name()));
        }
    }
    Ok(())
}

/// A secret decides a condition as any other value does, whatever functions are in between.
///
/// # Errors
/// In words.
pub fn secrets_decide(choices: &mut Choices<'_>) -> Verdict {
    let left = computed_text(choices, 3);
    let right = match choices.below(4) {
        0 => "nope".to_owned(),
        1 => computed_text(choices, 2).replace("Secret", "Other"),
        _ => left.replace("Secret", "Other"),
    };
    let other = choices.of(&[CANARY, "other-canary-5f2c"]);
    let given = with_parameters(&[("Secret", CANARY), ("Other", other)]);
    let decided = |no_echo: bool| {
        let text = format!(
            "Transform: AWS::LanguageExtensions\nParameters:\n  Secret: {{Type: String, NoEcho: {no_echo}}}\n  Other: {{Type: String, NoEcho: {no_echo}}}\nMappings:\n  Map:\n    {CANARY}: {{V: mapped}}\nConditions:\n  Always: !Equals [a, a]\n  C: !Equals [{left}, {right}]\nResources:\n  Topic: {{Type: 'AWS::SNS::Topic'}}\n  Under: {{Type: 'AWS::SNS::Topic', Condition: C}}\n  Value: {{Type: 'AWS::SNS::Topic', Properties: {{TopicName: !If [C, is-so, is-not]}}}}\n"
        );
        let result = compile(&text, &given, Goal::Resolve);
        // The mapping and the conditions are written as they are.
        let written = result.output().ok().map(|output| output.render(None)).unwrap_or_default();
        let resources = written.split_once("\nResources:").map_or("", |(_, resources)| resources).to_owned();
        let said = reported(&result) + &resources;
        if no_echo && said.contains(CANARY) {
            return Err(format!("the secret is shown\n{text}\n---\n{said}"));
        }
        Ok((result.diagnostics().iter().map(|found| found.code).collect::<Vec<_>>(), resources, text))
    };
    let (plain, secret) = (decided(false)?, decided(true)?);
    if plain.1 != secret.1 {
        return Err(format!("{}\n---\n{}\n--- and as a secret\n{}", plain.2, plain.1, secret.1));
    }
    Ok(())
}

/// A text that functions compute of the parameter `Secret`.
fn computed_text(choices: &mut Choices<'_>, depth: usize) -> String {
    if depth == 0 {
        return choices.of(&["{Ref: Secret}", "{'Fn::Sub': '${Secret}'}", "{'Fn::Sub': 'a-${Secret}b'}"]).to_owned();
    }
    match choices.below(9) {
        0 => computed_text(choices, 0),
        1 => format!("{{'Fn::Sub': ['${{V}}x', {{V: {}}}]}}", computed_text(choices, depth - 1)),
        2 => format!("{{'Fn::Join': ['-', [{}, b]]}}", computed_text(choices, depth - 1)),
        3 => format!("{{'Fn::Join': ['+', {}]}}", computed_list(choices, depth - 1)),
        4 => format!("{{'Fn::Select': [0, {}]}}", computed_list(choices, depth - 1)),
        5 => format!("{{'Fn::Base64': {}}}", computed_text(choices, depth - 1)),
        6 => format!("{{'Fn::ToJsonString': {{k: {}}}}}", computed_text(choices, depth - 1)),
        // A list that only the deployment knows has no place in a text.
        7 => format!("{{'Fn::ToJsonString': [x, {}]}}", computed_text(choices, depth - 1)),
        _ => format!("{{'Fn::If': [Always, {}, x]}}", computed_text(choices, depth - 1)),
    }
}

/// A list that functions compute of it.
fn computed_list(choices: &mut Choices<'_>, depth: usize) -> String {
    if choices.one_in(2) {
        format!("{{'Fn::Split': ['-', {}]}}", computed_text(choices, depth))
    } else {
        format!("[{}, b, {}]", computed_text(choices, depth), computed_text(choices, 0))
    }
}

/// Every diagnostic in every form.
fn reported(result: &Compilation) -> String {
    let context = Context { sources: result.sources(), secrets: result.secrets(), color: false, width: None };
    let forms = [human::render, short::render, json::render];
    result.diagnostics().iter().flat_map(|found| forms.map(|render| render(found, &context))).collect()
}
