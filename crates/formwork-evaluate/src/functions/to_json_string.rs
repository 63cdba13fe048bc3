//! `Fn::ToJsonString`: compact JSON, or an `Fn::Sub` when some of its keys are known only at deployment
//! (reference/functions.md#to-json-string).

use formwork_base::codes;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Origin, Style, View, flags};
use formwork_template::sub_string::{self, Part};
use formwork_template::sub_text::SubText;

use crate::blocker::{self, Blocker};
use crate::evaluator::Evaluator;
use crate::outcome::Outcome;
use crate::settings::Visibility;

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    let literal = match ev.tree.kind(argument) {
        Kind::List | Kind::Map => true,
        Kind::Call => false,
        _ => {
            let diagnostic = ev.layout(call, Known::ToJsonString, "Fn::ToJsonString takes an object or a list");
            return ev.wrong(diagnostic);
        }
    };
    if let Some(refused) = refused(ev, argument) {
        return refused;
    }
    let before = ev.error_count;
    ev.mode.nulls_are_data += 1;
    let outcome = ev.resolve(argument);
    ev.mode.nulls_are_data -= 1;
    if ev.error_count > before {
        // An error in a part of the string was reported.
        return Outcome::Poison;
    }
    match outcome {
        Outcome::Known(value) | Outcome::Residual(value) => text_of(ev, call, value, literal),
        Outcome::Secret { value, kept } => {
            let written = text_of(ev, call, kept, literal);
            let Outcome::Residual(kept) = written else { return written };
            match text_of(ev, call, value, literal) {
                Outcome::Known(value) => Outcome::Secret { value, kept },
                _ => Outcome::Residual(kept),
            }
        }
        Outcome::Omit(_) => {
            let diagnostic = ev.layout(call, Known::ToJsonString, "the object is AWS::NoValue");
            ev.fail(call, diagnostic)
        }
        Outcome::Poison => Outcome::Poison,
    }
}

/// Returns the JSON of a value, which is `literal` where the call has it as an object or list.
fn text_of(ev: &mut Evaluator<'_>, call: NodeId, value: NodeId, literal: bool) -> Outcome {
    if !literal && !matches!(ev.tree.kind(value), Kind::List | Kind::Map | Kind::Call) {
        let diagnostic = ev.layout(
            call,
            Known::ToJsonString,
            "the function in Fn::ToJsonString returns neither an object nor a list",
        );
        return ev.fail(call, diagnostic);
    }
    let causes = blocker::blockers(ev.tree, &ev.parameters, value);
    let waits = causes.iter().any(|cause| waits(ev, cause));
    // Zones and other stacks are never known to the transform, whatever the values are.
    let is_refused = |known: Known| !waits || matches!(known, Known::GetAZs | Known::GetStackOutput);
    if let Some((at, known)) = unfit(ev, value).filter(|&(_, known)| is_refused(known)) {
        let name = known.long();
        let what = match known {
            Known::GetStackOutput => format!("{name} is not allowed in a string that is completed at deployment"),
            _ => format!("{name} returns a list that is known only after deployment"),
        };
        let diagnostic = ev
            .sentence(codes::TO_JSON_STRING, at, &what, &format!("Unable to resolve {name} intrinsic function"))
            .note("Fn::Sub completes the string at deployment, and only inserts strings");
        let diagnostic = diagnostic.help(match known {
            Known::GetStackOutput => "pass the value in a parameter",
            _ => "pass the items in a parameter of type CommaDelimitedList",
        });
        let kept = ev.kept(call, value);
        return ev.fail_as(call, kept, diagnostic);
    }
    // A value that does not wait for another one failed, and may never be evaluated.
    let has_failed = causes.is_empty() && ev.tree.has(value, flags::HAS_CALL);
    if ev.tree.kind(value) == Kind::Call || waits || has_failed {
        return Outcome::Residual(ev.kept(call, value));
    }
    let mut writer = Writer { text: SubText::default(), variables: Vec::new(), full: false };
    writer.value(ev, value);
    if !causes.is_empty() {
        writer.text.finish();
    }
    if writer.full || !ev.charge(writer.text.as_str().len() as u64, call) {
        ev.charge(u64::MAX, call);
        return Outcome::Poison;
    }
    let origin = Origin::Generated(call, ev.tree.frame_of(call));
    let variables = writer.variables.iter();
    let entries =
        variables.map(|(name, value)| Entry { key: ev.tree.key(name, Style::Plain, origin), value: *value }).collect();
    let entries = writer.text.add_dollar(ev.tree, entries, origin);
    let written = writer.text.into_string();
    let text = ev.tree.computed(&written, origin);
    if causes.is_empty() {
        return Outcome::Known(text);
    }
    let argument = if entries.is_empty() {
        text
    } else {
        let map = ev.tree.map(&entries, Style::Plain, origin);
        ev.tree.list(&[text, map], Style::Plain, origin)
    };
    let name = ev.tree.key(Known::Sub.long(), Style::Plain, origin);
    Outcome::Residual(ev.tree.add_call(Function::Known(Known::Sub), name, argument, Style::Plain, origin))
}

