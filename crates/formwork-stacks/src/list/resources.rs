//! Implements `formwork list resources`.

use clap::Args;
use formwork_deploy::PollIntervals;
use formwork_project::Failure;
use formwork_report::Notice;
use formwork_run::Status;
use formwork_run::console::report::Reporter;
use formwork_run::console::{ReportArgs, ReportFormat, configured};
use serde_json::{Value, json};

use super::printing::{cell, print};
use crate::around::{Connection, LinesArgs, StackArgs, Target, TemplateOf, with_nested};
use crate::places;
use crate::reporter::DeployReporter;
use crate::retries::Retries;

const HEAD: [&str; 5] = ["LogicalResourceId", "PhysicalResourceId", "ResourceType", "ResourceStatus", "Source"];

struct Row {
    path: String,
    physical_id: Option<String>,
    kind: String,
    status: Option<String>,
    source: Option<String>,
}

/// The arguments of `list resources`.
#[derive(Clone, Debug, Args)]
pub struct ListResourcesArgs {
    /// The stack.
    #[command(flatten)]
    pub stack: StackArgs,
    /// Print the list in this format: a table, or JSON [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// The template whose lines are shown, and the account of the stack.
    #[command(flatten)]
    pub lines: LinesArgs,
    /// Options of the report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Prints the resources of a stack, otherwise of the template.
///
/// # Errors
/// When the arguments mean nothing, or standard output cannot be written.
pub fn run(args: &ListResourcesArgs) -> Result<Status, Failure> {
    let template = args.lines.template("list_resources", &args.report);
    let path = template.path()?;
    let target = Target::new("list_resources", args.stack.named(), path.as_deref(), &args.lines.account)?;
    configured::say_rest(Some(&args.report));
    let mut diagnostics = Reporter::new(&args.report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    let listed = if target.has_stack() {
        of_stack(&target, &template, &mut reporter)?
    } else {
        of_template(&target, &template, &mut reporter)?
    };
    let status = match listed {
        Ok(rows) => {
            if rows.is_empty() {
                reporter.print(&Notice::note("there are no resources"), None);
            }
            let cells: Vec<[String; 5]> = rows.iter().map(cells).collect();
            print(args.format, HEAD, &cells, rows.iter().map(object).collect())?;
            Status::Done
        }
        Err(status) => status,
    };
    reporter.finish();
    Ok(status)
}

/// Returns the rows of a deployed stack, and of the stacks nested in it.
fn of_stack(
    target: &Target,
    template: &TemplateOf<'_>,
    reporter: &mut DeployReporter<'_>,
) -> Result<Result<Vec<Row>, Status>, Failure> {
    let name = target.stack()?;
    let mut connection = match Connection::open(&target.settings, PollIntervals::default(), reporter) {
        Ok(connection) => connection,
        Err(status) => return Ok(Err(status)),
    };
    let stack = match connection.stack(name) {
        Ok(stack) => stack,
        Err(status) => return Ok(Err(status)),
    };
    let resources = match connection.service.all_resources(&stack.id, &mut Retries(connection.reporter)) {
        Ok(resources) => resources,
        Err(error) => return Ok(Err(connection.refused(&error, name))),
    };
    let region = connection.service.region().to_owned();
    let mut places = template.places(&stack, &region, connection.reporter)?;
    let row = |resource: &formwork_deploy::StackResource| Row {
        path: resource.path(),
        physical_id: Some(resource.physical_id.clone()).filter(|id| !id.is_empty()),
        kind: resource.kind.clone(),
        status: Some(resource.status.clone()),
        source: places.of(&resource.within, &resource.logical_id, &resource.kind).map(|origin| places::words(&origin)),
    };
    let rows = resources.iter().map(row).collect();
    places.explain_misfit(connection.reporter);
    Ok(Ok(rows))
}

/// Returns the rows of the expanded template, without a call to AWS.
fn of_template(
    target: &Target,
    template: &TemplateOf<'_>,
    reporter: &mut DeployReporter<'_>,
) -> Result<Result<Vec<Row>, Status>, Failure> {
    let checked = template.alone(target.settings.region.as_deref())?;
    reporter.diagnostics(&checked.root);
    if checked.root.has_errors() {
        reporter.finish_diagnostics("nothing is listed");
        return Ok(Err(Status::Errors));
    }
    let resources = with_nested(checked).all();
    let row = |(path, kind, source): (String, String, String)| Row {
        path,
        physical_id: None,
        kind,
        status: None,
        source: Some(source),
    };
    Ok(Ok(resources.into_iter().map(row).collect()))
}

fn cells(row: &Row) -> [String; 5] {
    [
        row.path.clone(),
        cell(row.physical_id.as_deref()),
        cell(Some(&row.kind)),
        cell(row.status.as_deref()),
        cell(row.source.as_deref()),
    ]
}

fn object(row: &Row) -> Value {
    json!({
        "LogicalResourceId": row.path,
        "PhysicalResourceId": cell(row.physical_id.as_deref()),
        "ResourceType": row.kind,
        "ResourceStatus": row.status,
        "source": row.source,
    })
}
