//! The help at the widths of terminals (reference/command-line.md#commands).
#![allow(clippy::disallowed_methods, reason = "a test of a program")]

use std::process::Command;

const COMMANDS: [&str; 25] = [
    "",
    "init",
    "expand",
    "resolve",
    "check",
    "rules",
    "rules check",
    "rules solve",
    "rules table",
    "explain",
    "build",
    "package",
    "deploy",
    "delete",
    "sync",
    "validate",
    "local",
    "local invoke",
    "local start-api",
    "local start-lambda",
    "account snapshot",
    "modules vendor",
    "migrate rain",
    "completions",
    "man",
];

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
    for command in COMMANDS {
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
fn long_help_ends_with_examples() {
    for command in COMMANDS.iter().filter(|command| !command.is_empty() && !command.contains(' ')) {
        let text = help(command, "--help", 100);
        assert!(text.contains(&format!("Examples:\n  formwork {command}")), "{command}: {text}");
        assert!(text.contains("See https://"), "{command}");
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
