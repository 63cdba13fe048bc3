//! What loops report where their items are not to be had (reference/for-each.md#collection,
//! reference/map-and-merge.md#map-collection).

use formwork_base::{Diagnostic, codes};
use formwork_evaluate::blocker::{self, Blocker};
use formwork_evaluate::{shown_value, transform_note};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Tree};
use formwork_template::dynamic_reference;

use super::Expander;
use super::check::layout;
use super::collection::{Loop, Reported};
use super::map_check::fault;
use super::unchecked::not_checked;

const ITEMS: &str = "items are text, numbers or truth values";
const UNRESOLVED: &str = "Could not find a collection or could not be resolved for Fn::ForEach";

fn unresolved(what: &str) -> Diagnostic {
    Diagnostic::new(codes::COLLECTION, format!("{what}: `{UNRESOLVED}`")).note(transform_note(UNRESOLVED))
}

impl Expander<'_, '_> {
    /// Reports a collection that is no list or object. `value` is what it is; nothing for `AWS::NoValue`.
    pub(super) fn report_no_list(
        &mut self,
        of: Loop<'_>,
        written: NodeId,
        node: NodeId,
        value: Option<NodeId>,
    ) -> Reported {
        let Loop::ForEach(_, name) = of else { return self.report_not_a_list(written, value) };
        let (text, loop_name) = (value.and_then(|value| self.ev.tree.string(value)), shown(name));
        let found = text.and_then(dynamic_reference::find).map(shown);
        if let (Some(found), Some(value)) = (found, value) {
            return self.report_dynamic(name, &found, value);
        }
        let is_computed = self.ev.tree.kind(node) == Kind::Call;
        let diagnostic = match value {
            None => unresolved(&format!("the collection of loop {loop_name} is AWS::NoValue"))
                .help("write `[]` for a loop without items"),
            Some(_) if text.is_some() && is_computed => {
                layout(name, &format!("the collection of loop {loop_name} gives a text, not a list"))
                    .help("use a parameter of type CommaDelimitedList, or `Fn::Split`")
            }
            Some(_) if text.is_some() => {
                layout(name, &format!("the collection of loop {loop_name} is a text, not a list"))
                    .help("write a list: `[a, b]`, or refer to a parameter of type CommaDelimitedList")
            }
            Some(value) => {
                let value = shown_value(self.ev.tree, value);
                let (verb, help) = if is_computed {
                    ("gives", "use a parameter of type CommaDelimitedList, or `Fn::Split`")
                } else {
                    ("is", "write a list: `[a, b]`")
                };
                unresolved(&format!("the collection of loop {loop_name} {verb} {value}")).help(help)
            }
        };
        self.report(diagnostic.at(self.ev.tree.span(node)));
        Reported
    }

    /// Reports an item that no loop of this kind runs over: number `at`, which is written at `place` or, when
    /// the list `is_known`, comes from there.
    pub(super) fn report_item(
        &mut self,
        of: Loop<'_>,
        value: NodeId,
        at: usize,
        place: NodeId,
        is_known: bool,
    ) -> Reported {
        let diagnostic = match of {
            Loop::ForEach(_, name) => {
                let what = format!("an item of loop {} is {}", shown(name), shown_value(self.ev.tree, value));
                let help = if is_known { "write a list of texts: `[a, b]`" } else { "write each item as a text" };
                unresolved(&what).note(ITEMS).help(help)
            }
            Loop::Map(_) => {
                let sentence = format!("Fn::Map Collection contains a null value at index {at}");
                fault(codes::MAP_NULL_ITEM, &format!("item {} of this Fn::Map is null", at + 1), &sentence)
                    .help("remove the item, or write `!Ref AWS::NoValue` for one that is left out")
            }
        };
        self.report(diagnostic.at(self.ev.tree.span(place)));
        Reported
    }

    /// Reports the dynamic reference `found` in what a loop runs over.
    pub(super) fn report_dynamic(&mut self, name: &str, found: &str, node: NodeId) -> Reported {
        let what = format!("loop {} runs over {found}, which is read at deployment", shown(name));
        let diagnostic = unresolved(&what).help("pass the items in a parameter of type CommaDelimitedList");
        self.report(diagnostic.at(self.ev.tree.span(node)));
        Reported
    }

    /// Reports a part of a collection that is the value of a `NoEcho` parameter.
    pub(super) fn report_secret(&mut self, of: Loop<'_>, node: NodeId) -> Reported {
        match of {
            Loop::ForEach(key, name) => self.report_no_echo(key, name, node),
            Loop::Map(call) => self.report_map_no_echo(call, node, node, "this Fn::Map runs over"),
        }
        Reported
    }

    /// Reports a part of a collection that is not known; `left` is what is left of it.
    pub(super) fn report_unknown(&mut self, of: Loop<'_>, node: NodeId, left: NodeId) -> Reported {
        match of {
            Loop::ForEach(key, name) => self.report_loop_unknown(key, name, node, left),
            Loop::Map(_) => {
                self.report_unresolved(node, left, "a value of this Fn::Map is known only at deployment");
            }
        }
        Reported
    }