/// Returns `true` if a value passed to the run would remove the cause, so that the call stays. A value that only the
/// deployment knows becomes a variable of `Fn::Sub`.
fn waits(ev: &Evaluator<'_>, cause: &Blocker) -> bool {
    match cause {
        Blocker::Condition(_) => true,
        Blocker::Parameter(_) => true,
        Blocker::Pseudo(_) | Blocker::NoEcho(_) => ev.visibility == Visibility::Constant,
        Blocker::Resource(_) | Blocker::Attribute(_) | Blocker::Function(_) => false,
    }
}

fn refused(ev: &mut Evaluator<'_>, node: NodeId) -> Option<Outcome> {
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        if !ev.tree.has(node, flags::HAS_CALL) {
            continue;
        }
        match ev.tree.view(node) {
            View::Call(Function::Known(known), _) if known.is_condition() => {
                let on = ev.resource.id.map(|id| format!(" for resource {}", ev.tree.text(id))).unwrap_or_default();
                let sentence = format!("Fn::ToJsonString does not support {} intrinsic function{on}", known.long());
                let diagnostic =
                    ev.sentence(codes::TO_JSON_STRING, node, "a condition function has no value", &sentence);
                return Some(ev.wrong(diagnostic.help("declare the condition under Conditions and use `Fn::If`")));
            }
            View::Call(Function::Known(Known::Ref), name) if ev.tree.text(name) == "AWS::NotificationARNs" => {
                let sentence = "Fn::ToJsonString does not support AWS::NotificationARNs pseudo parameter";
                let diagnostic = ev.sentence(
                    codes::TO_JSON_STRING,
                    node,
                    "the list of notification topics cannot be inserted into a string",
                    sentence,
                );
                return Some(ev.wrong(diagnostic.help("pass the topics in a parameter of type CommaDelimitedList")));
            }
            View::Call(function, argument) => {
                // The first argument of Fn::If is a name; macros are opaque.
                if function != Function::Known(Known::Transform) {
                    pending.push(argument);
                }
            }
            _ => pending.extend(ev.tree.child_nodes(node).rev()),
        }
    }
    None
}

/// Returns the first call that `Fn::Sub`, which completes the string at deployment, does not take as the value of a
/// variable: a list, and an output of another stack.
fn unfit(ev: &Evaluator<'_>, node: NodeId) -> Option<(NodeId, Known)> {
    let mut pending = vec![(node, false)];
    while let Some((node, is_part)) = pending.pop() {
        if !ev.tree.has(node, flags::HAS_CALL) {
            continue;
        }
        match ev.tree.view(node) {
            View::Call(Function::Known(known @ Known::GetStackOutput), _) => return Some((node, known)),
            View::Call(Function::Known(known @ (Known::Split | Known::Cidr | Known::GetAZs)), _) if !is_part => {
                return Some((node, known));
            }
            View::Call(Function::Known(known), argument) => {
                // A string computed from its parts is a string.
                let is_text = matches!(known, Known::Join | Known::Select);
                pending.push((argument, is_part || is_text));
            }
            View::Call(_, argument) => pending.push((argument, is_part)),
            _ => pending.extend(ev.tree.child_nodes(node).rev().map(|child| (child, is_part))),
        }
    }
    None
}

/// Writes JSON, with variables of `Fn::Sub` for unknown values.
struct Writer {
    text: SubText,
    variables: Vec<(String, NodeId)>,
    full: bool,
}

