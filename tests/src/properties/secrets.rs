//! The value of a `NoEcho` parameter is seen nowhere.
//!
//! Holds reference/parameters.md#no-echo.

use formwork::{Compilation, Goal, Options, SourceFile, Values};
use formwork_report::{Context, human, json, rules, short};

use super::solved_rules::with_account;
use super::{Verdict, compile, with_parameters};
use crate::generate::{CANARY, Choices, RULES_DOMAINS};

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
        let context = Context { sources: result.sources(), secrets: result.secrets(), color: false };
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

/// Every diagnostic in every form.
fn reported(result: &Compilation) -> String {
    let context = Context { sources: result.sources(), secrets: result.secrets(), color: false };
    let forms = [human::render, short::render, json::render];
    result.diagnostics().iter().flat_map(|found| forms.map(|render| render(found, &context))).collect()
}
