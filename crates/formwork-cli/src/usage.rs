//! Usage errors: one line, and a help (reference/command-line.md#habits).
//!
//! clap finds the errors; its own message would have the usage with the values of the author, and unhelpful advice.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use formwork::suggest::nearest;

use crate::args::program;
use crate::{Status, foreign, output, terminal};

/// The largest number of values or commands in a help.
const NAMED: usize = 12;

struct Explained {
    line: String,
    help: String,
}

/// Prints the error, or the requested help or version.
pub(crate) fn report(error: &clap::Error, words: &[OsString]) -> Status {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return print(error);
    }
    let (line, help) = explain(error, words);
    say(&line, &help);
    Status::Failed
}

/// Prints a usage error.
pub(crate) fn say(line: &str, help: &str) {
    terminal::say_error(line);
    terminal::say_line(&format!("  help: {help}"));
}

/// Prints the requested help or version, or the help of a command that requires a subcommand.
fn print(error: &clap::Error) -> Status {
    match output::unless_unread(error.print().and_then(|()| std::io::Write::flush(&mut std::io::stdout()))) {
        _ if error.use_stderr() => Status::Failed,
        Ok(()) => Status::Done,
        Err(error) => {
            terminal::say_error(&output::stdout_failed(&error));
            Status::Failed
        }
    }
}

pub(crate) fn explain(error: &clap::Error, words: &[OsString]) -> (String, String) {
    let Explained { line, help } = explained(error, words);
    (line, help)
}

fn explained(error: &clap::Error, words: &[OsString]) -> Explained {
    let mut program = program();
    program.build();
    let place = NamedCommand::of(&program, words);
    match error.kind() {
        ErrorKind::InvalidSubcommand => unknown_command(&place, &text(error, ContextKind::InvalidSubcommand), words),
        ErrorKind::UnknownArgument => {
            let word = text(error, ContextKind::InvalidArg);
            if word.len() > 1 && word.starts_with('-') {
                unknown_option(&program, &place, &word)
            } else {
                surplus(&place, &word)
            }
        }
        ErrorKind::InvalidValue => invalid_value(error, &place),
        ErrorKind::ValueValidation => rejected_value(error, &place),
        ErrorKind::MissingRequiredArgument => missing(&place, &all(error, ContextKind::InvalidArg)),
        ErrorKind::MissingSubcommand => Explained { line: "a command is missing".to_owned(), help: place.list() },
        ErrorKind::ArgumentConflict => conflict(error, &place),
        ErrorKind::TooManyValues => match name_of(error) {
            flag if flag.starts_with("`--") => flag_with_value(&flag, &text(error, ContextKind::InvalidValue)),
            _ => surplus(&place, &text(error, ContextKind::InvalidValue)),
        },
        _ => {
            let rendered = error.render().to_string();
            let line = rendered.lines().next().unwrap_or_default();
            Explained { line: line.trim_start_matches("error: ").to_owned(), help: place.list() }
        }
    }
}

struct NamedCommand<'c> {
    /// The full name of the command, as `local invoke`; empty for the program.
    name: String,
    command: &'c Command,
}

impl NamedCommand<'_> {
    fn of<'c>(program: &'c Command, words: &[OsString]) -> NamedCommand<'c> {
        let (mut command, mut names) = (program, Vec::new());
        for word in words.iter().skip(1) {
            let Some(below) = command.find_subcommand(word) else { break };
            names.push(below.get_name());
            command = below;
        }
        NamedCommand { name: names.join(" "), command }
    }

    fn list(&self) -> String {
        match self.name.as_str() {
            "" => "`formwork help` lists the commands".to_owned(),
            name if self.command.has_subcommands() => format!("`formwork help {name}` lists the commands below it"),
            name => format!("`formwork help {}` lists its options", name.strip_prefix("help ").unwrap_or(name)),
        }
    }

    fn usage(&self) -> String {
        let usage = self.command.clone().render_usage().to_string();
        format!("write `{}`", usage.trim_start_matches("Usage:").trim())
    }

    fn has(&self, option: &str) -> bool {
        let is_it = |argument: &Arg| {
            let long = option.strip_prefix("--");
            let aliases = argument.get_visible_aliases().unwrap_or_default();
            long.is_some_and(|long| argument.get_long() == Some(long) || aliases.contains(&long))
        };
        self.command.get_arguments().any(is_it)
    }

    /// The option with two dashes for a word such as `-check` or `-var=A=1`, if the command or the table has it.
    fn long_with_one_dash(&self, word: &str) -> Option<String> {
        let name = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
        let name = name.split_once('=').map_or(name, |(name, _)| name);
        let long = format!("--{name}");
        let is_known = || {
            self.has(&long)
                || foreign::option(&self.name, &long, &|name| self.has(name)).is_some()
                || is_template_option(&long)
        };
        (name.len() > 2 && name != "help" && name != "version" && is_known()).then_some(long)
    }

    fn options(&self) -> impl Iterator<Item = &str> {
        self.command.get_arguments().filter(|argument| !argument.is_hide_set()).filter_map(Arg::get_long)
    }
}

