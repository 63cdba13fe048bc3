//! Default values of options: added to the words of a command line, where it does not set the option itself.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use super::allowed::{Effect, effect};
use super::below::below;
use super::setting::{Setting, SettingValue};
use super::{MOST_ERRORS, ProjectFile};
use crate::configured;
use crate::failure::FileFailure;

/// The words of a command line with the defaults of the file, which are noted where they change a result. Defaults that
/// the command line sets, or that conflict with it, are left out.
///
/// # Errors
/// When a setting is for no command or no option, or its value is not one of the option's.
pub(crate) fn with_defaults(
    file: &ProjectFile,
    program: &Command,
    words: &[OsString],
) -> Result<Vec<OsString>, Vec<FileFailure>> {
    check(file, program)?;
    let mut all = words.to_vec();
    let Ok(matches) = program.clone().try_get_matches_from(words) else { return Ok(all) };
    let (names, command, matches) = leaf(program, &matches);
    let Some(place) = place(words, &names) else { return Ok(all) };
    for argument in command.get_arguments() {
        let Some(setting) = setting(file, &names, argument) else { continue };
        let Some(effect) = effect(canonical(argument)) else { continue };
        if matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine) {
            continue;
        }
        let mut more = words.to_vec();
        let own = words_of(file, setting, argument).map_err(|failure| vec![failure])?;
        more.splice(place..place, own.iter().map(OsString::from));
        match program.clone().try_get_matches_from(&more) {
            Ok(_) => {
                if !own.is_empty() && effect == Effect::Result {
                    configured::note(&file.path, &setting.option);
                }
                all.splice(place..place, own.into_iter().map(OsString::from));
            }
            // It conflicts with the command line.
            Err(error) if error.kind() == ErrorKind::ArgumentConflict => {}
            Err(error) => {
                let text = error.to_string();
                let why = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
                return Err(vec![ProjectFile::unfit(&file.path, setting.line, why)]);
            }
        }
    }
    Ok(all)
}

/// The setting of an option of a command: that of the command before that of all commands.
pub(crate) fn setting<'f>(file: &'f ProjectFile, command: &[&str], option: &Arg) -> Option<&'f Setting> {
    let of_option = file.settings.iter().filter(|setting| is_named(option, &setting.option));
    of_option.filter(|setting| setting.is_for(command)).min_by_key(|setting| setting.command.is_empty())
}

/// Every setting is for a command that there is, and for an option that it has and that the file may set.
///
/// # Errors
/// All settings of the file for which that is not so, in its order.
pub(crate) fn check(file: &ProjectFile, program: &Command) -> Result<(), Vec<FileFailure>> {
    let mut settings: Vec<&Setting> = file.settings.iter().collect();
    settings.sort_by_key(|setting| setting.line);
    let failures: Vec<FileFailure> =
        settings.into_iter().filter_map(|setting| check_one(file, program, setting).err()).take(MOST_ERRORS).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures) }
}

fn check_one(file: &ProjectFile, program: &Command, setting: &Setting) -> Result<(), FileFailure> {
    let unfit = |why: &str| ProjectFile::unfit(&file.path, setting.line, why);
    let wrong = |why: String, known: Vec<&str>, name: &str| {
        let help = match formwork::suggest::nearest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "see docs/reference/configuration.md".to_owned(),
        };
        unfit(&why).help(help)
    };
    let mut command = program;
    for name in &setting.command {
        command = command.find_subcommand(name).ok_or_else(|| {
            let known = command.get_subcommands().map(Command::get_name).collect();
            wrong(format!("`{name}` is not a command"), known, name)
        })?;
    }
    let commands = if setting.command.is_empty() { all(program) } else { vec![command] };
    let name = setting.name();
    let Some(found) = commands.iter().find_map(|command| option(command, &setting.option)) else {
        let known = all(command).into_iter().flat_map(Command::get_arguments).filter_map(Arg::get_long).collect();
        let of = if setting.command.is_empty() { "any command" } else { command.get_name() };
        return Err(wrong(format!("{name} is not an option of {of}"), known, &setting.option));
    };
    if effect(canonical(found)).is_none() {
        return Err(unfit(&format!("{name} must not be set in {}", super::FILE_NAME))
            .help(format!("remove it, and pass `--{}` on the command line", setting.option)));
    }
    Ok(())
}

/// A command and all below it.
fn all(command: &Command) -> Vec<&Command> {
    std::iter::once(command).chain(command.get_subcommands().flat_map(all)).collect()
}

/// An option by its long name, or an alias of it.
fn option<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|argument| is_named(argument, name))
}

/// The long name of an option.
fn canonical(argument: &Arg) -> &str {
    argument.get_long().unwrap_or_default()
}

fn is_named(argument: &Arg, name: &str) -> bool {
    argument.get_long() == Some(name) || argument.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
}

/// The command that the matches are of: its names, its description, its own matches.
fn leaf<'c, 'm>(program: &'c Command, matches: &'m ArgMatches) -> (Vec<&'m str>, &'c Command, &'m ArgMatches) {
    let (mut names, mut command, mut matches) = (Vec::new(), program, matches);
    while let Some((name, below)) = matches.subcommand() {
        let Some(found) = command.find_subcommand(name) else { break };
        names.push(name);
        (command, matches) = (found, below);
    }
    (names, command, matches)
}

/// The place behind the name of the command in the words.
fn place(words: &[OsString], names: &[&str]) -> Option<usize> {
    let mut place = 1;
    for name in names {
        place += words.get(place..)?.iter().position(|word| word == name)? + 1;
    }
    Some(place).filter(|_| !names.is_empty())
}

/// A setting as words of a command line. A relative path starts from the directory of the file.
fn words_of(file: &ProjectFile, setting: &Setting, argument: &Arg) -> Result<Vec<String>, FileFailure> {
    let name = &setting.option;
    let is_flag = !argument.get_action().takes_values();
    match &setting.value {
        SettingValue::Flag(true) if is_flag => Ok(vec![format!("--{name}")]),
        SettingValue::Flag(false) if is_flag => Ok(Vec::new()),
        SettingValue::Words(words) if !is_flag => {
            let is_path = argument.get_value_parser().type_id() == std::any::TypeId::of::<PathBuf>();
            let value = |word: &String| -> Result<String, FileFailure> {
                if !is_path {
                    return Ok(word.clone());
                }
                let path = below(&file.path, word).map_err(|why| ProjectFile::unfit(&file.path, setting.line, &why))?;
                Ok(path.to_string_lossy().into_owned())
            };
            words.iter().map(|word| Ok(format!("--{name}={}", value(word)?))).collect()
        }
        _ => {
            let wanted = if is_flag { "true or false" } else { "a value" };
            Err(ProjectFile::unfit(&file.path, setting.line, &format!("{} takes {wanted}", setting.name())))
        }
    }
}
