//! Parses times as people write them: `10m ago`, `yesterday`, `2018-01-01 10:10:10` (reference/around.md#times).

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

const UNITS: [(&[&str], i64); 5] = [
    (&["s", "sec", "secs", "second", "seconds"], 1),
    (&["m", "min", "mins", "minute", "minutes"], 60),
    (&["h", "hr", "hrs", "hour", "hours"], 60 * 60),
    (&["d", "day", "days"], 24 * 60 * 60),
    (&["w", "week", "weeks"], 7 * 24 * 60 * 60),
];

/// Parses a time: a duration before now (`10m`, `1h 30min ago`), `now`, `today`, `yesterday`, seconds or milliseconds
/// since 1970, or ISO 8601, whose parts after the date may be missing. A time without an offset is in UTC, as SAM CLI
/// reads it.
pub fn parse(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    match text.to_ascii_lowercase().as_str() {
        "now" | "today" => return Some(now),
        "yesterday" => return now.checked_sub(SignedDuration::from_hours(24)).ok(),
        _ => {}
    }
    since_epoch(text).or_else(|| ago(text, now)).or_else(|| absolute(text))
}

/// Parses ten digits as seconds, thirteen as milliseconds.
fn since_epoch(text: &str) -> Option<Timestamp> {
    let number: i64 = text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    match text.len() {
        10 => Timestamp::from_second(number).ok(),
        13 => Timestamp::from_millisecond(number).ok(),
        _ => None,
    }
}

fn ago(text: &str, now: Timestamp) -> Option<Timestamp> {
    let lower = text.to_ascii_lowercase();
    let mut rest = lower.strip_suffix("ago").unwrap_or(&lower).trim();
    let mut total: i64 = 0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let number: i64 = rest[..digits].parse().ok()?;
        rest = rest[digits..].trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (unit, behind) = rest.split_at(end);
        let (_, seconds) = UNITS.iter().find(|(names, _)| names.contains(&unit))?;
        total = total.checked_add(number.checked_mul(*seconds)?)?;
        rest = behind.trim_start_matches([' ', ',']);
    }
    now.checked_sub(SignedDuration::from_secs(total)).ok()
}

fn absolute(text: &str) -> Option<Timestamp> {
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time);
    }
    let civil: DateTime = text.parse().ok()?;
    civil.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_people_write_them() {
        let now: Timestamp = "2026-01-31T10:00:00Z".parse().expect("a time");
        for (text, want) in [
            ("10m", "2026-01-31T09:50:00Z"),
            ("10m ago", "2026-01-31T09:50:00Z"),
            ("5mins ago", "2026-01-31T09:55:00Z"),
            ("1 minute ago", "2026-01-31T09:59:00Z"),
            ("1h 30m ago", "2026-01-31T08:30:00Z"),
            ("2 Hours, 5 seconds Ago", "2026-01-31T07:59:55Z"),
            ("1w", "2026-01-24T10:00:00Z"),
            ("0s", "2026-01-31T10:00:00Z"),
            ("now", "2026-01-31T10:00:00Z"),
            ("Yesterday", "2026-01-30T10:00:00Z"),
            ("2018-01-01 10:10:10", "2018-01-01T10:10:10Z"),
            ("2018-01-01", "2018-01-01T00:00:00Z"),
            ("2018-01-01T10:10:10+02:00", "2018-01-01T08:10:10Z"),
            ("2018-01-01T10:10:10.25Z", "2018-01-01T10:10:10.25Z"),
            ("1769853600", "2026-01-31T10:00:00Z"),
            ("1769853600000", "2026-01-31T10:00:00Z"),
        ] {
            assert_eq!(parse(text, now).map(|time| time.to_string()).as_deref(), Some(want), "{text}");
        }
        for text in
            ["", "ago", "10", "m", "10x ago", "tomorrow?", "99999999999999999999h", "9000000000000000h", "2018-13-01"]
        {
            assert_eq!(parse(text, now), None, "{text}");
        }
    }
}
