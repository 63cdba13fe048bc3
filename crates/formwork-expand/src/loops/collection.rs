//! The items of a loop (reference/for-each.md#collection).

use formwork_base::{Diagnostic, Severity, Span, codes, suggest};
use formwork_evaluate::blocker::{self, Blocker};
use formwork_evaluate::stage::{Cause, Fixed};
use formwork_evaluate::{Compat, LeftLoops, Outcome, Sight, shown_value, transform_note};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, Origin, Tree, symbol};
use formwork_template::{artifact, dynamic_reference};

use super::Expander;
use super::unchecked::not_checked;

/// An item of a loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// Its text, a node of kind String; or a list or object, where only this engine runs the loop.
    pub(super) value: NodeId,
    /// The key of an object's member, a text.
    pub(super) member: Option<NodeId>,
    /// Where it stands.
    pub(super) place: Span,
}

const ITEMS: &str = "items are text, numbers or truth values";
const UNRESOLVED: &str = "Could not find a collection or could not be resolved for Fn::ForEach";

impl Expander<'_, '_> {
    /// The items of a loop; `None` when there are none to be had, which was reported.
    pub(super) fn items(&mut self, key: NodeId, name: &str, collection: NodeId) -> Option<Vec<Item>> {
        let constant = !self.uses.varies(collection);
        if constant && let Some(known) = self.collections.get(&collection) {
            return known.clone();
        }
        let node = self.instantiate(collection).unwrap_or(collection);
        self.ev.looks.clear();
        let items = self.ev.with_sight(Sight::Full, |ev| ev.strictly(|ev| evaluate(ev, key, name, collection, node)));
        if std::mem::take(&mut self.ev.has_missed_value) {
            self.unchecked.insert(collection);
        }
        for look in std::mem::take(&mut self.ev.looks).into_iter().filter(|_| items.is_some()) {
            Fixed::add(&mut self.fixed, look, Cause::Loop(name.to_owned()));
        }
        if items.as_ref().is_some_and(Vec::is_empty) {
            let span = self.ev.tree.span(key);
            let diagnostic = Diagnostic::new(
                codes::EMPTY_COLLECTION,
                format!("loop {} has no items and makes nothing", shown(name)),
            )
            .at(span);
            self.report(diagnostic);
        }
        if constant {
            self.collections.insert(collection, items.clone());
        }
        items
    }

    /// Whether a loop stays for the service: SAM's guide says so of one over a parameter that is not
    /// declared, packaging of one in which no local file is named.
    pub(super) fn is_left_for_service(&mut self, entry: Entry, name: &str, collection: NodeId) -> bool {
        let left = self.ev.settings.left_loops;
        let stays = left != LeftLoops::None && !names_local_file(self.ev.tree, entry.value);
        if stays && left == LeftLoops::Unknown && self.is_left_unknown(entry, name, collection) {
            return true;
        }
        if self.ev.settings.compat != Compat::Sam && !stays {
            return false;
        }
        let Some(target) =
            self.ev.tree.argument_of(collection, Known::Ref).and_then(|target| self.ev.tree.string(target))
        else {
            return false;
        };
        if self.binding_named(target)
            || self.ev.tree.symbols().get(target).is_some_and(|symbol| self.ev.parameters.get(symbol).is_some())
        {
            return false;
        }
        let message = format!(
            "Fn::ForEach::{} stays: its collection refers to {}, which is not declared",
            shown(name),
            shown(target)
        );
        let span = self.ev.tree.span(entry.key);
        self.report(
            Diagnostic::new(codes::COLLECTION, message)
                .severity(Severity::Warning)
                .at(span)
                .note("the service will refuse it"),
        );
        true
    }

    /// A loop of a nested stack whose items are known only when it is deployed.
    fn is_left_unknown(&mut self, entry: Entry, name: &str, collection: NodeId) -> bool {
        let node = self.instantiate(collection).unwrap_or(collection);
        let outcome = self.ev.with_sight(Sight::Full, |ev| ev.strictly(|ev| ev.resolve_silently(node)));
        if !matches!(outcome, Outcome::Residual(_)) {
            return false;
        }
        let span = self.ev.tree.span(entry.key);
        self.report(
            Diagnostic::new(
                codes::COLLECTION,
                format!("Fn::ForEach::{} stays: its collection is not known", shown(name)),
            )
            .severity(Severity::Warning)
            .at(span)
            .note("no local file is named in it, so there is nothing to upload")
            .help("give the nested stack a value for it that is known before deployment"),
        );
        true
    }

