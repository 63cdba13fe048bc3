//! The account data that was missing in a run.

use formwork_base::Goal;
use formwork_evaluate::{AccountData, AccountQuery, Stored, facts};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Tree, View, flags};
use formwork_template::parameter_type::Base;
use formwork_template::template::Parameter;
use formwork_template::{ParameterType, PseudoParameter, Template};
use rustc_hash::FxHashSet;

use crate::compilation::{Compilation, Replayable};

/// The type of images, of which only those in the template are queried.
const IMAGE: &str = "AWS::EC2::Image::Id";

impl Compilation {
    /// Returns the account data that the run needed and did not have. A driver may fetch it and run again.
    pub fn unanswered_queries(&self) -> Vec<AccountQuery> {
        let Some(replay) = &self.replay else { return Vec::new() };
        of(&self.tree, &self.template, self.root, replay, self.goal)
    }
}

/// The open queries, each once, in a fixed order.
fn of(tree: &Tree, template: &Template, root: NodeId, replay: &Replayable, goal: Goal) -> Vec<AccountQuery> {
    let mut found = QueryCollector { tree, facts: &replay.facts, queries: Vec::new() };
    for parameter in &template.parameters {
        found.parameter(parameter, replay, goal);
    }
    if goal.is_for_any_values() {
        return found.finish();
    }
    if let Some(rules) = &replay.rules.set {
        for kind in rules.listed_types() {
            found.listing(kind);
        }
    }
    let account_id = tree.symbols().get(PseudoParameter::AccountId.name());
    let is_unknown = account_id.and_then(|name| replay.parameters.get(name)).is_none_or(|bound| bound.value.is_none());
    if is_unknown && replay.rules.set.as_ref().is_some_and(|rules| rules.refers_to(tree, PseudoParameter::AccountId)) {
        found.queries.push(AccountQuery::Caller);
    }
    found.calls(root, is_unknown);
    found.finish()
}

struct QueryCollector<'f> {
    tree: &'f Tree,
    facts: &'f AccountData,
    queries: Vec<AccountQuery>,
}

impl QueryCollector<'_> {
    fn parameter(&mut self, parameter: &Parameter, replay: &Replayable, goal: Goal) {
        let Some(bound) = replay.parameters.get(parameter.name) else { return };
        // An answer about a single value contains that value, and answers are recorded.
        let is_secret = parameter.no_echo;
        if let Some(stored) = bound.stored {
            let name = self.tree.text_form(stored);
            if !is_secret && !name.is_empty() && !matches!(self.facts.stored(self.tree, name), Stored::Value(_)) {
                self.queries.push(AccountQuery::Stored { name: name.to_owned() });
            }
        }
        let Base::AwsSpecific(kind) = &parameter.kind.base else { return };
        if goal.is_for_any_values() {
            return;
        }
        if kind != IMAGE {
            return self.listing(kind);
        }
        let Some(value) = bound.value.filter(|_| !is_secret) else { return };
        let texts: Vec<String> = match self.tree.kind(value) {
            Kind::List => self.tree.items(value).iter().map(|&item| self.tree.text_form(item).to_owned()).collect(),
            _ => ParameterType::split(self.tree.text_form(value)).map(str::to_owned).collect(),
        };
        let values: Vec<String> = texts
            .into_iter()
            .filter(|text| !text.is_empty() && self.facts.exists(self.tree, kind, text).is_none())
            .collect();
        if !values.is_empty() {
            self.queries.push(AccountQuery::Values { kind: kind.clone(), values });
        }
    }

    fn listing(&mut self, kind: &str) {
        if self.facts.listing(self.tree, kind).is_none() {
            self.queries.push(AccountQuery::All { kind: kind.to_owned() });
        }
    }

    /// Adds queries for unresolved calls that account data could have answered.
    fn calls(&mut self, root: NodeId, account_is_unknown: bool) {
        let mut pending = vec![root];
        let mut seen = FxHashSet::default();
        while let Some(node) = pending.pop() {
            if !self.tree.has(node, flags::HAS_CALL) || !seen.insert(node) {
                continue;
            }
            match self.tree.view(node) {
                View::List(items) => pending.extend(items),
                View::Map => pending.extend(self.tree.entries(node).map(|entry| entry.value)),
                View::Call(function, argument) => {
                    let text = self.tree.string(argument);
                    match (function, text) {
                        (Function::Known(Known::GetAZs), _) => self.listing(facts::AVAILABILITY_ZONE),
                        (Function::Known(Known::ImportValue), Some(name))
                            if self.facts.export(self.tree, name).is_none() =>
                        {
                            self.queries.push(AccountQuery::Export { name: name.to_owned() });
                        }
                        (Function::Known(Known::Ref | Known::Sub), Some(text))
                            if account_is_unknown && text.contains(PseudoParameter::AccountId.name()) =>
                        {
                            self.queries.push(AccountQuery::Caller);
                        }
                        _ => {}
                    }
                    pending.push(argument);
                }
                _ => {}
            }
        }
    }

    fn finish(mut self) -> Vec<AccountQuery> {
        self.queries.sort();
        self.queries.dedup();
        self.queries
    }
}
