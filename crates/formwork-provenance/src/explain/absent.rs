//! Explains values that were written, or were to be generated, and are not in the output.

use formwork_base::Span;
use formwork_evaluate::{Outcome, Truth, Visibility};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, symbol};
use formwork_template::{NamePattern, Section};

use super::{Answer, Status};
use crate::authored::Step;
use crate::output_node::{Child, OutputNode};
use crate::session::Session;

/// The reason why something is not in the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Absence {
    /// The condition is false.
    FalseCondition,
    /// The value is `AWS::NoValue`.
    NoValue,
    /// The value is in a branch, or at an index, that was not chosen.
    NotChosen,
    /// The loop that was to generate it has no items.
    NoItems,
    /// The loop does not have the item.
    NoSuchItem,
    /// The value is null.
    Null,
    /// Nothing uses the declaration.
    Unused,
    /// The value is inside a call that was replaced with its result.
    ComputedAway,
}

impl Absence {
    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Absence::FalseCondition => "false-condition",
            Absence::NoValue => "no-value",
            Absence::NotChosen => "not-chosen",
            Absence::NoItems => "no-items",
            Absence::NoSuchItem => "no-such-item",
            Absence::Null => "null",
            Absence::Unused => "unused",
            Absence::ComputedAway => "computed-away",
        }
    }
}

/// The reason why something is not in the output, with the place that causes it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Absent {
    /// Why.
    pub reason: Absence,
    /// The condition, loop, function or index; else the last part of the path.
    pub of: String,
    /// The span of the cause.
    pub span: Span,
    /// The source of the cause.
    pub expression: String,
    /// The condition with its values substituted.
    pub filled: Option<String>,
    /// The keys that a loop generates instead, nearest first.
    pub instead: Vec<String>,
}

struct Gone {
    reason: Absence,
    of: String,
    cause: NodeId,
}

impl Session<'_, '_> {
    /// Explains why the node of a full path is not in the output; `None` when it was never written.
    pub(crate) fn absent(&mut self, steps: &[String]) -> Option<Answer> {
        let mut written = self.root_at(self.roots.expanded);
        let mut there = Some(self.root());
        let mut gone: Option<Gone> = None;
        let mut at = 0;
        while let Some(step) = steps.get(at) {
            let is_call = self.tree().kind(written.node) == Kind::Call;
            let call = self.tree().authored(written.node);
            let still_call = there.is_some_and(|output| {
                self.tree().kind(output.node) == Kind::Call && self.tree().authored(output.node) == call
            });
            if is_call && gone.is_none() && !still_call {
                let (inner, steps_taken, why) = self.inside_call(&written, &steps[at..]);
                written = inner;
                at += steps_taken;
                gone = why;
                continue;
            }
            let Some(next) = self.step(&written, step) else {
                return if gone.is_some() { None } else { self.not_made(&written, step, steps) };
            };
            if gone.is_none() {
                there = there.and_then(|output| self.step(&output, step));
                if there.is_none() {
                    gone = Some(self.why_gone(&written, &next, step, at));
                }
            }
            written = next;
            at += 1;
        }
        let gone = gone?;
        Some(self.absent_answer(&written, steps, gone))
    }

    fn absent_answer(&mut self, written: &OutputNode, steps: &[String], gone: Gone) -> Answer {
        let origin = self.origin(written);
        let filled = (gone.reason == Absence::FalseCondition).then(|| self.condition_words(gone.cause));
        let tree = self.tree();
        let is_member = written.key.is_some() && matches!(tree.kind(written.node), Kind::Map | Kind::List);
        let at = match written.key {
            Some(key) if is_member || gone.reason == Absence::FalseCondition => tree.authored(key),
            _ => origin.site,
        };
        Answer {
            path: steps.iter().cloned().map(Step::Name).collect(),
            status: Status::Absent,
            value: None,
            rule: None,
            function: None,
            span: tree.span(at),
            authored_path: self.authored.path(tree, self.sources, at),
            frames: self.frames(origin.frame),
            sources: Vec::new(),
            residual: Vec::new(),
            absent: Some(Absent {
                reason: gone.reason,
                of: gone.of,
                span: tree.span(gone.cause),
                expression: self.sources.slice(tree.span(gone.cause)).to_owned(),
                filled,
                instead: Vec::new(),
            }),
            siblings: Vec::new(),
            siblings_total: 0,
        }
    }

