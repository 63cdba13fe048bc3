//! Dynamic references that CloudFormation cannot resolve: their form, and their places
//! (reference/structure.md#dynamic-references).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, NodeId, View, symbol};
use formwork_template::Section;
use formwork_template::dynamic_reference::{self, InvalidReference};

use super::repeats::Repeats;
use crate::Context;

#[derive(Clone, Copy, PartialEq, Eq)]
enum StringPosition {
    /// The property of a resource type with this name, at any depth.
    Property,
    /// A property that takes `ssm-secure`.
    Secure,
    /// Elsewhere in a resource, or in an output.
    Elsewhere,
}

pub(super) fn check(cx: &mut Context<'_>) {
    let tree = cx.tree;
    if !cx.goal.is_thorough()
        || !["resolve:", "Resolve:", "RESOLVE:"].iter().any(|word| tree.may_hold(word))
        || cx.template.has_own_macros()
    {
        return;
    }
    let mut looker = Looker { repeats: Repeats::default(), found: Vec::new() };
    for section in [Section::Resources, Section::Outputs] {
        let members = tree.get(cx.unrolled, section.symbol());
        for member in members.into_iter().flat_map(|members| tree.entries(members)) {
            if cx.is_cancelled() {
                return;
            }
            let kind = tree.get(member.value, symbol::TYPE).map_or("", |kind| tree.text_form(kind));
            for attribute in tree.entries(member.value) {
                let is_properties = section == Section::Resources && tree.symbol(attribute.key) == symbol::PROPERTIES;
                if !is_properties {
                    looker.walk(cx, member, attribute.value, StringPosition::Elsewhere);
                    continue;
                }
                for property in tree.entries(attribute.value) {
                    let is_secure = dynamic_reference::takes_secure(kind, tree.text(property.key));
                    let place = if is_secure { StringPosition::Secure } else { StringPosition::Property };
                    looker.walk(cx, member, property.value, place);
                }
            }
        }
    }
    let counts = looker.repeats.counts(tree, looker.found.iter().map(|&(_, node, _, _)| node));
    for (member, node, text, error) in looker.found {
        report(cx, member, (node, counts.get(&node).copied().unwrap_or(1)), (&text, error));
    }
}

#[derive(Clone, Copy)]
enum Wrong {
    Form(InvalidReference),
    /// `ssm-secure` where the type does not take it.
    SecureHere,
    /// `secretsmanager` outside of properties.
    SecretHere,
    /// Without its two braces on each side: a plain string.
    Braces,
    /// Without the braces at its end.
    Open,
    /// `Resolve` in capital letters.
    Capital,
}

struct Looker {
    repeats: Repeats,
    found: Vec<(Entry, NodeId, String, Wrong)>,
}

impl Looker {
    fn walk(&mut self, cx: &Context<'_>, member: Entry, root: NodeId, place: StringPosition) {
        let tree = cx.tree;
        // A reference may be split into several strings.
        let mut pending = vec![(root, false)];
        while let Some((node, is_part)) = pending.pop() {
            match tree.view(node) {
                View::String(text) => {
                    let is_new = self.repeats.enter(tree, node);
                    if is_new && text.contains("{{") {
                        self.string(member, node, (text, place));
                        self.broken(member, node, (text, is_part));
                    } else if is_new && place != StringPosition::Elsewhere && unbraced(text).is_some() {
                        self.found.push((member, node, text.to_owned(), Wrong::Braces));
                    }
                }
                View::List(items) => pending.extend(items.iter().rev().map(|&item| (item, is_part))),
                View::Map => pending.extend(tree.entries(node).rev().map(|entry| (entry.value, is_part))),
                View::Call(Function::Known(Known::Transform), _) => {}
                View::Call(function, argument) => {
                    pending.push((argument, is_part || function != Function::Known(Known::Sub)));
                }
                _ => {}
            }
        }
    }

    /// Reports a reference in capital letters, or without its end.
    fn broken(&mut self, member: Entry, node: NodeId, (text, is_part): (&str, bool)) {
        let closed = text.rfind("}}");
        for (at, _) in text.match_indices("{{") {
            // Up to the next one, so that no byte is scanned twice.
            let rest = text.get(at..).unwrap_or_default();
            let next = rest.get(2..).and_then(|rest| rest.find("{{")).map_or(rest.len(), |next| next + 2);
            let rest = rest.get(..next).unwrap_or_default();
            let Some(word) = rest.get(2..10).filter(|word| word.eq_ignore_ascii_case("resolve:")) else { continue };
            if word != "resolve:" {
                self.found.push((member, node, rest.to_owned(), Wrong::Capital));
            } else if !is_part && closed.is_none_or(|closed| closed < at) {
                self.found.push((member, node, rest.to_owned(), Wrong::Open));
            }
        }
    }

