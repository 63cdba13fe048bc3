//! Dates.

use super::Wrong;

/// Checks a date, perhaps with a time.
pub(super) fn date_time(text: &str) -> Option<Wrong> {
    let (day, time) = text.split_once(['T', ' ']).unwrap_or((text, ""));
    let time = time.trim_end_matches('Z');
    let time = time.split(['+', '-', '.']).next().unwrap_or_default();
    if date(day) && (time.is_empty() || clock(time)) {
        return None;
    }
    Wrong::new("a date with a time", "a value such as 2026-01-31T12:00:00Z")
}

/// Returns `true` for a date and a time without a time zone: `2026-01-31T12:00:00`.
pub(super) fn local(text: &str) -> bool {
    text.split_once('T').is_some_and(|(day, time)| date(day) && clock(time))
}

fn date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    year.len() == 4 && in_range(year, 0, 9999) && in_range(month, 1, 12) && in_range(day, 1, 31)
}

fn clock(text: &str) -> bool {
    let parts: Vec<&str> = text.split(':').collect();
    match parts.as_slice() {
        [hour, minute] => in_range(hour, 0, 23) && in_range(minute, 0, 59),
        [hour, minute, second] => in_range(hour, 0, 23) && in_range(minute, 0, 59) && in_range(second, 0, 60),
        _ => false,
    }
}

fn in_range(text: &str, least: u32, most: u32) -> bool {
    text.len() >= 2 && text.parse::<u32>().is_ok_and(|number| (least..=most).contains(&number))
}
