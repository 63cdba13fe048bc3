//! `formwork fmt` (reference/formatting.md).

mod settings;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use formwork::disk::read_file;
use formwork::{FileBytes, Limits, VirtualPath};
use formwork_format::{Formatted, Options, Refused, format_bytes};

use crate::args::FmtArgs;
use crate::failure::{Failure, FileFailure};
use crate::inputs::read_stdin;
use crate::many::on_all;
use crate::report::Reporter;
use crate::templates::{Search, TemplateFile, Templates};
use crate::terminal::{self, Form};
use crate::{Status, output};
use formwork_report::line_diff;
use formwork_run::excluded::Excluded;

/// The result for one file.
struct Done {
    shown: String,
    path: Option<PathBuf>,
    read: FileBytes,
    result: Result<Formatted, Refused>,
}

/// Formats files, or standard input.
///
/// # Errors
/// When the arguments are invalid, or standard output cannot be written.
pub(crate) fn run(args: &FmtArgs) -> Result<Status, Failure> {
    if args.template.iter().any(|path| path == Path::new("-")) {
        return stdin(args);
    }
    if args.stdin_filename.is_some() {
        return Err("`--stdin-filename` is about standard input\n  help: add `-`".to_owned().into());
    }
    let directory = [PathBuf::from(".")];
    let words = if args.template.is_empty() { &directory } else { args.template.as_slice() };
    let excluded = Excluded::new(&args.style.exclude)?;
    let search = Search {
        only_templates: args.only_templates,
        tests: true,
        takes_files: true,
        excluded: Some(&excluded),
        ..Search::default()
    };
    let mut templates = Templates::find(words, search)?;
    once_each(&mut templates.files);
    let mut reporter = Reporter::new(&args.report);
    let mut is_unread = !templates.missing.is_empty();
    for missing in &templates.missing {
        reporter.print_file(missing);
    }
    let options = args.style.options();
    let mut counts = Counts::default();
    for done in on_all(templates.files.iter().collect(), |file| format_file(file, &options)) {
        match done {
            Ok(done) => counts.add(&take(args, &mut reporter, done)),
            Err(failure) => {
                reporter.print_file(&failure);
                is_unread = true;
            }
        }
    }
    let is_shown = args.check || args.diff;
    reporter.finish("");
    if !is_shown && !args.report.quiet {
        terminal::say_line(&counts.sentence());
    }
    Ok(if is_unread || counts.unwritten > 0 {
        Status::Failed
    } else if counts.refused > 0 || is_shown && counts.changed > 0 {
        Status::Errors
    } else {
        Status::Done
    })
}

fn once_each(files: &mut Vec<TemplateFile>) {
    let mut known = BTreeSet::new();
    files.retain(|file| known.insert(file.path.canonicalize().unwrap_or_else(|_| file.path.clone())));
}

fn format_file(file: &TemplateFile, options: &Options) -> Result<Done, FileFailure> {
    let (path, limits) = (&file.path, Limits::default());
    let read = match &file.found_by {
        Some(loader) => loader.read_found(path),
        None => read_file(path, limits.file_bytes),
    };
    let bytes: FileBytes = read.map_err(|error| FileFailure::unread(path, &error))?.bytes.into();
    let shown = path.display().to_string();
    let result = format_bytes(&bytes, &VirtualPath::new(&shown), options, &limits);
    Ok(Done { shown, path: Some(path.clone()), read: bytes, result })
}

enum Outcome {
    Changed,
    Unchanged,
    Refused,
    Unwritten,
}

#[derive(Default)]
struct Counts {
    changed: usize,
    unchanged: usize,
    refused: usize,
    unwritten: usize,
}

impl Counts {
    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Changed => self.changed += 1,
            Outcome::Unchanged => self.unchanged += 1,
            Outcome::Refused => self.refused += 1,
            Outcome::Unwritten => self.unwritten += 1,
        }
    }

    fn sentence(&self) -> String {
        let files = |count: usize| if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        let mut text = format!("{} reformatted, {} left unchanged", files(self.changed), self.unchanged);
        if self.refused > 0 {
            let _ = write!(text, ", {} not formatted", self.refused);
        }
        text
    }
}

/// Writes or shows a formatted file, or reports why it stays unchanged.
fn take(args: &FmtArgs, reporter: &mut Reporter, done: Done) -> Outcome {
    let formatted = match done.result {
        Ok(formatted) => formatted,
        Err(Refused::NotWellFormed(sources, found)) => {
            reporter.print_found(found.iter(), &sources);
            return Outcome::Refused;
        }
        Err(Refused::Unproved(why)) => {
            terminal::say_line(&format!("error: {} is left alone: an error of the formatter: {why}", done.shown));
            return Outcome::Refused;
        }
    };
    if formatted.before == formatted.after {
        return Outcome::Unchanged;
    }
    let printed = if args.diff {
        let diff = line_diff::unified(&done.shown, &formatted.before, &formatted.after);
        terminal::print(&diff, Form::Plain)
    } else if args.check {
        terminal::print(&format!("{}\n", done.shown), Form::Plain)
    } else if let Some(path) = &done.path {
        output::rewrite(path, &done.read, &formatted.bytes).map_err(String::from)
    } else {
        Ok(())
    };
    match printed {
        Ok(()) => Outcome::Changed,
        Err(why) => {
            terminal::say_error(&why);
            Outcome::Unwritten
        }
    }
}

fn stdin(args: &FmtArgs) -> Result<Status, Failure> {
    if args.template.len() > 1 {
        return Err("`-` is standard input, and cannot be formatted together with files".to_owned().into());
    }
    let limits = Limits::default();
    let bytes = read_stdin(limits.file_bytes)?;
    let name = args.stdin_filename.as_deref();
    let options = match name {
        Some(name) if !args.no_config => settings::of_file(name)?.unwrap_or_else(|| args.style.options()),
        _ => args.style.options(),
    };
    let shown = name.map_or_else(|| "stdin".to_owned(), |name| name.display().to_string());
    let result = format_bytes(&bytes, &VirtualPath::new(&shown), &options, &limits);
    let mut reporter = Reporter::new(&args.report);
    let printed = match &result {
        Ok(formatted) if !args.check && !args.diff => Some(formatted.bytes.clone()),
        _ => None,
    };
    let outcome = take(args, &mut reporter, Done { shown, path: None, read: bytes, result });
    reporter.finish("");
    if let Some(bytes) = printed {
        output::write(None, |out| out.write_all(&bytes))?;
    }
    Ok(match outcome {
        Outcome::Unwritten => Status::Failed,
        Outcome::Refused => Status::Errors,
        Outcome::Changed if args.check || args.diff => Status::Errors,
        Outcome::Changed | Outcome::Unchanged => Status::Done,
    })
}
