//! A plan as one comment of a pull request. All strings from a template, an argument or a file name are in code spans:
//! GitHub creates no mention, reference, link or markup there, and no other Markdown or HTML applies inside. They are
//! not in tables, whose bars end a cell before code spans are parsed.

use std::fmt::Write as _;

use formwork_base::display::escape_for_display;
use formwork_base::percent;

use super::{Report, words};
use crate::change::{Action, Change, Place};
use crate::summary::Summary;

/// Limit of characters in a comment.
pub const MOST: usize = 65_536;

/// Limit of changes that are not collapsed.
const OPEN: usize = 20;

/// Room that is reserved for the end of a comment.
const END: usize = 400;

/// Escapes text inside of an HTML element: no markup, mention or reference begins in it.
pub fn html(text: &str) -> String {
    let mut out = String::new();
    for c in escape_for_display(text).chars() {
        if c.is_alphanumeric() || matches!(c, ' ' | '/' | '.' | '-' | '(' | ')') {
            out.push(c);
        } else {
            let _ = write!(out, "&#{};", u32::from(c));
        }
    }
    out
}

/// Renders the comment. `key` distinguishes it from those of other templates; `base` is the directory of the template
/// from the repository's root, empty or with a slash at its end.
pub fn render(report: &Report<'_>, key: &str, base: &str) -> String {
    let plan = report.plan;
    let mut out = format!("<!-- formwork plan: {} -->\n", inside_comment(key));
    let _ = writeln!(out, "### Plan of {}\n", code(&words::cut(report.template)));
    if plan.changes.is_empty() {
        out.push_str("Nothing changes.\n");
        return out;
    }
    table(report, &mut out);
    let (grave, others): (Vec<&Change<'_, '_>>, Vec<&Change<'_, '_>>) =
        plan.changes.iter().partition(|it| is_grave(it));
    let lists_all = plan.changes.len() <= OPEN;
    let mut left = 0;
    if !lists_all {
        out.push_str("<details><summary>Changes</summary>\n\n");
    }
    for shift in &plan.shifts {
        let way = if shift.stack.is_empty() { "; `--refactor DIR` writes the way around it" } else { "" };
        let place = link(shift.key_place.as_ref().or(shift.collection_place.as_ref()), base);
        let line = format!("- :warning: {}{way}{place}\n", code(&words::shift(shift)));
        left += usize::from(!push(&mut out, &line));
    }
    for change in grave {
        left += usize::from(left > 0 || !push(&mut out, &entry(change, base)));
    }
    if !others.is_empty() {
        if lists_all {
            out.push_str("\n<details><summary>Updates and creations</summary>\n\n");
        }
        for change in others {
            left += usize::from(left > 0 || !push(&mut out, &entry(change, base)));
        }
    }
    if left > 0 {
        let _ = writeln!(out, "- and {} more", grouped(left));
    }
    if out.contains("<details>") {
        out.push_str("\n</details>\n");
    }
    if !report.failed.is_empty() {
        let _ = writeln!(out, "\n**Failed: {}**", report.failed.join(", "));
    }
    out
}

fn push(out: &mut String, entry: &str) -> bool {
    // Bytes of UTF-8 are the largest way to count characters.
    let fits = out.len() + entry.len() + END <= MOST;
    if fits {
        out.push_str(entry);
    }
    fits
}

fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn table(report: &Report<'_>, out: &mut String) {
    let rows = Summary::of(report.plan).counts();
    let rows: Vec<_> = rows.iter().filter(|(_, count)| *count > 0).collect();
    let others = report.plan.changes.iter().filter(|change| change.resource.is_none()).count();
    out.push_str("| | |\n|---|---|\n");
    for (name, count) in rows {
        let _ = writeln!(out, "| {name} | {count} |");
    }
    if others > 0 {
        let _ = writeln!(out, "| outside of Resources | {others} |");
    }
    if report.plan.unchanged > 0 {
        let _ = writeln!(out, "| the same | {} |", report.plan.unchanged);
    }
    out.push('\n');
    for (name, old, new) in report.arguments.iter().take(OPEN) {
        let [name, old, new] = [name, old, new].map(|text| code(&words::cut(text)));
        let _ = writeln!(out, "- argument {name}: {old} -> {new}");
    }
    for (name, value) in report.defaults.iter().take(OPEN) {
        let _ = writeln!(out, "- for {}={} (default)", code(&words::cut(name)), code(&words::cut(value)));
    }
    if !report.arguments.is_empty() || !report.defaults.is_empty() {
        out.push('\n');
    }
    if let Some(date) = &report.plan.table {
        let _ = writeln!(out, "Effects as known of {date}.\n");
    }
}

/// Returns `true` for a change that is listed first: data loss, replacement, deletion, broadened permissions, a
/// rejected change.
fn is_grave(change: &Change<'_, '_>) -> bool {
    change.export.is_some()
        || change.resource.as_ref().is_some_and(|resource| {
            !matches!(resource.action, Action::None | Action::Update | Action::Create | Action::MayCreate)
                || !resource.others.is_empty()
                || !resource.grants.is_empty()
                || resource.blocked.is_some()
        })
}

