//! Answers to words of other tools (reference/command-line.md#habits).
//!
//! The table decides, not a distance between words: `destroy` of Terraform is `delete`, whatever it resembles. The
//! distance is for typing errors, and never leads from a harmless word to one that changes something.

mod misplaced;
mod more_commands;
mod more_options;
mod near;
mod operations;
mod table;
mod tools;

#[cfg(test)]
mod tests;

pub(crate) use misplaced::misplaced;
pub(crate) use near::{near, near_foreign};
pub(crate) use tools::without_tools;

#[derive(Debug)]
struct Foreign {
    word: &'static str,
    /// The tool, as a sentence names it.
    tool: &'static str,
    /// The commands to which the row applies, including their subcommands; empty for all.
    on: &'static [&'static str],
    answer: Answer,
}

#[derive(Clone, Copy, Debug)]
enum Answer {
    Here(&'static str),
    /// A missing feature, after "Formwork does not".
    Absent(&'static str),
    /// A whole sentence of advice.
    Advice(&'static str),
}

const COMPARISON: &str = "https://github.com/formwork-cfn/formwork/blob/main/docs/comparison.md";

impl Foreign {
    fn is_for(&self, command: &str) -> bool {
        let is_below =
            |on: &&str| command.strip_prefix(on).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        self.on.is_empty() || self.on.iter().any(is_below)
    }

    /// Returns `true` if a row for all commands is right for one: it has the option in the row.
    fn fits(&self, has: &dyn Fn(&str) -> bool) -> bool {
        let Answer::Here(answer) = self.answer else { return true };
        let name = answer.trim_start_matches('`').split(['`', ' ']).next().unwrap_or_default();
        !self.on.is_empty() || !name.starts_with('-') || has(name)
    }

    fn help(&self) -> String {
        let last = self.word.rsplit(' ').next().unwrap_or(self.word);
        match self.answer {
            Answer::Here(name) if self.tool == OTHERS => format!("write {name}"),
            Answer::Here(name) => format!("`{last}` of {} is {name}", self.tool),
            Answer::Absent(what) => format!("Formwork does not {what}: {COMPARISON}"),
            Answer::Advice(advice) => advice.to_owned(),
        }
    }
}

/// Used instead of a tool if the word is common.
const OTHERS: &str = "other tools";

fn all_commands() -> impl Iterator<Item = &'static Foreign> {
    table::COMMANDS.iter().chain(more_commands::COMMANDS)
}

fn all_options() -> impl Iterator<Item = &'static Foreign> {
    table::OPTIONS.iter().chain(more_options::OPTIONS)
}

/// The help for a word that is not a command below `parent`, which is empty for the program.
pub(crate) fn command(parent: &str, word: &str) -> Option<String> {
    let name = if parent.is_empty() { word.to_owned() } else { format!("{parent} {word}") };
    let row = all_commands().find(|row| row.word == name).map(Foreign::help);
    row.or_else(|| operations::help(word).filter(|_| parent.is_empty()))
}

/// The help for an option that a command does not have. `has` checks the other options.
pub(crate) fn option(command: &str, option: &str, has: &dyn Fn(&str) -> bool) -> Option<String> {
    let is_answer = |row: &&Foreign| row.word == option && row.is_for(command) && row.fits(has);
    all_options().find(is_answer).map(Foreign::help)
}

pub(crate) fn commands(parent: &str) -> impl Iterator<Item = &'static str> {
    all_commands().filter_map(move |row| match (parent, row.word.split_once(' ')) {
        ("", None) => Some(row.word),
        (parent, Some((group, word))) if group == parent => Some(word),
        _ => None,
    })
}

/// The options of SAM CLI that Formwork does not have, but that may be in its configuration file.
pub(crate) fn options_of_sam() -> impl Iterator<Item = &'static str> {
    let rows = all_options().filter(|row| row.tool == "SAM CLI").map(|row| row.word);
    rows.chain([
        "version",
        "hook-package-id",
        "skip-prepare-infra",
        "signing-profiles",
        "image-repositories",
        "no-prompts",
        "tracing",
        "dependency-manager",
        "exclude",
        "template-file",
        "use-json",
    ])
}

pub(crate) fn options(command: &str) -> impl Iterator<Item = &'static str> {
    let rows = all_options().filter(move |row| row.is_for(command) && row.word.starts_with("--"));
    rows.map(|row| row.word)
}
