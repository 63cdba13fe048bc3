//! Implements `formwork list endpoints`.

use std::collections::BTreeMap;

use clap::{Arg, Args};
use formwork::PseudoParameter;
use formwork_deploy::{PollIntervals, Stack, StackEndpoint};
use formwork_local::{DeclaredApi, Project, declared_apis};
use formwork_project::Failure;
use formwork_report::Notice;
use formwork_run::Status;
use formwork_run::console::report::Reporter;
use formwork_run::console::{ReportArgs, ReportFormat, configured};
use serde_json::{Value, json};

use super::printing::{cell, print};
use crate::Exit;
use crate::around::{
    Connection, LinesArgs, StackArgs, Target, TemplateOf, add_pseudo, add_values, compile, no_template,
};
use crate::reporter::DeployReporter;
use crate::retries::Retries;

const HEAD: [&str; 4] = ["LogicalResourceId", "PhysicalResourceId", "CloudEndpoint", "Methods"];

struct Row {
    path: String,
    physical_id: Option<String>,
    urls: Vec<String>,
    is_function: bool,
    /// Routes of an API as `/path['get', 'post']`.
    methods: Vec<String>,
}

/// The arguments of `list endpoints`.
#[derive(Clone, Debug, Args)]
#[command(mut_args(about_methods))]
pub struct ListEndpointsArgs {
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

/// The help of the option for the template: its methods are shown, not its lines.
fn about_methods(arg: Arg) -> Arg {
    if arg.get_id() != "template_file" {
        return arg;
    }
    arg.help("Show the methods of this template [default: the built template, else template.yaml, template.yml or template.json]")
}

/// Prints the functions and APIs of a stack, otherwise of the template, with their addresses.
///
/// # Errors
/// When the arguments mean nothing, or standard output cannot be written.
pub fn run(args: &ListEndpointsArgs) -> Result<Status, Failure> {
    let template = args.lines.template("list_endpoints", &args.report);
    let path = template.path()?;
    let target = Target::new("list_endpoints", args.stack.named(), path.as_deref(), &args.lines.account)?;
    configured::say_rest(Some(&args.report));
    let mut diagnostics = Reporter::new(&args.report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    let listed = if target.has_stack() {
        of_stack(&target, &template, &mut reporter)
    } else {
        of_template(&target, &template, &mut reporter)
    };
    let status = match listed {
        Ok(rows) => {
            if rows.is_empty() {
                reporter.print(&Notice::note("there are no functions and no APIs"), None);
            }
            let cells: Vec<[String; 4]> = rows.iter().map(cells).collect();
            print(args.format, HEAD, &cells, rows.iter().map(object).collect())?;
            Ok(Status::Done)
        }
        Err(exit) => Err(exit),
    };
    reporter.finish();
    Exit::into_status(status)
}

/// Returns the rows of a deployed stack, with the routes of the template at hand.
fn of_stack(target: &Target, template: &TemplateOf<'_>, reporter: &mut DeployReporter<'_>) -> Result<Vec<Row>, Exit> {
    let name = target.stack().map_err(Failure::from)?;
    let mut connection = Connection::open(&target.settings, PollIntervals::default(), reporter)?;
    let stack = connection.stack(name)?;
    let resources = connection.service.all_resources(&stack.id, &mut Retries(connection.reporter));
    let resources = resources.map_err(|error| connection.refused(&error, name))?;
    let endpoints = connection.service.endpoints(&stack.id, &resources, &mut Retries(connection.reporter));
    let endpoints = endpoints.map_err(|error| connection.refused(&error, name))?;
    let region = connection.service.region().to_owned();
    let project = project_of(template, Some(&stack), Some(&region), connection.reporter)?;
    let routes = project.map(|project| methods(&declared_apis(&project))).unwrap_or_default();
    let row = |endpoint: StackEndpoint| {
        let path = endpoint.resource.path();
        Row {
            is_function: endpoint.resource.kind == "AWS::Lambda::Function",
            methods: routes.get(&path).cloned().unwrap_or_default(),
            path,
            physical_id: Some(endpoint.resource.physical_id),
            urls: endpoint.urls,
        }
    };
    Ok(endpoints.into_iter().map(row).collect())
}

/// Returns the rows of the expanded template, without a call to AWS.
fn of_template(
    target: &Target,
    template: &TemplateOf<'_>,
    reporter: &mut DeployReporter<'_>,
) -> Result<Vec<Row>, Exit> {
    let Some(project) = project_of(template, None, target.settings.region.as_deref(), reporter)? else {
        return Err(Status::Errors.into());
    };
    Ok(rows(&project))
}

fn rows(project: &Project) -> Vec<Row> {
    let functions = project.functions.iter().map(|function| Row {
        path: function.id.clone(),
        physical_id: None,
        urls: Vec::new(),
        is_function: true,
        methods: Vec::new(),
    });
    let routes = methods(&declared_apis(project));
    let apis = routes.into_iter().map(|(path, methods)| Row {
        path,
        physical_id: None,
        urls: Vec::new(),
        is_function: false,
        methods,
    });
    functions.chain(apis).collect()
}

/// Returns the paths of each API with their methods, in the notation of SAM CLI.
fn methods(apis: &[DeclaredApi]) -> BTreeMap<String, Vec<String>> {
    let of_api = |api: &DeclaredApi| {
        let mut paths: Vec<(&str, Vec<String>)> = Vec::new();
        for (method, path) in &api.routes {
            let method = format!("'{}'", method.to_ascii_lowercase());
            match paths.iter_mut().find(|(known, _)| known == path) {
                Some((_, methods)) if methods.contains(&method) => {}
                Some((_, methods)) => methods.push(method),
                None => paths.push((path, vec![method])),
            }
        }
        paths.into_iter().map(|(path, methods)| format!("{path}[{}]", methods.join(", "))).collect()
    };
    apis.iter().map(|api| (api.id.clone(), of_api(api))).collect()
}

fn cells(row: &Row) -> [String; 4] {
    [
        row.path.clone(),
        cell(row.physical_id.as_deref()),
        cell(Some(&row.urls.join(", "))),
        cell(Some(&row.methods.join("; "))),
    ]
}

fn object(row: &Row) -> Value {
    let none = || Value::from("-");
    let list = |values: &[String]| if values.is_empty() { none() } else { json!(values) };
    json!({
        "LogicalResourceId": row.path,
        "PhysicalResourceId": cell(row.physical_id.as_deref()),
        "CloudEndpoint": if row.is_function { row.urls.first().map_or_else(none, |url| json!(url)) } else { list(&row.urls) },
        "Methods": list(&row.methods),
    })
}

/// Returns the functions and APIs of the template, with the values of a stack if there is one. Errors of the template
/// are printed without a stack; with one they are a line with `--verbose`.
///
/// # Errors
/// When a template or file of the arguments cannot be read, or there is neither a template nor a stack.
fn project_of(
    template: &TemplateOf<'_>,
    stack: Option<&Stack>,
    region: Option<&str>,
    reporter: &mut DeployReporter<'_>,
) -> Result<Option<formwork_local::Project>, Failure> {
    let path = match (template.path()?, stack) {
        (Some(path), _) => path,
        (None, Some(_)) => return Ok(None),
        (None, None) => return Err(no_template()),
    };
    let mut input = match template.read(&path) {
        Err(failure) if stack.is_some() && template.named.is_none() => {
            template.explain(reporter, &String::from(failure));
            return Ok(None);
        }
        read => read?,
    };
    add_pseudo(&mut input.options, PseudoParameter::Region, region);
    if let Some(stack) = stack {
        add_pseudo(&mut input.options, PseudoParameter::StackName, Some(&stack.name));
        let checked = compile(&input);
        add_values(&mut input.options, checked.root.compilation(), stack);
    }
    let base = formwork_run::inputs::folder(&path);
    let (project, reports) = formwork_local::Project::load(&input.session, &input.path, base, &input.options);
    if project.is_err() && stack.is_some() {
        template.explain(reporter, &format!("{} has errors", path.display()));
    } else if project.is_err() {
        reports.iter().filter(|report| report.has_errors()).for_each(|report| reporter.diagnostics(report));
        reporter.finish_diagnostics("nothing is listed");
    }
    Ok(project.ok())
}
