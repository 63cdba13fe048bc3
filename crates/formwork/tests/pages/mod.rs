//! The pages about diagnostic codes are correct: every wrong example reports the code in the
//! commands and with the severity that the page names, every right example is clean. And every
//! message that these and the other causes of a code report is worded as reference/diagnostics.md#wording,
//! has it.
//!
//! Holds reference/diagnostics.md#codes, reference/diagnostics.md#severity.

mod causes;
mod packaging;
mod page;
mod snapshots;
mod stacks;

use formwork::nested::PathErrors;
use formwork::planning::{Compiled, KnownTypes, Settings, Sides, Worlds, findings};
use formwork::repository::Asked;
use formwork::{Code, Diagnostic, Goal, Report, Session, Severity, codes};
use page::{Example, Page};

const STAGES: [(&str, Goal); 3] = [("expand", Goal::Expand), ("resolve", Goal::Resolve), ("check", Goal::Check)];

fn pages() -> impl Iterator<Item = Page> {
    codes::ALL.iter().filter_map(|info| Some(Page::parse(info.code, &info.page()?)))
}

fn run(example: &Example, stage: Goal) -> Report {
    if stage == Goal::Package {
        return packaging::run(example);
    }
    let compiler = Session::new(&example.host, example.options.clone());
    if example.is_planned && stage == Goal::Deploy {
        return planned(&compiler);
    }
    let mut result = Report::from(compiler.compile("template.yaml", stage));
    if stage == Goal::Check {
        result.add(compiler.compile_nested(result.compilation(), stage, PathErrors::Reported).found);
    }
    if stage == Goal::Check && !example.others.is_empty() {
        checked_together(&compiler, result, example)
    } else {
        result
    }
}

/// The report of the last template with a finding about what several templates share, else that of the first one.
fn checked_together(session: &Session<'_>, first: Report, example: &Example) -> Report {
    let others = example.others.iter().map(|path| Report::from(session.compile(path, Goal::Check)));
    let mut reports: Vec<Report> = std::iter::once(first).chain(others).collect();
    let stacks = stacks::of(example, &reports);
    let templates: Vec<_> = stacks.iter().map(|(_, template)| template.clone()).collect();
    let unused = example.options.selection.select.iter().any(|pattern| pattern.matches(codes::UNUSED_EXPORT));
    let found = formwork::repository::check(&templates, Asked { is_closed: false, unused }).found;
    let owner = |number: usize| stacks[number].0;
    let last = found.last().map_or(0, |(number, _)| owner(*number));
    for (number, one) in found {
        reports[owner(number)].add([one]);
    }
    reports.swap_remove(last)
}

/// What a plan from `old.yaml` to `template.yaml` warns of.
fn planned(session: &Session<'_>) -> Report {
    let compiled = |path| Compiled { root: Some(session.compile(path, Goal::Resolve)), ..Compiled::default() };
    let (old, new) = (compiled("old.yaml"), compiled("template.yaml"));
    let worlds = Worlds::of(&old, &new);
    let sides = Sides::new(&old, &new, &worlds);
    let known = KnownTypes::new(std::sync::Arc::new(formwork_schemas::Schemas::embedded()));
    let plan = sides.plan(Settings { facts: Some(&known), ..Settings::default() });
    let mut report = Report::alone(new.root.clone().expect("a template"));
    report.add(findings(&plan).new);
    report
}

fn worst(result: &Report, code: Code) -> Option<Severity> {
    result.diagnostics().iter().filter(|found| found.code == code).map(|found| found.severity).max()
}

fn messages(result: &Report) -> String {
    let lines: Vec<String> = result
        .diagnostics()
        .iter()
        .map(|found| format!("  {} {}: {}", found.severity.name(), found.code, found.message))
        .collect();
    lines.join("\n")
}

