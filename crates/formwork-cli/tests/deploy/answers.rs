//! What CloudFormation answers, in its own XML.

use super::server::{Answer, Step, escaped};

pub(crate) const STACK_ID: &str = "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop/1a2b";
pub(crate) const SET_ID: &str = "arn:aws:cloudformation:eu-west-1:111122223333:changeSet/set/3c4d";

fn step(action: &'static str, answer: Answer) -> Step {
    Step { action, answer }
}

fn list(name: &str, members: impl IntoIterator<Item = String>) -> String {
    let members: Vec<String> = members.into_iter().map(|member| format!("<member>{member}</member>")).collect();
    let members = members.concat();
    format!("<{name}>{members}</{name}>")
}

fn text(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>", escaped(text))
}

/// An error in the place of an answer.
pub(crate) fn fails(action: &'static str, code: &'static str, message: &str) -> Step {
    step(action, Answer::Error(400, code, message.to_owned()))
}

/// Somebody presses Ctrl-C while this is answered.
pub(crate) fn interrupted(then: Step) -> Step {
    signalled("INT", then)
}

/// The program gets a signal while this is answered.
pub(crate) fn signalled(name: &'static str, then: Step) -> Step {
    step(then.action, Answer::Signalled(name, Box::new(then.answer)))
}

/// Something else answers in the place of the service.
pub(crate) fn foreign(action: &'static str, status: u16, body: &str) -> Step {
    step(action, Answer::Foreign(status, "text/html", body.to_owned()))
}

/// The answer does not end where it should.
pub(crate) fn long(action: &'static str, bytes: usize) -> Step {
    step(action, Answer::Long(bytes))
}

/// The service is throttled.
pub(crate) fn throttled(action: &'static str) -> Step {
    fails(action, "Throttling", "Rate exceeded")
}

/// A page of a listing behind which another one is.
pub(crate) fn followed(mut page: Step, token: &str) -> Step {
    if let Answer::Result(xml) = &mut page.answer {
        *xml += &text("NextToken", token);
    }
    page
}

/// The connection breaks.
pub(crate) fn breaks(action: &'static str) -> Step {
    step(action, Answer::Nothing)
}

/// There is no stack.
pub(crate) fn no_stack() -> Step {
    fails("DescribeStacks", "ValidationError", "Stack with id shop does not exist")
}

/// The stack with a status, parameters and outputs.
pub(crate) fn stack(status: &str, parameters: &[(&str, &str)], outputs: &[(&str, &str)]) -> Step {
    let pair = |names: [&str; 2], pair: &(&str, &str)| text(names[0], pair.0) + &text(names[1], pair.1);
    let parameters = parameters.iter().map(|one| pair(["ParameterKey", "ParameterValue"], one));
    let outputs = outputs.iter().map(|one| pair(["OutputKey", "OutputValue"], one));
    let stack = [
        text("StackName", "shop"),
        text("StackId", STACK_ID),
        text("StackStatus", status),
        "<CreationTime>2026-01-31T09:00:00Z</CreationTime>".to_owned(),
        list("Parameters", parameters),
        list("Outputs", outputs),
    ];
    step("DescribeStacks", Answer::Result(list("Stacks", [stack.concat()])))
}

/// The stack `shop` with a status and elements of its own, such as `EnableTerminationProtection`.
pub(crate) fn stack_with(status: &str, elements: &str) -> Step {
    let mut step = stack(status, &[], &[]);
    if let Answer::Result(xml) = &mut step.answer {
        *xml = xml.replace("<Outputs></Outputs>", "").replace("<CreationTime>", &format!("{elements}<CreationTime>"));
    }
    step
}

/// The resources of a stack: logical ID, type, physical ID.
pub(crate) fn resources(resources: &[(&str, &str, &str)]) -> Step {
    let member = |(id, kind, physical): &(&str, &str, &str)| {
        [
            text("LogicalResourceId", id),
            text("ResourceType", kind),
            text("PhysicalResourceId", physical),
            text("ResourceStatus", "CREATE_COMPLETE"),
            "<LastUpdatedTimestamp>2026-01-31T09:00:00Z</LastUpdatedTimestamp>".to_owned(),
        ]
        .concat()
    };
    let list = list("StackResourceSummaries", resources.iter().map(member));
    step("ListStackResources", Answer::Result(list))
}

/// The processed template of a stack.
pub(crate) fn template(body: &str) -> Step {
    step("GetTemplate", Answer::Result(text("TemplateBody", body)))
}

/// The parameters that the stack has.
pub(crate) fn summary(parameters: &[&str]) -> Step {
    let parameters = parameters.iter().map(|name| text("ParameterKey", name));
    step("GetTemplateSummary", Answer::Result(list("Parameters", parameters)))
}

