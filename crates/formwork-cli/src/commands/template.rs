//! The shared part of `expand` and `resolve`: templates in, templates out (reference/command-line.md#templates).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use formwork::disk::{Loader, temporaries};
use formwork::{Choices, Goal, Relocation, Report, Values};

use formwork_run::excluded::Excluded;
use formwork_run::relocation::{self, Written};

use super::timings::{Spent, Timings};
use formwork_run::args::InputArgs;
use formwork_run::console::ReportArgs;

use crate::args::{OutputArgs, format_of_file};
use crate::failure::Failure;
use crate::live::Live;
use crate::many::on_all;
use crate::output::{Destination, Outputs};
use crate::output_directory::OutputDirectory;
use crate::report::{Rendered, Reporter};
use crate::surroundings::Surroundings;
use crate::templates::{Search, TemplateFile, Templates};
use crate::{Status, inputs, output, terminal};

pub(super) struct Work<'a> {
    pub(super) command: &'static str,
    pub(super) goal: Goal,
    pub(super) values: Values,
    /// Set when all files are one template.
    pub(super) merges: bool,
    pub(super) only_templates: bool,
    pub(super) exclude: &'a [String],
    pub(super) inputs: &'a InputArgs,
    pub(super) output: &'a OutputArgs,
    pub(super) report: &'a ReportArgs,
}

/// Compiles templates and writes the results, except for those with errors.
pub(super) fn run(words: &[PathBuf], work: &Work<'_>) -> Result<Status, Failure> {
    let (output, root) = (work.output.output.as_deref(), work.inputs.project_root.as_deref());
    let excluded = Excluded::new(work.exclude)?;
    let search =
        Search { output, root, only_templates: work.only_templates, excluded: Some(&excluded), ..Search::default() };
    let mut templates = Templates::find(words, search)?;
    if work.merges && words.len() > 1 {
        templates = Templates::merged(words)?;
    }
    if templates.are_many || is_directory(work.output.output.as_deref()) && words != [Path::new("-")] {
        return many(&templates, work);
    }
    let [template] = templates.files.as_slice() else { return Ok(Status::Done) };
    let timings = Timings::new(work.report.timings);
    let to = work.output.output.as_deref();
    work.outputs(to).check(&work.inputs.named_files(template.path.as_path()))?;
    let surroundings = Surroundings::of_one_template();
    let (mut report, loader) = work.compile(template, &mut Live::new(work.inputs)?, &surroundings, &timings)?;
    let relocation = relocation::relocate(&template.path, to, &mut report, &Written::default());
    let mut reporter = Reporter::new(work.report);
    reporter.print(&report);
    if !report.has_errors() {
        reporter.note_pruned(reporter.renderer().pruned(report.compilation()));
    }
    timings.begin("emit");
    let is_written = work.write(&template.path, Destination::Usual(to), &report, relocation.as_ref(), &loader)?;
    if !is_written {
        reporter.finish("; no template was written");
        return Ok(Status::Errors);
    }
    reporter.finish("");
    if !work.report.quiet {
        terminal::say_written(to);
    }
    if work.report.timings {
        timings.print();
    }
    Ok(Status::Done)
}

fn is_directory(output: Option<&Path>) -> bool {
    output.is_some_and(|path| path.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]))
}

fn directory_of<'a>(work: &Work<'a>) -> Result<&'a Path, Failure> {
    let Some(directory) = &work.output.output else {
        return Err("several templates need a directory to write to\n  help: name it with `-o DIR`".into());
    };
    if work.output.source_map.is_some() {
        return Err("--source-map is of one template: name one".into());
    }
    if directory.exists() && !directory.is_dir() {
        return Err(format!("{} cannot be written: it is not a directory", directory.display()).into());
    }
    Ok(directory)
}

/// Writes each result below the directory of `-o`, under the path of its template.
fn many(templates: &Templates, work: &Work<'_>) -> Result<Status, Failure> {
    let directory = directory_of(work)?;
    let mut reporter = Reporter::new(work.report);
    for missing in &templates.missing {
        reporter.print_file(missing);
    }
    let (mut is_unread, mut count) = (!templates.missing.is_empty(), 0);
    let pairs: Vec<(&TemplateFile, PathBuf)> = templates
        .files
        .iter()
        .zip(relative_paths(&templates.files))
        .map(|(from, to)| (from, directory.join(to)))
        .collect();
    let written = Written::new(pairs.iter().map(|(from, to)| (from.path.as_path(), to.as_path())));
    let renderer = reporter.renderer();
    let surroundings = Surroundings::default();
    let directory = OutputDirectory::new(directory);
    let results = || pairs.iter().map(|(_, to)| to.as_path());
    directory.keep_templates(results(), pairs.iter().map(|(from, _)| from.path.as_path()))?;
    let compile = |live: &mut Live, from: &TemplateFile, to: &Path| -> Result<Compiled, Failure> {
        if temporaries::is_asked_to_end() {
            return Err(INTERRUPTED.into());
        }
        let timings = Timings::new(work.report.timings);
        let (mut report, loader) = work.compile(from, live, &surroundings, &timings)?;
        let relocation = relocation::relocate(&from.path, Some(to), &mut report, &written);
        timings.begin("emit");
        let is_written = !report.has_errors();
        if is_written {
            directory.keep_read(results(), &loader)?;
            let place = directory.path_of(to)?;
            work.write(&from.path, place.destination(), &report, relocation.as_ref(), &loader)?;
        }
        let pruned = renderer.pruned(report.compilation()).filter(|_| is_written);
        Ok(Compiled { rendered: renderer.render(&report), is_written, pruned, spent: timings.spent() })
    };
    let mut spent = Spent::default();
    let mut print = |compiled: Result<Compiled, Failure>| -> Result<(), Failure> {
        if temporaries::is_asked_to_end() {
            return Err(INTERRUPTED.into());
        }
        match reporter.readable(compiled)? {
            Some(Compiled { rendered, is_written, pruned, spent: of_template }) => {
                spent.add(&of_template);
                reporter.add(rendered);
                count += usize::from(is_written);
                reporter.note_pruned(pruned);
            }
            None => is_unread = true,
        }
        Ok(())
    };
    if work.inputs.live.live {
        let mut live = Live::new(work.inputs)?;
        for (from, to) in &pairs {
            print(compile(&mut live, from, to))?;
        }
    } else {
        let alone = |(from, to): &(&TemplateFile, PathBuf)| compile(&mut Live::new(work.inputs)?, from, to);
        on_all(pairs.iter().collect(), alone).into_iter().try_for_each(print)?;
    }
    let directory = directory.finish()?;
    reporter.finish("");
    if !work.report.quiet {
        let of = pairs.len();
        terminal::say_done(&format!("Wrote {count} of {of} templates below {}", directory.display()));
    }
    if work.report.timings {
        spent.print();
    }
    Ok(match reporter.has_errors() {
        _ if is_unread => Status::Failed,
        true => Status::Errors,
        false => Status::Done,
    })
}

