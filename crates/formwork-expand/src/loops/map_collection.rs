//! The items of an `Fn::Map` (reference/map-and-merge.md#map-collection).

use formwork_base::{Diagnostic, codes};
use formwork_evaluate::blocker::{self, Blocker};
use formwork_evaluate::stage::{Cause, Fixed};
use formwork_evaluate::{Compat, Outcome, Sight, shown_value};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, Kind, NodeId, Origin, Tree};

use super::Expander;
use super::collection::Item;
use super::map_check::fault;
use super::unchecked::not_checked;

impl Expander<'_, '_> {
    /// The items of an `Fn::Map`; `None` when there are none to be had, which was reported.
    pub(super) fn map_collection(&mut self, call: NodeId, collection: NodeId) -> Option<Vec<Item>> {
        let is_constant = !self.uses.varies(collection);
        if is_constant && let Some(known) = self.collections.get(&collection) {
            return known.clone();
        }
        let node = self.instantiate(collection).unwrap_or(collection);
        self.ev.looks.clear();
        let items = self.map_evaluate(call, collection, node);
        if items.is_some() {
            self.take_looks(Known::Map);
        }
        if items.as_ref().is_some_and(Vec::is_empty) {
            let span = self.ev.tree.span(self.ev.tree.call_name(call));
            self.report(
                Diagnostic::new(codes::EMPTY_COLLECTION, "this Fn::Map has no items and makes nothing").at(span),
            );
        }
        if is_constant {
            self.collections.insert(collection, items.clone());
        }
        items
    }

    /// Notes which values of the template the result now depends on.
    pub(super) fn take_looks(&mut self, function: Known) {
        for look in std::mem::take(&mut self.ev.looks) {
            Fixed::add(&mut self.fixed, look, Cause::Construct(function.long().to_owned()));
        }
    }

    fn map_evaluate(&mut self, call: NodeId, written: NodeId, node: NodeId) -> Option<Vec<Item>> {
        match self.ev.tree.kind(node) {
            Kind::List => self.map_literal(call, node),
            Kind::Map => self.map_object(call, node),
            Kind::Call => self.map_computed(call, written, node),
            _ => self.report_not_a_list(written, Some(node)),
        }
    }

    fn resolved(&mut self, call: NodeId, node: NodeId) -> Result<Option<NodeId>, ()> {
        match self.ev.with_sight(Sight::Full, |ev| ev.strictly(|ev| ev.resolve(node))) {
            Outcome::Known(value) => Ok(Some(value)),
            Outcome::Omit(_) => Ok(None),
            Outcome::Secret { .. } => {
                self.report_map_no_echo(call, node, node, "this Fn::Map runs over");
                Err(())
            }
            Outcome::Residual(left) => {
                self.report_unresolved(node, left, "a value of this Fn::Map is known only at deployment");
                Err(())
            }
            Outcome::Poison => Err(()),
        }
    }

    /// A list that is written out: every element is an item.
    fn map_literal(&mut self, call: NodeId, list: NodeId) -> Option<Vec<Item>> {
        let written = self.ev.tree.items(list).to_vec();
        let mut items = Some(Vec::with_capacity(written.len()));
        for (at, node) in written.into_iter().enumerate() {
            let place = self.ev.tree.span(node);
            let value = self.resolved(call, node).and_then(|value| match value {
                Some(value) => self.map_item(value, at, node).map(Some),
                None => Ok(None),
            });
            match (value, &mut items) {
                (Ok(Some(value)), Some(items)) => items.push(Item { value, member: None, place }),
                (Ok(_), _) => {}
                (Err(()), _) => items = None,
            }
        }
        items
    }

    /// An object that is written out, or known: its members in order.
    fn map_object(&mut self, call: NodeId, map: NodeId) -> Option<Vec<Item>> {
        let written: Vec<_> = self.ev.tree.entries(map).collect();
        let mut items = Some(Vec::with_capacity(written.len()));
        for (at, entry) in written.into_iter().enumerate() {
            let place = self.ev.tree.span(entry.value);
            let name = self.ev.tree.text(entry.key).to_owned();
            let value = self.resolved(call, entry.value).and_then(|value| match value {
                Some(value) => self.map_item(value, at, entry.value).map(Some),
                None => Ok(None),
            });
            match (value, &mut items) {
                (Ok(Some(value)), Some(items)) => {
                    let member = self.ev.tree.computed(&name, Origin::Made(entry.key, FrameId::NONE));
                    items.push(Item { value, member: Some(member), place });
                }
                (Ok(_), _) => {}
                (Err(()), _) => items = None,
            }
        }
        items
    }

