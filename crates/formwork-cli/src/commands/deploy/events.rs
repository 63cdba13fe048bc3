//! Events of a deployment, a line each, with the author's line behind each resource.

use std::collections::HashMap;
use std::time::Duration;

use formwork_aws::Failure;
use formwork_deploy::{Event, Watcher};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::places::{Origin, Sources};
use super::refusal;
use super::voice::{Color, Voice};

/// Prints what happens.
pub(super) struct Events<'e, 'a> {
    pub(super) voice: &'e Voice<'a>,
    pub(super) sources: &'e mut Sources,
    /// Logical ids of the nested stacks on the way to a stack, by its ARN.
    pub(super) paths: &'e mut HashMap<String, Vec<String>>,
}

/// Width of a status; longer ones push the rest of their line.
const STATUS: usize = 20;

impl Watcher for Events<'_, '_> {
    fn nested_stack(&mut self, event: &Event) {
        let Some(nested) = event.nested_stack() else { return };
        let mut path = self.paths.get(&event.stack_id).cloned().unwrap_or_default();
        path.push(event.logical_id.clone());
        self.paths.insert(nested.to_owned(), path);
    }

    fn event(&mut self, event: &Event) {
        let within = self.paths.get(&event.stack_id).cloned().unwrap_or_default();
        let origin = self.origin(event, &within);
        // A nested stack has the name of its resource, also in its own events.
        let own = Some(event.logical_id.as_str()).filter(|_| within.is_empty() || !event.is_of_stack());
        let name = within.iter().map(String::as_str).chain(own).collect::<Vec<_>>().join("/");
        let (name, kind) = (self.voice.clean(&name), self.voice.clean(&event.kind));
        let time = time(event.time, &TimeZone::system());
        let status = self.voice.paint(&format!("{:STATUS$}", self.voice.clean(&event.status)), color(&event.status));
        let place = origin.as_ref().map_or_else(String::new, |origin| format!("  {}", words(origin)));
        let mut line = format!("{time}  {status}  {name} ({kind}){}", self.voice.paint(&place, Color::Dim));
        if let Some(reason) = event.reason.as_deref().filter(|reason| !reason.is_empty()) {
            line = format!("{line}\n{:width$}{}", "", self.voice.clean(reason), width = time.len() + 2);
        }
        self.voice.line(&line, || {
            let event = json!({
                "time": time,
                "stack": event.stack_name,
                "path": within,
                "logical_id": event.logical_id,
                "type": event.kind,
                "status": event.status,
                "reason": event.reason.as_deref().map(|reason| self.voice.mask(reason)),
            });
            json!({"event": with_source(event, origin.as_ref())})
        });
    }

    fn trouble(&mut self, call: &'static str, failure: &Failure, pause: Duration) {
        self.voice.remark(&refusal::repeated(call, failure, pause), None);
    }

    fn incomplete(&mut self, call: &'static str, failure: &Failure) {
        self.voice.remark(&refusal::incomplete(call, failure), None);
    }
}

impl Events<'_, '_> {
    /// Where a resource comes from. The events of a nested stack itself are those of its resource.
    fn origin(&mut self, event: &Event, within: &[String]) -> Option<Origin> {
        match (event.is_of_stack(), within.split_last()) {
            (true, None) => None,
            (true, Some((own, around))) => self.sources.of(around, own),
            (false, _) => self.sources.of(within, &event.logical_id),
        }
    }
}

/// A place and the iterations that led there.
pub(super) fn words(origin: &Origin) -> String {
    let mut words = vec![origin.place.clone()];
    if !origin.items.is_empty() {
        words.push(format!("[{}]", origin.items));
    }
    words.extend(origin.made_of.as_ref().map(|source| format!("(made of {source})")));
    words.join(" ")
}

/// An object for programs with where its resource comes from: in words, and in parts.
pub(super) fn with_source(mut object: Value, origin: Option<&Origin>) -> Value {
    let item = |(variable, item): &(String, String)| json!({"variable": variable, "item": item});
    object["source"] = json!(origin.map(words));
    object["file"] = json!(origin.map(|origin| &origin.file));
    object["line"] = json!(origin.map(|origin| origin.line));
    object["items"] = origin.map_or_else(|| json!([]), |origin| origin.loops.iter().map(item).collect());
    object
}

fn color(status: &str) -> Color {
    match status {
        _ if status.contains("FAILED") || status.contains("ROLLBACK") => Color::Red,
        _ if status.ends_with("_IN_PROGRESS") => Color::Yellow,
        _ => Color::Green,
    }
}

/// A time in a zone, to the second, with its offset.
fn time(nanoseconds: i128, zone: &TimeZone) -> String {
    let Ok(time) = Timestamp::from_nanosecond(nanoseconds) else { return String::new() };
    time.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S%:z").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_their_offset() {
        let at = 1_769_853_600_123_000_000;
        assert_eq!(time(at, &TimeZone::UTC), "2026-01-31 10:00:00+00:00");
        let zone = TimeZone::fixed(jiff::tz::offset(-3));
        assert_eq!(time(at, &zone), "2026-01-31 07:00:00-03:00");
    }
}