    fn binding_named(&self, name: &str) -> bool {
        self.bindings.iter().any(|binding| *binding.name == *name)
    }
}

/// Whether a resource in the parts of a loop names a local file, or the folder of the template by naming
/// nothing.
fn names_local_file(tree: &Tree, node: NodeId) -> bool {
    match tree.kind(node) {
        Kind::List => tree.items(node).iter().any(|&item| names_local_file(tree, item)),
        Kind::Map => {
            let kind = tree.get(node, symbol::TYPE).and_then(|kind| tree.string(kind)).unwrap_or_default();
            artifact::of_type(kind).any(|artifact| artifact::may_be_local(tree, node, artifact))
                || tree.entries(node).any(|entry| names_local_file(tree, entry.value))
        }
        _ => false,
    }
}

type Ev<'a, 'e> = &'a mut formwork_evaluate::Evaluator<'e>;

fn evaluate(ev: Ev<'_, '_>, key: NodeId, name: &str, written: NodeId, node: NodeId) -> Option<Vec<Item>> {
    match ev.tree.kind(node) {
        Kind::List => literal(ev, key, name, node),
        Kind::Map if ev.template.declares_formwork() => object(ev, key, name, node),
        Kind::Call => computed(ev, key, name, written, node),
        Kind::String => {
            report_dynamic(ev, name, node)?;
            let what = format!("the collection of loop {} is a text, not a list", shown(name));
            let diagnostic = layout(name, &what).at(ev.tree.span(node));
            report(ev, diagnostic.help("write a list: `[a, b]`, or refer to a parameter of type CommaDelimitedList"));
            None
        }
        _ => {
            let what = format!("the collection of loop {} is {}", shown(name), shown_value(ev.tree, node));
            let diagnostic = unresolved(&what).at(ev.tree.span(node));
            report(ev, diagnostic.help("write a list: `[a, b]`"));
            None
        }
    }
}

/// A list that is written out: every item gives one text.
fn literal(ev: Ev<'_, '_>, key: NodeId, name: &str, list: NodeId) -> Option<Vec<Item>> {
    let written = ev.tree.items(list).to_vec();
    let mut items = Some(Vec::with_capacity(written.len()));
    for node in written {
        let place = ev.tree.span(node);
        let value = match ev.resolve(node) {
            Outcome::Omit(_) => continue,
            Outcome::Known(value) => value,
            Outcome::Secret { .. } => {
                report_no_echo(ev, key, name, node);
                items = None;
                continue;
            }
            Outcome::Residual(left) => {
                report_unresolved(ev, key, name, node, left);
                items = None;
                continue;
            }
            Outcome::Poison => {
                items = None;
                continue;
            }
        };
        match text(ev, value) {
            Some(value) if report_dynamic(ev, name, value).is_some() => {
                if let Some(items) = &mut items {
                    items.push(Item { value, member: None, place });
                }
            }
            Some(_) => items = None,
            None => {
                let what = format!("an item of loop {} is {}", shown(name), shown_value(ev.tree, value));
                let diagnostic = unresolved(&what).at(place).note(ITEMS).help("write each item as a text");
                report(ev, diagnostic);
                items = None;
            }
        }
    }
    items
}

/// An object: its members in order.
fn object(ev: Ev<'_, '_>, key: NodeId, name: &str, map: NodeId) -> Option<Vec<Item>> {
    let entries: Vec<Entry> = ev.tree.entries(map).collect();
    let values: Vec<NodeId> = entries.iter().map(|entry| entry.value).collect();
    let mut items = Vec::with_capacity(values.len());
    for (entry, value) in entries.into_iter().zip(values) {
        let (style, origin) = (formwork_syntax::Style::Flow, Origin::Made(value, formwork_syntax::FrameId::NONE));
        let single = ev.tree.list(&[value], style, origin);
        for item in literal(ev, key, name, single)? {
            let text = ev.tree.text(entry.key).to_owned();
            let member = ev.tree.computed(&text, Origin::Made(entry.key, formwork_syntax::FrameId::NONE));
            items.push(Item { member: Some(member), ..item });
        }
    }
    Some(items)
}