/// A change set is made.
pub(crate) fn created() -> Step {
    step("CreateChangeSet", Answer::Result(text("Id", SET_ID) + &text("StackId", STACK_ID)))
}

/// The status of a change set, and what it would do.
pub(crate) fn change_set(status: &str, reason: &str, changes: &[Change]) -> Step {
    let reason = if reason.is_empty() { String::new() } else { text("StatusReason", reason) };
    let set = [
        text("ChangeSetName", "set"),
        text("ChangeSetId", SET_ID),
        text("StackId", STACK_ID),
        text("StackName", "shop"),
        text("Status", status),
        reason,
        list("Changes", changes.iter().map(Change::xml)),
    ];
    step("DescribeChangeSet", Answer::Result(set.concat()))
}

/// A change set that can be executed.
pub(crate) fn ready(changes: &[Change]) -> Step {
    change_set("CREATE_COMPLETE", "", changes)
}

/// A change of one resource.
#[derive(Clone, Debug)]
pub(crate) struct Change(String);

impl Change {
    pub(crate) fn new(action: &str, id: &str, kind: &str) -> Change {
        Change(text("Action", action) + &text("LogicalResourceId", id) + &text("ResourceType", kind))
    }

    pub(crate) fn replaced(self, how: &str, property: &str) -> Change {
        let target = text("Attribute", "Properties") + &text("Name", property);
        let details = list("Details", [format!("<Target>{target}</Target>")]);
        Change(self.0 + &text("Replacement", how) + &details)
    }

    pub(crate) fn with(self, name: &str, value: &str) -> Change {
        Change(self.0 + &text(name, value))
    }

    /// With elements of its own.
    pub(crate) fn xml_with(self, elements: &str) -> Change {
        Change(self.0 + elements)
    }

    fn xml(&self) -> String {
        format!("<Type>Resource</Type><ResourceChange>{}</ResourceChange>", self.0)
    }
}

/// Anything that answers with nothing.
pub(crate) fn done(action: &'static str) -> Step {
    step(action, Answer::Result(String::new()))
}

/// Events of a stack, newest first as the service lists them. The first one is what was there before.
pub(crate) fn events(events: &[Event]) -> Step {
    let members = events.iter().rev().map(Event::xml);
    step("DescribeStackEvents", Answer::Result(list("StackEvents", members)))
}

/// The same as `DescribeEvents` lists them.
pub(crate) fn failed_events(events: &[Event]) -> Step {
    let members = events.iter().rev().map(Event::xml);
    step("DescribeEvents", Answer::Result(list("OperationEvents", members)))
}

/// An event. Its number is its id, and the second of its time.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    number: usize,
    stack: String,
    id: String,
    physical: String,
    kind: String,
    status: String,
    reason: String,
    more: String,
}

impl Event {
    /// Of a resource of the stack.
    pub(crate) fn of(number: usize, id: &str, kind: &str, status: &str) -> Event {
        Event {
            number,
            stack: STACK_ID.to_owned(),
            id: id.to_owned(),
            physical: format!("physical-{id}"),
            kind: kind.to_owned(),
            status: status.to_owned(),
            reason: String::new(),
            more: String::new(),
        }
    }

    /// With another element, such as `DetailedStatus`.
    pub(crate) fn with(self, name: &str, value: &str) -> Event {
        Event { more: self.more + &text(name, value), ..self }
    }

    /// Of the stack itself.
    pub(crate) fn stack(number: usize, status: &str) -> Event {
        Event::of(number, "shop", "AWS::CloudFormation::Stack", status).physical(STACK_ID)
    }

    pub(crate) fn physical(self, physical: &str) -> Event {
        Event { physical: physical.to_owned(), ..self }
    }

    /// Of a nested stack.
    pub(crate) fn inside(self, stack: &str) -> Event {
        Event { stack: stack.to_owned(), ..self }
    }

    pub(crate) fn because(self, reason: &str) -> Event {
        Event { reason: reason.to_owned(), ..self }
    }

    fn xml(&self) -> String {
        let name = self.stack.split('/').nth(1).unwrap_or_default();
        let reason = if self.reason.is_empty() { String::new() } else { text("ResourceStatusReason", &self.reason) };
        let (minutes, seconds) = (self.number / 60, self.number % 60);
        [
            text("EventId", &format!("{name}-{}", self.number)),
            text("StackId", &self.stack),
            text("StackName", name),
            text("LogicalResourceId", &self.id),
            text("PhysicalResourceId", &self.physical),
            text("ResourceType", &self.kind),
            text("ResourceStatus", &self.status),
            reason,
            self.more.clone(),
            format!("<Timestamp>2026-01-31T10:{minutes:02}:{seconds:02}.500Z</Timestamp>"),
        ]
        .concat()
    }
}

