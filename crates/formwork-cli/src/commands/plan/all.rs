//! `formwork plan --all`: the plans of all stacks of a repository, in the order of their deployments
//! (reference/plan.md#all).

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use formwork::planning::KnownTypes;
use formwork::planning::render::{json, markdown, text};
use formwork::repository::{Order, Template, order_of_changes};
use formwork_report::MessageFormat;
use formwork_run::links::{self, Reading, Shared};
use formwork_run::stacks::Stack;
use serde_json::{Value, json};

use super::{Request, folded, place_in_repository, style, with_plan};
use crate::args::{PlanArgs, PlanFormatArg};
use crate::failure::Failure;
use crate::report::Reporter;
use crate::terminal::{self, Form};
use crate::{Status, schemas};

/// The plan of a stack.
struct StackPlan {
    /// The name in the report.
    name: String,
    template: PathBuf,
    json: Value,
    comment: String,
    text: String,
    failed: Vec<&'static str>,
    is_same: bool,
    old: Template,
    new: Template,
}

pub(super) fn run(args: &PlanArgs, is_diff: bool) -> Result<Status, Failure> {
    let paths = if args.template.is_empty() { vec![PathBuf::from(".")] } else { args.template.clone() };
    let known = schemas::read(&args.schemas)?.map(KnownTypes::new);
    let reading = Reading { is_strict: args.report.strict, stages: &args.stages, ..Reading::of("plan", &args.inputs) };
    let shared = links::read(&paths, reading)?;
    let mut reporter = Reporter::new(&args.report);
    if !shared.wrong.is_empty() {
        shared.wrong.iter().for_each(|report| reporter.print(report));
        reporter.finish(", no plan");
        return Ok(Status::Failed);
    }
    let names = names(&shared.stacks);
    let (mut plans, mut is_failed) = (Vec::new(), false);
    for (number, name) in names.into_iter().enumerate() {
        match of_stack((args, is_diff), &mut reporter, known.as_ref(), (&shared, number, name))? {
            Some(Ok(plan)) => plans.push(plan),
            // Nothing to compare with.
            None => {}
            Some(Err(Status::Interrupted)) => return Ok(Status::Interrupted),
            Some(Err(_)) => is_failed = true,
        }
    }
    if is_failed {
        reporter.finish(", no plan");
        return Ok(Status::Failed);
    }
    let order = order(&mut plans);
    let mut failed: Vec<&str> = Vec::new();
    for gate in plans.iter().flat_map(|plan| &plan.failed) {
        if !failed.contains(gate) {
            failed.push(gate);
        }
    }
    print(args, &Whole { plans: &plans, order: &order, failed: &failed }, &reporter)?;
    if args.report.message_format != MessageFormat::Human {
        reporter.finish("");
    }
    Ok(if failed.is_empty() { Status::Done } else { Status::Errors })
}

/// Names of the stacks, each once: with the stage, and with the Region, where the name alone is that of several.
fn names(stacks: &[Stack]) -> Vec<String> {
    let counts = |words: &dyn Fn(&Stack) -> String| {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for stack in stacks {
            *counts.entry(words(stack)).or_default() += 1;
        }
        counts
    };
    let (plain, staged) = (counts(&|stack| stack.name.clone()), counts(&Stack::shown));
    let mut seen: HashMap<String, usize> = HashMap::new();
    let name = |stack: &Stack| {
        let mut name = if plain.get(&stack.name) == Some(&1) { stack.name.clone() } else { stack.shown() };
        if staged.get(&stack.shown()) != Some(&1) {
            let place = stack.settings.region.as_deref().unwrap_or(&stack.source);
            name = format!("{name} {place}");
        }
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        if *count > 1 { format!("{name} {count}") } else { name }
    };
    stacks.iter().map(name).collect()
}

fn of_stack(
    (args, is_diff): (&PlanArgs, bool),
    reporter: &mut Reporter,
    known: Option<&KnownTypes>,
    (shared, number, name): (&Shared, usize, String),
) -> Result<Option<Result<StackPlan, Status>>, Failure> {
    let (Some(stack), Some(new)) = (shared.stacks.get(number), shared.templates.get(number)) else {
        return Ok(None);
    };
    let Some(file) = shared.files.files.get(stack.template) else { return Ok(None) };
    let Some(own) = arguments(args, stack, &file.path) else {
        if !args.report.quiet {
            terminal::say_line(&format!("note: {name} has no configured name, and is not compared with a stack"));
        }
        return Ok(None);
    };
    let request = Request { args: &own, is_diff, known, shared: Some(shared) };
    with_plan(request, reporter, |report, compared, _| {
        let (_, base) = place_in_repository(report.template);
        let mut object = json::object(report);
        if let Value::Object(object) = &mut object {
            object.shift_insert(0, "stack".to_owned(), json!(name));
            object.shift_insert(1, "stage".to_owned(), json!(stack.stage));
        }
        let old = compared.old.root.as_deref().map(|old| old.links(&compared.old_options().pseudo));
        Ok(StackPlan {
            template: PathBuf::from(report.template),
            json: object,
            comment: markdown::render(report, &name, &base),
            text: text::render(report, style(args, false)),
            failed: report.failed.to_vec(),
            is_same: report.plan.changes.is_empty(),
            old: old.unwrap_or_default(),
            new: new.clone(),
            name,
        })
    })
    .map(Some)
}