/// A function that gives a list.
fn computed(ev: Ev<'_, '_>, key: NodeId, name: &str, written: NodeId, node: NodeId) -> Option<Vec<Item>> {
    let list = match ev.resolve(node) {
        Outcome::Known(list) => list,
        Outcome::Secret { .. } => {
            report_no_echo(ev, key, name, node);
            return None;
        }
        Outcome::Residual(left) => {
            report_unresolved(ev, key, name, node, left);
            return None;
        }
        Outcome::Omit(_) => {
            let what = format!("the collection of loop {} is AWS::NoValue", shown(name));
            let diagnostic = unresolved(&what).at(ev.tree.span(node)).help("write `[]` for a loop without items");
            report(ev, diagnostic);
            return None;
        }
        Outcome::Poison => return None,
    };
    if ev.tree.kind(list) == Kind::String {
        report_dynamic(ev, name, list)?;
        let what = format!("the collection of loop {} gives a text, not a list", shown(name));
        let diagnostic = layout(name, &what).at(ev.tree.span(node));
        report(ev, diagnostic.help("use a parameter of type CommaDelimitedList, or `Fn::Split`"));
        return None;
    }
    if ev.tree.kind(list) == Kind::Map && ev.template.declares_formwork() {
        return object(ev, key, name, list);
    }
    if ev.tree.kind(list) != Kind::List {
        let what = format!("the collection of loop {} gives {}", shown(name), shown_value(ev.tree, list));
        let diagnostic =
            unresolved(&what).at(ev.tree.span(node)).help("use a parameter of type CommaDelimitedList, or `Fn::Split`");
        report(ev, diagnostic);
        return None;
    }
    if ev.parameters.is_empty_text(ev.tree, list) && ev.settings.compat != Compat::Aws {
        return Some(Vec::new());
    }
    // A parameter's items stand in its value, those of a list that was worked out in the loop.
    let of_parameter = ev.tree.argument_of(written, Known::Ref).is_some();
    let place = ev.tree.span(written);
    let mut items = Vec::with_capacity(ev.tree.len(list));
    for item in ev.tree.items(list).to_vec() {
        let Some(value) = text(ev, item) else {
            let what = format!("an item of loop {} is {}", shown(name), shown_value(ev.tree, item));
            let diagnostic =
                unresolved(&what).at(ev.tree.span(node)).note(ITEMS).help("write a list of texts: `[a, b]`");
            report(ev, diagnostic);
            return None;
        };
        report_dynamic(ev, name, value)?;
        let own = ev.tree.span(item);
        items.push(Item { value, member: None, place: if of_parameter { own } else { place } });
    }
    Some(items)
}

/// The text of an item: numbers by their source text, truth values as `true` and `false`. Lists and
/// objects are items where the template declares it.
fn text(ev: Ev<'_, '_>, node: NodeId) -> Option<NodeId> {
    match ev.tree.kind(node) {
        Kind::String => Some(node),
        Kind::Number | Kind::Bool => {
            let text = ev.tree.text_form(node).to_owned();
            Some(ev.tree.computed(&text, Origin::Made(node, formwork_syntax::FrameId::NONE)))
        }
        Kind::List | Kind::Map if ev.template.declares_formwork() => Some(node),
        _ => None,
    }
}

fn layout(name: &str, what: &str) -> Diagnostic {
    super::check::layout(name, what)
}

fn unresolved(what: &str) -> Diagnostic {
    Diagnostic::new(codes::COLLECTION, format!("{what}: `{UNRESOLVED}`")).note(transform_note(UNRESOLVED))
}

/// Dynamic references are resolved at deployment, after loops. `None` when one was reported.
fn report_dynamic(ev: Ev<'_, '_>, name: &str, node: NodeId) -> Option<()> {
    let text = ev.tree.string(node).unwrap_or_default();
    let Some(found) = dynamic_reference::find(text).map(shown) else { return Some(()) };
    let what = format!("loop {} runs over {found}, which is read at deployment", shown(name));
    let diagnostic =
        unresolved(&what).at(ev.tree.span(node)).help("pass the items in a parameter of type CommaDelimitedList");
    report(ev, diagnostic);
    None
}