/// What the service reports about a template.
pub(crate) fn validated(capabilities: &[&str], reason: &str) -> Step {
    let capabilities = list("Capabilities", capabilities.iter().map(|name| escaped(name)));
    step("ValidateTemplate", Answer::Result(capabilities + &text("CapabilitiesReason", reason)))
}

/// Events of an operation, newest first as the service lists them.
pub(crate) fn operation_events(events: &[Finding]) -> Step {
    step("DescribeEvents", Answer::Result(list("OperationEvents", events.iter().map(|event| event.0.clone()))))
}

/// An event of an operation.
#[derive(Clone, Debug)]
pub(crate) struct Finding(String);

impl Finding {
    /// A property of a resource that a validation rejects. Its number is its ID.
    pub(crate) fn new(number: usize, path: &str, reason: &str) -> Finding {
        let id = path.trim_start_matches('/').split('/').nth(1).unwrap_or_default();
        Finding(String::new())
            .with("EventId", &format!("finding-{number}"))
            .with("StackId", STACK_ID)
            .with("EventType", "VALIDATION_ERROR")
            .with("OperationType", "CREATE_CHANGESET")
            .with("LogicalResourceId", id)
            .with("PhysicalResourceId", "")
            .with("ResourceType", "AWS::SQS::Queue")
            .with("Timestamp", "2026-01-31T10:00:00.500Z")
            .with("ValidationPath", path)
            .with("ValidationStatusReason", reason)
    }

    /// With the validation and its mode.
    pub(crate) fn of(self, name: &str, mode: &str) -> Finding {
        self.with("ValidationName", name).with("ValidationFailureMode", mode).with("ValidationStatus", "FAILED")
    }

    pub(crate) fn with(self, name: &str, value: &str) -> Finding {
        Finding(self.0 + &text(name, value))
    }

    /// With another value in the place of one.
    pub(crate) fn but(self, name: &str, old: &str, new: &str) -> Finding {
        Finding(self.0.replace(&text(name, old), &text(name, new)))
    }
}

/// An error with a status of its own.
pub(crate) fn fails_with(action: &'static str, status: u16, code: &'static str, message: &str) -> Step {
    step(action, Answer::Error(status, code, message.to_owned()))
}

/// The results of the hooks of a change set: ID, type, mode, status, reason.
pub(crate) fn hook_results(results: &[[&str; 5]]) -> Step {
    let names = ["HookResultId", "TypeName", "FailureMode", "Status", "HookStatusReason"];
    let member = |values: &[&str; 5]| names.iter().zip(values).map(|(name, value)| text(name, value)).collect();
    step("ListHookResults", Answer::Result(list("HookResults", results.iter().map(member))))
}

/// The result of one hook with its annotations: name, status, message, remediation, link, severity. What is empty is
/// not sent.
pub(crate) fn hook_result(values: [&str; 5], annotations: &[[&str; 6]]) -> Step {
    let names = ["HookResultId", "TypeName", "FailureMode", "Status", "HookStatusReason"];
    let parts = ["AnnotationName", "Status", "StatusMessage", "RemediationMessage", "RemediationLink", "SeverityLevel"];
    let sent = |names: &[&str], values: &[&str]| -> String {
        let all = names.iter().zip(values).filter(|(_, value)| !value.is_empty());
        all.map(|(name, value)| text(name, value)).collect()
    };
    let annotations = annotations.iter().map(|values| sent(&parts, values));
    step("GetHookResult", Answer::Result(sent(&names, &values) + &list("Annotations", annotations)))
}

/// A change set of the stack `shop` with states and elements of its own, such as `DeploymentConfig`.
pub(crate) fn existing(status: &str, execution: &str, elements: &str, changes: &[Change]) -> Step {
    let mut step = change_set(status, "", changes);
    if let Answer::Result(xml) = &mut step.answer {
        *xml += &(text("ExecutionStatus", execution) + elements);
    }
    step
}

/// What identifies the resources of a template: type, logical ID, property.
pub(crate) fn identifiers(summaries: &[(&str, &str, &str)]) -> Step {
    let member = |(kind, id, property): &(&str, &str, &str)| {
        let ids = list("LogicalResourceIds", [escaped(id)]);
        text("ResourceType", kind) + &ids + &list("ResourceIdentifiers", [escaped(property)])
    };
    step("GetTemplateSummary", Answer::Result(list("ResourceIdentifierSummaries", summaries.iter().map(member))))
}
