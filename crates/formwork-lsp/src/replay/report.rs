//! The figures of a replay.

use serde_json::{Value, json};

use super::log::Entry;
use super::player::Played;

pub(crate) fn line(entries: &[Entry], played: &Played, differences: usize) -> Value {
    let requests = entries.iter().filter(|entry| entry.is_client && entry.is_request()).count();
    let mut times = played.times.clone();
    times.sort_by(f64::total_cmp);
    let at = |of_100: usize| {
        let at = (times.len() * of_100 / 100).min(times.len().saturating_sub(1));
        times.get(at).map_or(0.0, |ms| (ms * 100.0).round() / 100.0)
    };
    let mut line = json!({
        "replayed": played.messages,
        "requests": requests,
        "differences": differences,
        "panics": played.panics,
        "p50_ms": at(50),
        "p99_ms": at(99),
        "rss_kb": played.rss_kb,
    });
    if let Some(probe) = &played.probe {
        line["probes"] = json!(probe.count);
        line["hash"] = json!(probe.hash());
    }
    line
}
