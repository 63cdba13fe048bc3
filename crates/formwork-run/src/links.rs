//! The names that stacks share (reference/repository.md#links).

use std::path::PathBuf;

use formwork::repository::Template;
use formwork::{Goal, Report, Serverless, Values};
use formwork_project::Failure;

use crate::args::InputArgs;
use crate::check::SelectionArgs;
use crate::inputs;
use crate::live::Live;
use crate::many::on_all;
use crate::stacks::{self, Stack};
use crate::surroundings::Surroundings;
use crate::templates::{Search, TemplateFile, Templates};

/// What was read.
pub struct Shared {
    /// The templates of the stacks.
    pub files: Templates,
    /// The stacks without errors, by template.
    pub stacks: Vec<Stack>,
    /// What each stack has in common with others.
    pub templates: Vec<Template>,
    /// Reports of templates with errors, whose names are not known.
    pub wrong: Vec<Report>,
}

/// A command that reads stacks: its name for the configuration file, and its options.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// The name of the command.
    pub command: &'a str,
    /// The inputs of the command line.
    pub args: &'a InputArgs,
    /// Set when warnings are errors.
    pub is_strict: bool,
    /// The stages that are read; all without any.
    pub stages: &'a [String],
    /// Which diagnostics are reported, for a check.
    pub selection: Option<&'a SelectionArgs>,
}

impl<'a> Reading<'a> {
    /// Returns what a command reads: all stages, and warnings stay warnings.
    pub fn of(command: &'a str, args: &'a InputArgs) -> Reading<'a> {
        Reading { command, args, is_strict: false, stages: &[], selection: None }
    }
}

/// Reads the stacks of the templates below some paths.
///
/// # Errors
/// When a file cannot be read, or an argument is invalid.
pub fn read(paths: &[PathBuf], reading: Reading<'_>) -> Result<Shared, Failure> {
    let (files, stacks) = find(paths, reading)?;
    let surroundings = Surroundings::default();
    let one = |stack: &Stack| -> Result<Option<(Report, Template)>, Failure> {
        let Some(file) = files.files.get(stack.template) else { return Ok(None) };
        of_stack(&surroundings, &mut Live::new(reading.args)?, (file, stack), reading).map(Some)
    };
    let mut shared =
        Shared { stacks: Vec::new(), templates: Vec::new(), wrong: Vec::new(), files: Templates::default() };
    for (stack, result) in stacks.iter().zip(on_all(stacks.iter().collect(), one)) {
        let Some((report, template)) = result? else { continue };
        if report.has_errors() {
            shared.wrong.push(report);
        } else {
            shared.stacks.push(stack.clone());
            shared.templates.push(template);
        }
    }
    shared.files = files;
    Ok(shared)
}

/// Finds the stacks of the templates below some paths.
///
/// # Errors
/// When a file cannot be read, or an argument is invalid.
pub fn find(paths: &[PathBuf], reading: Reading<'_>) -> Result<(Templates, Vec<Stack>), Failure> {
    let root = reading.args.project_root.as_deref();
    let mut files = Templates::find(paths, Search { root, ..Search::default() })?;
    if let Some(missing) = files.missing.pop() {
        return Err(missing.into());
    }
    // A module is a part of the templates that import it.
    let modules = crate::check::modules_of(&files.files);
    let is_module = |at: usize| modules.get(at).copied().unwrap_or_default();
    let stacks = stacks::find(&files, &is_module, reading.args, reading.stages)?;
    Ok((files, stacks))
}

/// Compiles a stack, and returns what it has in common with others.
///
/// # Errors
/// When a file cannot be read, or an argument is invalid.
pub fn of_stack(
    surroundings: &Surroundings,
    live: &mut Live,
    (file, stack): (&TemplateFile, &Stack),
    reading: Reading<'_>,
) -> Result<(Report, Template), Failure> {
    let args = stack.inputs(reading.args);
    let read = |values| inputs::read_in(surroundings, file, reading.command, values, (&args, reading.is_strict));
    let mut input = read(Values::Keep)?;
    input.options.serverless = Serverless::Output;
    if let Some(selection) = reading.selection {
        selection.apply_to(&mut input.options);
    }
    let report = live.compile(&input, Goal::Expand, None)?;
    let compilation = report.compilation();
    let mut links = compilation.links(&input.options.pseudo);
    if stack.is_named() && !report.has_errors() {
        stack.add_to(compilation, &mut links);
        if links.exports.iter().any(|export| export.is_conditional) {
            let mut input = read(Values::Resolve)?;
            input.options.serverless = Serverless::Output;
            let resolved = live.compile(&input, Goal::Resolve, None)?;
            if !resolved.has_errors() {
                resolved.compilation().keep_present(&mut links);
            }
        }
    }
    Ok((report, links))
}
