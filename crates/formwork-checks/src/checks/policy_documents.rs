//! Misspelt keys of policy documents, such as `Actoin` in a statement (reference/schemas.md#policy-documents). A
//! document is recognized by its keys, wherever it is: by `Statement`, or by its `Version`.

use formwork_base::display::shown;
use formwork_base::suggest::slip;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, NodeSet, View, symbol};

use crate::Context;

const DOCUMENT: [&str; 3] = ["Id", "Statement", "Version"];
const VERSIONS: [&str; 2] = ["2008-10-17", "2012-10-17"];
const STATEMENT: [&str; 9] =
    ["Action", "Condition", "Effect", "NotAction", "NotPrincipal", "NotResource", "Principal", "Resource", "Sid"];
const PRINCIPAL: [&str; 4] = ["AWS", "CanonicalUser", "Federated", "Service"];
const EFFECTS: [&str; 2] = ["Allow", "Deny"];
const OPERATORS: [&str; 27] = [
    "ArnEquals",
    "ArnLike",
    "ArnNotEquals",
    "ArnNotLike",
    "BinaryEquals",
    "Bool",
    "DateEquals",
    "DateGreaterThan",
    "DateGreaterThanEquals",
    "DateLessThan",
    "DateLessThanEquals",
    "DateNotEquals",
    "IpAddress",
    "NotIpAddress",
    "Null",
    "NumericEquals",
    "NumericGreaterThan",
    "NumericGreaterThanEquals",
    "NumericLessThan",
    "NumericLessThanEquals",
    "NumericNotEquals",
    "StringEquals",
    "StringEqualsIgnoreCase",
    "StringLike",
    "StringNotEquals",
    "StringNotEqualsIgnoreCase",
    "StringNotLike",
];

/// A slip: the string, its context, and the intended one.
struct Slip {
    member: NodeId,
    at: NodeId,
    of: &'static str,
    is_value: bool,
    help: String,
}

pub(super) fn check(cx: &mut Context<'_>) {
    if !cx.goal.is_thorough() || cx.template.has_own_macros() {
        return;
    }
    let tree = cx.tree;
    let mut walk = Walk { cx, found: Vec::new(), done: NodeSet::default() };
    for resource in cx.unrolled_resources() {
        let kind = tree.get(resource.value, symbol::TYPE).and_then(|kind| tree.string(kind));
        let properties = tree.get(resource.value, symbol::PROPERTIES);
        if let Some(properties) = properties.filter(|_| kind.is_some_and(|kind| kind.starts_with("AWS::"))) {
            walk.value(resource.key, properties);
        }
    }
    for slip in walk.found {
        report(cx, &slip);
    }
}

struct Walk<'w, 'c> {
    cx: &'w Context<'c>,
    found: Vec<Slip>,
    done: NodeSet,
}

