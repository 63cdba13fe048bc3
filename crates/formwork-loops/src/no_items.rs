//! Reports of loops whose items are missing (reference/for-each.md#collection,
//! reference/map-and-merge.md#map-collection).

use formwork_base::display::{MASK, shown};
use formwork_base::{Code, Diagnostic, Severity, codes};
use formwork_evaluate::blocker::{self, Blocker};
use formwork_evaluate::{shown_value, transform_sentence};
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Symbol, Tree, symbol};
use formwork_template::dynamic_reference;
use formwork_template::fill_in::Spelling;

use super::check::layout;
use super::map_check::error;
use super::parts::Loop;
use super::unchecked::{Missing, is_secret, not_checked, reported};
use super::{Awaited, Expander};

const ITEMS: &str = "items are strings, numbers or Booleans";
const OBJECTS_IN_MAP: &str = "loop over objects with `Fn::Map`, where `${Value.Name}` is the value of a key";
const OBJECTS_WITH_FORMWORK: &str = "or add `Formwork` to Transform: `Fn::ForEach` then accepts objects";
const UNRESOLVED: &str = "Could not find a collection or could not be resolved for Fn::ForEach";
const SECRET: &str = "the items would appear in the output, and the value of a NoEcho parameter is never written";
const SECRET_HELP: &str = "remove NoEcho from the parameter, or loop over another one";

/// The absence of a value because of an error that was reported.
pub(super) struct Reported;

fn unresolved(what: &str) -> Diagnostic {
    Diagnostic::new(codes::COLLECTION, format!("{what}: `{UNRESOLVED}`")).quoting(&transform_sentence(UNRESOLVED))
}

impl Expander<'_, '_> {
    fn report_at(&mut self, diagnostic: Diagnostic, node: NodeId) -> Reported {
        self.report(diagnostic.at(self.ev.tree.span(node)));
        Reported
    }

    /// Reports a collection that is not a list or object. `value` is its value; `None` for `AWS::NoValue`.
    pub(super) fn report_no_list(&mut self, of: &Loop, node: NodeId, value: Option<NodeId>) -> Reported {
        if of.is_map {
            return self.report_not_a_list(of.collection, value);
        }
        let tree = &*self.ev.tree;
        let text = value.and_then(|value| tree.string(value));
        let found = text.and_then(dynamic_reference::find).map(shown);
        if let (Some(found), Some(value)) = (found, value) {
            return self.report_dynamic(of, &found, value);
        }
        let name = of.name(tree);
        let is_computed = tree.kind(node) == Kind::Call;
        let verb = if is_computed { "resolves to" } else { "is" };
        let what = format!("the collection of loop {} {verb}", shown(name));
        let diagnostic = match value {
            None => unresolved(&format!("the collection of loop {} is AWS::NoValue", shown(name)))
                .help("write `[]` for a loop without items"),
            Some(_) if text.is_some() => {
                let help = if is_computed { None } else { text.and_then(|text| self.meant_list(text)) };
                layout(name, &format!("{what} a string, not a list")).help(match help {
                    Some(help) => help,
                    None if is_computed => "use a parameter of type CommaDelimitedList, or `Fn::Split`".to_owned(),
                    None => "write a list: `[a, b]`, or refer to a parameter of type CommaDelimitedList".to_owned(),
                })
            }
            Some(value) if tree.kind(value) == Kind::Map => unresolved(&format!("{what} {}", shown_value(tree, value)))
                .help(OBJECTS_IN_MAP)
                .help(OBJECTS_WITH_FORMWORK),
            Some(value) => unresolved(&format!("{what} {}", shown_value(tree, value))).help(if is_computed {
                "use a parameter of type CommaDelimitedList, or `Fn::Split`"
            } else {
                "write a list: `[a, b]`"
            }),
        };
        self.report_at(diagnostic, node)
    }