/// The error of missing arguments, or of options that another one requires.
fn missing(place: &NamedCommand<'_>, names: &[String]) -> Explained {
    let line = format!("{} is missing", code(names, " and "));
    let usage = place.usage();
    let help = match names.iter().find(|name| !usage.contains(name.as_str())) {
        Some(name) => format!("add `{}`: another option needs it", name.replace(['<', '>'], "")),
        None => usage,
    };
    Explained { line, help }
}

fn unknown_command(place: &NamedCommand<'_>, word: &str, words: &[OsString]) -> Explained {
    let line = format!("unknown command `{}`", joined(&place.name, word));
    if place.name.is_empty() && is_template(word) {
        let help = format!("a command comes first, such as `formwork check {word}` or `formwork expand {word}`");
        return Explained { line, help };
    }
    let takes_template = |command: &&Command| command.get_positionals().any(|one| one.get_id() == "template");
    if let Some(below) = place.command.get_subcommands().find(takes_template).filter(|_| is_template(word)) {
        let help = format!("a command comes first, such as `formwork {} {} {word}`", place.name, below.get_name());
        return Explained { line, help };
    }
    let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
    let answer = place.name.is_empty().then(|| behind_tools(place, &words).or_else(|| left_out(word))).flatten();
    let answer = answer.or_else(|| meant_command(place, word));
    Explained { line, help: answer.unwrap_or_else(|| place.list()) }
}

/// The help for a command that is not part of this build.
fn left_out(word: &str) -> Option<String> {
    let of_network = ["delete", "deploy", "diagnose", "events", "list", "logs", "outputs", "refactor", "stack", "sync"]
        .contains(&word);
    if !cfg!(feature = "local") && word == "local" {
        return Some(
            "functions run on Linux and macOS, and on Windows in WSL: this program was built without them".into(),
        );
    }
    (!cfg!(feature = "aws") && of_network).then(|| "this program was built without the network".to_owned())
}

fn is_template(word: &str) -> bool {
    [".yaml", ".yml", ".json", ".template"].iter().any(|ending| word.ends_with(ending))
}

/// The help for an unknown command: that of the table, or the most similar command.
fn meant_command(place: &NamedCommand<'_>, word: &str) -> Option<String> {
    if let Some(answer) = foreign::command(&place.name, &word.to_lowercase()) {
        return Some(answer);
    }
    let own = place.command.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name);
    if let Some(near) = foreign::near(word, own) {
        return Some(format!("did you mean `formwork {}`?", joined(&place.name, near)));
    }
    let near = foreign::near_foreign(word, foreign::commands(&place.name))?;
    foreign::command(&place.name, near)
}

/// The help for a line that begins with the name of another program, such as `terraform plan`.
fn behind_tools(place: &NamedCommand<'_>, words: &[&str]) -> Option<String> {
    let (rest, tools) = foreign::without_tools(words.get(1..).unwrap_or_default())?;
    let first = rest.first()?;
    // The same word may do something else there: `terraform init`.
    if let Some(answer) = tools.last().and_then(|tool| foreign::command(tool, first)) {
        return Some(answer);
    }
    let (mut command, mut names) = (place.command, Vec::new());
    for word in rest {
        let Some(below) = command.find_subcommand(word) else { break };
        names.push(below.get_name());
        command = below;
    }
    if names.is_empty() {
        return meant_command(place, first);
    }
    Some(format!("leave `{}` out: `formwork {}`", tools.join(" "), names.join(" ")))
}

