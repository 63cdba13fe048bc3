//! Tests of the table against the program: its answers exist, and none has the opposite effect.

use clap::{Arg, Command};

use super::near::CHANGING;
use super::{Answer, Foreign, all_commands, all_options};
use crate::args::program;

/// Words with which a user wants to change or delete something.
const CHANGING_WORDS: [&str; 49] = [
    "launch",
    "--resume",
    "--force-destroy",
    "--keep",
    "import",
    "apply",
    "up",
    "install",
    "upgrade",
    "create",
    "update",
    "create-stack",
    "update-stack",
    "execute-change-set",
    "watch",
    "hotswap",
    "destroy",
    "rm",
    "remove",
    "down",
    "uninstall",
    "teardown",
    "delete-stack",
    "changeset",
    "change-set",
    "stack deploy",
    "stack create",
    "stack update",
    "stack delete",
    "stack rm",
    "fix",
    "--fix-all",
    "--fix-only",
    "--autofix",
    "--write",
    "--in-place",
    "--auto-approve",
    "--force",
    "--hotswap",
    "--watch",
    "--guided",
    "--save-params",
    "--no-rollback",
    "--insecure",
    "--insecure-skip-tls-verify",
    "--ignore-noqa",
    "--soft-fail",
    "--no-fail",
    "--non-zero-exit-code",
];

fn code(row: &Foreign) -> Vec<&'static str> {
    let text = match row.answer {
        Answer::Here(text) | Answer::Absent(text) | Answer::Advice(text) => text,
    };
    text.split('`').skip(1).step_by(2).collect()
}

fn find<'c>(program: &'c Command, words: &mut dyn Iterator<Item = &str>) -> (&'c Command, Vec<String>) {
    let (mut command, mut rest) = (program, Vec::new());
    for word in words {
        match command.find_subcommand(word) {
            Some(below) if rest.is_empty() => command = below,
            _ => rest.push(word.to_owned()),
        }
    }
    (command, rest)
}

fn has(command: &Command, option: &str) -> bool {
    let is_it = |argument: &Arg| {
        let long = option.strip_prefix("--");
        let short = option.strip_prefix('-').and_then(|short| short.chars().next());
        long.map_or(argument.get_short() == short, |long| argument.get_long() == Some(long))
    };
    command.get_arguments().any(is_it)
}

/// The executable commands to which a row applies.
fn commands_of<'c>(program: &'c Command, row: &Foreign) -> Vec<&'c Command> {
    fn leaves<'c>(command: &'c Command, name: &str, found: &mut Vec<(String, &'c Command)>) {
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            let name = format!("{name} {}", below.get_name()).trim().to_owned();
            found.push((name.clone(), below));
            leaves(below, &name, found);
        }
    }
    let mut all = Vec::new();
    leaves(program, "", &mut all);
    all.retain(|(name, command)| row.is_for(name) && !command.has_subcommands());
    all.into_iter().map(|(_, command)| command).collect()
}

#[test]
fn what_a_row_names_exists() {
    let mut program = program();
    // Adds `help`.
    program.build();
    let mut wrong = Vec::new();
    for row in all_commands().chain(all_options()) {
        for code in code(row) {
            let words: Vec<&str> = code.split(' ').collect();
            if words[0] == "formwork" {
                let (command, rest) = find(&program, &mut words[1..].iter().copied());
                assert_ne!(command.get_name(), "formwork", "{}: {code}", row.word);
                for option in rest.iter().filter(|word| word.starts_with('-')) {
                    assert!(has(command, option), "{}: {code}", row.word);
                }
            } else if words[0].starts_with('-') && words[0].len() > 1 {
                let commands = commands_of(&program, row);
                assert!(commands.iter().any(|command| has(command, words[0])), "{}: {code}", row.word);
                if !row.on.is_empty() {
                    let without = commands.iter().filter(|command| !has(command, words[0]));
                    wrong.extend(without.map(|one| format!("{}: {} has no {code}", row.word, one.get_name())));
                }
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn no_row_is_of_something_that_exists() {
    let program = program();
    for row in all_options().filter(|row| !row.on.is_empty()) {
        for command in commands_of(&program, row) {
            let is_accepted = |argument: &Arg| {
                let long = row.word.strip_prefix("--").unwrap_or_default();
                argument.get_all_aliases().is_some_and(|aliases| aliases.contains(&long))
            };
            assert!(
                !has(command, row.word) && !command.get_arguments().any(is_accepted),
                "{} {}",
                command.get_name(),
                row.word
            );
        }
    }
    for (at, row) in all_options().enumerate() {
        let same =
            all_options().take(at).find(|other| other.word == row.word && (other.on == row.on || other.on.is_empty()));
        assert!(same.is_none(), "{} has two rows", row.word);
    }
    for (at, row) in all_commands().enumerate() {
        assert!(all_commands().take(at).all(|other| other.word != row.word), "{} has two rows", row.word);
    }
}

/// A harmless word must not lead to a command that changes something, nor a word that deletes to one that deploys.
#[test]
fn no_row_does_the_opposite() {
    let deletes =
        ["destroy", "rm", "remove", "down", "uninstall", "teardown", "delete-stack", "stack delete", "stack rm"];
    for row in all_commands().chain(all_options()) {
        // A command that the author typed is not a suggestion.
        let own: Vec<&str> = row.on.to_vec();
        for code in code(row).into_iter().filter(|code| !code.contains("--no-execute")) {
            let changing: Vec<&str> =
                code.split(' ').filter(|word| CHANGING.contains(word) && !own.contains(word)).collect();
            let is_named = matches!(row.answer, Answer::Here(_));
            if deletes.contains(&row.word) {
                assert_eq!(code, "formwork delete", "{}", row.word);
            } else if is_named && !CHANGING_WORDS.contains(&row.word) {
                assert!(changing.is_empty(), "{} -> {code}", row.word);
            } else {
                assert!(!changing.contains(&"delete"), "{} -> {code}", row.word);
            }
        }
    }
}
