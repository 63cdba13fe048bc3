//! `formwork init` (reference/init.md).

mod directory;
mod templates;

use std::path::{Path, PathBuf};

use formwork_run::console::confirm::can_ask;

use crate::Status;
use crate::args::{InitArgs, program};
use crate::failure::Failure;
use crate::terminal::{self, Form};
use templates::ProjectTemplate;

pub(crate) fn run(args: &InitArgs) -> Result<Status, Failure> {
    if args.list {
        let lines: Vec<String> = templates::lines().collect();
        terminal::print(&(lines.join("\n") + "\n"), Form::Plain)?;
        return Ok(Status::Done);
    }
    // A single word is the directory, unless it is a template and no other one is named.
    let word = args.word.as_deref();
    let template_word =
        word.and_then(Path::to_str).filter(|_| args.template.is_none()).and_then(ProjectTemplate::named);
    let is_asked = args.template.is_none() && template_word.is_none() && can_ask();
    let template = match (&args.template, template_word) {
        (Some(name), _) => ProjectTemplate::find(name).ok_or_else(|| unknown(name))?,
        (None, Some(template)) => template,
        (None, None) if is_asked => asked_template()?,
        (None, None) => return Err(format!("no project template is named\n  help: {}", choices()).into()),
    };
    let path = match args.name.as_deref().or(word.filter(|_| template_word.is_none())) {
        Some(path) => path.to_owned(),
        None if is_asked => asked_directory(template),
        None => PathBuf::from(template.name),
    };
    directory::check(&path)?;
    let project = directory::stack_name(&path).unwrap_or_else(|| template.name.to_owned());
    let count = directory::fill(&path, template.files_of(&project))?;
    say_next(&path, template, count);
    Ok(Status::Done)
}

fn choices() -> String {
    let names: Vec<String> = templates::ALL.iter().map(|template| format!("`--template {}`", template.name)).collect();
    format!("write {}", names.join(" or "))
}

fn unknown(name: &str) -> String {
    format!("unknown project template {name}\n  help: {}", choices())
}

/// Asks until the answer is a template.
///
/// # Errors
/// At the end of the input.
fn asked_template() -> Result<&'static ProjectTemplate, Failure> {
    for (number, line) in (1..).zip(templates::lines()) {
        terminal::say_line(&format!("  {number}  {line}"));
    }
    loop {
        let answer = ask("Template (name or number) [1]:").ok_or("no project template is named")?;
        let word = if answer.is_empty() { "1" } else { &answer };
        match ProjectTemplate::find(word) {
            Some(template) => return Ok(template),
            None => terminal::say_line(&format!("{word} is not a name or number of the list")),
        }
    }
}

fn asked_directory(template: &ProjectTemplate) -> PathBuf {
    let answer = ask(&format!("Directory [{}]:", template.name)).filter(|answer| !answer.is_empty());
    answer.map_or_else(|| PathBuf::from(template.name), PathBuf::from)
}

/// Returns the typed line; `None` at the end of the input.
fn ask(question: &str) -> Option<String> {
    terminal::say_question(question);
    let mut answer = String::new();
    let read = std::io::stdin().read_line(&mut answer);
    read.is_ok_and(|bytes| bytes > 0).then(|| answer.trim().to_owned())
}

fn say_next(path: &Path, template: &ProjectTemplate, count: usize) {
    let name = path.display().to_string();
    terminal::say_line(&format!("created {count} files in {name}; next:"));
    if path != Path::new(".") {
        terminal::say_line(&format!("  cd {}", quoted(&name)));
    }
    let program = program();
    let is_known =
        |command: &&&str| command.split(' ').nth(1).is_some_and(|name| program.find_subcommand(name).is_some());
    for command in template.next.iter().filter(is_known) {
        terminal::say_line(&format!("  {command}"));
    }
}

fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,@".contains(c);
    if path.chars().all(is_plain) && !path.starts_with('-') {
        return path.to_owned();
    }
    format!("'{}'", path.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_for_a_shell() {
        assert_eq!(quoted("a/b-c.d"), "a/b-c.d");
        assert_eq!(quoted("my shop"), "'my shop'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