impl Walk<'_, '_> {
    fn value(&mut self, member: NodeId, root: NodeId) {
        let tree = self.cx.tree;
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            if tree.is_scalar(node) || !self.done.insert(node) {
                continue;
            }
            if self.is_document(node) {
                self.document(member, node);
            }
            match tree.view(node) {
                View::Call(..) if tree.argument_of(node, Known::Transform).is_some() => {}
                _ => pending.extend(tree.child_nodes(node)),
            }
        }
    }

    /// Returns `true` for a policy document: its version is one, or its statements are.
    fn is_document(&self, node: NodeId) -> bool {
        let tree = self.cx.tree;
        if tree.kind(node) != Kind::Map || tree.len(node) > DOCUMENT.len() {
            return false;
        }
        let has_version = tree
            .get_text(node, "Version")
            .is_some_and(|version| tree.is_scalar(version) && VERSIONS.contains(&tree.text(version)));
        let is_one = has_version
            || tree.get_text(node, "Statement").is_some_and(|statements| {
                self.statements(statements).iter().any(|&statement| self.is_statement(statement))
            });
        is_one
            && tree.entries(node).all(|entry| {
                let key = tree.text(entry.key);
                DOCUMENT.contains(&key) || slip(key, DOCUMENT).is_some()
            })
    }

    /// Returns the statements of a document: one, or a list, also in branches of `Fn::If`.
    fn statements(&self, node: NodeId) -> Vec<NodeId> {
        let tree = self.cx.tree;
        let (mut found, mut pending) = (Vec::new(), vec![node]);
        while let Some(node) = pending.pop() {
            match tree.view(node) {
                View::List(items) => pending.extend(items.iter().rev()),
                View::Map => found.push(node),
                View::Call(..) => {
                    let branches = tree.argument_of(node, Known::If).map_or(&[][..], |argument| tree.items(argument));
                    pending.extend(branches.iter().skip(1).rev());
                }
                _ => {}
            }
        }
        found
    }

    fn is_statement(&self, node: NodeId) -> bool {
        let tree = self.cx.tree;
        tree.entries(node).filter(|entry| STATEMENT.contains(&tree.text(entry.key))).count() >= 2
    }

    fn document(&mut self, member: NodeId, node: NodeId) {
        let tree = self.cx.tree;
        self.keys(member, node, "a policy document", &DOCUMENT);
        if let Some(version) = tree.get_text(node, "Version") {
            self.text(member, version, "the version of a policy document", &VERSIONS);
        }
        let Some(statements) = tree.get_text(node, "Statement") else { return };
        for statement in self.statements(statements) {
            if !self.is_statement(statement) {
                continue;
            }
            self.keys(member, statement, "a policy statement", &STATEMENT);
            if let Some(effect) = tree.get_text(statement, "Effect") {
                self.text(member, effect, "the effect of a policy statement", &EFFECTS);
            }
            for name in ["Principal", "NotPrincipal"] {
                if let Some(principal) = tree.get_text(statement, name).filter(|&node| tree.kind(node) == Kind::Map) {
                    self.keys(member, principal, "the principal of a policy statement", &PRINCIPAL);
                }
            }
            for name in ["Action", "NotAction"] {
                self.each(tree.get_text(statement, name), |walk, node| walk.action(member, node));
            }
            for name in ["Principal", "NotPrincipal"] {
                let principal = tree.get_text(statement, name).filter(|&node| tree.kind(node) == Kind::Map);
                let service = principal.and_then(|principal| tree.get_text(principal, "Service"));
                self.each(service, |walk, node| walk.service(member, node));
            }
            let condition = tree.get_text(statement, "Condition").filter(|&node| tree.kind(node) == Kind::Map);
            for entry in condition.into_iter().flat_map(|condition| tree.entries(condition)) {
                self.operator(member, entry.key);
            }
        }
    }

    fn keys(&mut self, member: NodeId, node: NodeId, of: &'static str, known: &[&'static str]) {
        let tree = self.cx.tree;
        for entry in tree.entries(node) {
            let key = tree.text(entry.key);
            let near = if known.contains(&key) { None } else { slip(key, known.iter().copied()) };
            if let Some(near) = near.filter(|near| tree.get_text(node, near).is_none()) {
                self.found.push(Slip { member, at: entry.key, of, is_value: false, help: meant(near) });
            }
        }
    }

    fn text(&mut self, member: NodeId, node: NodeId, of: &'static str, known: &[&'static str]) {
        let tree = self.cx.tree;
        if !tree.is_scalar(node) || known.contains(&tree.text(node)) {
            return;
        }
        if let Some(near) = slip(tree.text(node), known.iter().copied()) {
            self.found.push(Slip { member, at: node, of, is_value: true, help: meant(near) });
        }
    }

    fn each(&mut self, node: Option<NodeId>, look: impl Fn(&mut Self, NodeId)) {
        let tree = self.cx.tree;
        let Some(node) = node else { return };
        let nodes = if tree.kind(node) == Kind::List { tree.items(node).to_vec() } else { vec![node] };
        nodes.into_iter().filter(|&node| tree.string(node).is_some()).for_each(|node| look(self, node));
    }

    /// Checks that an action has the prefix of its service.
    fn action(&mut self, member: NodeId, at: NodeId) {
        let text = self.cx.tree.text(at);
        let is_word = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_word {
            let help = if text.starts_with("AssumeRole") {
                format!("write `sts:{text}`")
            } else {
                format!("write the prefix of its service, such as `s3:{text}`")
            };
            let of = "the action of a policy statement, without the prefix of a service,";
            self.found.push(Slip { member, at, of, is_value: true, help });
        }
    }

    /// Checks that a service is named by its domain.
    fn service(&mut self, member: NodeId, at: NodeId) {
        let text = self.cx.tree.text(at);
        let is_word = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        // Some have the other domain, such as alexa-appkit.amazon.com.
        let misplaced = text.strip_suffix(".amazon.com").filter(|service| AMAZONAWS.contains(service));
        if let Some(service) = Some(text).filter(|_| is_word).or(misplaced) {
            let of = "the service of a policy statement";
            let help = format!("write `{}.amazonaws.com`", shown(service));
            self.found.push(Slip { member, at, of, is_value: true, help });
        }
    }

    /// Checks an operator of a condition, with or without its optional prefix and suffix.
    fn operator(&mut self, member: NodeId, key: NodeId) {
        let text = self.cx.tree.text(key);
        let name = text.split_once(':').map_or(text, |(_, name)| name);
        let name = name.strip_suffix("IfExists").unwrap_or(name);
        // CloudFormation takes operators in any letter case.
        if OPERATORS.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return;
        }
        if let Some(near) = slip(name, OPERATORS) {
            let of = "the condition of a policy statement";
            self.found.push(Slip { member, at: key, of, is_value: false, help: meant(near) });
        }
    }
}

/// Services that are most often in roles and are in the domain `amazonaws.com`.
const AMAZONAWS: [&str; 16] = [
    "apigateway",
    "cloudformation",
    "cloudfront",
    "codebuild",
    "codepipeline",
    "delivery.logs",
    "ec2",
    "ecs",
    "ecs-tasks",
    "eks",
    "events",
    "lambda",
    "s3",
    "sns",
    "sqs",
    "states",
];

fn meant(near: &str) -> String {
    format!("did you mean `{near}`?")
}

fn report(cx: &mut Context<'_>, slip: &Slip) {
    let tree = cx.tree;
    let text = shown(tree.text(slip.at));
    let (code, title) = if slip.is_value {
        (codes::VALUE_NOT_ALLOWED, format!("{} is {text}", slip.of))
    } else {
        (codes::UNKNOWN_PROPERTY, format!("{} has the unknown key {text}", slip.of))
    };
    let Some(severity) = cx.severity_of_code(code) else { return };
    let diagnostic = Diagnostic::titled(code, title)
        .at(tree.span(slip.at))
        .frames(tree.frame_chain(tree.frame_of(slip.member)))
        .note("IAM rejects the document as malformed when the resource is created")
        .help(&*slip.help);
    cx.push(diagnostic, severity);
}
