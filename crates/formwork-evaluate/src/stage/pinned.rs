//! Reports about values that the output is fixed to and about constructs that still need the transform
//! (reference/values.md#constructs, reference/values.md#fixed).

use formwork_base::display::{MASK, shown};
use formwork_base::{Diagnostic, IdMap, Severity, codes};
use formwork_syntax::{Kind, NodeId, Symbol, symbol};
use formwork_template::template::LANGUAGE_EXTENSIONS;

use crate::blocker::Blocker;
use crate::evaluator::Evaluator;
use crate::settings::Values;

/// The reason why a value is fixed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PinReason {
    /// A loop, by its name.
    Loop(String),
    /// A function or attribute.
    Construct(String),
}

/// A parameter or pseudo parameter whose value is now part of the output.
#[derive(Clone, Debug)]
pub struct PinnedParameter {
    /// Name of the parameter.
    pub name: Symbol,
    /// Reasons, in order.
    pub by: Vec<PinReason>,
}

/// A construct that stays and needs the transform.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Name of the function or attribute.
    pub name: String,
    /// Node of the construct.
    pub node: NodeId,
    /// Blockers of the construct.
    pub causes: Vec<Blocker>,
}

#[derive(Debug, Default)]
pub(super) struct Notes {
    kept: Vec<Kept>,
    fixed: Vec<PinnedParameter>,
    /// Set if a function stays in an attribute that takes only a string.
    pub(super) attributes_kept: bool,
    /// Set if an error of the current construct was reported.
    pub(super) is_poisoned: bool,
    /// Results for nodes shared by copies of a loop body, separate for lenient places.
    pub(super) done: IdMap<(NodeId, bool), Option<NodeId>>,
}

impl Notes {
    pub(super) fn keep(&mut self, kept: Kept) {
        if !self.kept.iter().any(|other| other.node == kept.node) {
            self.kept.push(kept);
        }
    }

    pub(super) fn fix(&mut self, name: Symbol, by: PinReason) {
        PinnedParameter::add(&mut self.fixed, name, by);
    }
}

impl PinnedParameter {
    /// Adds a cause to a list with one entry per name.
    pub fn add(list: &mut Vec<PinnedParameter>, name: Symbol, by: PinReason) {
        match list.iter_mut().find(|fixed| fixed.name == name) {
            Some(fixed) if fixed.by.contains(&by) => {}
            Some(fixed) => fixed.by.push(by),
            None => list.push(PinnedParameter { name, by: vec![by] }),
        }
    }
}

impl Evaluator<'_> {
    pub(super) fn report_notes(&mut self, notes: &Notes, needs_transform: bool) {
        self.report_fixed(&notes.fixed, Severity::Warning);
        let constructs =
            matches!(self.settings.values, Values::Keep | Values::Pin) && self.settings.language_extensions;
        // After an error this applies to no output.
        let has_output = !self.diagnostics.has_errors();
        if constructs && needs_transform && has_output && self.template.declares_language_extensions() {
            self.report_kept(&notes.kept);
        }
    }

    /// Reports which values the output is fixed to: one sentence per parameter.
    pub fn report_fixed(&mut self, list: &[PinnedParameter], severity: Severity) {
        for fixed in list {
            let Some(&bound) = self.parameters.get(fixed.name) else { continue };
            let Some(value) = bound.value else { continue };
            let value = match self.tree.kind(value) {
                _ if bound.secret => MASK.to_owned(),
                Kind::List => {
                    let items: Vec<String> =
                        self.tree.items(value).iter().map(|&item| shown(self.tree.text_form(item))).collect();
                    items.join(",")
                }
                // An empty value would look like a missing word.
                _ if self.tree.text_form(value).is_empty() => "\"\"".to_owned(),
                _ => shown(self.tree.text_form(value)),
            };
            let value = if value.is_empty() { "\"\"".to_owned() } else { value };
            let kind = if bound.pseudo { "pseudo parameter" } else { "parameter" };
            let name = self.tree.name(fixed.name);
            let by = by_text(&fixed.by);
            let mut diagnostic =
                Diagnostic::new(codes::VALUE_FIXED, format!("{kind} {name} is fixed to {value} by {by}"))
                    .severity(severity);
            if let Some(key) = bound.key {
                diagnostic = diagnostic.at(self.tree.span(key));
            }
            self.diagnostics
                .push(diagnostic.note("another value at deployment does not change what was generated from this one"));
        }
    }

    fn report_kept(&mut self, kept: &[Kept]) {
        // Constructs by the cause that they wait for.
        let mut causes: Vec<(String, Vec<&str>)> = Vec::new();
        for kept in kept {
            // Blockers that only the deployment removes do not keep it from being computed.
            let values = kept.causes.iter().filter(|cause| cause.is_value());
            for cause in values.map(|cause| cause.text(self.tree)) {
                match causes.iter_mut().find(|(known, _)| *known == cause) {
                    Some((_, names)) if names.contains(&kept.name.as_str()) => {}
                    Some((_, names)) => names.push(&kept.name),
                    None => causes.push((cause, vec![&kept.name])),
                }
            }
        }
        let mut reasons: Vec<String> = causes.iter().map(|(cause, names)| depends(names, cause)).collect();
        if !self.failed.is_empty() {
            reasons.push("a lookup under a condition has no entry and may never be evaluated".into());
        }
        let mut diagnostic = Diagnostic::new(
            codes::KEPT_FOR_TRANSFORM,
            format!("{LANGUAGE_EXTENSIONS} is kept in Transform: the output still needs it"),
        );
        for reason in reasons {
            diagnostic = diagnostic.note(reason);
        }
        if self.settings.values == Values::Keep {
            diagnostic = diagnostic.help("`--values pin` replaces the values");
        }
        if let Some(transform) = self.tree.member(self.template.root, symbol::TRANSFORM) {
            diagnostic = diagnostic.at(self.tree.span(transform.key));
        }
        const SHOWN: usize = 5;
        for kept in kept.iter().take(SHOWN) {
            diagnostic = diagnostic.related(self.tree.span(kept.node), format!("{} is kept", kept.name));
        }
        for &call in self.failed.iter().take(SHOWN) {
            diagnostic = diagnostic.related(self.tree.span(call), "is kept, since it may never be evaluated");
        }
        self.diagnostics.push(diagnostic);
    }
}

/// Writes `A depends on C`, `A, B depend on C`.
fn depends(names: &[&str], cause: &str) -> String {
    format!("{} {} on {cause}", names.join(", "), if names.len() == 1 { "depends" } else { "depend" })
}

/// Writes `loop A`, `loops A, B`, `Fn::Length`, in order of their kinds.
fn by_text(by: &[PinReason]) -> String {
    let loops: Vec<&str> = by
        .iter()
        .filter_map(|cause| if let PinReason::Loop(name) = cause { Some(name.as_str()) } else { None })
        .collect();
    let mut parts: Vec<String> = Vec::new();
    match loops.as_slice() {
        [] => {}
        [one] => parts.push(format!("loop {one}")),
        many => parts.push(format!("loops {}", many.join(", "))),
    }
    parts.extend(
        by.iter().filter_map(|cause| if let PinReason::Construct(name) = cause { Some(name.clone()) } else { None }),
    );
    parts.join(", ")
}
