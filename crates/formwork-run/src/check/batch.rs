//! Checks many templates, each by itself, and prints the results in the order of the templates.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::console::report::{Rendered, Renderer, Reporter};
use crate::console::timings::{Spent, Timings};
use crate::excluded::Excluded;
use crate::inputs::Input;
use crate::live::Live;
use crate::many::on_all;
use crate::surroundings::Surroundings;
use crate::templates::{Search, TemplateFile, Templates};
use crate::terminal;
use crate::working::Working;
use crate::{Status, inputs, nested, schemas};
use formwork::repository::Template as Links;
use formwork::{Fixed, Goal, Options, Serverless, Values};
use formwork_project::Failure;
use formwork_schemas::Schemas;

use crate::check::CheckArgs;
use crate::check::fixes::{Fixing, find_fixes, is_stdin, print_fixed, print_fixes, write_fixed};
use crate::check::links::judge_links;
use crate::check::module_order;

struct Checked {
    reports: Vec<Rendered>,
    fixed: Option<Fixed>,
    is_stdin: bool,
    spent: Spent,
    modules: Vec<PathBuf>,
    is_imported: bool,
    /// Set when the template has no diagnostics.
    is_clean: bool,
    /// What the template has in common with others.
    links: Links,
}

/// The number of a template that is checked again, and the template.
type Again<'t> = (usize, &'t TemplateFile);

struct Work<'a> {
    args: &'a CheckArgs,
    renderer: Renderer,
    surroundings: Surroundings,
    schemas: Option<Arc<Schemas>>,
    is_alone: bool,
    read: &'a Read,
    /// For each template, whether another one is known to import it before the first one is checked.
    modules: Vec<bool>,
    imported: Mutex<Imported>,
    working: Working,
}

#[derive(Default)]
struct Imported {
    /// The paths as templates write them.
    paths: HashSet<PathBuf>,
    files: HashSet<PathBuf>,
}

impl Imported {
    /// Adds files. Each path is resolved once, however many templates have it.
    fn add(&mut self, paths: &[PathBuf]) {
        for path in paths {
            if !self.paths.contains(path) {
                self.paths.insert(path.clone());
                self.files.insert(same_file(path));
            }
        }
    }
}