fn report_no_echo(ev: Ev<'_, '_>, key: NodeId, name: &str, node: NodeId) {
    let causes = ev.tree.argument_of(node, Known::Ref).map(|target| shown(ev.tree.text(target)));
    let which = causes.map_or_else(|| "a NoEcho parameter".into(), |name| format!("the NoEcho parameter {name}"));
    let what = format!("loop {} runs over {which}", shown(name));
    let diagnostic = unresolved(&what)
        .at(ev.tree.span(node))
        .related(ev.tree.span(key), "the loop")
        .note("the items would stand in the output, and the value of a NoEcho parameter is never written")
        .help("remove NoEcho from the parameter, or loop over another one");
    report(ev, diagnostic);
}

fn report_unresolved(ev: Ev<'_, '_>, key: NodeId, name: &str, node: NodeId, left: NodeId) {
    let causes = blocker::blockers(ev.tree, &ev.parameters, left);
    if causes.iter().any(|cause| matches!(cause, Blocker::NoEcho(_))) {
        return report_no_echo(ev, key, name, node);
    }
    let name = shown(name);
    if let Some(diagnostic) = not_checked(ev, codes::COLLECTION, &format!("loop {name}"), &causes) {
        report(ev, diagnostic.at(ev.tree.span(node)).related(ev.tree.span(key), "the loop"));
        ev.has_missed_value = true;
        return;
    }
    let cause = causes.iter().find(|cause| !cause.is_value()).or(causes.first());
    let mut diagnostic = match cause {
        Some(Blocker::Parameter(parameter)) => {
            let parameter = shown(ev.tree.name(*parameter));
            let is_stored = ev.template.parameters.iter().any(|known| known.kind.is_ssm_value && shown(ev.tree.name(known.name)) == parameter);
            let diagnostic = unresolved(&format!("loop {name} runs over parameter {parameter}, which has no value"));
            if is_stored {
                diagnostic.note("the parameter names an SSM parameter, and its stored value is not known").help("give account data with `--account FILE`, member SsmParameters")
            } else {
                diagnostic.help(format!("give it with `--parameter-overrides {parameter}=a,b`, or give the parameter a Default"))
            }
        }
        Some(Blocker::Pseudo(pseudo)) => {
            let pseudo = ev.tree.name(*pseudo);
            let option = formwork_template::PseudoParameter::from_name(pseudo).map(formwork_template::PseudoParameter::option).unwrap_or_default();
            unresolved(&format!("loop {name} runs over {pseudo}, which has no value")).help(format!("give it with `{option}`"))
        }
        Some(Blocker::Condition(condition)) => {
            unresolved(&format!("loop {name} depends on condition {}, which is not decided", shown(ev.tree.name(*condition))))
                .help("give values to the parameters that the condition compares")
        }
        Some(Blocker::Resource(target)) => {
            let names: Vec<&str> = ev.template.parameters.iter().map(|parameter| ev.tree.name(parameter.name)).collect();
            let diagnostic = unresolved(&format!("loop {name} runs over {}, which is no parameter", shown(target)));
            match suggest::nearest(target, names) {
                Some(near) => {
                    let diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
                    let name = ev.tree.argument_of(node, Known::Ref).filter(|&name| ev.tree.string(name) == Some(target));
                    match name {
                        Some(name) => diagnostic.fix("change the name", ev.tree.span(name), near),
                        None => diagnostic,
                    }
                }
                None => diagnostic.help("refer to a parameter of type CommaDelimitedList"),
            }
        }
        Some(Blocker::Attribute(attribute)) => {
            unresolved(&format!("loop {name} runs over {}, which exists only after deployment", shown(attribute)))
                .note("SAM CLI says `Unable to resolve Fn::ForEach collection locally. The collection uses 'Fn::GetAtt' which requires deployed resources`")
                .help("pass the items in a parameter of type CommaDelimitedList")
        }
        Some(Blocker::Function(function)) => {
            unresolved(&format!("loop {name} runs over {}, which is known only at deployment", shown(function)))
                .help("pass the items in a parameter of type CommaDelimitedList")
        }
        _ => unresolved(&format!("the collection of loop {name} is not known"))
            .help("pass the items in a parameter of type CommaDelimitedList"),
    };
    diagnostic =
        diagnostic.at(ev.tree.span(node)).label("not known before deployment").related(ev.tree.span(key), "the loop");
    report(ev, diagnostic);
}

fn report(ev: Ev<'_, '_>, diagnostic: Diagnostic) {
    ev.report_here(diagnostic);
}