    /// Returns advice for a string in place of a list: the name of a parameter, or items with commas.
    fn meant_list(&self, text: &str) -> Option<String> {
        let tree = &*self.ev.tree;
        let is_parameter = tree.symbols().get(text).is_some_and(|name| self.ev.template.parameter(name).is_some());
        let spelling = *self.spelling.get_or_init(|| Spelling::of(tree, self.ev.template.root));
        let is_word = |item: &str| !item.is_empty() && item.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let numbers = numbers_of(text);
        let items: Vec<&str> = match &numbers {
            Some(numbers) => numbers.iter().map(String::as_str).collect(),
            None => text.split(',').map(str::trim).collect(),
        };
        match spelling {
            Spelling::Short if is_parameter => Some(format!("refer to the parameter: `!Ref {}`", shown(text))),
            Spelling::Long if is_parameter => Some(format!("refer to the parameter: `Ref: {}`", shown(text))),
            Spelling::Json if is_parameter => {
                Some(format!("refer to the parameter: `{{\"Ref\": \"{}\"}}`", shown(text)))
            }
            _ if items.len() < 2 || !items.iter().all(|item| is_word(item)) => None,
            Spelling::Json => Some(format!("write a list: `[\"{}\"]`", items.join("\", \""))),
            Spelling::Short | Spelling::Long => Some(format!("write a list: `[{}]`", items.join(", "))),
        }
    }

    /// Reports an item that no loop of this kind runs over: number `at`, which is written at `place` or, when the list
    /// `is_known`, comes from there.
    pub(super) fn report_item(
        &mut self,
        of: &Loop,
        value: NodeId,
        at: usize,
        place: NodeId,
        is_known: bool,
    ) -> Reported {
        let diagnostic = if of.is_map {
            let sentence = format!("Fn::Map Collection contains a null value at index {at}");
            error(codes::MAP_NULL_ITEM, &format!("item {} of this Fn::Map is null", at + 1), &sentence)
                .help("remove the item, or write `!Ref AWS::NoValue` for an item that is left out")
        } else {
            let tree = &*self.ev.tree;
            let what = format!("an item of loop {} is {}", shown(of.name(tree)), shown_value(tree, value));
            let help = if is_known { "write a list of strings: `[a, b]`" } else { "write each item as a string" };
            let diagnostic = unresolved(&what).note(ITEMS);
            if matches!(tree.kind(value), Kind::Map | Kind::List) {
                diagnostic.help(OBJECTS_IN_MAP).help(OBJECTS_WITH_FORMWORK)
            } else {
                diagnostic.help(help)
            }
        };
        self.report_at(diagnostic, place)
    }

    pub(super) fn report_dynamic(&mut self, of: &Loop, found: &str, node: NodeId) -> Reported {
        let name = shown(of.name(self.ev.tree));
        let what = format!("loop {name} iterates over {found}, which is resolved at deployment");
        self.report_at(unresolved(&what).help("pass the items in a parameter of type CommaDelimitedList"), node)
    }

    pub(super) fn report_secret(&mut self, of: &Loop, node: NodeId) -> Reported {
        if of.is_map {
            self.report_map_no_echo(of, node, node, "this Fn::Map iterates over");
            return Reported;
        }
        let tree = &*self.ev.tree;
        let which = tree.argument_of(node, Known::Ref).map(|target| shown(tree.text(target)));
        let which = which.map_or_else(|| "a NoEcho parameter".into(), |name| format!("the NoEcho parameter {name}"));
        let diagnostic = unresolved(&format!("loop {} iterates over {which}", shown(of.name(tree))))
            .related(tree.span(of.site), "the loop")
            .note(SECRET)
            .help(SECRET_HELP);
        self.report_at(diagnostic, node)
    }

    /// Reports a part of a collection that is not known; `left` is its residual.
    pub(super) fn report_unknown(&mut self, of: &Loop, node: NodeId, left: NodeId) -> Reported {
        if of.is_map {
            self.report_unresolved(of, node, left, "a value of this Fn::Map is known only at deployment");
            return Reported;
        }
        let causes = blocker::blockers(self.ev.tree, &self.ev.parameters, left);
        if is_secret(&causes) {
            return self.report_secret(of, node);
        }
        let name = shown(of.name(self.ev.tree));
        let site = self.ev.tree.span(of.site);
        if self.is_awaited_already(of, node, (codes::COLLECTION, &causes)) {
            return Reported;
        }
        if let Some(diagnostic) = not_checked(self.ev, codes::COLLECTION, &format!("loop {name}"), &causes) {
            self.ev.has_missed_value = true;
            return self.report_at(diagnostic.related(site, "the loop"), node);
        }
        let cause = reported(&causes);
        let Missing { name: target, help, .. } = Missing::of(self.ev, cause, true);
        let runs_over = |why: &str| unresolved(&format!("loop {name} iterates over {target}, which {why}"));
        let diagnostic = match cause {
            Some(&Blocker::Parameter(parameter)) => {
                let what = format!("loop {name} iterates over parameter {target}, which has no value");
                let diagnostic = unresolved(&what);
                if self.is_stored(parameter) {
                    diagnostic
                        .note("the parameter refers to an SSM parameter whose stored value is not known")
                        .help("pass account data with `--account FILE`, key SsmParameters")
                } else {
                    diagnostic.help(help)
                }
            }
            Some(Blocker::Pseudo(_)) => runs_over("has no value").help(help),
            Some(Blocker::Condition(_)) => {
                unresolved(&format!("loop {name} depends on condition {target}, which is not decided")).help(help)
            }
            Some(Blocker::Resource(resource)) => self.near_parameter(runs_over("is not a parameter"), resource, node),
            Some(Blocker::Attribute(_)) => runs_over("exists only after deployment")
                .note("SAM CLI reports `Unable to resolve Fn::ForEach collection locally. The collection uses 'Fn::GetAtt' which requires deployed resources`")
                .help(help),
            Some(Blocker::Function(_)) => runs_over("is known only at deployment").help(help),
            _ => unresolved(&format!("the collection of loop {name} is not known")).help(help),
        };
        let diagnostic = diagnostic.at(self.ev.tree.span(node)).label("not known before deployment");
        self.report(diagnostic.related(site, "the loop"));
        Reported
    }

