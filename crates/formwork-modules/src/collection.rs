//! The items of a `ForEach` (reference/modules/copies.md#foreach).

use formwork_base::display::shown;
use formwork_base::{Advice, Diagnostic, Severity, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId};
use formwork_template::{PseudoParameter, parameter_option};

use super::Linker;
use super::instance::InstanceId;
use super::items::Item;
use super::report::describe_kind;
use super::stop::Resolved;

impl Linker<'_> {
    pub(super) fn items(&mut self, name: &str, collection: NodeId, scope: InstanceId) -> Resolved<Vec<Item>> {
        let Some(written) = self.without_loops(collection, scope)? else { return Ok(Vec::new()) };
        let known = self.evaluate_root_value(written, &format!("{name} ForEach"), scope)?;
        let known = if self.tree.kind(known) == Kind::String { self.split_at_commas(known) } else { known };
        let item = |Entry { key, value }: Entry| {
            let (identifier, place) = (self.tree.text(key).to_owned(), self.tree.span(key));
            Item { identifier, value, place }
        };
        let items = match self.tree.kind(known) {
            Kind::List if self.is_empty_text(known) => Vec::new(),
            Kind::List => self.list_items(name, known, collection, scope)?,
            Kind::Map => self.tree.entries(known).map(item).collect(),
            _ => return self.invalid(name, known, collection, scope),
        };
        self.check_identifiers(name, &items, collection, scope)?;
        self.values.usage.copies += items.len() as u64;
        let most = self.limits.module_copies;
        if self.values.usage.copies > most {
            return self.stop(scope, collection, &format!("all ForEach in total generate more than {most} instances"));
        }
        Ok(items)
    }

    fn list_items(&mut self, name: &str, list: NodeId, collection: NodeId, scope: InstanceId) -> Resolved<Vec<Item>> {
        let what = format!("{name} ForEach");
        let mut items = Vec::with_capacity(self.tree.len(list));
        for (index, node) in self.tree.items(list).to_vec().into_iter().enumerate() {
            let place = self.tree.span(node);
            let value = self.computed_root_value(node, &what, node, scope)?;
            let is_object = self.tree.kind(value) == Kind::Map;
            let identifier = if is_object { self.tree.get_text(value, "Identifier") } else { Some(value) };
            let Some(identifier) = identifier else {
                let name = shown(name);
                let message = format!(
                    "an item of a ForEach has no Identifier: `{name} ForEach list item at index {index} is missing required 'Identifier' property`"
                );
                let help = "add an Identifier to each item: `Identifier: ...`";
                return self.wrong(scope, self.error(codes::MODULE_FOR_EACH, node, message, help));
            };
            let known = self.computed_root_value(identifier, &what, node, scope)?;
            if !self.tree.is_scalar(known) {
                return self.invalid(name, known, collection, scope);
            }
            items.push(Item { identifier: self.tree.text_form(known).to_owned(), value, place });
        }
        Ok(items)
    }

    fn check_identifiers(&mut self, name: &str, items: &[Item], collection: NodeId, scope: InstanceId) -> Resolved<()> {
        let mut seen = rustc_hash::FxHashSet::default();
        let Some(twice) = items.iter().find(|item| !seen.insert(item.identifier.as_str())) else { return Ok(()) };
        let message = format!("duplicate item [{}] in the ForEach of {}", shown(name), shown(&twice.identifier));
        let diagnostic = Diagnostic::new(codes::MODULE_FOR_EACH, message)
            .at(twice.place)
            .related(self.tree.span(collection), "the collection")
            .note("each item is addressed by its identifier, which must be unique")
            .help("remove or rename one of the two");
        self.wrong(scope, diagnostic)
    }

    fn option_of(&self, target: &str, is_list: bool) -> Option<String> {
        if self.settings.value_missing == Severity::Error {
            return None;
        }
        if let Some(pseudo) = PseudoParameter::from_name(target) {
            return Some(pseudo.option());
        }
        let parameter = self.template.parameter(self.tree.symbols().get(target)?)?;
        (!parameter.no_echo).then(|| parameter_option(&shown(target), is_list))
    }

    fn invalid<T>(&mut self, name: &str, value: NodeId, collection: NodeId, scope: InstanceId) -> Resolved<T> {
        let name = shown(name);
        let missing = || self.referred_parameter(value, |bound| bound.value.is_none());
        let target = self.tree.argument_of(value, Known::Ref).and_then(|target| self.tree.string(target));
        let is_list = target.is_some();
        let target = target.or_else(|| missing().map(|name| self.tree.name(name)));
        if let Some(option) = target.and_then(|target| self.option_of(target, is_list)) {
            let help = pass_advice(target.unwrap_or_default(), &option);
            let diagnostic =
                Diagnostic::not_checked(codes::MODULE_FOR_EACH, &format!("the ForEach of {name}"), &option)
                    .at(self.tree.span(collection))
                    .severity(Severity::Warning)
                    .help(help);
            self.emitted.result.is_incomplete = true;
            return self.wrong(scope, diagnostic.note("the number of instances depends on it, and it has no value"));
        }
        let (message, note, help) = if let Some(target) = target {
            let target = shown(target);
            let message = format!(
                "the items of {name} are not known before deployment: `{name} has an invalid ForEach Ref: {target}`"
            );
            let pseudo = PseudoParameter::from_name(&target);
            let option = pseudo.map_or_else(|| parameter_option(&target, is_list), PseudoParameter::option);
            let help = pass_advice(&target, &option);
            (message, "the number of instances must be known before deployment", help)
        } else {
            let what = describe_kind(self.tree, value);
            let message = format!(
                "the items of {name} come from {what}: `{name} has an invalid ForEach value: must be a string, map, or list`"
            );
            let help = "write a list, a map, or a string with commas between the items".into();
            (message, "the values of a loop must be known before deployment", help)
        };
        self.wrong(scope, self.error(codes::MODULE_FOR_EACH, collection, message, help).note(note))
    }
}

fn pass_advice(name: &str, option: &str) -> Advice {
    if PseudoParameter::from_name(name).is_some() {
        return Advice { text: format!("pass it with `{option}`"), passes_value: false };
    }
    Advice::to_pass_value(format!("pass it with `{option}`, or add a Default to the parameter"))
}
