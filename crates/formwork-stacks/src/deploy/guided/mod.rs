//! Implements `--guided`: asks for missing values, and saves the answers on request (reference/deploy.md#guided).

mod ask;

use std::path::Path;

use formwork::{Compilation, DeclaredParameter};
use formwork_deploy::{MissingCapability, PreviousValues};
use formwork_project::Failure;
use formwork_report::printable;
use formwork_run::console::confirm::is_yes;
use formwork_run::output;
use formwork_run::service_names::{check_stack, is_region};
use formwork_run::terminal;

use crate::saved_answers as saved;
use crate::saved_answers::Answers;

pub(super) use ask::{Guide, ask_for_capabilities, ask_for_parameters, offer_to_save};

pub(super) const NO_TERMINAL: &str = "--guided asks for what is missing, and standard input and standard error are not a terminal: leave it out, and pass `--stack-name`, `--region`, `--parameter-overrides` and `--capabilities`, or write them in samconfig.toml";

pub(super) const NO_ANSWER: &str = "the input ended before there was an answer";

/// Asks for the name of the stack. Signals are not handled yet, so Ctrl-C simply ends the program.
pub(super) fn stack_name(answers: &mut Answers) -> Result<String, Failure> {
    let name = ask_until("Stack name", "a letter first, then letters, digits and hyphens", is_stack_name)?;
    answers.stack_name = Some(name.clone());
    Ok(name)
}

pub(super) fn region(answers: &mut Answers) -> Result<String, Failure> {
    let name = ask_until("Region", "such as eu-west-1", is_region)?;
    answers.region = Some(name.clone());
    Ok(name)
}

fn ask_until(question: &str, rule: &str, is_fine: impl Fn(&str) -> bool) -> Result<String, Failure> {
    loop {
        terminal::say_question(&format!("{question}:"));
        let answer = read_line().ok_or(NO_ANSWER)?.trim().to_owned();
        if is_fine(&answer) {
            return Ok(answer);
        }
        terminal::say_line(&format!("  {rule}"));
    }
}

/// Reads a line of standard input without its line break; `None` at its end.
pub(super) fn read_line() -> Option<String> {
    let mut line = String::new();
    let length = std::io::stdin().read_line(&mut line).ok()?;
    (length > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
}

fn is_stack_name(name: &str) -> bool {
    !name.starts_with("arn:") && check_stack(name).is_ok()
}

pub(super) fn missing<'d>(
    declared: &'d [DeclaredParameter],
    previous: &'d PreviousValues,
) -> impl Iterator<Item = &'d DeclaredParameter> {
    declared.iter().filter(|one| one.given.is_none() && !one.has_default && !previous.names.contains(&one.name))
}

pub(super) fn question(parameter: &DeclaredParameter, compilation: &Compilation) -> String {
    let hint = compilation.parameter_hint(&parameter.name).unwrap_or_default();
    let mut words = vec![hint.kind];
    if parameter.no_echo {
        words.push("not shown".to_owned());
    } else if !hint.allowed.is_empty() {
        words.push(format!("one of {}", hint.allowed.join(", ")));
    }
    if let Some(description) = hint.description {
        words.push(description);
    }
    printable(&format!("Parameter {} ({}):", parameter.name, words.join("; "))).into_owned()
}

pub(super) fn acknowledgement(missing: &MissingCapability<'_>) -> String {
    format!("Acknowledge {}? [y/N]", missing.name)
}

pub(super) fn agrees(answer: Option<&str>) -> bool {
    answer.is_some_and(is_yes)
}

pub(super) fn offer(path: &Path) -> String {
    printable(&format!("Save these answers in {}? [y/N]", path.display())).into_owned()
}

pub(super) fn save(answers: &Answers, path: &Path, environment: Option<&str>) -> Result<(), String> {
    let limit = formwork::Limits::default().file_bytes;
    let text = match formwork::disk::read_named(path, limit) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| format!("{} is not UTF-8", path.display()))?,
        Err(formwork::ReadError::NotFound) => String::new(),
        Err(error) => return Err(format!("{} cannot be read: {error}", path.display())),
    };
    let text = saved::merged(&text, environment.unwrap_or("default"), answers)
        .ok_or_else(|| format!("{} is not a configuration file that answers can be added to", path.display()))?;
    Ok(output::write(Some(path), |out| out.write_all(text.as_bytes()))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_regions() {
        for name in ["eu-west-1", "us-gov-west-1", "ap-southeast-12", "eusc-de-east-1"] {
            assert!(is_region(name), "{name}");
        }
        for name in ["", "eu-west", "eu-west-1a", "EU-West-1", "eu--1", "west-1", "eu-west-100", "eu west 1"] {
            assert!(!is_region(name), "{name}");
        }
    }

    #[test]
    fn names_of_stacks() {
        for name in ["shop", "a", "Shop-7"] {
            assert!(is_stack_name(name), "{name}");
        }
        for name in ["", "7shop", "-shop", "a_b", "a b", &"a".repeat(129)] {
            assert!(!is_stack_name(name), "{name}");
        }
    }
}