const INTERRUPTED: &str = "the run was interrupted, and nothing was written";

struct Compiled {
    rendered: Rendered,
    is_written: bool,
    /// The note about declarations that were removed from the output.
    pruned: Option<String>,
    spent: Spent,
}

/// Paths from the working directory; from the common directory of all templates if one is elsewhere.
fn relative_paths(files: &[TemplateFile]) -> Vec<PathBuf> {
    let absolute = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut directories: BTreeMap<&Path, PathBuf> = BTreeMap::new();
    let files: Vec<PathBuf> = files
        .iter()
        .map(|file| (file.path.as_path(), file.result_name()))
        .map(|(path, name)| match name {
            Some(name) => {
                directories.entry(inputs::folder(path)).or_insert_with_key(|directory| absolute(directory)).join(name)
            }
            None => absolute(path),
        })
        .collect();
    let mut base = std::env::current_dir().map(|path| absolute(&path)).unwrap_or_default();
    if !files.iter().all(|path| path.starts_with(&base)) {
        base = files.first().and_then(|path| path.parent()).map(Path::to_owned).unwrap_or_default();
        while !files.iter().all(|path| path.starts_with(&base)) && base.pop() {}
    }
    files.iter().map(|path| path.strip_prefix(&base).unwrap_or(path).to_owned()).collect()
}

impl Work<'_> {
    fn compile(
        &self,
        template: &TemplateFile,
        live: &mut Live,
        surroundings: &Surroundings,
        timings: &Timings,
    ) -> Result<(Report, Loader), Failure> {
        let arguments = (self.inputs, self.report.strict);
        let mut input = inputs::read_in(surroundings, template, self.command, self.values, arguments)?;
        let loader = input.host.loader().clone();
        let OutputArgs { metrics, metadata_source_map, prune, serverless, .. } = *self.output;
        input.options.prune = prune;
        input.options.serverless = serverless.choice();
        input.options.modules = Choices { metrics, metadata_source_map, ..Choices::default() };
        let report = live.compile(&input, self.goal, Some(&|name| timings.begin(name)))?;
        Ok((report, loader))
    }

    /// Writes the result of a report without errors to a file, or to standard output. Returns `false` when there are
    /// errors, and nothing is written.
    fn write(
        &self,
        template: &Path,
        to: Destination<'_>,
        report: &Report,
        relocation: Option<&Relocation>,
        loader: &Loader,
    ) -> Result<bool, Failure> {
        let result = match report.compilation().output() {
            Ok(result) if !report.has_errors() => relocation.map_or(result, |moved| result.relocated(moved)),
            _ => return Ok(false),
        };
        self.outputs(None).keep_inputs(loader)?;
        // The author chooses the file name for a single template; of several ones each keeps its own format.
        let named = || self.output.output.as_deref().filter(|path| to.path() == Some(path)).and_then(format_of_file);
        let format = self.output.format.or_else(named);
        let mut map = None;
        to.write(loader, |out| {
            let mut failed = Ok(());
            let mut sink = |part: &[u8]| {
                if failed.is_ok() {
                    failed = out.write_all(part);
                }
            };
            if self.output.source_map.is_some() {
                let directory = inputs::folder(template);
                let path =
                    to.path().map_or_else(|| "stdout".to_owned(), |path| inputs::from_directory(path, directory));
                map = result.write_with_map(format, &path, &mut sink);
            } else {
                result.write_bytes(format, &mut sink);
            }
            failed
        })?;
        if let (Some(path), Some(map)) = (&self.output.source_map, map) {
            output::write(Some(path), |out| out.write_all(map.as_bytes()))?;
        }
        Ok(true)
    }

    fn outputs<'o>(&'o self, to: Option<&'o Path>) -> Outputs<'o> {
        Outputs::new(
            &[("-o", to), ("--source-map", self.output.source_map.as_deref())],
            self.inputs.live.record_account.as_deref(),
        )
    }
}