    /// A function that gives a list or an object.
    fn map_computed(&mut self, call: NodeId, written: NodeId, node: NodeId) -> Option<Vec<Item>> {
        let value = self.resolved(call, node).ok()?;
        let Some(value) = value else { return self.report_not_a_list(written, None) };
        match self.ev.tree.kind(value) {
            Kind::List => {}
            Kind::Map => return self.map_object(call, value),
            _ => return self.report_not_a_list(written, Some(value)),
        }
        if self.ev.parameters.is_empty_text(self.ev.tree, value) && self.ev.settings.compat != Compat::Aws {
            return Some(Vec::new());
        }
        // A parameter's items stand in its value, those of a list that was worked out in the loop.
        let of_parameter = self.ev.tree.argument_of(written, Known::Ref).is_some();
        let place = self.ev.tree.span(written);
        let mut items = Vec::with_capacity(self.ev.tree.len(value));
        for (at, item) in self.ev.tree.items(value).to_vec().into_iter().enumerate() {
            let own = self.ev.tree.span(item);
            let value = self.map_item(item, at, written).ok()?;
            items.push(Item { value, member: None, place: if of_parameter { own } else { place } });
        }
        Some(items)
    }

    /// An item: numbers and truth values by their source text.
    fn map_item(&mut self, value: NodeId, at: usize, node: NodeId) -> Result<NodeId, ()> {
        match self.ev.tree.kind(value) {
            Kind::Number | Kind::Bool => {
                let text = self.ev.tree.text_form(value).to_owned();
                Ok(self.ev.tree.computed(&text, Origin::Made(value, FrameId::NONE)))
            }
            Kind::Null => {
                let sentence = format!("Fn::Map Collection contains a null value at index {at}");
                let diagnostic =
                    fault(codes::MAP_NULL_ITEM, &format!("item {} of this Fn::Map is null", at + 1), &sentence)
                        .at(self.ev.tree.span(node))
                        .help("remove the item, or write `!Ref AWS::NoValue` for one that is left out");
                self.report(diagnostic);
                Err(())
            }
            _ => Ok(value),
        }
    }

    /// `value` is what is there in the place of a list; nothing for `AWS::NoValue`.
    fn report_not_a_list(&mut self, written: NodeId, value: Option<NodeId>) -> Option<Vec<Item>> {
        let tree = &*self.ev.tree;
        let parameter = tree.argument_of(written, Known::Ref).and_then(|name| {
            let name = tree.string(name)?;
            self.ev.template.parameters.iter().find(|parameter| tree.name(parameter.name) == name)
        });
        let mut sentence = "Fn::Map Collection must be a list.".to_owned();
        let mut diagnostic = if let Some(parameter) = parameter {
            let name = shown(tree.name(parameter.name));
            let kind = tree
                .get(parameter.node, formwork_syntax::symbol::TYPE)
                .map_or_else(|| "String".to_owned(), |kind| shown(tree.text(kind)));
            sentence = format!("{sentence} Parameter [{name}] is of type {kind}");
            fault(codes::MAP_NOT_A_LIST, &format!("parameter {name} is no list"), &sentence)
                .related(tree.span(parameter.key), "the parameter")
                .help(format!("declare it with `Type: CommaDelimitedList`, or write `!Split [\",\", !Ref {name}]`"))
        } else {
            let value = value.map_or_else(|| "AWS::NoValue".to_owned(), |value| shown_item(tree, value));
            let what = format!("the Collection of this Fn::Map is {value}");
            fault(codes::MAP_NOT_A_LIST, &what, sentence.trim_end_matches('.'))
                .help("write a list: `Collection: [a, b]`, or split a text with `Fn::Split`")
        };
        diagnostic = diagnostic.at(tree.span(written));
        self.report(diagnostic);
        None
    }

    /// Values of `NoEcho` parameters are never written, so no loop runs over them. `what` says what
    /// needs the value.
    pub(super) fn report_map_no_echo(&mut self, call: NodeId, at: NodeId, left: NodeId, what: &str) {
        let causes = blocker::blockers(self.ev.tree, &self.ev.parameters, left);
        let name = causes.iter().find_map(|cause| match cause {
            Blocker::NoEcho(name) => Some(shown(self.ev.tree.name(*name))),
            _ => None,
        });
        let name = name.unwrap_or_else(|| "****".to_owned());
        let sentence = format!("Fn::Map Collection cannot reference the NoEcho parameter [{name}]");
        let diagnostic = fault(codes::MAP_NO_ECHO, &format!("{what} the secret {name}"), &sentence)
            .at(self.ev.tree.span(at))
            .related(self.ev.tree.span(self.ev.tree.call_name(call)), "the loop")
            .note("the items would stand in the output, and the value of a NoEcho parameter is never written")
            .help("remove NoEcho from the parameter, or loop over another one");
        self.report(diagnostic);
    }