fn entry(change: &Change<'_, '_>, base: &str) -> String {
    let place = change.place.as_ref().or(change.old_place.as_ref());
    let name = code(&words::cut(&words::name(change)));
    let outcome = words::outcome(change);
    let outcome = if change.export.is_some() { code(&outcome) } else { outcome };
    let outcome = if outcome.contains("DATA") { format!("**{outcome}**") } else { outcome };
    let mut out = format!("- {} {name}: {outcome}{}\n", code(words::mark(change)), link(place, base));
    for (lead, words) in [("if", words::depends_on(change)), ("may also", words::others(change))] {
        if !words.is_empty() {
            let _ = writeln!(out, "  - {lead} {}", code(&words));
        }
    }
    for property in change.properties.iter().take(OPEN) {
        let effect = words::effect(property);
        let effect = if effect.is_empty() { String::new() } else { format!(", {}", code(&words::cut(&effect))) };
        let path = words::cut(&crate::dotted(&property.path));
        let place = property.place.as_ref().or(property.old_place.as_ref());
        let _ = writeln!(out, "  - {} {}{effect}{}", code(&path), code(&words::values(property)), link(place, base));
    }
    if change.properties.len() > OPEN {
        let _ = writeln!(out, "  - and {} more", grouped(change.properties.len() - OPEN));
    }
    if let Some(sentence) = change.export.as_ref().and_then(crate::Export::refusal) {
        let _ = writeln!(out, "  - CloudFormation refuses this: {}", code(&words::cut(&sentence)));
    }
    let followers = words::followers(change);
    for line in followers.iter().take(OPEN) {
        let _ = writeln!(out, "  - {}", code(line));
    }
    if followers.len() > OPEN {
        let _ = writeln!(out, "  - and {} more", grouped(followers.len() - OPEN));
    }
    if let Some(resource) = &change.resource {
        if let Some(blocked) = &resource.blocked {
            let _ = writeln!(out, "  - CloudFormation refuses this: {}", code(&words::cut(&blocked.sentence)));
        }
        for grant in resource.grants.iter().take(5) {
            let _ = writeln!(out, "  - may do more than before: {}", code(&words::cut(grant)));
        }
    }
    out
}

fn link(place: Option<&Place>, base: &str) -> String {
    let Some(place) = place.filter(|place| !place.file.is_empty()) else { return String::new() };
    let shown = words::place(place);
    // The repository has no file for a deployed stack.
    if place.is_of_stack() {
        return format!(" ({})", code(&words::cut(&shown)));
    }
    let target = percent::encoded(&format!("{base}{}", place.file), b"/");
    format!(" ([{}]({target}#L{}))", code(&words::cut(&shown)), place.line)
}

/// Writes a code span. Its fence is longer than any in the content; invisible characters and line ends are escaped.
pub fn code(text: &str) -> String {
    let text = escape_for_display(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    // Markdown strips one space from both ends if both have one. An empty span is not a code span.
    let is_edge = |c: char| c == '`' || c == ' ';
    let space = if text.is_empty() || text.starts_with(is_edge) || text.ends_with(is_edge) { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Escapes a string for an HTML comment, which it cannot end. Different names stay different.
pub fn inside_comment(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let ends = c == '-' && out.ends_with('-');
        if ends || c.is_control() || matches!(c, '<' | '>' | '%') {
            let _ = c.encode_utf8(&mut [0; 4]).bytes().try_for_each(|byte| write!(out, "%{byte:02X}"));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_facts::TestFacts;
    use crate::test_values::side_of;
    use crate::{Settings, plan};

    fn comment(count: usize, value: &str) -> String {
        let template = |value: &str| {
            let resources: serde_json::Map<String, serde_json::Value> = (0..count)
                .map(|at| {
                    let body = serde_json::json!({"Type": "AWS::SQS::Queue", "Properties": {"QueueName": value}});
                    (format!("Q{at}"), body)
                })
                .collect();
            side_of(&serde_json::json!({"Resources": resources}))
        };
        let (old, new) = (template("a"), template(value));
        let found = plan(&old, &new, Settings { facts: Some(&TestFacts), ..Settings::default() });
        let report =
            Report { template: "t.yaml", plan: &found, arguments: &[], defaults: &[], failed: &[], refactor: None };
        render(&report, "t.yaml", "")
    }

    #[test]
    fn a_comment_begins_with_its_key_and_has_a_table() {
        let text = comment(1, "b");
        assert!(text.starts_with(
            "<!-- formwork plan: t.yaml -->\n### Plan of `t.yaml`\n\n| | |\n|---|---|\n| replace | 1 |\n"
        ));
        assert!(text.contains("**replace: DATA IS LOST**"), "{text}");
    }

    #[test]
    fn values_are_code_with_a_fence_of_their_own() {
        let text = comment(1, "<b>|`x``\n# y &amp; **z** [l](u) @all");
        let line = text.lines().find(|line| line.contains("QueueName")).expect("the property");
        let want = "  - `Properties.QueueName` ```\"a\" -> \"<b>|`x``\\n# y &amp; **z** [l](u) @all\"```, `replaces`";
        assert_eq!(line, want);
        for (text, want) in [("", "`  `"), ("`", "`` ` ``"), (" a", "`  a `"), ("a\n\u{202e}b", "`a\\n\\u{202e}b`")] {
            assert_eq!(code(text), want, "{text:?}");
        }
    }

    #[test]
    fn a_key_stays_in_its_comment() {
        for (key, want) in [
            ("a-b/t.yaml", "a-b/t.yaml"),
            ("a--->b", "a-%2D-%3Eb"),
            ("-->", "-%2D%3E"),
            ("a\n%<!--", "a%0A%25%3C!-%2D"),
        ] {
            assert_eq!(inside_comment(key), want);
        }
    }

    #[test]
    fn each_value_is_cut_by_itself() {
        let text = comment(1, &"z".repeat(500));
        let cut = "z".repeat(199);
        assert!(text.contains(&format!("`\"a\" -> \"{cut}...`")), "{text}");
    }

    #[test]
    fn a_comment_is_never_too_long() {
        let text = comment(3_000, &"ä|".repeat(300));
        assert!(text.len() <= MOST, "{}", text.len());
        assert!(text.contains("more\n") && text.trim_end().ends_with("</details>"), "{}", &text[text.len() - 200..]);
    }
}
