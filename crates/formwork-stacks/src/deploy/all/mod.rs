//! `deploy --all`: the stacks of a repository, in the order of their links (reference/deploy.md#all). Each is deployed as
//! `deploy` does it; what it prints is kept, and shown when it fails.

mod schedule;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use formwork::repository::{Links, order_of_changes};
use formwork_project::Failure;
use formwork_report::printable;
use formwork_run::Status;
use formwork_run::console::report::Reporter;
use formwork_run::console::{ReportFormat, configured, confirm};
use formwork_run::links::{Reading, Shared, read};
use formwork_run::stacks::Stack;
use formwork_run::terminal::{self, Captured, Form, say_line};
use serde_json::{Value, json};

use self::schedule::{Ending, Next, Schedule};
use super::{AllArgs, DeployArgs, run_template};
use crate::around::table;

const HEAD: [&str; 5] = ["Stack", "Stage", "Template", "Result", "Time"];

/// The deployment of a stack.
struct Deployed {
    status: Status,
    /// What the deployment printed for programs.
    object: Value,
    /// What it printed for people.
    messages: String,
    time: Duration,
}

/// Deploys all stacks with a name that are found in the directory of the arguments.
///
/// # Errors
/// When the arguments mean nothing, a file cannot be read, or stacks need each other.
pub(super) fn run(args: &DeployArgs, all: &AllArgs) -> Result<Status, Failure> {
    let directory = args.named().cloned().unwrap_or_else(|| PathBuf::from("."));
    let reading = Reading { is_strict: args.report.strict, stages: &all.stages, ..Reading::of("deploy", &args.inputs) };
    let shared = read(&[directory], reading)?;
    configured::say_rest(Some(&args.report));
    if !shared.wrong.is_empty() {
        let mut reporter = Reporter::new(&args.report);
        shared.wrong.iter().for_each(|report| reporter.print(report));
        reporter.finish(", nothing is deployed");
        return Ok(Status::Errors);
    }
    let order = order_of_changes(&[], &shared.templates);
    if !order.left.is_empty() {
        let names: Vec<String> = order.left.iter().filter_map(|&at| shared.stacks.get(at)).map(Stack::shown).collect();
        let names = names.join(", ");
        return Err(format!("stacks need each other: {names}\n  help: `formwork check .` shows the cycle").into());
    }
    let is_named = |at: &usize| shared.stacks.get(*at).is_some_and(|stack| stack.settings.stack_name.is_some());
    let (wanted, unnamed): (Vec<usize>, Vec<usize>) = order.groups.into_iter().flatten().partition(is_named);
    if wanted.is_empty() {
        return Err(
            "no stack has a name\n  help: declare it in formwork.toml: `[[stack]]` with `name` and `template`".into()
        );
    }
    if !unnamed.is_empty() && !args.report.quiet {
        let verb = if unnamed.len() == 1 { "template has" } else { "templates have" };
        say_line(&format!("note: {} {verb} no stack with a name, and nothing of that is deployed", unnamed.len()));
    }
    if !is_confirmed(args, &shared, &wanted) {
        say_line("nothing is deployed");
        return Ok(Status::Done);
    }
    deploy((args, all), &shared, &wanted)
}

/// Lists the stacks, and asks once for all of them if a person can answer.
fn is_confirmed(args: &DeployArgs, shared: &Shared, wanted: &[usize]) -> bool {
    if args.change_set.yes || args.change_set.no_execute || !confirm::can_ask() {
        return true;
    }
    for stack in wanted.iter().filter_map(|&at| shared.stacks.get(at)) {
        let path = path_of(shared, stack);
        terminal::say(
            &format!("{}  {}\n", printable(&stack.shown()), printable(&path.display().to_string())),
            Form::Plain,
        );
    }
    let noun = if wanted.len() == 1 { "this stack" } else { "these stacks" };
    confirm::ask(&format!("Deploy {noun}, in this order?"))()
}

fn path_of<'s>(shared: &'s Shared, stack: &Stack) -> &'s Path {
    shared.files.files.get(stack.template).map_or(Path::new(""), |file| file.path.as_path())
}

