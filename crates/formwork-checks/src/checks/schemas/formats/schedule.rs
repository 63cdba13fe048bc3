//! Schedule expressions: `rate(5 minutes)`, `cron(0 12 * * ? *)`, `at(2026-01-01T00:00:00)`.

use super::{Wrong, dates};

const IS_NOT: &str = "a schedule expression";

/// The names of the fields, with the least and the greatest number.
const FIELDS: [(&str, u32, u32); 6] = [
    ("minute", 0, 59),
    ("hour", 0, 23),
    ("day of month", 1, 31),
    ("month", 1, 12),
    ("day of week", 1, 7),
    ("year", 1970, 2199),
];

/// Checks a schedule of `EventBridge` rules.
pub(super) fn rule(text: &str) -> Option<Wrong> {
    if let Some(inner) = inside(text, "rate(") {
        return rate(inner, true);
    }
    if let Some(inner) = inside(text, "cron(") {
        return cron(inner);
    }
    Wrong::new(IS_NOT, "`rate(5 minutes)` or `cron(0 12 * * ? *)`")
}

/// Checks a schedule of `EventBridge` Scheduler, which also has single dates, and any form of a unit.
pub(super) fn scheduler(text: &str) -> Option<Wrong> {
    if let Some(inner) = inside(text, "at(") {
        let is_date = dates::local(inner);
        return if is_date { None } else { Wrong::new(IS_NOT, "`at(2026-01-31T12:00:00)`") };
    }
    if let Some(inner) = inside(text, "rate(") {
        return rate(inner, false);
    }
    if let Some(inner) = inside(text, "cron(") {
        return cron(inner);
    }
    Wrong::new(IS_NOT, "`rate(5 minutes)`, `cron(0 12 * * ? *)` or `at(2026-01-31T12:00:00)`")
}

/// Checks a recurrence of EC2 Auto Scaling: five fields without `cron()`.
pub(super) fn five_fields(text: &str) -> Option<Wrong> {
    if text.starts_with('@') || !text.contains('(') && text.split_whitespace().count() == 5 {
        return None;
    }
    Wrong::new("a recurrence", "five fields: minute, hour, day of month, month, day of week, such as `0 12 * * *`")
}

fn inside<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    text.trim().strip_prefix(start)?.strip_suffix(')')
}

fn rate(inner: &str, is_strict: bool) -> Option<Wrong> {
    let words: Vec<&str> = inner.split_whitespace().collect();
    let [number, unit] = words.as_slice() else {
        return Wrong::new(IS_NOT, "a number and a unit, such as `rate(5 minutes)`");
    };
    let one = unit.strip_suffix('s').unwrap_or(unit);
    let is_unit = ["minute", "hour", "day"].contains(&one);
    let count = number.parse::<u32>().ok().filter(|count| *count > 0);
    let (Some(count), true) = (count, is_unit) else {
        return Wrong::new(IS_NOT, "a number above 0 and minutes, hours or days, such as `rate(5 minutes)`");
    };
    let right = if count == 1 { one.to_owned() } else { format!("{one}s") };
    if !is_strict || right == *unit { None } else { Wrong::new(IS_NOT, format!("`rate({count} {right})`")) }
}

fn cron(inner: &str) -> Option<Wrong> {
    let fields: Vec<&str> = inner.split_whitespace().collect();
    let [_, _, day, _, week, _] = fields.as_slice() else {
        return Wrong::new(IS_NOT, "six fields: minute, hour, day of month, month, day of week, year");
    };
    if (*day == "?") == (*week == "?") {
        return Wrong::new(IS_NOT, "`?` for the day of month or the day of week, such as `cron(0 12 * * ? *)`");
    }
    for (field, (name, least, most)) in fields.iter().zip(FIELDS) {
        let numbers = field.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<u32>().ok());
        // Behind a slash is the length of a step, behind `#` the number of a week.
        let is_step = field.contains(['/', '#']);
        if !is_step && numbers.into_iter().any(|number| !(least..=most).contains(&number)) {
            return Wrong::new(IS_NOT, format!("a {name} from {least} to {most}"));
        }
    }
    None
}
