//! The events of functions and state machines of `AWS::Serverless` (reference/schemas.md#events).

use formwork_base::display::shown;
use formwork_base::suggest::slip;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::{Entry, Kind, symbol};

use super::presence::Presence;
use super::walk::{At, Walk};

const OF_FUNCTIONS: [&str; 19] = [
    "AlexaSkill",
    "Api",
    "CloudWatchEvent",
    "CloudWatchLogs",
    "Cognito",
    "DocumentDB",
    "DynamoDB",
    "EventBridgeRule",
    "HttpApi",
    "IoTRule",
    "Kinesis",
    "MQ",
    "MSK",
    "S3",
    "SNS",
    "SQS",
    "Schedule",
    "ScheduleV2",
    "SelfManagedKafka",
];

const OF_STATE_MACHINES: [&str; 5] = ["Api", "CloudWatchEvent", "EventBridgeRule", "Schedule", "ScheduleV2"];

impl Walk<'_> {
    /// Checks the types of events, which the schema of the resource leaves open.
    pub(super) fn event_sources(&mut self, at: At) {
        let Some(resource) = self.resource.filter(|_| self.path.is_empty()) else { return };
        let known: &[&str] = match resource.name() {
            "AWS::Serverless::Function" => &OF_FUNCTIONS,
            "AWS::Serverless::StateMachine" => &OF_STATE_MACHINES,
            _ => return,
        };
        let Some(events) = self.tree.get_text(at.node, "Events") else { return };
        let entries: Vec<Entry> = self.tree.entries(events).collect();
        for entry in entries {
            let is_generator = self.tree.text(entry.key).starts_with("Fn::");
            if !is_generator && self.tree.kind(entry.value) == Kind::Map {
                self.event_source(entry, known);
            }
        }
    }

    fn event_source(&mut self, event: Entry, known: &[&str]) {
        let tree = self.tree;
        let Some(severity) = self.warning() else { return };
        if tree.entries(event.value).any(|entry| tree.text(entry.key).starts_with("Fn::")) {
            return;
        }
        let subject = format!("event {} of {}", shown(tree.text(event.key)), shown(tree.text(self.id)));
        let diagnostic = match self.presence(event.value, "Type") {
            Presence::Absent => Diagnostic::titled(codes::MISSING_PROPERTY, format!("{subject} has no Type"))
                .at(tree.span(event.key))
                .help(format!("add its Type, one of {}", known.join(", "))),
            Presence::Open => return,
            Presence::Present => {
                let Some(kind) = tree.get(event.value, symbol::TYPE) else { return };
                // A type with wrong letter case is reported by the schema.
                let name = tree.string(kind).unwrap_or_default();
                let is_meant = |one: &&str| {
                    *one != name && one.eq_ignore_ascii_case(name) && slip(name, known.iter().copied()).is_none()
                };
                let Some(meant) = known.iter().copied().find(is_meant) else { return };
                let title = format!("the Type of {subject} is {}, not {meant}", shown(name));
                Diagnostic::titled(codes::VALUE_NOT_ALLOWED, title)
                    .at(tree.span(kind))
                    .help(format!("write `Type: {meant}`"))
            }
        };
        self.push(diagnostic.note("the serverless transform rejects it"), severity, tree.text(event.key));
    }
}