    /// Explains why a child of a node that is in the output is missing.
    fn why_gone(&mut self, outer: &OutputNode, child: &OutputNode, step: &str, depth: usize) -> Gone {
        let of = step.to_owned();
        let node = child.node;
        if self.tree().kind(node) == Kind::Null {
            return Gone { reason: Absence::Null, of, cause: node };
        }
        if depth == 1
            && let Some(gone) = self.false_condition(node)
        {
            return gone;
        }
        let is_condition = child.key.is_some_and(|key| self.tree().symbol(key) == symbol::CONDITION);
        if depth == 2 && is_condition {
            let of = self.replay.evaluator().known_text(node).unwrap_or(of);
            return Gone { reason: Absence::ComputedAway, of, cause: node };
        }
        if depth == 0 {
            let is_section = child
                .key
                .and_then(|key| Section::from_symbol(self.tree().symbol(key)))
                .is_some_and(Section::is_processed);
            let reason = if is_section { Absence::NoItems } else { Absence::Unused };
            return Gone { reason, of, cause: node };
        }
        // The item of a list may exist under a lower index: the removed one is before it.
        let mut candidates = vec![node];
        if self.tree().kind(outer.node) == Kind::List {
            candidates.extend_from_slice(self.tree().items(outer.node));
        }
        for candidate in candidates {
            if let Some(gone) = self.no_value(candidate) {
                return gone;
            }
        }
        Gone { reason: Absence::Unused, of, cause: node }
    }

    fn false_condition(&mut self, member: NodeId) -> Option<Gone> {
        let attribute = self.tree().get(member, symbol::CONDITION)?;
        let name = self.replay.evaluator().known_text(attribute)?;
        if self.replay.evaluator().condition(&name)? != Truth::False {
            return None;
        }
        let (_, definition) = self.replay.seen().condition_node(&name)?;
        Some(Gone { reason: Absence::FalseCondition, of: name, cause: definition })
    }

    /// Returns the branch or default for which a node resolves to nothing, and the condition that selected it.
    fn no_value(&mut self, node: NodeId) -> Option<Gone> {
        let visibility = if self.keeps() { Visibility::Constant } else { Visibility::Full };
        let outcome = self.replay.evaluator().with_visibility(visibility, |ev| ev.resolve_silently(node));
        let Outcome::Omit(condition) = outcome else { return None };
        let cause = self.tree().authored(condition);
        let mut of = "AWS::NoValue".to_owned();
        let mut at = cause;
        while let Some(chooser) = self.authored.chooser(self.tree(), at) {
            if let Some(argument) = self.tree().argument_of(chooser, Known::If) {
                if let Some(&name) = self.tree().items(argument).first() {
                    self.tree().text(name).clone_into(&mut of);
                }
                break;
            }
            at = chooser;
        }
        Some(Gone { reason: Absence::NoValue, of, cause })
    }

    /// Follows a path into a call that was replaced with its result: returns the node, the number of steps taken, and
    /// why that node is missing, unless it is in the result.
    fn inside_call(&mut self, call: &OutputNode, steps: &[String]) -> (OutputNode, usize, Option<Gone>) {
        let (function, argument) = self.tree().call(call.node);
        let name = self.tree().function_name(function).to_owned();
        let is_spelled = steps.first() == Some(&name);
        if let Function::Known(Known::If) = function
            && let &[condition, then, otherwise] = self.tree().items(argument)
        {
            let condition_name = self.tree().text(condition).to_owned();
            let truth = self.replay.evaluator().condition(&condition_name);
            let (taken, other) = match truth {
                Some(Truth::True) => (then, otherwise),
                Some(Truth::False) => (otherwise, then),
                // The value is elsewhere: the removed one was before it.
                _ => return (*call, steps.len(), Some(self.computed_away(call.node, &name))),
            };
            let cause = self.replay.seen().condition_node(&condition_name).map_or(condition, |(_, node)| node);
            let not_chosen = Gone { reason: Absence::NotChosen, of: condition_name, cause };
            let arguments = self.child(call, Child::Item(argument));
            let (taken, other) =
                (self.child(&arguments, Child::Item(taken)), self.child(&arguments, Child::Item(other)));
            if is_spelled {
                let index = steps.get(1).and_then(|step| step.parse::<usize>().ok());
                let branch = index.and_then(|index| self.tree().items(argument).get(index).copied());
                return match branch {
                    Some(node) if node == other.node => (other, 2, Some(not_chosen)),
                    Some(node) if node == taken.node => (taken, 2, Some(self.computed_away(call.node, &name))),
                    _ => (*call, steps.len(), Some(self.computed_away(call.node, &name))),
                };
            }
            if self.reach(&taken, steps).is_none() && self.reach(&other, steps).is_some() {
                return (other, 0, Some(not_chosen));
            }
            return (taken, 0, None);
        }
        (*call, steps.len(), Some(self.computed_away(call.node, &name)))
    }

