//! Rules between resources (reference/schemas.md#between): values that a service rejects because of another resource of
//! the template. A rule is judged as far as both resources are literal.

mod clusters;
mod mappings;
mod notifications;
mod queues;
mod services;
mod stages;
mod subscriptions;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, View, symbol};
use formwork_template::reference::get_att;
use formwork_template::sub_string;

use super::scalar::is_placeholder;
use super::step::Step;
use super::walk::{At, Walk};
use super::words;

/// Another resource of the template.
#[derive(Clone, Copy)]
struct Other<'w> {
    id: NodeId,
    kind: &'w str,
    /// `Properties`, an object; `None` without them.
    properties: Option<NodeId>,
}

/// A property that decides a rule.
#[derive(Clone, Copy, PartialEq)]
enum Fact<'w> {
    Absent,
    Literal(&'w str),
    /// A call or a condition decides it.
    Open,
}

/// What is refused: the words of the finding, and the place.
struct Refusal<'f> {
    place: At,
    message: &'f str,
    /// The reason, or the service's own sentence.
    why: &'f str,
    help: &'f str,
}

impl<'w> Walk<'w> {
    /// Checks a resource against those that it refers to.
    pub(super) fn between(&mut self, at: At) {
        let Some(resource) = self.resource else { return };
        if !self.is_plain_object(at.node) || self.tree.kind(at.node) != Kind::Map {
            return;
        }
        self.path.clear();
        match resource.name() {
            "AWS::ApiGateway::Stage" => stages::check(self, at),
            "AWS::ECS::Service" => services::check(self, at),
            "AWS::Lambda::EventSourceMapping" => mappings::check(self, at),
            "AWS::RDS::DBInstance" => clusters::check(self, at),
            "AWS::S3::Bucket" => notifications::check(self, at),
            "AWS::SNS::Subscription" => subscriptions::check(self, at),
            "AWS::SNS::Topic" => subscriptions::of_topic(self, at),
            "AWS::SQS::Queue" => queues::check(self, at),
            _ => {}
        }
        self.path.clear();
    }

    /// Returns the resource that a value is an attribute or the `Ref` of.
    fn referred(&self, node: NodeId) -> Option<Other<'w>> {
        let tree = self.tree;
        let name = match tree.view(node) {
            View::Call(Function::Known(Known::Ref), argument) => tree.string(argument)?,
            View::Call(Function::Known(Known::GetAtt), argument) => get_att(tree, argument)?.0,
            View::Call(Function::Known(Known::Sub), argument) => {
                let mut parts = sub_string::parts(tree.string(argument)?);
                let only = parts.next()?.variable()?;
                if parts.next().is_some() {
                    return None;
                }
                only.split('.').next()?
            }
            _ => return None,
        };
        self.other(name)
    }

    fn other(&self, name: &str) -> Option<Other<'w>> {
        let tree = self.tree;
        let entry = tree.member(self.resources?, tree.symbols().get(name)?)?;
        let kind = tree.string(tree.get(entry.value, symbol::TYPE)?)?;
        let properties = tree.get(entry.value, symbol::PROPERTIES);
        let is_read = properties.is_none_or(|node| tree.kind(node) == Kind::Map && self.is_plain_object(node));
        is_read.then_some(Other { id: entry.key, kind, properties })
    }

    /// Returns the value of a property of an object, as far as it is literal.
    fn fact(&self, object: Option<NodeId>, name: &str) -> Fact<'w> {
        let tree = self.tree;
        let Some(value) = object.and_then(|object| tree.get_text(object, name)) else {
            let is_meant = object.and_then(|object| self.meant.get(&object));
            return if is_meant.is_some_and(|meant| meant.contains(&name)) { Fact::Open } else { Fact::Absent };
        };
        match tree.view(value) {
            _ if self.is_nothing(value) => Fact::Absent,
            View::Call(..) | View::Map | View::List(_) => Fact::Open,
            _ if is_placeholder(tree.text_form(value)) => Fact::Open,
            _ => Fact::Literal(tree.text_form(value)),
        }
    }

    /// Returns a property that is true or false, which is false without it.
    fn is_true(&self, object: Option<NodeId>, name: &str) -> Option<bool> {
        match self.fact(object, name) {
            Fact::Absent => Some(false),
            Fact::Literal(text) if text.eq_ignore_ascii_case("true") => Some(true),
            Fact::Literal(text) if text.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        }
    }

    /// Returns a number, or that which holds without the property.
    fn number_or(&self, object: Option<NodeId>, name: &str, default: u64) -> Option<u64> {
        match self.fact(object, name) {
            Fact::Absent => Some(default),
            Fact::Literal(text) => text.parse().ok(),
            Fact::Open => None,
        }
    }

    /// Returns a value below an object with its key.
    fn below(&self, object: NodeId, name: &str) -> Option<At> {
        let name = self.tree.symbols().get(name)?;
        let entry = self.tree.member(object, name).filter(|entry| !self.is_nothing(entry.value))?;
        Some(At { node: entry.value, key: Some(entry.key) })
    }

    /// Reports what is refused because of another resource.
    fn refuse(&mut self, refusal: &Refusal<'_>, other: Other<'w>, label: &str) {
        let Some(severity) = self.severity_of(codes::COMBINATION) else { return };
        let tree = self.tree;
        let subject = if self.path.is_empty() {
            shown(tree.text(self.id))
        } else {
            words::subject(&self.path, tree.text(self.id))
        };
        let place = if tree.kind(refusal.place.node) == Kind::Map {
            self.place(refusal.place)
        } else {
            tree.span(refusal.place.node)
        };
        let diagnostic = Diagnostic::titled(codes::COMBINATION, format!("{subject} {}", refusal.message))
            .at(place)
            .related(tree.span(other.id), label)
            .note(refusal.why)
            .help(refusal.help);
        self.push(diagnostic, severity, tree.text(other.id));
    }

    /// Returns the logical ID of another resource, safe to show.
    fn name_of(&self, other: Other<'w>) -> String {
        shown(self.tree.text(other.id))
    }

    /// Runs a check below a property, with the property in the path.
    fn under(&mut self, steps: &[Step<'w>], run: impl FnOnce(&mut Walk<'w>)) {
        let before = self.path.len();
        self.path.extend_from_slice(steps);
        run(self);
        self.path.truncate(before);
    }
}

/// Returns a word for a queue or topic: `a FIFO queue`, `a standard queue`.
fn worded(is_fifo: bool, what: &str) -> String {
    if is_fifo { format!("a FIFO {what}") } else { format!("a standard {what}") }
}
