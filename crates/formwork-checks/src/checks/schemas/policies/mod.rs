//! Policy documents by kind (reference/schemas.md#policies): what IAM requires and rejects in the policies of
//! identities, in trust policies and in those of resources.

mod actions;
mod arns;
mod principals;
mod statement;

use formwork_base::suggest::slip;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, View};

use super::presence::Presence;
use super::scalar::{NotAllowed, is_placeholder, nearest};
use super::step::Step;
use super::walk::{At, Walk};
use super::words;

const VERSIONS: [&str; 2] = ["2012-10-17", "2008-10-17"];

/// Types whose policies of resources need both a principal and a resource.
const STRICT: [&str; 4] = ["AWS::KMS::Key", "AWS::S3::BucketPolicy", "AWS::SNS::TopicPolicy", "AWS::SQS::QueuePolicy"];
/// Types whose policies of resources need a principal, and name no resource.
const WITHOUT_RESOURCE: [&str; 2] = ["AWS::ECR::Repository", "AWS::ECR::PublicRepository"];

/// A kind of policies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Identity,
    Trust,
    /// Of a resource: `true` for what is required.
    Resource {
        principal: bool,
        resource: bool,
    },
}

impl<'w> Walk<'w> {
    /// Checks the policy documents of a resource.
    pub(super) fn policies(&mut self, properties: At) {
        let Some(resource) = self.resource else { return };
        for (path, class) in resource.policies() {
            let name = resource.name();
            let class = match class {
                "identity" | "identities" => Class::Identity,
                "trust" => Class::Trust,
                "resource" => Class::Resource {
                    principal: STRICT.contains(&name) || WITHOUT_RESOURCE.contains(&name),
                    resource: STRICT.contains(&name),
                },
                _ => continue,
            };
            self.path.clear();
            let is_list = resource.policies().any(|(other, of)| other == path && of == "identities");
            self.each_below(properties, path, &mut |walk, at| {
                if is_list {
                    walk.named_policies(at);
                } else {
                    walk.document(at, class);
                }
            });
        }
        self.path.clear();
    }

    /// Calls `run` with the value of a property, and with each branch of `Fn::If`.
    fn each_below(&mut self, object: At, name: &str, run: &mut dyn FnMut(&mut Walk<'w>, At)) {
        let tree = self.tree;
        if !self.is_plain_object(object.node) {
            return;
        }
        let Some(entry) = tree.entries(object.node).find(|entry| tree.text(entry.key) == name) else { return };
        self.path.push(Step::Key(tree.text(entry.key)));
        self.each_branch(At { node: entry.value, key: Some(entry.key) }, run);
        self.path.pop();
    }

    pub(super) fn each_branch(&mut self, at: At, run: &mut dyn FnMut(&mut Walk<'w>, At)) {
        if self.is_nothing(at.node) {
            return;
        }
        if let View::Call(Function::Known(Known::If), argument) = self.tree.view(at.node) {
            for &node in self.tree.items(argument).iter().skip(1) {
                self.each_branch(At { node, key: None }, run);
            }
            return;
        }
        self.in_context(at.node, |walk| run(walk, at));
    }

    /// Calls `run` with each element of a list, or with a value that is not a list.
    pub(super) fn each_element(&mut self, at: At, run: &mut dyn FnMut(&mut Walk<'w>, At)) {
        self.each_branch(at, &mut |walk, at| match walk.tree.view(at.node) {
            View::List(items) => {
                for (number, &node) in items.iter().enumerate() {
                    walk.path.push(Step::Element(number));
                    walk.each_branch(At { node, key: None }, run);
                    walk.path.pop();
                }
            }
            _ => run(walk, at),
        });
    }

    /// Checks a list of policies, each with its document.
    fn named_policies(&mut self, at: At) {
        self.each_element(at, &mut |walk, policy| {
            let tree = walk.tree;
            if !matches!(tree.view(policy.node), View::Map) {
                return;
            }
            if tree.get_text(policy.node, "PolicyDocument").is_some() {
                walk.each_below(policy, "PolicyDocument", &mut |walk, at| walk.document(at, Class::Identity));
            } else if tree.get_text(policy.node, "Statement").is_some() {
                walk.document(policy, Class::Identity);
            }
        });
    }

    fn document(&mut self, at: At, class: Class) {
        let tree = self.tree;
        match tree.view(at.node) {
            View::String(text) if !is_placeholder(text) => return self.format("json", at, text),
            // An empty document is filled in later.
            View::Map if self.is_plain_object(at.node) && !tree.is_empty(at.node) => {}
            _ => return,
        }
        // Other documents, such as those of IoT, have their own keys.
        let (mut version, mut statements) = (None, None);
        for entry in tree.entries(at.node) {
            match tree.text(entry.key) {
                "Version" => version = Some(At { node: entry.value, key: Some(entry.key) }),
                "Statement" => statements = Some(At { node: entry.value, key: Some(entry.key) }),
                _ => {}
            }
        }
        if self.presence(at.node, "Statement") == Presence::Absent && !self.has_slip(at.node, "Statement") {
            self.required_in(at, &["Statement"], Certain::Yes);
        }
        if let Some(version) = version {
            self.path.push(Step::Key("Version"));
            self.version(version);
            self.path.pop();
        }
        let Some(statements) = statements else { return };
        self.path.push(Step::Key("Statement"));
        self.each_element(statements, &mut |walk, at| {
            if matches!(walk.tree.view(at.node), View::Map) && walk.is_plain_object(at.node) {
                walk.statement(at, class);
            }
        });
        self.path.pop();
    }

    fn version(&mut self, at: At) {
        let tree = self.tree;
        if !tree.is_scalar(at.node) || VERSIONS.contains(&tree.text_form(at.node)) || is_placeholder(tree.text(at.node))
        {
            return;
        }
        // A date that YAML reads as one is its text.
        let text = tree.text(at.node);
        if VERSIONS.contains(&text) || slip(text, VERSIONS).is_some() {
            return;
        }
        let near = nearest(text, &VERSIONS).0.or(Some("2012-10-17"));
        if let Some(severity) = self.error() {
            self.report_not_allowed(&NotAllowed { values: &VERSIONS, near, why: None }, at, text, severity);
        }
    }

    /// Returns `true` if an object has a key that is nearly a name.
    pub(super) fn has_slip(&self, object: NodeId, name: &str) -> bool {
        self.tree.entries(object).any(|entry| slip(self.tree.text(entry.key), [name]).is_some())
    }

    /// Reports that one of several names is missing.
    pub(super) fn required_in(&mut self, at: At, names: &[&str], certain: Certain) {
        let Some(severity) = self.policy_severity(certain) else { return };
        let subject = words::subject(&self.path, self.tree.text(self.id));
        let list = names.join(" or ");
        let title = format!("{subject} has no {list}");
        let diagnostic = Diagnostic::titled(codes::MISSING_PROPERTY, title)
            .at(self.place(at))
            .note("IAM rejects the document as malformed when the resource is created")
            .help(format!("add {list}"));
        self.push(diagnostic, severity, names.first().copied().unwrap_or_default());
    }

    pub(super) fn policy_severity(&self, certain: Certain) -> Option<Severity> {
        if certain == Certain::Yes { self.error() } else { self.warning() }
    }
}

/// The certainty that a service rejects a document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Certain {
    Yes,
    No,
}
