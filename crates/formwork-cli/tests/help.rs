//! The help at the widths of terminals (reference/command-line.md#commands).

use std::process::Command;
use std::sync::OnceLock;

/// Every command, and the program itself, which is empty: those that the helps list.
fn commands() -> &'static [String] {
    static COMMANDS: OnceLock<Vec<String>> = OnceLock::new();
    COMMANDS.get_or_init(|| {
        let mut all = vec![String::new()];
        let mut at = 0;
        while let Some(command) = all.get(at).cloned() {
            let text = help(&command, "-h", 100);
            let names = crate::support::help_list::commands_of(&text);
            all.extend(names.iter().map(|name| format!("{command} {name}").trim().to_owned()));
            at += 1;
        }
        assert!(all.len() > 50, "{all:?}");
        all
    })
}

fn help(command: &str, option: &str, columns: usize) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_formwork"))
        .args(command.split_whitespace())
        .arg(option)
        .env("COLUMNS", columns.to_string())
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{command} {option}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// Lines are as long as the terminal is wide, unless one word or an example is longer.
#[test]
fn no_word_is_broken() {
    for command in commands() {
        for option in ["-h", "--help"] {
            let wide = help(command, option, 400);
            for columns in [60, 80, 120] {
                let text = help(command, option, columns);
                assert_eq!(words(&text), words(&wide), "{command} {option} at {columns}");
                let is_example = |line: &str| {
                    line.starts_with("  formwork ") || line.starts_with("Usage") || line.contains("https://")
                };
                for line in text.lines().filter(|line| line.chars().count() > columns && !is_example(line)) {
                    assert!(words(line).len() <= 3, "{command} {option} at {columns}: {line}");
                }
            }
        }
    }
}

#[test]
fn long_help_ends_with_exit_statuses_variables_and_examples() {
    for command in commands().iter().filter(|command| !command.is_empty()) {
        let text = help(command, "--help", 100);
        let examples = text.split_once("\nExamples:\n").map_or("", |(_, rest)| rest);
        let examples = examples.lines().take_while(|line| line.starts_with("  "));
        assert!(examples.clone().next().is_some(), "{command}: {text}");
        for line in examples.filter(|line| !line.contains(&format!("formwork {command}"))) {
            assert!(line.contains("--stack-snapshot"), "{command}: {line}");
        }
        assert!(text.contains("See https://"), "{command}");
        let has_own = !text.contains("\nCommands:\n");
        assert_eq!(text.contains("\nExit status:\n  "), has_own, "{command}");
        assert_eq!(text.contains("\nEnvironment:\n  "), has_own, "{command}");
    }
}

/// The short help has what most runs need, and refers to the rest.
#[test]
fn short_help_fits_a_screen() {
    for command in commands() {
        for columns in [80, 100, 120] {
            let text = help(command, "-h", columns);
            let lines = text.lines().count();
            // The list of all commands has eight groups, with a title and an empty line each.
            let most = if command.is_empty() { 60 + 2 * 8 } else { 60 };
            assert!(lines <= most, "{command} has {lines} lines at {columns}:\n{text}");
        }
        let (short, long) = (help(command, "-h", 100), help(command, "--help", 100));
        let is_option = |line: &&str| line.trim_start().starts_with('-') && line.find('-').is_some_and(|at| at <= 6);
        let count = |text: &str| text.lines().filter(is_option).count();
        let more = count(&long) - count(&short);
        let line = format!("{more} more: `formwork help {command}`");
        assert_eq!(short.contains(&line), more > 0, "{command}: {line}\n{short}");
        // Those that a run with a template needs come with it.
        if short.contains("[TEMPLATE]") && long.contains("--parameter-overrides") {
            let common =
                ["--parameter-overrides", "--parameters-file", "--region", "--message-format", "--quiet", "--help"];
            assert!(common.iter().all(|option| short.contains(option)), "{short}");
        }
    }
}

/// What every command takes, and nothing that it would ignore.
#[test]
fn options_are_those_of_the_command() {
    for (command, without) in [
        ("delete", "--parameter-overrides"),
        ("check", "--source-map"),
        ("init", "--parameter-overrides"),
        ("rules check", "--s3-bucket"),
        ("completions", "--message-format"),
    ] {
        assert!(!help(command, "--help", 100).contains(without), "{command} {without}");
    }
}