fn deploy((args, all): (&DeployArgs, &AllArgs), shared: &Shared, wanted: &[usize]) -> Result<Status, Failure> {
    let links = Links::of(&shared.templates);
    let numbers: HashMap<usize, usize> = wanted.iter().enumerate().map(|(number, &at)| (at, number)).collect();
    let mut needs = vec![BTreeSet::new(); wanted.len()];
    for link in links.links() {
        let (Some(&from), Some(&to)) = (numbers.get(&link.from), numbers.get(&link.to)) else { continue };
        if let Some(needs) = needs.get_mut(from) {
            needs.insert(to);
        }
    }
    let schedule = Schedule::new(needs, all.fail_fast);
    let shown = |number: usize| wanted.get(number).and_then(|&at| shared.stacks.get(at)).map(Stack::shown);
    let is_quiet = args.report.quiet || ReportFormat::is_json(args.format);
    let one = |number: usize| -> (Next, Deployed) {
        let name = shown(number).unwrap_or_default();
        if !is_quiet {
            say_line(&format!("{}: begins", printable(&name)));
        }
        let deployed = match wanted.get(number).and_then(|&at| shared.stacks.get(at)) {
            Some(stack) => of_stack(args, stack, path_of(shared, stack)),
            None => Deployed::nothing(),
        };
        if !is_quiet || deployed.is_failed() {
            let seconds = deployed.time.as_secs();
            say_line(&format!("{}: {} after {seconds} s", printable(&name), deployed.result()));
        }
        if deployed.is_failed() || args.report.verbose {
            terminal::say(&deployed.messages, Form::Plain);
        }
        (deployed.next(), deployed)
    };
    let ended = schedule.run(all.jobs, &one);
    report(args, shared, wanted, &ended)?;
    let failed = ended.iter().find_map(|ending| match ending {
        Ending::Ended(deployed) if deployed.is_failed() => Some(deployed.status),
        _ => None,
    });
    Ok(failed.unwrap_or(Status::Done))
}

impl Deployed {
    fn nothing() -> Deployed {
        Deployed { status: Status::Done, object: Value::Null, messages: String::new(), time: Duration::ZERO }
    }

    fn next(&self) -> Next {
        match self.status {
            Status::Done => Next::All,
            Status::Interrupted => Next::Nothing,
            _ => Next::Others,
        }
    }

    fn is_failed(&self) -> bool {
        self.status != Status::Done
    }

    /// The result in a word, as a deployment has it for programs.
    fn result(&self) -> &str {
        self.object.get("Result").and_then(Value::as_str).unwrap_or(if self.is_failed() {
            "failed"
        } else {
            "deployed"
        })
    }
}

/// Deploys a stack, and keeps what that prints.
fn of_stack(args: &DeployArgs, stack: &Stack, template: &Path) -> Deployed {
    let mut own = args.clone();
    own.inputs = stack.inputs(&args.inputs);
    own.format = Some(ReportFormat::Json);
    own.upload.no_progressbar = true;
    own.change_set.fail_on_empty_changeset = false;
    own.change_set.no_fail_on_empty_changeset = true;
    let begin = Instant::now();
    let (result, Captured { out, mut err }) = terminal::captured(|| run_template(&own, template, "deploy"));
    let status = result.unwrap_or_else(|failure| {
        let ((), words) = terminal::captured(|| match failure {
            Failure::File(file) => terminal::say_file(&file),
            Failure::Usage(why) => terminal::say_error(&why),
        });
        err += &words.err;
        Status::Failed
    });
    Deployed { status, object: serde_json::from_str(&out).unwrap_or_default(), messages: err, time: begin.elapsed() }
}

/// Prints the results of all stacks, in their order.
fn report(args: &DeployArgs, shared: &Shared, wanted: &[usize], ended: &[Ending<Deployed>]) -> Result<(), Failure> {
    let stacks = wanted.iter().filter_map(|&at| shared.stacks.get(at));
    let shown = |number: &usize| wanted.get(*number).and_then(|&at| shared.stacks.get(at)).map(Stack::shown);
    let (mut rows, mut objects) = (Vec::new(), Vec::new());
    for (stack, ending) in stacks.zip(ended) {
        let path = path_of(shared, stack).display().to_string();
        let (result, seconds, own) = match ending {
            Ending::Ended(deployed) => {
                let seconds = format!("{} s", deployed.time.as_secs());
                (deployed.result().to_owned(), seconds, deployed.object.clone())
            }
            Ending::Needs(number) => {
                (format!("waits for {}", shown(number).unwrap_or_default()), "-".to_owned(), Value::Null)
            }
            Ending::Stopped => ("not begun".to_owned(), "-".to_owned(), Value::Null),
        };
        objects.push(json!({
            "Stack": stack.name, "Stage": stack.stage, "Template": path, "Result": result, "Deployment": own,
        }));
        rows.push([stack.name.clone(), stack.stage.clone().unwrap_or_else(|| "-".to_owned()), path, result, seconds]);
    }
    if ReportFormat::is_json(args.format) {
        return Ok(terminal::print(&format!("{:#}\n", json!({"Stacks": objects})), Form::Json)?);
    }
    Ok(terminal::print(&table(HEAD, &rows), Form::Plain)?)
}
