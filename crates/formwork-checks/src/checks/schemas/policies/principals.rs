//! Principals of statements.

use formwork_base::display::shown;
use formwork_base::suggest::slip;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::View;

use super::super::scalar::is_placeholder;
use super::super::step::Step;
use super::super::walk::{At, Walk};
use super::super::words;
use super::Certain;
use super::words::quoted;

const KEYS: [&str; 4] = ["AWS", "CanonicalUser", "Federated", "Service"];

impl Walk<'_> {
    pub(super) fn principal(&mut self, at: At) {
        let tree = self.tree;
        match tree.view(at.node) {
            View::String(text) if text != "*" && !is_placeholder(text) => {
                self.wrong_principal(at, "`*`, or an object such as `{AWS: ARN}` or `{Service: DOMAIN}`", Certain::Yes);
            }
            View::Map if self.is_plain_object(at.node) => {
                for entry in tree.entries(at.node) {
                    let name = tree.text(entry.key);
                    let below = At { node: entry.value, key: Some(entry.key) };
                    self.path.push(Step::Key(name));
                    if name == "AWS" {
                        self.each_element(below, &mut |walk, at| walk.account(at));
                    } else if !KEYS.contains(&name) && slip(name, KEYS).is_none() {
                        self.unknown_principal(entry.key);
                    }
                    self.path.pop();
                }
            }
            _ => {}
        }
    }

    /// Checks an account, an ARN, or the ID of a user or role.
    fn account(&mut self, at: At) {
        let tree = self.tree;
        let text = tree.text(at.node);
        if !tree.is_scalar(at.node) || is_placeholder(text) {
            return;
        }
        let is_account = text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_id = text.len() >= 16 && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        if !(text == "*" || is_account || is_id || text.starts_with("arn:")) {
            self.wrong_principal(at, "`*`, an account of 12 digits, or an ARN", Certain::No);
        }
    }

    fn wrong_principal(&mut self, at: At, help: &str, certain: Certain) {
        let Some(severity) = self.policy_severity(certain) else { return };
        let subject = words::subject(&self.path, self.tree.text(self.id));
        let title = format!("{} of {subject} is not a principal", quoted(self.tree.text(at.node)));
        let diagnostic = Diagnostic::titled(codes::VALUE_NOT_ALLOWED, title)
            .at(self.tree.span(at.node))
            .note("IAM: `Invalid principal in policy`")
            .help(self.advice(at.node, help));
        self.push(diagnostic, severity, "principal");
    }

    fn unknown_principal(&mut self, key: formwork_syntax::NodeId) {
        let Some(severity) = self.policy_severity(Certain::Yes) else { return };
        let outer = words::subject(self.path.get(..self.path.len() - 1).unwrap_or_default(), self.tree.text(self.id));
        let name = shown(self.tree.text(key));
        let diagnostic = Diagnostic::titled(codes::UNKNOWN_PROPERTY, format!("{outer} has the unknown key {name}"))
            .at(self.tree.span(key))
            .note("IAM: `Invalid principal in policy`")
            .help(format!("write one of {}", KEYS.join(", ")));
        self.push(diagnostic, severity, "principal");
    }
}
