//! Prints the findings of early validation as diagnostics at the author's lines (reference/deploy.md#early-validation).

use std::fmt::Write as _;

use formwork::{Compilation, Diagnostic, Severity, Span, codes};
use formwork_deploy::{Examination, Finding};
use formwork_report::printable;
use serde_json::{Value, json};

use super::places::{self, Origin, Sources};
use super::reporter::DeployReporter;

/// Maximum number of items of further iterations in a label.
const ITEMS: usize = 5;

struct Placed<'a> {
    finding: &'a Finding,
    origin: Option<Origin>,
    /// The span of the resource's name.
    resource: Span,
}

/// Prints every finding of an examination, those that make a change set fail first.
pub fn print(examination: &Examination, reporter: &mut DeployReporter<'_>, sources: &mut Sources) {
    let mut all: Vec<Placed<'_>> = examination.findings.iter().map(|finding| placed(finding, sources)).collect();
    let severity = |placed: &Placed<'_>| severity(placed.finding, examination.has_failed);
    all.sort_by_key(|placed| {
        let origin = placed.origin.as_ref();
        let is_weaker = severity(placed) != Severity::Error;
        (is_weaker, origin.is_none(), origin.and_then(|origin| origin.unit), origin.map_or(0, |at| at.span.start()))
    });
    let groups = all.chunk_by(|one, other| {
        let at = |placed: &Placed<'_>| placed.origin.as_ref().map(|origin| (origin.unit, origin.span));
        at(one).is_some() && at(one) == at(other) && is_same(one.finding, other.finding)
    });
    for group in groups {
        let Some(first) = group.first() else { continue };
        let mut diagnostic = diagnostic(group, severity(first), reporter);
        let unit = first.origin.as_ref().and_then(|origin| origin.unit);
        if let Some(help) = help(first, unit, sources) {
            diagnostic = diagnostic.help(help);
        }
        let about: &Compilation = sources.of_unit(unit);
        let objects = group.iter().map(|placed| json!({"validation": object_of(placed, reporter)}));
        reporter.checked(&diagnostic, about, &objects.collect::<Vec<_>>());
    }
}

/// Returns the findings as JSON, in CloudFormation's order.
pub fn objects(
    examination: &Examination,
    reporter: &DeployReporter<'_>,
    mut sources: Option<&mut Sources>,
) -> Vec<Value> {
    let object = |finding| {
        let placed = match sources.as_deref_mut() {
            Some(sources) => placed(finding, sources),
            None => Placed { finding, origin: None, resource: Span::NONE },
        };
        object_of(&placed, reporter)
    };
    examination.findings.iter().map(object).collect()
}

fn severity(finding: &Finding, has_failed: bool) -> Severity {
    if finding.is_skipped() {
        Severity::Note
    } else if finding.fails(has_failed) {
        Severity::Error
    } else {
        Severity::Warning
    }
}

fn placed<'a>(finding: &'a Finding, sources: &mut Sources) -> Placed<'a> {
    let keys = finding.keys();
    if !is_below_resources(&keys) {
        let found = sources.of_section(&finding.within, &keys);
        let (origin, resource) = found.map_or((None, Span::NONE), |(origin, name)| (Some(origin), name));
        return Placed { finding, origin, resource };
    }
    let (id, keys) = match keys.split_first() {
        Some((section, rest)) if section == "Resources" => match rest.split_first() {
            Some((id, rest)) => (id.as_str(), rest),
            None => (finding.logical_id.as_str(), &[][..]),
        },
        _ => (finding.logical_id.as_str(), &[][..]),
    };
    match sources.of_path(&finding.within, id, keys) {
        Some((origin, resource)) => Placed { finding, origin: Some(origin), resource },
        None => Placed { finding, origin: None, resource: Span::NONE },
    }
}

/// `true` if a path may lead to a resource; an empty path may.
fn is_below_resources(keys: &[String]) -> bool {
    keys.first().is_none_or(|section| section == "Resources" || section.is_empty())
}

fn is_same(one: &Finding, other: &Finding) -> bool {
    let words = |finding: &Finding| {
        let Finding { name, mode, status, reason, .. } = finding;
        (name.clone(), mode.clone(), status.clone(), reason.clone())
    };
    words(one) == words(other)
}