impl Work<'_> {
    fn read(&self, template: &TemplateFile) -> Result<Input, Failure> {
        let arguments = (&self.args.inputs, self.args.report.strict);
        let mut input = inputs::read_in(&self.surroundings, template, "check", Values::Resolve, arguments)?;
        self.args.selection.apply_to(&mut input.options);
        input.options = input.options.for_check(self.schemas.clone());
        Ok(input)
    }

    /// Returns `true` when templates, which may nest others, are fixed before the first one is checked. Standard input
    /// can be read only once and is not nested in anything: it is fixed when it is checked.
    fn fixes_first(&self) -> bool {
        self.args.fixes.fix && !self.args.fixes.diff && !self.is_alone
    }

    fn fix(&self, live: &mut Live, template: &TemplateFile) -> Fixing {
        Ok(find_fixes(self.args, &self.read(template)?, live)?)
    }

    /// Writes the fixes of all templates. All were computed before, so that none depends on another one.
    ///
    /// # Errors
    /// The first error that is not about one of the templates; nothing is written then.
    fn write_fixes(&self, templates: &Templates, fixings: Vec<Option<Fixing>>) -> Result<Vec<Option<Fixing>>, Failure> {
        let is_of_template = |failure: &Failure| matches!(failure, Failure::File(file) if file.is_template);
        let mut kept = Vec::new();
        for fixing in fixings {
            match fixing {
                Some(Err(failure)) if !is_of_template(&failure) => return Err(failure),
                other => kept.push(other),
            }
        }
        let write = |(fixing, template): (Option<Fixing>, &TemplateFile)| -> Option<Fixing> {
            fixing.map(|fixing| fixing.and_then(|fixed| write_fixed(self.args, &template.path, fixed)))
        };
        Ok(kept.into_iter().zip(&templates.files).map(write).collect())
    }

    /// Checks a template. `fixing` is its result if it was already fixed.
    fn check(
        &self,
        live: &mut Live,
        (order, template): (usize, &TemplateFile),
        fixing: Option<Fixing>,
    ) -> Result<Checked, Failure> {
        let is_imported = self.modules.get(order).copied().unwrap_or_default() || self.imports(template);
        let checked = self.check_as(live, (order, template), fixing, is_imported);
        self.working.step("");
        let checked = checked?;
        if !checked.modules.is_empty() {
            self.imported.lock().unwrap_or_else(PoisonError::into_inner).add(&checked.modules);
        }
        Ok(checked)
    }

    /// Checks a template, as a module if another template imports it.
    fn check_as(
        &self,
        live: &mut Live,
        (order, template): (usize, &TemplateFile),
        fixing: Option<Fixing>,
        is_imported: bool,
    ) -> Result<Checked, Failure> {
        let timings = Timings::new(self.args.report.timings);
        let fixed = fixing.transpose()?;
        let mut input = self.read(template)?;
        input.options.is_imported = is_imported;
        input.session = input.session.in_order(order);
        let fixes = fixed.is_none() && template.many.is_none() && (self.args.fixes.fix || self.args.fixes.diff);
        let fixed = if fixes {
            let found = find_fixes(self.args, &input, live)?;
            Some(write_fixed(self.args, &template.path, found)?)
        } else {
            fixed
        };
        let compiled = nested::compile(live, &input, Goal::Check, Some(&|name| timings.begin(name)))?;
        timings.begin("report");
        let mut reports: Vec<Rendered> = compiled.1.iter().map(|report| self.renderer.render(report)).collect();
        if !self.args.tools.with.is_empty() {
            timings.begin("other tools");
            // Sections that only loops used disappear with the loops.
            input.options =
                Options { prune: true, serverless: Serverless::Output, ..input.options.for_output(Values::Keep) };
            let report = live.compile(&input, Goal::Package, None)?;
            let found = crate::check::other_tools::run(self.args, &template.path, &report)?;
            reports.push(self.renderer.render_found(&found, report.compilation()));
        }
        let modules = compiled.1.iter().flat_map(|report| report.compilation().local_modules());
        let modules = modules.filter(|_| !self.is_alone).map(PathBuf::from).collect();
        // Nested templates are checked by themselves.
        let is_clean = compiled.1.first().is_none_or(|report| report.diagnostics().is_empty());
        let root = compiled.1.first().filter(|_| !self.is_alone && !is_imported);
        let links = root.map(|report| report.compilation().links(&input.options.pseudo)).unwrap_or_default();
        if self.args.is_watched() {
            let files = input.host.loader().files();
            self.read.lock().unwrap_or_else(PoisonError::into_inner).extend(files);
        }
        let (is_stdin, spent) = (is_stdin(&template.path), timings.spent());
        Ok(Checked { reports, fixed, is_stdin, spent, modules, is_imported, is_clean, links })
    }

    fn imports(&self, template: &TemplateFile) -> bool {
        let imported = self.imported.lock().unwrap_or_else(PoisonError::into_inner);
        !imported.files.is_empty() && imported.files.contains(&same_file(&template.path))
    }

    /// Returns the results in order. A template that another one imports is checked again, as a module; `again` does
    /// that for a list of templates.
    fn judge_modules<'t>(
        &self,
        templates: &'t Templates,
        results: Vec<Result<Checked, Failure>>,
        again: impl FnOnce(Vec<(Again<'t>, Option<Fixing>)>) -> Vec<Result<Checked, Failure>>,
    ) -> Vec<Result<Checked, Failure>> {
        let (mut judged, mut pending) = (Vec::with_capacity(results.len()), Vec::new());
        for (result, template) in results.into_iter().zip(templates.files.iter().enumerate()) {
            judged.push(match result {
                // A module without diagnostics is not checked again.
                Ok(mut checked) if !checked.is_clean && !checked.is_imported && self.imports(template.1) => {
                    pending.push((template, checked.fixed.take().map(Ok)));
                    None
                }
                other => Some(other),
            });
        }
        let mut again = again(pending).into_iter();
        judged.into_iter().filter_map(|result| result.or_else(|| again.next())).collect()
    }

    /// Adds the findings about names that stacks share. A template with one is compiled again for its report.
    ///
    /// # Errors
    /// When stacks cannot be read, when account data is requested from AWS, and the request fails.
    fn judge_links(
        &self,
        live: &mut Live,
        templates: &Templates,
        mut results: Vec<Result<Checked, Failure>>,
    ) -> Result<Vec<Result<Checked, Failure>>, Failure> {
        if self.is_alone {
            return Ok(results);
        }
        let shared = results.iter_mut().map(|result| match result {
            Ok(checked) => (std::mem::take(&mut checked.links), checked.is_imported),
            Err(_) => (Links::default(), false),
        });
        let shared = shared.collect();
        let judged = judge_links(&self.surroundings, live, templates, (self.args, shared))?;
        for (order, report) in judged {
            if let Some(Ok(checked)) = results.get_mut(order) {
                checked.reports.push(self.renderer.render(&report));
            }
        }
        Ok(results)
    }

    /// Checks all templates in parallel, and passes the results to `take` in order.
    ///
    /// # Errors
    /// The first error of `take`.
    fn check_all(
        &self,
        templates: &Templates,
        mut take: impl FnMut(Result<Checked, Failure>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let alone = || Live::new(&self.args.inputs);
        let mut fixings: Vec<Option<Fixing>> = Vec::new();
        if self.fixes_first() {
            let fix = |template: &TemplateFile| {
                let fix = || self.fix(&mut alone()?, template);
                (!is_stdin(&template.path) && template.many.is_none()).then(fix)
            };
            fixings = self.write_fixes(templates, on_all(templates.files.iter().collect(), fix))?;
        }
        fixings.resize_with(templates.files.len(), || None);
        let items = templates.files.iter().enumerate().zip(fixings).collect();
        let results = on_all(items, |(template, fixing)| self.check(&mut alone()?, template, fixing));
        let again = |pending: Vec<_>| {
            on_all(pending, |(template, fixing)| self.check_as(&mut alone()?, template, fixing, true))
        };
        let judged = self.judge_modules(templates, results, again);
        self.judge_links(&mut alone()?, templates, judged)?.into_iter().try_for_each(&mut take)
    }

    /// Checks all templates with one shared account, and passes the results to `take` in order.
    ///
    /// # Errors
    /// The first error of `take`, and when AWS cannot be queried.
    fn check_all_live(
        &self,
        templates: &Templates,
        mut take: impl FnMut(Result<Checked, Failure>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut live = Live::new(&self.args.inputs)?;
        let mut fixings: Vec<Option<Fixing>> = Vec::new();
        if self.fixes_first() {
            let fix = |template: &TemplateFile| {
                (!is_stdin(&template.path) && template.many.is_none()).then(|| self.fix(&mut live, template))
            };
            let found = templates.files.iter().map(fix).collect();
            fixings = self.write_fixes(templates, found)?;
        }
        fixings.resize_with(templates.files.len(), || None);
        let results = templates.files.iter().enumerate().zip(fixings);
        let results = results.map(|(template, fixing)| self.check(&mut live, template, fixing)).collect();
        let again = |pending: Vec<(_, Option<Fixing>)>| {
            let judge = |(template, fixing)| self.check_as(&mut live, template, fixing, true);
            pending.into_iter().map(judge).collect()
        };
        let judged = self.judge_modules(templates, results, again);
        self.judge_links(&mut live, templates, judged)?.into_iter().try_for_each(&mut take)?;
        live.write_record()
    }
}

/// Checks all templates once.
///
/// # Errors
/// When the arguments mean nothing, or a file that they name cannot be read.
pub fn run(args: &CheckArgs) -> Result<Status, Failure> {
    once(args, &Read::default())
}

/// The files that a run has read.
pub type Read = Mutex<BTreeSet<PathBuf>>;

/// Checks all templates once. `read` collects the files that were read.
///
/// # Errors
/// When the choices are invalid, or one of their files cannot be read.
pub fn once(args: &CheckArgs, read: &Read) -> Result<Status, Failure> {
    let root = args.inputs.project_root.as_deref();
    let excluded = Excluded::new(&args.exclude)?;
    let search = Search {
        root,
        only_templates: args.only_templates,
        joins_parts: true,
        excluded: Some(&excluded),
        ..Search::default()
    };
    let templates = Templates::find(&args.template, search)?;
    let fixes_stdin = args.fixes.fix && templates.files.iter().any(|file| is_stdin(&file.path));
    let prints_other = args.fixes.diff || fixes_stdin;
    let mut reporter =
        if prints_other { Reporter::beside_output(&args.report) } else { Reporter::on_output(&args.report) };
    reporter = crate::check::baseline::add_to(reporter, args)?;
    let mut is_unread = !templates.missing.is_empty();
    for missing in &templates.missing {
        reporter.print_file(missing);
    }
    let schemas = schemas::read(&args.schemas)?;
    let is_alone = templates.files.len() < 2;
    let surroundings = Surroundings::edited(args.fixes.fix);
    // Fixes change files, and queries to AWS and the verbose output belong to a single template.
    let is_repeated = is_alone || args.report.verbose || args.fixes.fix || args.fixes.diff || args.inputs.live.live;
    let shows = !args.report.quiet && !args.is_watched();
    let work = Work {
        schemas,
        args,
        renderer: reporter.renderer(),
        surroundings: if is_repeated { surroundings } else { surroundings.checked() },
        is_alone,
        read,
        modules: if is_alone { Vec::new() } else { module_order::modules_of(&templates.files) },
        imported: Mutex::default(),
        working: Working::begin(checked_words(&templates), templates.files.len(), shows),
    };
    if !args.report.quiet {
        for note in crate::check::other_tools::unread_configuration(args) {
            terminal::say_line(&note);
        }
    }
    let mut spent = Spent::default();
    let print = |checked: Result<Checked, Failure>| -> Result<(), Failure> {
        let Some(checked) = reporter.readable(checked)? else {
            is_unread = true;
            return Ok(());
        };
        spent.add(&checked.spent);
        if let Some(fixed) = &checked.fixed {
            reporter.count_fixed(fixed.applied.len());
            print_fixes(fixed, args.report.verbose);
        }
        if !args.fixes.diff {
            checked.reports.into_iter().for_each(|one| reporter.add(one));
        }
        if let Some(fixed) = checked.fixed.filter(|_| args.fixes.diff || fixes_stdin && checked.is_stdin) {
            print_fixed(args, &fixed)?;
        }
        Ok(())
    };
    if args.inputs.live.live || work.is_alone {
        work.check_all_live(&templates, print)?;
    } else {
        work.check_all(&templates, print)?;
    }
    if args.report.timings {
        spent.print();
    }
    drop(work);
    finish(args, reporter, is_unread)
}

fn finish(args: &CheckArgs, reporter: Reporter, is_unread: bool) -> Result<Status, Failure> {
    crate::check::baseline::write(args, &reporter, is_unread)?;
    let summary = if args.fixes.diff {
        let would = reporter.summary().fixed_sentence("Would fix");
        if !would.is_empty() {
            terminal::say_line(&would);
        }
        reporter.summary()
    } else {
        reporter.finish_output()?
    };
    let is_wrong = summary.errors > 0 || args.fixes.diff && summary.fixed > 0;
    Ok(if is_unread {
        Status::Failed
    } else if is_wrong && !args.selection.exit_zero {
        Status::Errors
    } else {
        Status::Done
    })
}

fn checked_words(templates: &Templates) -> &'static str {
    if templates.files.len() == 1 { "checking the template" } else { "checking {} templates" }
}

/// Returns one path for all paths that lead to the same file.
fn same_file(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
