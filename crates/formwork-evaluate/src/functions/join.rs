//! `Fn::Join`: `AWS::NoValue` items are removed; an unknown item keeps the call (reference/functions.md#join).

use formwork_base::Diagnostic;
use formwork_base::display::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, View};
use formwork_template::PseudoParameter;

use crate::evaluator::Evaluator;
use crate::outcome::Outcome;

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    let &[delimiter, list] = ev.tree.items(argument) else {
        let diagnostic = ev.layout(call, Known::Join, "Fn::Join takes a delimiter and a list");
        return ev.wrong(diagnostic);
    };
    if !ev.tree.is_scalar(delimiter) {
        let diagnostic = ev.layout(call, Known::Join, "the delimiter of Fn::Join is not a string");
        return ev.wrong(diagnostic);
    }
    if let Some(diagnostic) = list_element(ev, call, list) {
        return ev.wrong(diagnostic);
    }
    let joined = match ev.tree.kind(list) {
        Kind::List | Kind::Call => ev.resolve(list),
        _ => {
            let diagnostic = ev.layout(call, Known::Join, "the second argument of Fn::Join is not a list");
            return ev.wrong(diagnostic);
        }
    };
    match joined {
        Outcome::Known(items) | Outcome::Secret { value: items, .. } => {
            if ev.tree.kind(items) != Kind::List || !ev.tree.items(items).iter().all(|&item| ev.tree.is_scalar(item)) {
                let diagnostic = ev.layout(call, Known::Join, "Fn::Join joins a list of strings");
                return if ev.tree.kind(list) == Kind::Call { ev.fail(call, diagnostic) } else { ev.wrong(diagnostic) };
            }
            let Some(text) = join(ev, delimiter, items, call) else { return Outcome::Poison };
            let in_place = ev.text_in_place(&text, call);
            let Outcome::Known(value) = in_place else { return in_place };
            match joined {
                Outcome::Secret { kept, .. } => Outcome::Secret { value, kept: rebuilt(ev, call, argument, kept) },
                _ => Outcome::Known(value),
            }
        }
        Outcome::Residual(items) => {
            // Known elements are checked although others are not known.
            let elements = ev.tree.items(items);
            let is_element = |&element: &NodeId| ev.tree.is_scalar(element) || ev.tree.kind(element) == Kind::Call;
            if !elements.iter().all(is_element) {
                let diagnostic = ev.layout(call, Known::Join, "Fn::Join joins a list of strings");
                // As where all elements are known: a computed one is written as a list, in any branch.
                return if ev.tree.kind(list) == Kind::Call { ev.fail(call, diagnostic) } else { ev.wrong(diagnostic) };
            }
            // A computed element is checked as a written one.
            if let Some(diagnostic) = list_element(ev, call, items) {
                return ev.fail(call, diagnostic);
            }
            Outcome::Residual(rebuilt(ev, call, argument, items))
        }
        Outcome::Omit(_) => {
            let diagnostic = ev.layout(call, Known::Join, "the list of Fn::Join is AWS::NoValue");
            ev.fail(call, diagnostic)
        }
        Outcome::Poison => Outcome::Poison,
    }
}

fn list_element(ev: &Evaluator<'_>, call: NodeId, list: NodeId) -> Option<Diagnostic> {
    let item = ev.tree.items(list).iter().copied().find(|&item| returns_list(ev, item))?;
    let name = ev.tree.function_name(ev.tree.call(item).0);
    let what = format!("an element of the list of Fn::Join is a list: {name} does not return a string");
    let diagnostic = ev.layout(call, Known::Join, &what);
    let Some(name) = ev.tree.argument_of(item, Known::Ref) else { return Some(diagnostic) };
    let name = shown(ev.tree.text(name));
    Some(diagnostic.help(format!("join that list on its own: `Fn::Join: [\",\", {{Ref: {name}}}]`")))
}

/// Returns `true` if a call returns a list whatever the values are: elements to join must be strings
/// (reference/functions.md#layout).
fn returns_list(ev: &Evaluator<'_>, node: NodeId) -> bool {
    match ev.tree.view(node) {
        View::Call(Function::Known(Known::Ref), name) => {
            let name = ev.tree.string(name).and_then(|name| ev.tree.symbols().get(name));
            let parameter = name.and_then(|name| ev.template.parameter(name));
            parameter.is_some_and(|parameter| parameter.kind.is_list)
                || ev.tree.string(ev.tree.call(node).1) == Some(PseudoParameter::NotificationArns.name())
        }
        View::Call(Function::Known(Known::Split | Known::Cidr | Known::GetAZs), _) => true,
        _ => false,
    }
}

fn join(ev: &mut Evaluator<'_>, delimiter: NodeId, items: NodeId, call: NodeId) -> Option<String> {
    let delimiter = ev.tree.text_form(delimiter);
    let items = ev.tree.items(items);
    let size = items.iter().map(|&item| ev.tree.text_form(item).len() + delimiter.len()).sum::<usize>();
    if size as u64 > ev.settings.limits.text_bytes {
        ev.charge(size as u64, call);
        return None;
    }
    let mut text = String::with_capacity(size);
    for (at, &item) in items.iter().enumerate() {
        if at > 0 {
            text.push_str(delimiter);
        }
        text.push_str(ev.tree.text_form(item));
    }
    Some(text)
}

fn rebuilt(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId, items: NodeId) -> NodeId {
    let delimiter = ev.tree.items(argument)[0];
    let list = ev.list_like(argument, &[delimiter, items]);
    ev.kept(call, list)
}