fn diagnostic(group: &[Placed<'_>], severity: Severity, reporter: &DeployReporter<'_>) -> Diagnostic {
    let first = &group[0];
    let finding = first.finding;
    let code = if severity == Severity::Error { codes::VALIDATION_FAILED } else { codes::VALIDATION_WARNING };
    let reason = reporter.clean(finding.reason.split_whitespace().collect::<Vec<_>>().join(" ").as_str());
    let name = reporter.clean(&finding.name);
    let title = match (reason.is_empty(), finding.is_skipped()) {
        (true, true) => format!("early validation {name} was skipped"),
        (true, false) => format!("early validation {name} reports no reason"),
        (false, true) => format!("early validation was skipped: `{reason}`"),
        (false, false) => format!("`{reason}`"),
    };
    let mut found = Diagnostic::titled(code, title).severity(severity);
    if let Some(origin) = &first.origin {
        found = found.at(origin.span);
        let words = iterations(group);
        if !words.is_empty() {
            let is_own = first.resource == origin.span || first.resource.is_none();
            found = if is_own { found.label(words) } else { found.related(first.resource, words) };
        }
    }
    found.note(note(group, reporter))
}

/// Names the first iteration, and the items of the others.
fn iterations(group: &[Placed<'_>]) -> String {
    let loops = |placed: &Placed<'_>| placed.origin.as_ref().map(|origin| origin.loops.clone()).unwrap_or_default();
    let first = loops(&group[0]);
    if first.is_empty() {
        return String::new();
    }
    let items = first.iter().map(|(name, item)| format!("{name} = \"{item}\""));
    let mut words = format!("iteration {}", items.collect::<Vec<_>>().join(", "));
    let others = &group[1..];
    if !others.is_empty() {
        let item = |placed: &Placed<'_>| {
            let items: Vec<String> = loops(placed).into_iter().map(|(_, item)| item).collect();
            format!("\"{}\"", items.join(", "))
        };
        let listed: Vec<String> = others.iter().take(ITEMS).map(item).collect();
        let more = if others.len() > ITEMS { ", ..." } else { "" };
        let _ = write!(words, ", and {} more: {}{more}", others.len(), listed.join(", "));
    }
    printable(&words).into_owned()
}

/// Lists the name, the mode and every path of a finding as CloudFormation sent it.
fn note(group: &[Placed<'_>], reporter: &DeployReporter<'_>) -> String {
    let first = &group[0];
    let Finding { name, mode, logical_id, within, kind, .. } = first.finding;
    let mut words = "early validation".to_owned();
    if !name.is_empty() {
        let _ = write!(words, " {}", reporter.clean(name));
    }
    if let Some(mode) = mode {
        let _ = write!(words, " ({})", reporter.clean(mode));
    }
    let paths = group.iter().map(|placed| placed.finding.validation_path.as_str());
    let paths: Vec<String> = paths.filter(|path| !path.is_empty()).map(|path| reporter.clean(path)).collect();
    if !paths.is_empty() {
        let _ = write!(words, " at {}", paths.join(", "));
    } else if !logical_id.is_empty() {
        let _ = write!(words, " of {} ({})", reporter.clean(logical_id), reporter.clean(kind));
    }
    if !within.is_empty() {
        let _ = write!(words, " in nested stack {}", reporter.clean(&within.join("/")));
    }
    match &first.origin {
        Some(origin) => match &origin.made_of {
            Some(source) => words + &format!("; {} comes from {source}", reporter.clean(logical_id)),
            None => words,
        },
        // The resource is not in the new template.
        None if is_of_resource(first.finding) => words + " (removed from the template)",
        None => words,
    }
}

fn is_of_resource(finding: &Finding) -> bool {
    let is_named = !finding.logical_id.is_empty() && finding.kind != "AWS::CloudFormation::Stack";
    is_named && is_below_resources(&finding.keys())
}

fn help(placed: &Placed<'_>, unit: Option<usize>, sources: &Sources) -> Option<String> {
    let Finding { name, reason, logical_id, .. } = placed.finding;
    if placed.finding.is_skipped() || placed.origin.is_none() {
        return None;
    }
    if reason.contains("already exists") || name.contains("NAME_CONFLICT") {
        let policy = [String::from("DeletionPolicy")];
        let has_policy = sources.of_unit(unit).path_place(logical_id, &policy).is_some_and(|found| found.depth == 1);
        let import = "pass `--import-existing-resources` to adopt what exists";
        return Some(if has_policy {
            format!("change the name, or {import}")
        } else {
            let id = printable(logical_id);
            format!("change the name, or add `DeletionPolicy: Retain` to {id} and {import}")
        });
    }
    let keys = placed.finding.keys();
    if !is_below_resources(&keys) {
        return None;
    }
    let property = keys.get(2..).filter(|keys| keys.len() > 1)?;
    Some(printable(&format!("correct `{}` of {logical_id}", property.join("."))).into_owned())
}

fn object_of(placed: &Placed<'_>, reporter: &DeployReporter<'_>) -> Value {
    let Finding { name, mode, status, reason, validation_path, within, logical_id, physical_id, kind, .. } =
        placed.finding;
    let object = json!({
        "name": name,
        "mode": mode,
        "status": status,
        "reason": reporter.mask(reason),
        "validation_path": validation_path,
        "path": within,
        "logical_id": logical_id,
        "physical_id": physical_id,
        "type": kind,
    });
    let mut object = places::with_source(object, placed.origin.as_ref());
    let items = object["items"].take();
    if let Some(object) = object.as_object_mut() {
        object.remove("items");
        object.insert("column".to_owned(), json!(placed.origin.as_ref().map(|origin| origin.column)));
        object.insert("items".to_owned(), items);
    }
    object
}
