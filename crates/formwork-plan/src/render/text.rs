//! A plan for people.

use std::fmt::Write as _;

use super::{Report, words};
use crate::change::{Change, Data, Effect, Export};
use crate::summary::Summary;

/// Options of the report for people.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Set to use colours.
    pub color: bool,
    /// Set to print only the summary.
    pub summary_only: bool,
}

/// Limit of the width of the first column, behind which the others are aligned.
const WIDEST: usize = 60;

/// Renders the report, which ends in a line break.
pub fn render(report: &Report<'_>, style: Style) -> String {
    let mut out = String::new();
    verdict(report, &mut out);
    headline(report, &mut out);
    if style.summary_only {
        return out;
    }
    let plan = report.plan;
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.filter(|&width| width <= WIDEST).max().unwrap_or(0);
    let heads: Vec<String> =
        plan.changes.iter().map(|change| format!("{} {}", words::mark(change), words::name(change))).collect();
    let first = width(&mut heads.iter().map(|head| head.chars().count()));
    let outcomes: Vec<String> = plan.changes.iter().map(words::outcome).collect();
    let second = width(&mut outcomes.iter().map(|outcome| outcome.chars().count()));
    for ((change, head), outcome) in plan.changes.iter().zip(&heads).zip(&outcomes) {
        let place = change.place.as_ref().or(change.old_place.as_ref()).map(words::place).unwrap_or_default();
        let line = columns(&[(head, first), (outcome, second), (&place, 0)]);
        out.push_str(&painted(change, &line, style.color));
        out.push('\n');
        details(change, &mut out);
    }
    for shift in &plan.shifts {
        let way = if shift.stack.is_empty() { "; --refactor DIR writes the way around it" } else { "" };
        let _ = writeln!(out, "! {}{way}", words::shift(shift));
    }
    if let Some((refactor, after)) = report.refactor
        && !refactor.is_empty()
    {
        let count = refactor.mappings.len();
        let left = after.words();
        let left = if left.is_empty() { "nothing".to_owned() } else { left };
        let _ = writeln!(out, "refactoring: {count} {} renamed, then {left}", plural(count, "resource"));
    }
    for left in report.refactor.iter().flat_map(|(refactor, _)| &refactor.left) {
        let _ = writeln!(out, "  {} ({}) cannot be renamed: {}", left.id, left.type_name, left.reason);
    }
    for note in &plan.notes {
        let _ = writeln!(out, "note: {note}");
    }
    out
}

fn plural(count: usize, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

fn headline(report: &Report<'_>, out: &mut String) {
    let plan = report.plan;
    let mut parts = vec![Summary::of(plan).words()];
    let others = plan.changes.iter().filter(|change| change.resource.is_none()).count();
    if others > 0 {
        parts.push(format!("{others} {} outside of Resources", plural(others, "change")));
    }
    if plan.unchanged > 0 {
        parts.push(format!("{} the same", plan.unchanged));
    }
    parts.retain(|part| !part.is_empty());
    let what = if plan.changes.is_empty() { "nothing changes".to_owned() } else { parts.join(", ") };
    let _ = write!(out, "{}: {what}", report.template);
    for (name, old, new) in report.arguments {
        let _ = write!(out, "   {name}: {} -> {}", words::cut(old), words::cut(new));
    }
    let defaults = words::defaults(report.defaults);
    if !defaults.is_empty() {
        let _ = write!(out, "   for {defaults}");
    }
    if let Some(date) = plan.table.as_ref().filter(|_| !plan.changes.is_empty()) {
        let _ = write!(out, "   (known as of {date})");
    }
    out.push('\n');
}

fn columns(texts: &[(&str, usize)]) -> String {
    let mut line = String::new();
    for (text, width) in texts {
        if !line.is_empty() {
            line.push_str("   ");
        }
        let _ = write!(line, "{text:width$}");
    }
    line.truncate(line.trim_end().len());
    line
}

fn details(change: &Change<'_, '_>, out: &mut String) {
    let paths: Vec<String> = change.properties.iter().map(|property| crate::dotted(&property.path)).collect();
    let values: Vec<String> = change.properties.iter().map(words::values).collect();
    let width = |texts: &[String]| texts.iter().map(|text| text.chars().count()).filter(|&width| width <= WIDEST).max();
    let (first, second) = (width(&paths).unwrap_or(0), width(&values).unwrap_or(0));
    for ((property, path), values) in change.properties.iter().zip(&paths).zip(&values) {
        let place = property.place.as_ref().or(property.old_place.as_ref()).map(words::place).unwrap_or_default();
        let line = columns(&[(path, first), (values, second), (&words::effect(property), 0), (&place, 0)]);
        let _ = writeln!(out, "      {}", line.trim_start());
    }
    if !change.because.is_empty() {
        let _ = writeln!(out, "      because: {}", change.because.join(", "));
    }
    let (depends_on, others) = (words::depends_on(change), words::others(change));
    if !depends_on.is_empty() {
        let _ = writeln!(out, "      if {depends_on}");
    }
    if !others.is_empty() {
        let _ = writeln!(out, "      may also {others}");
    }
    if let Some(sentence) = change.export.as_ref().and_then(Export::refusal) {
        let _ = writeln!(out, "      CloudFormation refuses this: `{}`", words::cut(&sentence));
    }
    for line in words::followers(change) {
        let _ = writeln!(out, "      {line}");
    }
    let Some(resource) = &change.resource else { return };
    if let Some(id) = &resource.physical_id {
        let _ = writeln!(out, "      physical ID: {id}");
    }
    if let Some(blocked) = &resource.blocked {
        let _ = writeln!(out, "      CloudFormation refuses this: `{}`", blocked.sentence);
    }
    const NAMED: usize = 5;
    if !resource.grants.is_empty() {
        let named: Vec<String> = resource.grants.iter().take(NAMED).map(|grant| words::cut(grant)).collect();
        let more = resource.grants.len().saturating_sub(NAMED);
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        let _ = writeln!(out, "      may do more than before (compared as text): {}{more}", named.join("; "));
    }
}

/// Colours the line of a change: red where data is lost or a resource is deleted.
fn painted(change: &Change<'_, '_>, line: &str, color: bool) -> String {
    let is_lost = change.resource.as_ref().is_some_and(|resource| resource.data == Data::Lost);
    let replaces = change.properties.iter().any(|property| matches!(property.effect, Effect::Replace(_)));
    let code = match words::mark(change) {
        _ if !color => return line.to_owned(),
        _ if is_lost => "1;31",
        "-" | "~/-" => "31",
        "+" => "32",
        "=" => "2",
        _ if replaces => "35",
        _ => "33",
    };
    format!("\u{1b}[{code}m{line}\u{1b}[0m")
}

/// Prints the gates that the plan does not pass, before everything else.
fn verdict(report: &Report<'_>, out: &mut String) {
    if !report.failed.is_empty() {
        let _ = writeln!(out, "failed: {}", report.failed.join(", "));
    }
}