    fn string(&mut self, member: Entry, node: NodeId, (text, place): (&str, StringPosition)) {
        for reference in dynamic_reference::all(text) {
            let wrong = match (dynamic_reference::invalid(reference), place) {
                (Some(error), _) => Wrong::Form(error),
                (None, StringPosition::Property | StringPosition::Elsewhere)
                    if reference.starts_with("{{resolve:ssm-secure:") =>
                {
                    Wrong::SecureHere
                }
                (None, StringPosition::Elsewhere) if reference.starts_with("{{resolve:secretsmanager:") => {
                    Wrong::SecretHere
                }
                _ => continue,
            };
            self.found.push((member, node, reference.to_owned(), wrong));
        }
    }
}

/// Returns a dynamic reference without its braces, or with one on each side. EC2 itself resolves `resolve:ssm:` in the
/// ID of an image.
fn unbraced(text: &str) -> Option<&str> {
    let inner = text.trim_matches(['{', '}', ' ']);
    let rest = inner.strip_prefix("resolve:").filter(|rest| text.starts_with('{') || !rest.starts_with("ssm:"))?;
    ["ssm:", "ssm-secure:", "secretsmanager:"].iter().any(|store| rest.starts_with(store)).then_some(inner)
}

fn report(cx: &mut Context<'_>, member: Entry, (node, count): (NodeId, u32), (text, wrong): (&str, Wrong)) {
    let tree = cx.tree;
    let id = shown(tree.text(member.key));
    let text = shown(text);
    // The code frame shows it: a long one is not in the title, too.
    let reference = if text.chars().count() > 40 {
        "the dynamic reference".to_owned()
    } else {
        format!("the dynamic reference `{text}`")
    };
    let (message, help) = match wrong {
        Wrong::Open => {
            let closed = format!("{}}}}}", text.trim_end_matches('}'));
            (format!("{reference} is not closed, and is not resolved"), format!("write `{closed}`"))
        }
        Wrong::Capital => {
            let meant = format!("{{{{resolve:{}", text.get(10..).unwrap_or_default());
            (format!("{reference} is not resolved: `resolve` is in lower case"), format!("write `{meant}`"))
        }
        Wrong::Form(InvalidReference::Spaces) => {
            (format!("{reference} has spaces in it, and is not resolved"), "write it without spaces".to_owned())
        }
        Wrong::Form(InvalidReference::Store(near)) => (
            format!("{reference} names an unknown store"),
            match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "the stores are `ssm`, `ssm-secure` and `secretsmanager`".to_owned(),
            },
        ),
        Wrong::Form(InvalidReference::Ssm) => (
            format!("{reference} does not name a parameter"),
            "the form is `{{resolve:ssm:name}}` or `{{resolve:ssm:name:version}}`".to_owned(),
        ),
        Wrong::Form(InvalidReference::Version) => (
            format!("the version in {reference} is not a number"),
            "leave it out, or write a number: `{{resolve:ssm:name:1}}`".to_owned(),
        ),
        Wrong::Form(InvalidReference::Secret) => (
            format!("{reference} does not name a secret"),
            "the form is `{{resolve:secretsmanager:name:SecretString:key}}`".to_owned(),
        ),
        Wrong::Form(InvalidReference::SecretString) => (
            format!("the third part of {reference} is not SecretString"),
            "the form is `{{resolve:secretsmanager:name:SecretString:key}}`".to_owned(),
        ),
        Wrong::Braces => (
            format!("{reference} is not in two braces, and stays a plain string"),
            format!("write `{{{{{}}}}}`", unbraced(&text).unwrap_or_default()),
        ),
        Wrong::SecureHere => (
            format!("{id} does not take a secure string here: `{text}`"),
            "store the value in AWS Secrets Manager, and use `secretsmanager`".to_owned(),
        ),
        Wrong::SecretHere => (
            format!("{reference} is not in a property of a resource"),
            "refer to a secret in the property that needs it".to_owned(),
        ),
    };
    let mut diagnostic = Diagnostic::new(codes::DYNAMIC_REFERENCE, message)
        .at(tree.span(node))
        .frames(tree.frame_chain(tree.frame_of(member.key)))
        .times(count)
        .help(help);
    if matches!(wrong, Wrong::SecureHere) {
        diagnostic = diagnostic
            .note("CloudFormation resolves `ssm-secure` in a fixed list of properties alone, most of them passwords");
    }
    // An unresolved reference alone is deployed as it is written.
    let is_certain = !matches!(
        wrong,
        Wrong::SecretHere | Wrong::Braces | Wrong::Form(InvalidReference::Spaces | InvalidReference::Store(None))
    );
    let severity = if is_certain { cx.severity_of(member.key) } else { Severity::Warning };
    cx.push(diagnostic, severity);
}
