//! Checks reported origins (reference/provenance.md#invariants).

use formwork_evaluate::Visibility;
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Tree, symbol};
use formwork_template::Section;

use crate::explain::path;
use crate::origin::{Origin, Rule};
use crate::output_node::OutputNode;
use crate::session::Session;

/// Returns a message for every origin of the output that does not hold.
pub fn verify(session: &mut Session<'_, '_>) -> Vec<String> {
    let mut errors = Vec::new();
    session.walk(&mut |session, trail| {
        let found = session.errors(trail);
        errors.extend(found);
    });
    errors.extend(session.missing());
    errors
}

impl Session<'_, '_> {
    fn errors(&mut self, trail: &[OutputNode]) -> Vec<String> {
        let mut errors = Vec::new();
        let Some(&output) = trail.last() else { return errors };
        let name = path::dotted(&self.path_of(trail));
        if let Some(key) = output.key {
            let origin = self.key_origin(key, output.key_frame);
            let in_module = self.is_in_module(origin.frame);
            let error = self.token(&origin);
            let error = if in_module { error } else { error.or_else(|| self.key_again(key, &origin)) };
            errors.extend(error.map(|error| format!("key {name}: {error}")));
        }
        let section = trail.get(1).and_then(|output| Section::from_symbol(self.tree().symbol(output.key?)));
        let origin = self.origin(&output);
        // Inside of constructs that plain CloudFormation does not have, everything that can be computed is, whatever
        // the command.
        let tree = self.tree();
        let is_text = trail.iter().any(|around| {
            let function = [Known::ToJsonString, Known::FindInMap];
            function.into_iter().any(|known| tree.argument_of(around.node, known).is_some())
        });
        let error = self.token(&origin);
        // The name of an import refers to all of its resources.
        let is_needed = self.linked.is_some()
            && trail.iter().any(|around| around.key.is_some_and(|key| tree.symbol(key) == symbol::DEPENDS_ON));
        // The string of an `Fn::Sub` that modules inserted.
        let around = trail.iter().rev().nth(1).is_some_and(|around| self.is_of_modules(around.node, origin.frame));
        let cannot_see = is_needed
            || around
            || self.is_of_modules(output.node, origin.frame)
            || self.is_changed_by_modules(origin.site)
            || self.is_of_copy(origin.site, origin.frame);
        let error =
            if is_text || cannot_see { error } else { error.or_else(|| self.value_again(trail, section, &origin)) };
        errors.extend(error.map(|error| format!("{name} ({}): {error}", origin.rule.name())));
        errors
    }

    /// Returns the token at an origin; the span of an origin must start at one.
    fn token(&self, origin: &Origin) -> Option<String> {
        let text = self.sources.slice(origin.span);
        let starts_well = text.starts_with(|c: char| !c.is_whitespace());
        let is_empty_scalar = text.is_empty() && !origin.span.is_none();
        (!starts_well && !is_empty_scalar).then(|| format!("the place {:?} is not a token", origin.span))
    }

    fn key_again(&self, key: NodeId, origin: &Origin) -> Option<String> {
        let tree = self.tree();
        if origin.rule.is_without_sources() && origin.rule != Rule::Copied {
            return None;
        }
        let written = tree.text(origin.site);
        let again = match origin.rule {
            Rule::Key => {
                let mut text = written.to_owned();
                for source in &origin.sources {
                    let value = source.value.as_deref().unwrap_or_default();
                    text = text
                        .replace(&format!("${{{}}}", source.name), value)
                        .replace(&format!("&{{{}}}", source.name), &formwork_template::logical_id::stripped(value));
                }
                text
            }
            _ => written.to_owned(),
        };
        // A copy is named after its original, with a number.
        let copy = tree.frames().get(origin.frame).filter(|record| tree.name(record.name) == "Identifier");
        if copy.is_some_and(|record| format!("{again}{}", record.index) == tree.text(key)) {
            return None;
        }
        (again != tree.text(key)).then(|| format!("substituting returns {again}"))
    }