    fn computed_away(&self, call: NodeId, function: &str) -> Gone {
        Gone { reason: Absence::ComputedAway, of: function.to_owned(), cause: self.tree().authored(call) }
    }

    fn reach(&mut self, output: &OutputNode, steps: &[String]) -> Option<OutputNode> {
        steps.iter().try_fold(*output, |output, step| self.step(&output, step))
    }

    /// Explains a key that does not exist: a loop was to generate it, or it is the loop itself.
    fn not_made(&mut self, outer: &OutputNode, step: &str, steps: &[String]) -> Option<Answer> {
        let written = self.tree().authored(outer.node);
        let found = self.find_loop(written, step, None)?;
        let tree = self.tree();
        let made: Vec<String> = tree
            .entries(outer.node)
            .filter(|entry| found.key == Some(tree.authored(entry.key)))
            .map(|entry| tree.text(entry.key).to_owned())
            .collect();
        let has_items = !made.is_empty();
        let site = tree.span(found.loop_key);
        let ran = tree.entries(outer.node).any(|entry| tree.frames().at_site(tree.frame_of(entry.key), site).is_some());
        let reason = match found.key {
            None if ran => Absence::ComputedAway,
            None => Absence::NoItems,
            Some(_) if has_items => Absence::NoSuchItem,
            Some(_) => Absence::NoItems,
        };
        const SHOWN: usize = 5;
        let mut instead = made;
        if let Some(near) = formwork_base::suggest::nearest(step, instead.iter().map(String::as_str)) {
            let at = instead.iter().position(|id| id == near).unwrap_or(0);
            let near = instead.remove(at);
            instead.insert(0, near);
        }
        instead.truncate(SHOWN);
        let place = found.key.unwrap_or(found.loop_key);
        let name = formwork_syntax::function::loop_name(tree.text(found.loop_key)).unwrap_or_default();
        Some(Answer {
            path: steps.iter().cloned().map(Step::Name).collect(),
            status: Status::Absent,
            value: None,
            rule: None,
            function: None,
            span: tree.span(place),
            authored_path: self.authored.path(tree, self.sources, place),
            frames: self.frames(self.frame(outer)),
            sources: Vec::new(),
            residual: Vec::new(),
            absent: Some(Absent {
                reason,
                of: name.to_owned(),
                span: tree.span(found.loop_key),
                expression: tree.text(found.loop_key).to_owned(),
                filled: None,
                instead,
            }),
            siblings: Vec::new(),
            siblings_total: 0,
        })
    }

    /// Returns the loop among the entries of a mapping that may generate a key, or whose name is the key.
    fn find_loop(&self, map: NodeId, step: &str, around: Option<NodeId>) -> Option<FoundLoop> {
        let tree = self.tree();
        for entry in tree.entries(map) {
            let text = tree.text(entry.key);
            if formwork_syntax::function::loop_name(text).is_none() {
                if let Some(loop_key) = around
                    && may_make(text, step)
                {
                    return Some(FoundLoop { loop_key, key: Some(entry.key) });
                }
                continue;
            }
            if text == step {
                return Some(FoundLoop { loop_key: entry.key, key: None });
            }
            if let Some(&fragment) = tree.items(entry.value).get(2)
                && let Some(found) = self.find_loop(fragment, step, Some(entry.key))
            {
                return Some(found);
            }
        }
        None
    }
}

/// A loop, and the key of its fragment that may generate a name; `None` when the path refers to the loop itself.
struct FoundLoop {
    loop_key: NodeId,
    key: Option<NodeId>,
}

/// Returns `true` if a key with placeholders may become `name`.
fn may_make(pattern: &str, name: &str) -> bool {
    let pattern = NamePattern::of_key(pattern);
    pattern.varies() && pattern.matches(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_fragments_match_what_they_may_make() {
        for (pattern, name, want) in [
            ("Bucket${Name}", "BucketX", true),
            ("Bucket${Name}", "QueueX", false),
            ("Bucket", "Bucket", false),
            ("${A}In&{B}", "OneInTwo", true),
            ("${A}In&{B}", "OneTwo", false),
            ("A${B}C", "AC", true),
        ] {
            assert_eq!(may_make(pattern, name), want, "{pattern} {name}");
        }
    }
}
