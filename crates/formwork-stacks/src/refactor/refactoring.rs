//! The steps of `refactor`.

use formwork_project::Failure;
use formwork_refactor::{Mapping, Sides, held_back, intermediate, refused};
use formwork_report::printable;
use formwork_run::Status;
use formwork_run::console::report::Reporter;
use formwork_run::console::{ReportFormat, configured};
use formwork_run::terminal::{self, Form};
use serde_json::Value;

use super::wanted::Wanted;
use super::{Items, RefactorArgs, RefactoredStack, Row, Summary, execution, files, mappings, refusals, stack, table};
use crate::Exit;
use crate::around::Connection;
use crate::reporter::DeployReporter;

/// Renames and moves resources of deployed stacks.
///
/// # Errors
/// When the arguments are invalid, a file of them cannot be read, or a result cannot be written.
pub fn run(args: &RefactorArgs) -> Result<Status, Failure> {
    let choices = Wanted::new(args)?;
    let given = mappings::given(&args.map, args.mapping_file.as_deref(), choices.only_stack())?;
    configured::say_rest(Some(&args.report));
    let mut words = Reporter::new(&args.report);
    let mut reporter = DeployReporter::new(&mut words);
    let mut summary = Summary::default();
    let result = Connection::open(&choices.settings, choices.intervals, &mut reporter).map_err(Exit::from).and_then(
        |mut connection| {
            if let Some(limit) = choices.limit {
                connection.service.limit(limit);
            }
            match &args.execute {
                Some(id) => execution::resume(id, args, &mut connection, &mut summary),
                None => refactor(args, (&choices, &given), &mut connection, &mut summary),
            }
        },
    );
    if let Some(words) = summary.leaves().filter(|_| matches!(result, Err(Exit::Status(_)))) {
        reporter.print_line(&words);
    }
    reporter.finish();
    if ReportFormat::is_json(args.format) && !matches!(result, Err(Exit::Failure(_))) {
        terminal::print(&format!("{:#}\n", summary.object(&reporter)), Form::Json)?;
    }
    Exit::into_status(result)
}

fn refactor(
    args: &RefactorArgs,
    (choices, given): (&Wanted, &[Mapping]),
    connection: &mut Connection<'_, '_>,
    summary: &mut Summary,
) -> Result<Status, Exit> {
    let mut stacks = Vec::new();
    for one in &choices.stacks {
        summary.stacks.push(one.0.clone());
        stacks.push(RefactoredStack::read(one, args, connection)?);
    }
    let (mappings, items) = mappings::found(given, &mut stacks, connection)?;
    summary.rows = mappings.iter().map(|mapping| row(mapping, &items, &mut stacks)).collect();
    if mappings.is_empty() {
        summary.result = Some("nothing");
        connection.reporter.print_line("nothing to refactor: no resource has another name or another stack");
        return Ok(Status::Done);
    }
    let sides: Vec<Sides> = stacks.iter().map(|stack| stack.sides.clone()).collect();
    let sent = intermediate(&sides, &mappings);
    summary.stacks = sent.iter().map(|one| one.stack.clone()).collect();
    let wrong = refused(&sides, &mappings, &sent);
    if !wrong.is_empty() {
        refusals::print_refused(&wrong, &mut stacks, connection.reporter);
        return Err(Status::Errors.into());
    }
    let others: Vec<_> = sent
        .iter()
        .filter(|one| !one.has_moves)
        .filter_map(|one| sides.iter().find(|sides| sides.stack == one.stack).map(|sides| (sides, one)))
        .filter(|(sides, _)| stack::named(&mut stacks, &sides.stack).is_some_and(|stack| !stack.has_macros()))
        .collect();
    let others: Vec<_> = others.into_iter().flat_map(|(sides, one)| held_back(sides, one)).collect();
    summary.held_back = others.len();
    refusals::print_held_back(&others, &mut stacks, connection.reporter);
    if let Some(directory) = &args.output_dir {
        files::write(directory, &sent, &mappings)?;
        connection
            .reporter
            .print_line(&format!("wrote templates and mappings to {}", printable(&directory.to_string_lossy())));
    }
    if args.dry_run {
        summary.result = Some("dry-run");
        if !ReportFormat::is_json(args.format) {
            terminal::print(&table::of_mappings(&summary.rows), Form::Plain).map_err(Failure::from)?;
        }
        return Ok(Status::Done);
    }
    for line in table::of_mappings(&summary.rows).lines() {
        connection.reporter.print_line(&format!("  {line}"));
    }
    execution::create(args, (&sent, &mappings), &mut stacks, connection, summary)?;
    let id = summary.id.clone().unwrap_or_default();
    execution::execute(&id, args, connection, summary)
}

fn row(mapping: &Mapping, items: &Items, stacks: &mut [RefactoredStack]) -> Row {
    let deployed = stack::named(stacks, &mapping.source.stack).and_then(|stack| {
        let body = stack.sides.deployed.get("Resources")?.get(&mapping.source.logical_id)?;
        body.get("Type").and_then(Value::as_str).map(str::to_owned)
    });
    let origin = stack::origin(stacks, &mapping.destination);
    let old_line = items.line(&mapping.source);
    Row { mapping: mapping.clone(), kind: deployed.unwrap_or_default(), old_line, origin }
}