    /// Returns `true` when a loop only waits for values of loops that were reported: a missing value is one mistake,
    /// however many loops need it. The first ones get a label there.
    fn is_awaited_already(&mut self, of: &Loop, node: NodeId, (code, causes): (Code, &[Blocker])) -> bool {
        const SHOWN: usize = 5;
        let [cause, ..] = causes else { return false };
        if !causes.iter().all(Blocker::can_be_passed) {
            return false;
        }
        let (place, site) = (self.ev.tree.span(node), self.ev.tree.span(of.site));
        let awaited = &mut self.collections.awaited;
        let are_known = causes.iter().all(|cause| awaited.contains_key(cause));
        if are_known
            && let Some(first) = awaited.get_mut(cause).filter(|first| first.place != place)
            && (first.loops >= SHOWN
                || self.ev.diagnostics.relate(first.code, first.place, site, "this loop needs it, too"))
        {
            first.loops += 1;
            self.ev.has_missed_value |= self.ev.settings.value_missing != Severity::Error;
            return true;
        }
        for cause in causes {
            awaited.entry(cause.clone()).or_insert(Awaited { code, place, loops: 0 });
        }
        false
    }

    fn near_parameter(&self, diagnostic: Diagnostic, resource: &str, node: NodeId) -> Diagnostic {
        let tree = &*self.ev.tree;
        // Reported once, for the first iteration.
        if self.ev.diagnostics.has(diagnostic.code, tree.span(node), diagnostic.severity) {
            return diagnostic;
        }
        let names = self.ev.template.parameters.iter().map(|parameter| tree.name(parameter.name));
        let Some(near) = self.ev.diagnostics.suggester().nearest(resource, names) else {
            return diagnostic.help("refer to a parameter of type CommaDelimitedList");
        };
        let diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        match tree.argument_of(node, Known::Ref).filter(|&name| tree.string(name) == Some(resource)) {
            Some(name) => diagnostic.unsafe_fix("change the name", tree.span(name), near),
            None => diagnostic,
        }
    }

    /// Reports a collection of an `Fn::Map`. `value` is its value in place of a list; `None` for `AWS::NoValue`.
    fn report_not_a_list(&mut self, written: NodeId, value: Option<NodeId>) -> Reported {
        let tree = &*self.ev.tree;
        let parameter = tree.argument_of(written, Known::Ref).and_then(|name| {
            let name = tree.string(name)?;
            self.ev.template.parameters.iter().find(|parameter| tree.name(parameter.name) == name)
        });
        let sentence = "Fn::Map Collection must be a list";
        let diagnostic = if let Some(parameter) = parameter {
            let name = shown(tree.name(parameter.name));
            let kind = tree
                .get(parameter.node, symbol::TYPE)
                .map_or_else(|| "String".to_owned(), |kind| shown(tree.text(kind)));
            let sentence = format!("{sentence}. Parameter [{name}] is of type {kind}");
            error(codes::MAP_NOT_A_LIST, &format!("parameter {name} is not a list"), &sentence)
                .related(tree.span(parameter.key), "the parameter")
                .help(format!("declare it with `Type: CommaDelimitedList`, or write `!Split [\",\", !Ref {name}]`"))
        } else {
            let value = value.map_or_else(|| "AWS::NoValue".to_owned(), |value| shown_item(tree, value));
            let what = format!("the Collection of this Fn::Map is {value}");
            error(codes::MAP_NOT_A_LIST, &what, sentence)
                .help("write a list: `Collection: [a, b]`, or split a string with `Fn::Split`")
        };
        self.report_at(diagnostic, written)
    }