#[test]
fn wrong_examples_give_the_code() {
    let mut wrong = Vec::new();
    for page in pages() {
        for (number, example) in page.wrong.iter().enumerate() {
            if example.is_deployed {
                continue;
            }
            let result = run(example, example.stage);
            if let Some(path) = &example.path {
                if result.compilation().explain(path).is_ok() {
                    wrong.push(format!("{} example {number}: {path} is explained", page.code));
                }
                continue;
            }
            if worst(&result, page.code).is_none() {
                wrong.push(format!("{} example {number} does not report it:\n{}", page.code, messages(&result)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn right_examples_are_clean() {
    let mut wrong = Vec::new();
    for page in pages() {
        for (number, example) in page.right.iter().enumerate() {
            if let Some(path) = &example.path
                && run(example, example.stage).compilation().explain(path).is_err()
            {
                wrong.push(format!("{} right example {number}: {path} is not explained", page.code));
            }
            let own = (example.stage == Goal::Package).then_some(("package", Goal::Package));
            let own = own.or(example.is_planned.then_some(("plan", Goal::Deploy)));
            for (name, stage) in STAGES.into_iter().chain(own) {
                let result = run(example, stage);
                if result.has_errors() || worst(&result, page.code).is_some() {
                    let found = messages(&result);
                    wrong.push(format!("{} right example {number} is not clean in {name}:\n{found}", page.code));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn severities_are_those_of_the_table() {
    let mut wrong = Vec::new();
    for page in pages() {
        for ((name, stage), told) in STAGES.into_iter().zip(page.severities) {
            let found = worst(&run(&page.wrong[0], stage), page.code);
            let is_raised = page.wrong[0].options.strict && told == Some(Severity::Warning);
            let told = if is_raised { Some(Severity::Error) } else { told };
            if found != told {
                wrong.push(format!("{} in {name}: the table has {told:?}, it is {found:?}", page.code));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// People search for CloudFormation's sentences: a page holds the sentence of its first example.
#[test]
fn the_sentence_of_the_service_is_on_the_page() {
    let mut wrong = Vec::new();
    for page in pages() {
        let result = run(&page.wrong[0], page.wrong[0].stage);
        for found in result.diagnostics().iter().filter(|found| found.code == page.code) {
            let sentence = found.message.strip_suffix('`').and_then(|message| message.rsplit_once(": `"));
            let sentence = sentence.map(|(own, sentence)| (own, packaging::in_project(sentence)));
            if let Some((_, sentence)) = sentence.filter(|(_, sentence)| !page.text.contains(&**sentence)) {
                wrong.push(format!("{}: {sentence}", page.code));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_cause_has_the_severity_that_the_pages_tell() {
    let mut wrong = Vec::new();
    for cause in causes::all() {
        for ((name, stage), told) in STAGES.into_iter().zip(cause.told) {
            let result = cause.run(stage);
            let found = causes::codes_of(&result);
            if found != told {
                wrong.push(format!("{} in {name}: {found}, not {told}\n{}", cause.name, messages(&result)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn messages_are_worded_well() {
    let of_causes = causes::all().flat_map(|cause| STAGES.map(|(_, stage)| cause.run(stage)));
    let of_pages = pages().flat_map(|page| page.wrong).flat_map(|example| {
        let stages = STAGES.into_iter().map(|(_, stage)| stage).chain([example.stage]);
        stages.map(|stage| run(&example, stage)).collect::<Vec<_>>()
    });
    let mut wrong: Vec<String> = of_causes
        .chain(of_pages)
        .flat_map(|result| result.diagnostics().iter().filter_map(fault_of_wording).collect::<Vec<_>>())
        .collect();
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn fault_of_wording(found: &Diagnostic) -> Option<String> {
    const MOST: usize = 100;
    let message = &found.message;
    let own = message.split_once(": `").map_or(message.as_str(), |(own, _)| own);
    let first = own.chars().next();
    // The wording of this one, with all its items, is that of reference/values.md#fixed.
    let fault = if own.chars().count() > MOST && found.code != codes::VALUE_FIXED {
        "the first line is too long"
    } else if own.ends_with('.') || found.help.iter().any(|help| help.ends_with('.') && !help.ends_with("...")) {
        "a full stop"
    } else if message.contains('\n') {
        "more than one line"
    } else if found.severity > Severity::Note && found.help.is_empty() {
        "no help"
    } else if own.to_lowercase().contains("invalid") || first.is_none() {
        "has no content"
    } else {
        return None;
    };
    Some(format!("{fault}: {} {message}", found.code))
}