/// The arguments of the plan of a stack; `None` for a template that is not compared with anything.
fn arguments(args: &PlanArgs, stack: &Stack, path: &Path) -> Option<PlanArgs> {
    let mut own = args.clone();
    own.template = vec![path.to_owned()];
    own.inputs = stack.inputs(&args.inputs);
    own.all = false;
    let has_other_side = args.git.is_some() || args.against.is_given();
    let deployed = stack.settings.stack_name.clone().filter(|_| cfg!(feature = "aws") && !has_other_side);
    if deployed.is_none() && !has_other_side {
        return None;
    }
    #[cfg(feature = "aws")]
    own.stack.clone_from(&deployed);
    Some(own)
}

/// The order of the stacks that change; takes what they share.
fn order(plans: &mut [StackPlan]) -> Order {
    let (old, new): (Vec<Template>, Vec<Template>) =
        plans.iter_mut().map(|plan| (std::mem::take(&mut plan.old), std::mem::take(&mut plan.new))).unzip();
    let mut order = order_of_changes(&old, &new);
    let is_changed = |at: &usize| plans.get(*at).is_some_and(|plan| !plan.is_same);
    order.groups.iter_mut().for_each(|group| group.retain(is_changed));
    order.groups.retain(|group| !group.is_empty());
    order.left.retain(is_changed);
    order
}

/// What is printed.
struct Whole<'w> {
    plans: &'w [StackPlan],
    order: &'w Order,
    failed: &'w [&'w str],
}

impl<'w> Whole<'w> {
    /// The stacks that change, in their order.
    fn changed(&self) -> impl Iterator<Item = &'w StackPlan> {
        let numbers = self.order.groups.iter().flatten().chain(&self.order.left);
        numbers.filter_map(|&at| self.plans.get(at))
    }

    fn headline(&self) -> String {
        let (changed, all) = (self.changed().count(), self.plans.len());
        let noun = if all == 1 { "stack" } else { "stacks" };
        match changed {
            0 => format!("none of {all} {noun} changes"),
            1 => format!("1 of {all} {noun} changes"),
            _ => format!("{changed} of {all} {noun} change, in this order"),
        }
    }

    /// The names of the stacks whose order nothing decides.
    fn left(&self) -> Vec<&str> {
        self.order.left.iter().filter_map(|&at| Some(self.plans.get(at)?.name.as_str())).collect()
    }
}

fn print(args: &PlanArgs, whole: &Whole<'_>, reporter: &Reporter) -> Result<(), Failure> {
    let (text, form) = match args.format {
        Some(PlanFormatArg::Json) => (as_json(whole), Form::Json),
        Some(PlanFormatArg::Markdown) => (as_comment(whole, args.comment_key.as_deref()), Form::Plain),
        None | Some(PlanFormatArg::Text) => (folded(as_text(whole)), Form::words(reporter.colors_output())),
    };
    Ok(terminal::print(&text, form)?)
}

fn as_json(whole: &Whole<'_>) -> String {
    let stacks = whole.changed().map(|plan| plan.json.clone());
    let name = |at: &usize| whole.plans.get(*at).map(|plan| plan.name.clone());
    let order = whole.order.groups.iter().map(|group| group.iter().filter_map(name).collect::<Vec<_>>());
    let object = json!({
        "formwork_plan_all": 1,
        "count": whole.plans.len(),
        "failed": whole.failed,
        "order": order.collect::<Vec<_>>(),
        "unordered": whole.left(),
        "stacks": stacks.collect::<Vec<_>>(),
    });
    format!("{object:#}\n")
}

fn as_text(whole: &Whole<'_>) -> String {
    let mut out = whole.headline() + "\n";
    for (number, plan) in whole.changed().enumerate() {
        let _ = write!(out, "\n{}. {}\n{}", number + 1, formwork_report::printable(&plan.name), plan.text);
    }
    if !whole.left().is_empty() {
        let _ = write!(out, "\nno order: {} need each other\n", formwork_report::printable(&whole.left().join(", ")));
    }
    out
}

/// One comment. A stack that does not fit is counted.
fn as_comment(whole: &Whole<'_>, key: Option<&str>) -> String {
    const END: usize = 400;
    let mut out = format!("<!-- formwork plan: {} -->\n", markdown::inside_comment(key.unwrap_or("all stacks")));
    let _ = write!(out, "### Plan of all stacks\n\n{}.\n", whole.headline());
    let mut left = 0;
    for (number, plan) in whole.changed().enumerate() {
        let own = plan.comment.lines().skip(2).collect::<Vec<_>>().join("\n");
        let section = format!(
            "\n<details><summary>{}. {} of {}</summary>\n{own}\n\n</details>\n",
            number + 1,
            markdown::html(&plan.name),
            markdown::html(&plan.template.display().to_string())
        );
        if left > 0 || out.len() + section.len() + END > markdown::MOST {
            left += 1;
        } else {
            out += &section;
        }
    }
    if left > 0 {
        let _ = write!(out, "\nand {left} more stacks\n");
    }
    if !whole.left().is_empty() {
        let _ = write!(out, "\nNo order: {} need each other.\n", markdown::code(&whole.left().join(", ")));
    }
    if !whole.failed.is_empty() {
        let _ = write!(out, "\n**Failed: {}**\n", whole.failed.join(", "));
    }
    out
}
