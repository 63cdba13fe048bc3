//! `formwork map-back` (reference/map-back.md).

mod authored;

use std::path::{Path, PathBuf};

use formwork::Limits;
use formwork::disk::read_file;
use formwork_map_back::report::{self, Kind};
use formwork_map_back::{Located, Locator, SourceMap, map_lines, merged};
use formwork_run::console::ReportArgs;

use crate::Status;
use crate::args::MapBackArgs;
use crate::failure::{Failure, FileFailure};
use crate::inputs::read_stdin;
use crate::report::Reporter;
use crate::terminal::{self, Form};
use authored::Authored;
use formwork_map_back::diagnostic;

/// Prints a report with authored places.
///
/// # Errors
/// When the report, the source map or the expanded template cannot be used.
pub(crate) fn run(args: &MapBackArgs) -> Result<Status, Failure> {
    let map_text = read_text(&args.source_map)?;
    let map = SourceMap::parse(&map_text).map_err(|error| {
        let path = &args.source_map;
        let failure = FileFailure::unfit(path, format!("{}: {error}", path.display()));
        failure.help("`formwork expand TEMPLATE -o FILE --source-map FILE` writes one")
    })?;
    let expanded = expanded(args, &map)?;
    let report_text = match &args.report {
        Some(path) if path != Path::new("-") => read_text(path)?,
        _ => String::from_utf8_lossy(&read_stdin(Limits::default().file_bytes)?).into_owned(),
    };
    let kind = args.from.unwrap_or_else(|| Kind::of(&report_text));
    let authored = Authored::read(&map, &args.source_map);
    for path in authored.changed() {
        terminal::say_line(&format!(
            "warning: {path} changed since the source map was written; lines are those of the map"
        ));
    }
    if kind == Kind::Lines {
        let (text, _) = map_lines(&report_text, &map);
        terminal::print(&text, Form::Plain)?;
        return Ok(Status::Done);
    }
    let read = report::read(kind, &report_text, &map.output.path).map_err(|error| error.to_string())?;
    let locator = Locator::new(&map, expanded.as_deref());
    let located: Vec<Located> = read.findings.iter().map(|finding| locator.locate(finding.clone())).collect();
    let one = merged(located.clone(), args.each || kind == Kind::Events);
    if read.others > 0 {
        terminal::say_line(&format!("note: {} results are about other files", read.others));
    }
    let Some(message_format) = args.message_format else {
        let text = read.rewritten(&located, &one, &|file| authored.text(file), &map.output.path);
        terminal::print(&text, Form::Json)?;
        return Ok(Status::Done);
    };
    let args = ReportArgs { message_format, ..ReportArgs::default() };
    let found: Vec<_> = one.iter().map(|one| diagnostic(one, authored.sources())).collect();
    let mut reporter = Reporter::on_output(&args);
    reporter.print_found(found.iter(), authored.sources());
    reporter.finish_output()?;
    Ok(Status::Done)
}

fn read_text(path: &Path) -> Result<String, FileFailure> {
    let read = read_file(path, Limits::default().file_bytes).map_err(|error| FileFailure::unread(path, &error))?;
    Ok(String::from_utf8_lossy(&read.bytes).into_owned())
}

/// The expanded template, if it exists. It must be the one to which the map belongs.
fn expanded(args: &MapBackArgs, map: &SourceMap) -> Result<Option<String>, Failure> {
    let path = match &args.expanded {
        Some(path) => path.clone(),
        None => match near(&args.source_map, &map.output.path) {
            Some(path) => path,
            None => return Ok(None),
        },
    };
    let read = read_file(&path, Limits::default().file_bytes).map_err(|error| FileFailure::unread(&path, &error))?;
    if formwork::sha256(&read.bytes) != map.output.sha256 && !args.force {
        let why = format!(
            "{} is not the expansion of the source map: the report belongs to another expansion",
            path.display()
        );
        let failure =
            FileFailure::unfit(&path, why).help("expand the template again with `--source-map`, or pass `--force`");
        return Err(failure.into());
    }
    Ok(Some(String::from_utf8_lossy(&read.bytes).into_owned()))
}

/// A file of a map: from the working directory, else from the directory of the map.
fn near(map: &Path, path: &str) -> Option<PathBuf> {
    let beside = map.parent().unwrap_or(Path::new("")).join(path);
    [PathBuf::from(path), beside].into_iter().find(|path| path.is_file())
}