    /// Something of an `Fn::Map` that has to be known and is not: `left` is what is left of it.
    pub(super) fn report_unresolved(&mut self, at: NodeId, left: NodeId, what: &str) {
        let tree = &*self.ev.tree;
        let causes = blocker::blockers(tree, &self.ev.parameters, left);
        if causes.iter().any(|cause| matches!(cause, Blocker::NoEcho(_))) {
            return self.report_map_no_echo(at, at, left, "this Fn::Map needs");
        }
        let code = match causes.first() {
            Some(&Blocker::Parameter(parameter)) if !self.is_stored(parameter) => codes::VALUE_MISSING,
            _ => codes::MAP_UNRESOLVED,
        };
        if let Some(diagnostic) = not_checked(self.ev, code, "this Fn::Map", &causes) {
            let diagnostic = diagnostic.at(self.ev.tree.span(at));
            self.ev.has_missed_value = true;
            return self.report(diagnostic);
        }
        let cause = causes.iter().find(|cause| !cause.is_value()).or(causes.first());
        let (name, help) = unresolved_name(self, cause);
        let diagnostic = match cause {
            Some(&Blocker::Parameter(parameter)) if !self.is_stored(parameter) => Diagnostic::new(
                codes::VALUE_MISSING,
                format!("parameter {name} has no value, and Fn::Map needs it: `Parameters: [{name}] must have values`"),
            ),
            Some(&Blocker::Parameter(parameter)) if self.missing_in_store(parameter).is_some() => {
                let stored = self.missing_in_store(parameter).unwrap_or_default();
                Diagnostic::new(
                    codes::NOT_IN_ACCOUNT,
                    format!("the store has no {stored}: `Unable to fetch parameters [{stored}] from parameter store for this account.`"),
                )
                .note(format!("the service also answers `Parameter {name} should either have input value or default value`"))
                .note("by the account data given with --account")
            }
            _ => {
                let sentence = format!("Fn::Map received a value which cannot be resolved: [{name}]");
                fault(codes::MAP_UNRESOLVED, what, &sentence)
            }
        };
        let diagnostic = diagnostic.at(self.ev.tree.span(at)).label("not known before deployment").help(help);
        self.report(diagnostic);
    }

    /// Whether a parameter names a value in the SSM store.
    pub(super) fn is_stored(&self, name: formwork_syntax::Symbol) -> bool {
        self.ev.template.parameter(name).is_some_and(|parameter| parameter.kind.is_ssm_value)
    }
}

impl Expander<'_, '_> {
    /// The name that is not in the SSM store, where account data tells what is in it.
    fn missing_in_store(&self, name: formwork_syntax::Symbol) -> Option<String> {
        let stored = self.ev.parameters.get(name)?.stored.filter(|_| self.ev.facts.ssm.is_some())?;
        Some(shown(self.ev.tree.text_form(stored)))
    }
}

/// A value that stands in the wrong place, a text in quotes.
pub(super) fn shown_item(tree: &Tree, value: NodeId) -> String {
    match tree.string(value) {
        Some(text) => format!("the text \"{}\"", shown(text)),
        None => shown_value(tree, value),
    }
}

/// What keeps a value from being known, as the sentences name it, and what to do about it.
pub(super) fn unresolved_name(expander: &Expander<'_, '_>, cause: Option<&Blocker>) -> (String, String) {
    let tree = &*expander.ev.tree;
    let elsewhere = || "pass the items in a parameter of type CommaDelimitedList".to_owned();
    match cause {
        Some(&(Blocker::Parameter(name) | Blocker::NoEcho(name))) => {
            let text = shown(tree.name(name));
            let help = if expander.is_stored(name) {
                "give account data that has the stored value: `--account FILE` with `SsmParameters`, or `--live`"
                    .to_owned()
            } else {
                let is_list = expander.ev.template.parameter(name).is_some_and(|parameter| parameter.kind.is_list);
                let value = if is_list { "a,b" } else { "VALUE" };
                format!("give it with `--parameter-overrides {text}={value}`, or give the parameter a Default")
            };
            (text, help)
        }
        Some(&Blocker::Pseudo(name)) => {
            let option = formwork_template::PseudoParameter::from_name(tree.name(name))
                .map(formwork_template::PseudoParameter::option)
                .unwrap_or_default();
            (tree.name(name).to_owned(), format!("give it with `{option}`"))
        }
        Some(&Blocker::Condition(name)) => {
            (shown(tree.name(name)), "give values to the parameters that the condition compares".to_owned())
        }
        Some(Blocker::Resource(name) | Blocker::Attribute(name) | Blocker::Function(name)) => {
            (shown(name), elsewhere())
        }
        None => ("Fn::Map".to_owned(), elsewhere()),
    }
}
