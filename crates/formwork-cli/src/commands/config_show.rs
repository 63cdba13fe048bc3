//! `formwork config show COMMAND`.

use std::fmt::Write as _;
use std::path::Path;

use clap::{Arg, Command};
use formwork_project::{ProjectFile, Setting, SettingValue};
use serde_json::{Map, Value, json};

use crate::Status;
use formwork_run::console::ReportFormat;

use crate::args::{self, ConfigShowArgs, check, setting};
use crate::config::{Config, choice};
use crate::failure::Failure;
use crate::terminal::{Form, print};

/// Prints the value of every option of a command, and its source.
pub(crate) fn run(args: &ConfigShowArgs) -> Result<Status, Failure> {
    let mut program = args::program();
    program.build();
    let names: Vec<&str> = args.command.iter().map(String::as_str).collect();
    let command = names.iter().try_fold(&program, |command, name| command.find_subcommand(name));
    let command = command.ok_or_else(|| format!("`{}` is not a command", names.join(" ")))?;
    let file = ProjectFile::find().map_err(Failure::of_first)?;
    if let Some(file) = &file {
        check(file, &program).map_err(Failure::of_first)?;
    }
    let section = names.join("_").replace('-', "_");
    let (named, environment) = (args.config_file.as_deref(), args.config_env.as_deref());
    let sam = Config::of_folder(Path::new("."), &section, &choice(named, environment, args.no_config))?;
    let found: Vec<Shown> = options(command).filter_map(|option| show(option, file.as_ref(), &sam, &names)).collect();
    let shown: Vec<Shown> = found.into_iter().filter(|shown| !args.set || shown.is_set).collect();
    match args.format {
        Some(ReportFormat::Json) => print(&as_json(&shown), Form::Json)?,
        None | Some(ReportFormat::Text) => print(&as_text(&names, &shown), Form::Plain)?,
    }
    Ok(Status::Done)
}

struct Shown {
    option: String,
    value: Value,
    source: String,
    is_set: bool,
}

/// The options of a command that can be set: those with a long name, except for help.
fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|argument| {
        argument.get_long().is_some_and(|name| !["help", "version"].contains(&name)) && !argument.is_hide_set()
    })
}

fn show(option: &Arg, file: Option<&ProjectFile>, sam: &Config, command: &[&str]) -> Option<Shown> {
    let name = option.get_long()?;
    if let Some((file, setting)) = file.and_then(|file| Some((file, setting(file, command, option)?))) {
        let source = format!("{}:{}", file.path.display(), setting.line);
        return Some(Shown { option: name.to_owned(), value: value(setting), source, is_set: true });
    }
    if let Some(value) = of_sam(sam, command, name) {
        return Some(Shown { option: name.to_owned(), value, source: sam.path().display().to_string(), is_set: true });
    }
    let defaults: Vec<String> =
        option.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    let value = match defaults.as_slice() {
        [] if option.get_action().takes_values() => Value::Null,
        [] => Value::Bool(false),
        [one] => Value::String(one.clone()),
        all => json!(all),
    };
    Some(Shown { option: name.to_owned(), value, source: "default".to_owned(), is_set: false })
}

fn value(setting: &Setting) -> Value {
    match &setting.value {
        SettingValue::Flag(flag) => Value::Bool(*flag),
        SettingValue::Words(words) if words.len() == 1 => Value::String(words[0].clone()),
        SettingValue::Words(words) => json!(words),
    }
}

/// The value of an option in SAM CLI's file. Parameter values are masked: some are secret, and without a template it is
/// not known which.
fn of_sam(sam: &Config, command: &[&str], option: &str) -> Option<Value> {
    let key = option.replace('-', "_");
    if !Config::reads(command, &key) {
        return None;
    }
    if key == "parameter_overrides" {
        let names: Vec<String> = sam.parameter_names().ok()?.iter().map(|name| format!("{name}=****")).collect();
        return Some(json!(names)).filter(|_| !names.is_empty());
    }
    let section = sam.section();
    let of_words = || section.words(&key).ok().flatten().map(|words| json!(words));
    section.flag(&key).map(Value::Bool).or_else(|| section.text(&key).map(Value::String)).or_else(of_words)
}

fn as_text(command: &[&str], shown: &[Shown]) -> String {
    let mut text = format!("# formwork {}\n", command.join(" "));
    let lines: Vec<(String, &str)> = shown
        .iter()
        .map(|shown| match &shown.value {
            Value::Null => (format!("# {}", shown.option), "not set"),
            value => (format!("{} = {value}", shown.option), shown.source.as_str()),
        })
        .collect();
    let width = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or_default();
    for (line, source) in lines {
        let _ = writeln!(text, "{line:width$}  # {source}");
    }
    text
}

fn as_json(shown: &[Shown]) -> String {
    let entry = |shown: &Shown| (shown.option.clone(), json!({"value": shown.value, "source": shown.source}));
    let object: Map<String, Value> = shown.iter().map(entry).collect();
    format!("{:#}\n", Value::Object(object))
}