fn joined(name: &str, word: &str) -> String {
    if name.is_empty() { word.to_owned() } else { format!("{name} {word}") }
}

fn unknown_option(program: &Command, place: &NamedCommand<'_>, option: &str) -> Explained {
    let typed = option.split_once('=').map_or(option, |(name, _)| name);
    let of = if place.name.is_empty() { "formwork" } else { &place.name };
    let line = format!("unknown option `{typed}` of `{of}`");
    let long = place.long_with_one_dash(typed);
    let option = long.as_deref().unwrap_or(typed);
    if place.name.is_empty() && (is_template_option(option) || option == "-v") {
        let help = if option == "-v" {
            "did you mean `--version`?"
        } else {
            "a command comes first, such as `formwork check`"
        };
        return Explained { line, help: help.to_owned() };
    }
    let of_the_table = || foreign::option(&place.name, option, &|name| place.has(name));
    let own = || long.as_ref().map(|long| format!("write `{long}`, with two dashes"));
    let near = || {
        let own: Vec<String> = place.options().map(|name| format!("--{name}")).collect();
        if let Some(near) = foreign::near(option, own.iter().map(String::as_str)) {
            return Some(format!("did you mean `{near}`?"));
        }
        let near = foreign::near_foreign(option, foreign::options(&place.name))?;
        foreign::option(&place.name, near, &|name| place.has(name))
    };
    let elsewhere = || {
        let commands = commands_with(program, option);
        let names: Vec<&str> = commands.iter().map(String::as_str).take(NAMED / 2).collect();
        let more = if commands.len() > names.len() { ", ..." } else { "" };
        (!names.is_empty()).then(|| format!("it is an option of {}{more}", code(&names, ", ")))
    };
    let help = of_the_table().or_else(own).or_else(elsewhere).or_else(near).unwrap_or_else(|| place.list());
    Explained { line, help }
}

fn is_template_option(option: &str) -> bool {
    ["-t", "--template", "--template-file", "--template-body"].contains(&option)
}

/// The first word such as `-check` or `-var-file=F`, which Terraform writes with one dash: a long option of the command
/// or the table. Parsed as short options it would have another meaning.
pub(crate) fn long_word_with_one_dash(words: &[OsString]) -> Option<String> {
    let may_be = |word: &&OsString| {
        let bytes = word.as_encoded_bytes();
        bytes.len() > 3 && bytes.starts_with(b"-") && !bytes.starts_with(b"--")
    };
    // Describing the program takes time.
    words.iter().skip(1).find(may_be)?;
    let mut program = program();
    program.build();
    let place = NamedCommand::of(&program, words);
    let own = words.iter().skip(1).take_while(|word| *word != "--").filter(may_be);
    own.filter_map(|word| word.to_str()).find(|word| place.long_with_one_dash(word).is_some()).map(str::to_owned)
}

fn commands_with(program: &Command, option: &str) -> Vec<String> {
    let Some(name) = option.strip_prefix("--") else { return Vec::new() };
    let mut found = Vec::new();
    let mut rest: Vec<(String, &Command)> = vec![(String::new(), program)];
    while let Some((names, command)) = rest.pop() {
        let is_it = |argument: &Arg| {
            argument.get_long() == Some(name)
                || argument.get_visible_aliases().is_some_and(|aliases| aliases.contains(&name))
        };
        if command.get_arguments().filter(|argument| !argument.is_hide_set()).any(is_it) {
            found.push(format!("formwork {names}"));
        }
        let below = command.get_subcommands().filter(|below| below.get_name() != "help");
        rest.extend(below.map(|below| (joined(&names, below.get_name()), below)));
    }
    found.sort();
    found
}

fn flag_with_value(flag: &str, value: &str) -> Explained {
    let is_off = ["false", "no", "off", "0"].contains(&value.to_lowercase().as_str());
    let help = if is_off { "leave it out".to_owned() } else { format!("write {flag} alone") };
    Explained { line: format!("{flag} takes no value"), help }
}