    /// Checks that a copied string is that of the token, and that everything else results again from evaluating the
    /// authored node in its context.
    fn value_again(&mut self, trail: &[OutputNode], section: Option<Section>, origin: &Origin) -> Option<String> {
        let tree = self.tree();
        let (node, site) = (trail.last()?.node, origin.site);
        let is_scalar = !matches!(tree.kind(node), Kind::Map | Kind::List | Kind::Call);
        match origin.rule {
            Rule::Copied | Rule::Chosen if is_scalar => {
                let same = tree.kind(site) == tree.kind(node) && tree.text(site) == tree.text(node);
                (!same).then(|| format!("the source has {:?} there", tree.text(site)))
            }
            Rule::Ref | Rule::Computed | Rule::LookedUp | Rule::Reduced if tree.kind(site) == Kind::Call => {
                let section = section?;
                let made = self.instantiated(site, origin.frame);
                let again = made.and_then(|made| self.replay.evaluator().value_again(section, made));
                if again.is_some_and(|again| is_same(self.tree(), again, node)) {
                    return None;
                }
                if made.is_some_and(|made| is_same(self.tree(), made, node)) && self.is_left_as_written(trail) {
                    return None;
                }
                // Where only strings are allowed, and inside of constructs that plain CloudFormation does not have,
                // every function is computed.
                let visibility = self.visibility(node);
                let again = self.again(site, origin.frame, visibility).and_then(|outcome| outcome.written(site));
                if again.is_none_or(|again| !is_same(self.tree(), again, node))
                    && self.authored.is_in_collection(self.tree(), site)
                    && let Some(outcome) = self.again(site, origin.frame, Visibility::Full)
                    && outcome.written(site).is_some_and(|again| is_same(self.tree(), again, node))
                {
                    return None;
                }
                let tree = self.tree();
                match again {
                    Some(again) if is_same(tree, again, node) => None,
                    Some(again) => Some(format!(
                        "evaluating it again returns {:?}, not {:?}",
                        formwork_syntax::Value::new(tree, again),
                        formwork_syntax::Value::new(tree, node)
                    )),
                    None => Some("evaluating it again returns nothing".to_owned()),
                }
            }
            _ => None,
        }
    }

    /// Returns `true` if a call around the last node is in the output as written, with the items of its loops: a call
    /// that fails in a branch that may never be evaluated. Nothing in it is evaluated then; the call itself is checked
    /// separately.
    fn is_left_as_written(&mut self, trail: &[OutputNode]) -> bool {
        let Some((_, around)) = trail.split_last() else { return false };
        around.iter().any(|around| {
            if self.tree().kind(around.node) != Kind::Call {
                return false;
            }
            let origin = self.origin(around);
            let made = self.instantiated(origin.site, origin.frame);
            made.is_some_and(|made| is_same(self.tree(), made, around.node))
        })
    }

    /// Reports authored values below the processed sections that are not in the output without a known reason.
    fn missing(&mut self) -> Vec<String> {
        let mut errors = Vec::new();
        let (result, expanded) = (self.roots.result, self.roots.expanded);
        self.roots.result = expanded;
        let mut paths: Vec<Vec<String>> = Vec::new();
        self.walk(&mut |session, trail| {
            let tree = session.tree();
            if trail.last().is_some_and(|output| tree.is_scalar(output.node)) {
                let steps = session.path_of(trail).into_iter().map(|step| match step {
                    crate::Step::Name(name) => name,
                    crate::Step::Index(index) => index.to_string(),
                });
                paths.push(steps.collect());
            }
        });
        self.roots.result = result;
        for steps in paths {
            // Inside of a branch that was taken, remaining values have another path.
            if steps.iter().filter(|step| *step == "Fn::If").count() > 1 {
                continue;
            }
            if self.trail(result, &steps).is_none() && self.absent(&steps).is_none() {
                errors.push(format!("{}: no reason for its absence", steps.join(".")));
            }
        }
        errors
    }
}

/// Returns `true` if two nodes are equal. If a string is required, a number that a function returned is written as one.
fn is_same(tree: &Tree, again: NodeId, node: NodeId) -> bool {
    let is_text_of = tree.kind(node) == Kind::String && matches!(tree.kind(again), Kind::Number | Kind::Bool);
    // An item of a list that a function returned and that was spliced into another list.
    let is_part = tree.items(again).iter().any(|&item| tree.same_data(item, node));
    tree.same_data(again, node) || is_part || is_text_of && tree.text_form(again) == tree.text(node)
}
