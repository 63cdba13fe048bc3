//! The help at the widths of terminals (reference/command-line.md#commands).

use std::process::Command;

const COMMANDS: [&str; 27] = [
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
    "refactor",
    "sync",
    "validate",
    "local",
    "local invoke",
    "local start-api",
    "local start-lambda",
    "local generate-event",
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
fn long_help_ends_with_exit_statuses_variables_and_examples() {
    for command in COMMANDS.iter().filter(|command| !command.is_empty()) {
        let text = help(command, "--help", 100);
        assert!(text.contains(&format!("Examples:\n  formwork {command}")), "{command}: {text}");
        assert!(text.contains("See https://"), "{command}");
        let has_own = !text.contains("\nCommands:\n");
        assert_eq!(text.contains("\nExit status:\n  "), has_own, "{command}");
        assert_eq!(text.contains("\nEnvironment:\n  "), has_own, "{command}");
    }
}

/// The short help has what most runs need, and refers to the rest.
#[test]
fn short_help_fits_a_screen() {
    for command in COMMANDS {
        for columns in [80, 100, 120] {
            let text = help(command, "-h", columns);
            let lines = text.lines().count();
            assert!(lines <= 60, "{command} has {lines} lines at {columns}:\n{text}");
        }
        let (short, long) = (help(command, "-h", 100), help(command, "--help", 100));
        let is_option = |line: &&str| line.trim_start().starts_with('-') && line.find('-').is_some_and(|at| at <= 6);
        let count = |text: &str| text.lines().filter(is_option).count();
        let more = count(&long) - count(&short);
        let line = format!("{more} more: `formwork help {command}`");
        assert_eq!(short.contains(&line), more > 0, "{command}: {line}\n{short}");
        // Those that a run with a template needs come with it.
        if short.contains("[TEMPLATE]") {
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
