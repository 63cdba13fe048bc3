//! The events of functions and state machines of `AWS::Serverless` (reference/schemas.md#events).

use formwork_base::suggest::nearest;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, Kind, symbol};

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
    /// Judges the types of events, which the schema of the resource leaves open.
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
        let Some(kind) = tree.get(event.value, symbol::TYPE) else {
            let missing = Diagnostic::titled(codes::MISSING_PROPERTY, format!("{subject} has no Type"))
                .at(tree.span(event.key))
                .note("the serverless transform rejects it")
                .help(format!("add its Type, one of {}", known.join(", ")));
            return self.push(missing, severity, tree.text(event.key));
        };
        let Some(name) = tree.string(kind).filter(|name| !known.contains(name)) else { return };
        let unknown = format!("the Type of {subject} is {}, which is not a type of event", shown(name));
        let diagnostic = Diagnostic::titled(codes::VALUE_NOT_ALLOWED, unknown)
            .at(tree.span(kind))
            .note("the serverless transform rejects it");
        let meant = known.iter().copied().find(|one| one.eq_ignore_ascii_case(name));
        let meant = meant.or_else(|| nearest(name, known.iter().copied()));
        let diagnostic = match meant {
            Some(meant) => diagnostic.help(format!("write `Type: {meant}`")),
            None => diagnostic.help(format!("write one of {}", known.join(", "))),
        };
        self.push(diagnostic, severity, tree.text(event.key));
    }
}
