//! The names that templates share, for commands about the stacks of a repository (reference/repository.md#links).

use std::path::PathBuf;

use formwork::repository::Template;
use formwork::{Goal, Options, Report, Serverless, Values};
use formwork_project::Failure;

use crate::args::InputArgs;
use crate::inputs;
use crate::live::Live;
use crate::many::on_all;
use crate::surroundings::Surroundings;
use crate::templates::{Search, TemplateFile, Templates};

/// What was read.
pub struct Shared {
    /// The templates without errors, in the order of their paths.
    pub templates: Vec<Template>,
    /// Reports of templates with errors, whose names are not known.
    pub wrong: Vec<Report>,
}

/// Reads the templates below some paths. `command` is the name of the command, for the configuration file.
///
/// # Errors
/// When a file cannot be read, or an argument is invalid.
pub fn read(paths: &[PathBuf], command: &str, (args, is_strict): (&InputArgs, bool)) -> Result<Shared, Failure> {
    let root = args.project_root.as_deref();
    let search = Search { root, ..Search::default() };
    let templates = Templates::find(paths, search)?;
    if let Some(missing) = templates.missing.into_iter().next() {
        return Err(missing.into());
    }
    let surroundings = Surroundings::default();
    // A module is a part of the templates that import it.
    let modules = crate::check::modules_of(&templates.files);
    let is_module = |at: usize| modules.get(at).copied().unwrap_or_default();
    let files = templates.files.iter().enumerate().filter(|(at, _)| !is_module(*at)).map(|(_, file)| file);
    let one = |file: &TemplateFile| -> Result<(Report, Options), Failure> {
        let mut input = inputs::read_in(&surroundings, file, command, Values::Keep, (args, is_strict))?;
        input.options.serverless = Serverless::Output;
        Ok((Live::new(args)?.compile(&input, Goal::Expand, None)?, input.options))
    };
    let mut shared = Shared { templates: Vec::new(), wrong: Vec::new() };
    for result in on_all(files.collect(), one) {
        let (report, options) = result?;
        if report.has_errors() {
            shared.wrong.push(report);
        } else {
            shared.templates.push(report.compilation().links(&options.pseudo));
        }
    }
    Ok(shared)
}