fn surplus(place: &NamedCommand<'_>, word: &str) -> Explained {
    let of = if place.name.is_empty() { "formwork" } else { &place.name };
    let takes: Vec<&str> =
        place.command.get_positionals().filter(|one| !one.is_hide_set()).map(|one| one.get_id().as_str()).collect();
    let is_name = !word.is_empty() && !word.contains(['/', '\\', '.', '*', ' ']);
    let help = match takes.as_slice() {
        // rain and the CDK name a stack behind the command, SAM CLI a function.
        _ if is_name && ["deploy", "sync"].contains(&place.name.as_str()) => {
            format!("a stack is named by an option: `--stack-name {word}`")
        }
        _ if is_name && place.name == "build" => format!("`--resource {word}` builds one resource"),
        _ if place.name == "logs" && word.starts_with('/') => {
            format!("a log group is named by an option: `--cw-log-group {word}`")
        }
        [] if place.name == "man" => format!("`formwork help {word}` shows the page of a command"),
        [] => place.list(),
        _ => place.usage(),
    };
    Explained { line: format!("`{word}` is one word too many for `{of}`"), help }
}

fn invalid_value(error: &clap::Error, place: &NamedCommand<'_>) -> Explained {
    let (option, value) = (name_of(error), text(error, ContextKind::InvalidValue));
    let valid = all(error, ContextKind::ValidValue);
    let help = match nearest(&value, valid.iter().map(String::as_str)) {
        _ if value == "--" => place.list(),
        Some(near) => format!("did you mean `{near}`?"),
        None if valid.is_empty() => place.list(),
        // Helm's `--values` is followed by a file.
        None if option.contains("--values") && value.contains('.') => {
            format!("pass a file of values with `--parameters-file {value}`")
        }
        None => format!("use {}", code(&valid[..valid.len().min(NAMED)], ", ")),
    };
    let line = if value.is_empty() {
        format!("{option} needs a value")
    } else {
        format!("`{value}` is not a value of {option}")
    };
    Explained { line, help }
}

fn rejected_value(error: &clap::Error, place: &NamedCommand<'_>) -> Explained {
    if let Some(ContextValue::String(own)) = error.get(ContextKind::Custom) {
        let (line, help) = own.split_once('\n').unwrap_or((own, ""));
        return Explained { line: line.to_owned(), help: help.to_owned() };
    }
    let (option, value) = (name_of(error), text(error, ContextKind::InvalidValue));
    let why = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    let (why, help) = why.split_once('\n').map_or((why.as_str(), None), |(why, help)| (why, Some(help.to_owned())));
    Explained {
        line: format!("`{value}` is not a value of {option}: {why}"),
        help: help.unwrap_or_else(|| place.list()),
    }
}

fn conflict(error: &clap::Error, place: &NamedCommand<'_>) -> Explained {
    let (option, prior) = (name_of(error), all(error, ContextKind::PriorArg));
    let prior: Vec<String> = prior.iter().map(|name| without_value(name).to_owned()).collect();
    let line = match prior.as_slice() {
        [same] if option == format!("`{same}`") => format!("{option} is written more than once"),
        [] => format!("{option} cannot be used with the other options"),
        _ => format!("{option} cannot be used with {}", code(&prior, " and ")),
    };
    let is_template = |name: &str| name.contains("TEMPLATE") || name.contains("--template");
    let help = if line.ends_with("once") {
        "write it once".to_owned()
    } else if place.name == "build" && is_template(&option) && prior.iter().any(|name| is_template(name)) {
        "name the template once; `--resource LOGICAL_ID` builds one resource".to_owned()
    } else {
        place.list()
    };
    Explained { line, help }
}

/// The option of an error, without its value: `--format` of `--format <FORMAT>`.
fn name_of(error: &clap::Error) -> String {
    format!("`{}`", without_value(&text(error, ContextKind::InvalidArg)))
}

fn without_value(name: &str) -> &str {
    if name.starts_with('-') { name.split([' ', '=']).next().unwrap_or(name) } else { name }
}

fn text(error: &clap::Error, kind: ContextKind) -> String {
    all(error, kind).join(" ")
}

fn all(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

fn code<T: AsRef<str>>(names: &[T], separator: &str) -> String {
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(separator)
}
