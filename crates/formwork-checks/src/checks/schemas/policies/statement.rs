//! Statements of policy documents.

use formwork_base::display::shown;
use formwork_base::suggest::slip;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::{Entry, Kind};

use super::super::presence::Presence;
use super::super::scalar::{NotAllowed, is_placeholder, nearest};
use super::super::step::Step;
use super::super::walk::{At, Walk};
use super::super::words;
use super::{Certain, Class};

const KEYS: [&str; 9] =
    ["Action", "Condition", "Effect", "NotAction", "NotPrincipal", "NotResource", "Principal", "Resource", "Sid"];
const EFFECTS: [&str; 2] = ["Allow", "Deny"];

impl Walk<'_> {
    pub(super) fn statement(&mut self, at: At, class: Class) {
        self.needs_one(at, &["Effect"], Certain::Yes);
        self.needs_one(at, &["Action", "NotAction"], Certain::Yes);
        let (principal, resource) = match class {
            Class::Identity => (None, Some(Certain::Yes)),
            Class::Trust => (Some(Certain::Yes), None),
            Class::Resource { principal, resource } => {
                (principal.then_some(Certain::No), resource.then_some(Certain::No))
            }
        };
        if let Some(certain) = principal {
            self.needs_one(at, &["Principal", "NotPrincipal"], certain);
        }
        if let Some(certain) = resource {
            self.needs_one(at, &["Resource", "NotResource"], certain);
        }
        let tree = self.tree;
        for entry in tree.entries(at.node) {
            let name = tree.text(entry.key);
            if self.is_nothing(entry.value) {
                continue;
            }
            self.path.push(Step::Key(name));
            let below = At { node: entry.value, key: Some(entry.key) };
            match (name, class) {
                ("Principal" | "NotPrincipal", Class::Identity) | ("Resource" | "NotResource", Class::Trust) => {
                    self.prohibited(entry, class);
                }
                ("Effect", _) => self.effect(below),
                ("Action" | "NotAction", _) => self.each_element(below, &mut |walk, at| walk.action(at, class)),
                ("Resource" | "NotResource", _) => {
                    self.each_element(below, &mut |walk, at| walk.resource_arn(at, class));
                }
                ("Principal" | "NotPrincipal", _) => self.each_branch(below, &mut |walk, at| walk.principal(at)),
                (name, _) if KEYS.contains(&name) => {}
                _ => self.unknown_key(entry),
            }
            self.path.pop();
        }
    }

    /// Checks that one of several names is there, and not two of them.
    fn needs_one(&mut self, at: At, names: &[&'static str], certain: Certain) {
        let presence = names.iter().map(|name| self.presence(at.node, name));
        let (mut present, mut open) = (0, false);
        for found in presence {
            present += u32::from(found == Presence::Present);
            open |= found == Presence::Open;
        }
        let is_meant = names.iter().any(|name| self.has_slip(at.node, name));
        if present == 0 && !open && !is_meant {
            self.required_in(at, names, certain);
        }
        if let (true, [name, other]) = (present > 1, names) {
            let Some(severity) = self.policy_severity(certain) else { return };
            let subject = words::subject(&self.path, self.tree.text(self.id));
            let title = format!("{subject} has {name} and {other}, which exclude each other");
            let diagnostic = Diagnostic::titled(codes::COMBINATION, title)
                .at(self.place(at))
                .help(format!("remove {name} or {other}"));
            self.push(diagnostic, severity, name);
        }
    }

    /// Reports a key that policies of this kind do not have.
    fn prohibited(&mut self, entry: Entry, class: Class) {
        let Some(severity) = self.policy_severity(Certain::Yes) else { return };
        let name = self.tree.text(entry.key);
        let outer = words::subject(self.path.get(..self.path.len() - 1).unwrap_or_default(), self.tree.text(self.id));
        let (of, why) = match class {
            Class::Trust => ("a trust policy", "the role is the resource"),
            _ => ("a policy of an identity", "the identity that has the policy is the principal"),
        };
        let diagnostic =
            Diagnostic::titled(codes::UNKNOWN_PROPERTY, format!("{outer} has {name}, which {of} does not have"))
                .at(self.tree.span(entry.key))
                .note(why)
                .help(format!("remove {name}"));
        self.push(diagnostic, severity, name);
    }

    fn unknown_key(&mut self, entry: Entry) {
        let name = self.tree.text(entry.key);
        // A slip is reported with the documents that are recognized by their keys.
        if slip(name, KEYS).is_some() {
            return;
        }
        let Some(severity) = self.policy_severity(Certain::Yes) else { return };
        let outer = words::subject(self.path.get(..self.path.len() - 1).unwrap_or_default(), self.tree.text(self.id));
        let title = format!("{outer} has the unknown key {}", shown(name));
        let diagnostic = Diagnostic::titled(codes::UNKNOWN_PROPERTY, title)
            .at(self.tree.span(entry.key))
            .note("IAM rejects the document as malformed when the resource is created")
            .help(format!("remove it, or write one of {}", KEYS.join(", ")));
        self.push(diagnostic, severity, name);
    }

    fn effect(&mut self, at: At) {
        let tree = self.tree;
        let text = match tree.kind(at.node) {
            Kind::List => "a list",
            Kind::Map if self.is_plain_object(at.node) => "an object",
            Kind::Call | Kind::Map | Kind::Null => return,
            _ => tree.text(at.node),
        };
        // A slip is reported with the documents that are recognized by their keys.
        if EFFECTS.contains(&text) || is_placeholder(text) || slip(text, EFFECTS).is_some() {
            return;
        }
        let near = nearest(text, &EFFECTS).0;
        if let Some(severity) = self.policy_severity(Certain::Yes) {
            self.report_not_allowed(&NotAllowed { values: &EFFECTS, near, why: None }, at, text, severity);
        }
    }
}