    /// Reports a `NoEcho` parameter: its value is never written, so no loop runs over it. `what` is the part that needs
    /// the value.
    pub(super) fn report_map_no_echo(&mut self, of: &Loop, at: NodeId, left: NodeId, what: &str) {
        let tree = &*self.ev.tree;
        let causes = blocker::blockers(tree, &self.ev.parameters, left);
        let name = causes.iter().find_map(|cause| match cause {
            Blocker::NoEcho(name) => Some(shown(tree.name(*name))),
            _ => None,
        });
        let name = name.unwrap_or_else(|| MASK.to_owned());
        let sentence = format!("Fn::Map Collection cannot reference the NoEcho parameter [{name}]");
        let diagnostic = error(codes::MAP_NO_ECHO, &format!("{what} the secret {name}"), &sentence)
            .related(tree.span(of.site), "the loop")
            .note(SECRET)
            .help(SECRET_HELP);
        self.report_at(diagnostic, at);
    }

    pub(super) fn report_unresolved(&mut self, of: &Loop, at: NodeId, left: NodeId, what: &str) {
        let causes = blocker::blockers(self.ev.tree, &self.ev.parameters, left);
        if is_secret(&causes) {
            return self.report_map_no_echo(of, at, left, "this Fn::Map needs");
        }
        let code = match causes.first() {
            Some(&Blocker::Parameter(parameter)) if !self.is_stored(parameter) => codes::VALUE_MISSING,
            _ => codes::MAP_UNRESOLVED,
        };
        if self.is_awaited_already(of, at, (code, &causes)) {
            return;
        }
        if let Some(diagnostic) = not_checked(self.ev, code, "this Fn::Map", &causes) {
            self.ev.has_missed_value = true;
            self.report_at(diagnostic, at);
            return;
        }
        let cause = reported(&causes);
        let Missing { name, help, .. } = Missing::of(self.ev, cause, false);
        let stored = match cause {
            Some(&Blocker::Parameter(parameter)) => Some((self.is_stored(parameter), self.missing_in_store(parameter))),
            _ => None,
        };
        let diagnostic = match stored {
            Some((false, _)) => Diagnostic::new(
                codes::VALUE_MISSING,
                format!("parameter {name} has no value, and Fn::Map needs it: `Parameters: [{name}] must have values`"),
            ),
            Some((true, Some(stored))) => Diagnostic::new(
                codes::NOT_IN_ACCOUNT,
                format!("the account data has no SSM parameter {stored}: `Unable to fetch parameters [{stored}] from parameter store for this account.`"),
            )
            .quoting(&format!("Parameter {name} should either have input value or default value"))
            .note("according to the account data passed with --account"),
            _ => {
                let sentence = format!("Fn::Map received a value which cannot be resolved: [{name}]");
                error(codes::MAP_UNRESOLVED, what, &sentence)
            }
        };
        self.report(diagnostic.at(self.ev.tree.span(at)).label("not known before deployment").help(help));
    }

    fn is_stored(&self, name: Symbol) -> bool {
        self.ev.template.parameter(name).is_some_and(|parameter| parameter.kind.is_ssm_value)
    }

    /// Returns the name that is missing in the SSM store, when account data has its content.
    fn missing_in_store(&self, name: Symbol) -> Option<String> {
        let stored = self.ev.parameters.get(name)?.stored.filter(|_| self.ev.facts.ssm.is_some())?;
        Some(shown(self.ev.tree.text_form(stored)))
    }
}

/// Describes a value in the wrong place, strings in quotes.
pub(super) fn shown_item(tree: &Tree, value: NodeId) -> String {
    match tree.string(value) {
        Some(text) => format!("the string \"{}\"", shown(text)),
        None => shown_value(tree, value),
    }
}
/// Returns the numbers of a range of other languages, such as `1..3`, if they are few.
fn numbers_of(text: &str) -> Option<Vec<String>> {
    const MOST: u32 = 10;
    let (first, last) = text.split_once("..")?;
    let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim_start_matches('.').trim().parse().ok()?);
    let is_short = last.checked_sub(first).is_some_and(|more| (1..MOST).contains(&more));
    is_short.then(|| (first..=last).map(|number| number.to_string()).collect())
}