impl Writer {
    fn value(&mut self, ev: &Evaluator<'_>, node: NodeId) {
        if self.text.as_str().len() as u64 > ev.settings.limits.text_bytes {
            self.full = true;
            return;
        }
        match ev.tree.view(node) {
            View::Null => self.text.push_literal("null"),
            View::Bool(value) => self.text.push_literal(if value { "true" } else { "false" }),
            View::Number(text) => self.text.push_literal(text),
            View::String(text) => {
                self.text.push_literal("\"");
                self.literal(text);
                self.text.push_literal("\"");
            }
            View::List(items) => {
                self.text.push_literal("[");
                for (at, &item) in items.iter().enumerate() {
                    if at > 0 {
                        self.text.push_literal(",");
                    }
                    self.value(ev, item);
                }
                self.text.push_literal("]");
            }
            View::Map => {
                self.text.push_literal("{");
                for (at, entry) in ev.tree.entries(node).enumerate() {
                    if at > 0 {
                        self.text.push_literal(",");
                    }
                    self.text.push_literal("\"");
                    self.literal(ev.tree.text(entry.key));
                    self.text.push_literal("\":");
                    self.value(ev, entry.value);
                }
                self.text.push_literal("}");
            }
            View::Call(..) => {
                self.text.push_literal("\"");
                self.inline(ev, node);
                self.text.push_literal("\"");
            }
        }
    }

    /// Writes a literal string with JSON's mandatory escapes.
    fn literal(&mut self, text: &str) {
        let mut rest = text;
        while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | ..b' ')) {
            self.text.push_literal(&rest[..at]);
            let c = rest.as_bytes()[at];
            match c {
                b'"' => self.text.push_literal("\\\""),
                b'\\' => self.text.push_literal("\\\\"),
                b'\n' => self.text.push_literal("\\n"),
                b'\r' => self.text.push_literal("\\r"),
                b'\t' => self.text.push_literal("\\t"),
                0x8 => self.text.push_literal("\\b"),
                0xc => self.text.push_literal("\\f"),
                c => {
                    self.text.push_literal(&format!("\\u{c:04x}"));
                }
            }
            rest = &rest[at + 1..];
        }
        self.text.push_literal(rest);
    }

    /// Writes an unknown call inside the quotes of a JSON string. Strings with variables are split, so that their
    /// literal parts are escaped for JSON.
    fn inline(&mut self, ev: &Evaluator<'_>, node: NodeId) {
        let View::Call(Function::Known(known), argument) = ev.tree.view(node) else {
            return self.variable(ev, node);
        };
        match known {
            Known::Ref => match ev.tree.string(argument) {
                Some(name) if sub_string::is_variable_name(name) => self.reference(name),
                _ => self.variable(ev, node),
            },
            Known::GetAtt => match formwork_template::reference::get_att(ev.tree, argument) {
                Some((name, Some(attribute), _))
                    if sub_string::is_variable_name(name) && sub_string::is_variable_name(attribute) =>
                {
                    self.reference(&format!("{name}.{attribute}"));
                }
                _ => self.variable(ev, node),
            },
            Known::Sub => self.sub(ev, argument),
            Known::Join => match *ev.tree.items(argument) {
                [delimiter, list] if ev.tree.kind(list) == Kind::List => {
                    for (at, &item) in ev.tree.items(list).iter().enumerate() {
                        if at > 0 {
                            self.literal(ev.tree.text_form(delimiter));
                        }
                        match ev.tree.kind(item) {
                            Kind::Call => self.inline(ev, item),
                            _ => self.literal(ev.tree.text_form(item)),
                        }
                    }
                }
                _ => self.variable(ev, node),
            },
            _ => self.variable(ev, node),
        }
    }

    fn sub(&mut self, ev: &Evaluator<'_>, argument: NodeId) {
        let (text, map) = match *ev.tree.items(argument) {
            [] => (argument, None),
            [text, ref rest @ ..] => (text, rest.first().copied()),
        };
        for part in sub_string::parts(ev.tree.text(text)) {
            match part {
                Part::Text(text) => self.literal(text),
                Part::Literal(name) => self.literal(&format!("${{{name}}}")),
                Part::Variable(name) => {
                    let bound = map.and_then(|map| ev.tree.entries(map).find(|entry| ev.tree.text(entry.key) == name));
                    match bound {
                        Some(entry) if ev.tree.kind(entry.value) == Kind::Call => self.inline(ev, entry.value),
                        Some(entry) => self.literal(ev.tree.text_form(entry.value)),
                        None => self.reference(name),
                    }
                }
            }
        }
    }

    fn reference(&mut self, name: &str) {
        self.text.push_variable(name);
    }

    /// Writes a variable of its own; equal nodes share one.
    fn variable(&mut self, ev: &Evaluator<'_>, node: NodeId) {
        let known = self.variables.iter().find(|(_, known)| *known == node).map(|(name, _)| name.clone());
        let name = known.unwrap_or_else(|| {
            // The variable must not shadow a name of the template in the same string.
            let candidates = (self.variables.len()..).map(|number| format!("Var{number}"));
            let name = candidates.into_iter().find(|name| !ev.names_something(name)).unwrap_or_default();
            self.variables.push((name.clone(), node));
            name
        });
        self.text.push_variable(&name);
    }
}