    fn report_no_echo(&mut self, key: NodeId, name: &str, node: NodeId) {
        let tree = &*self.ev.tree;
        let which = tree.argument_of(node, Known::Ref).map(|target| shown(tree.text(target)));
        let which = which.map_or_else(|| "a NoEcho parameter".into(), |name| format!("the NoEcho parameter {name}"));
        let diagnostic = unresolved(&format!("loop {} runs over {which}", shown(name)))
            .at(tree.span(node))
            .related(tree.span(key), "the loop")
            .note("the items would stand in the output, and the value of a NoEcho parameter is never written")
            .help("remove NoEcho from the parameter, or loop over another one");
        self.report(diagnostic);
    }

    fn report_loop_unknown(&mut self, key: NodeId, name: &str, node: NodeId, left: NodeId) {
        let causes = blocker::blockers(self.ev.tree, &self.ev.parameters, left);
        if causes.iter().any(|cause| matches!(cause, Blocker::NoEcho(_))) {
            return self.report_no_echo(key, name, node);
        }
        let name = shown(name);
        let (at, site) = (self.ev.tree.span(node), self.ev.tree.span(key));
        if let Some(diagnostic) = not_checked(self.ev, codes::COLLECTION, &format!("loop {name}"), &causes) {
            self.report(diagnostic.at(at).related(site, "the loop"));
            self.ev.has_missed_value = true;
            return;
        }
        let cause = causes.iter().find(|cause| !cause.is_value()).or(causes.first());
        let (target, help) = unresolved_name(self, cause, true);
        let runs_over = |why: &str| unresolved(&format!("loop {name} runs over {why}"));
        let diagnostic = match cause {
            Some(&Blocker::Parameter(parameter)) => {
                let diagnostic = runs_over(&format!("parameter {target}, which has no value"));
                if self.is_stored(parameter) {
                    diagnostic
                        .note("the parameter names an SSM parameter, and its stored value is not known")
                        .help("give account data with `--account FILE`, member SsmParameters")
                } else {
                    diagnostic.help(help)
                }
            }
            Some(Blocker::Pseudo(_)) => runs_over(&format!("{target}, which has no value")).help(help),
            Some(Blocker::Condition(_)) => {
                unresolved(&format!("loop {name} depends on condition {target}, which is not decided")).help(help)
            }
            Some(Blocker::Resource(resource)) => {
                let parameters = self.ev.template.parameters.iter();
                let names = parameters.map(|parameter| self.ev.tree.name(parameter.name));
                let diagnostic = runs_over(&format!("{target}, which is no parameter"));
                match self.ev.diagnostics.suggester().nearest(resource, names) {
                    Some(near) => {
                        let name = self.ev.tree.argument_of(node, Known::Ref);
                        let name = name.filter(|&name| self.ev.tree.string(name) == Some(resource.as_str()));
                        let diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
                        match name {
                            Some(name) => diagnostic.fix("change the name", self.ev.tree.span(name), near),
                            None => diagnostic,
                        }
                    }
                    None => diagnostic.help("refer to a parameter of type CommaDelimitedList"),
                }
            }
            Some(Blocker::Attribute(_)) => runs_over(&format!("{target}, which exists only after deployment"))
                .note("SAM CLI says `Unable to resolve Fn::ForEach collection locally. The collection uses 'Fn::GetAtt' which requires deployed resources`")
                .help(help),
            Some(Blocker::Function(_)) => {
                runs_over(&format!("{target}, which is known only at deployment")).help(help)
            }
            _ => unresolved(&format!("the collection of loop {name} is not known")).help(help),
        };
        self.report(diagnostic.at(at).label("not known before deployment").related(site, "the loop"));
    }

    /// `value` is what is there in the place of a list; nothing for `AWS::NoValue`.
    fn report_not_a_list(&mut self, written: NodeId, value: Option<NodeId>) -> Reported {
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
        Reported
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
        let (name, help) = unresolved_name(self, cause, false);
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

/// What keeps a value from being known, as the sentences name it, and what to do about it. A collection
/// `is_list`.
pub(super) fn unresolved_name(expander: &Expander<'_, '_>, cause: Option<&Blocker>, is_list: bool) -> (String, String) {
    let tree = &*expander.ev.tree;
    let elsewhere = || "pass the items in a parameter of type CommaDelimitedList".to_owned();
    match cause {
        Some(&(Blocker::Parameter(name) | Blocker::NoEcho(name))) => {
            let text = shown(tree.name(name));
            let help = if expander.is_stored(name) {
                "give account data that has the stored value: `--account FILE` with `SsmParameters`, or `--live`"
                    .to_owned()
            } else {
                let takes_list = expander.ev.template.parameter(name).is_some_and(|parameter| parameter.kind.is_list);
                let value = if is_list || takes_list { "a,b" } else { "VALUE" };
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
