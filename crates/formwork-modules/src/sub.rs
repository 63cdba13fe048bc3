//! Evaluation of `Fn::Sub` (reference/modules/references.md#sub): variables of the file become strings, references of
//! the result, or variables of a mapping.

use formwork_base::codes;
use formwork_base::display::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, NodeId, Origin, Style, View};
use formwork_template::reference;
use formwork_template::sub_string::{self, Part};
use formwork_template::sub_text::Filled;

use super::Linker;
use super::instance::InstanceId;
use super::lookup::LookupResult;
use super::meanings::TextPart;
use super::name_kind::NameKind;
use super::path;
use super::report::describe_kind;
use super::stop::{Resolved, Value};
use super::sub_variables::Sub;

impl Linker<'_> {
    #[inline(never)]
    pub(super) fn evaluate_sub(&mut self, call: NodeId, argument: NodeId, scope: InstanceId) -> Value {
        let Some((text, map)) = self.sub_argument(argument) else { return self.evaluate_other(call, scope) };
        let text_parts = self.text_parts(call, (text, map), scope)?;
        let made = Filled::default();
        let (variables, added, parts) = (Vec::new(), Vec::new(), Vec::new());
        let mut sub = Sub { call, text, map, scope, made, variables, added, parts, is_changed: false };
        for entry in map.map_or_else(Vec::new, |map| self.tree.entries(map).collect()) {
            let value = self.evaluate_kept(entry.value, scope)?;
            sub.is_changed |= value != entry.value;
            sub.variables.push(Entry { key: entry.key, value });
        }
        for part in text_parts.iter() {
            match part {
                TextPart::Text(rest) if rest.starts_with("${") && self.folds(scope) => {
                    return self.unclosed(text, rest, scope);
                }
                TextPart::Text(text) => sub.made.push(Part::Text(text)),
                TextPart::Literal(name) => sub.made.push(Part::Literal(name)),
                TextPart::Name(name, meaning) => self.named(name, meaning, &mut sub)?,
                TextPart::Constant(inserted) => sub.parts.push(*inserted),
            }
        }
        self.filled(sub)
    }

    /// Not inlined: calls are nested up to the limit, and the memory of a diagnostic would be on the stack for each.
    #[inline(never)]
    fn unclosed(&mut self, text: NodeId, rest: &str, scope: InstanceId) -> Value {
        let message = "a variable has no closing brace: `invalid string, unclosed variable`";
        let help = "add `}`, or write `$` alone for a literal dollar sign";
        let diagnostic = self
            .error(codes::SUB_VARIABLE, text, message, help)
            .note(format!("`{}` has no closing brace", shown(rest)));
        self.wrong(scope, diagnostic)
    }

    #[inline(never)]
    fn filled(&mut self, mut sub: Sub) -> Value {
        let Sub { call, scope, map, .. } = sub;
        let is_text = map.is_none() && sub.made.open == 0;
        // A body's string is computed after this stage, where a call around it may be kept as written.
        let is_done = sub.is_changed || is_text && self.folds(scope) && !self.values.modes.is_body;
        let parts = std::mem::take(&mut sub.parts);
        self.distinguish_variables(&mut sub);
        if sub.made.kept.has_dollars() && !is_text {
            let frame = self.values.frame(scope);
            let origin = Origin::Generated(call, self.frame_within(call, frame));
            let variables = std::mem::take(&mut sub.variables);
            sub.variables = sub.made.kept.add_dollar(self.tree, variables, origin);
        }
        let made = if is_done { self.built(&sub, is_text)? } else { call };
        // Constant variables of a mapping are inserted into the string.
        let value = if map.is_some() && self.folds(scope) { self.fold(made, scope) } else { Some(made) };
        if let Some(value) = value.filter(|_| is_done && !parts.is_empty()) {
            let argument = self.tree.argument_of(value, Known::Sub).unwrap_or(value);
            self.emitted.result.parts.insert(reference::sub_parts(self.tree, argument).0, parts);
        }
        Ok(value)
    }

    #[inline(never)]
    fn named(&mut self, name: &str, meaning: &NameKind, sub: &mut Sub) -> Resolved<()> {
        let is_own = || sub.map.is_some_and(|map| self.tree.get_text(map, name).is_some());
        if matches!(meaning, NameKind::Pseudo) || is_own() {
            sub.made.push(Part::Variable(name));
            return Ok(());
        }
        let found = match self.meant(meaning, sub.scope, sub.text)? {
            Some(found) => found,
            None => self.look_up(&path::parse(name), sub.scope, sub.text)?,
        };
        self.add_found(found, name, sub)
    }

    fn add_found(&mut self, found: LookupResult, name: &str, sub: &mut Sub) -> Resolved<()> {
        match found {
            LookupResult::Nothing => sub.made.push(Part::Variable(name)),
            LookupResult::One(target) => {
                let kept = target.written();
                sub.is_changed |= kept != name;
                self.insert_reference(&kept, sub);
            }
            LookupResult::Value(inserted) => {
                if !self.values.undecided.is_empty() {
                    let import = path::parse(name).head;
                    self.check_decided(inserted.value, import, name, sub.text, sub.scope)?;
                }
                sub.is_changed = true;
                sub.parts.push(inserted);
                return self.insert(inserted.value, name, sub);
            }
            LookupResult::Many(_) => return self.no_text("a list", name, sub),
        }
        Ok(())
    }

    fn insert(&mut self, value: NodeId, name: &str, sub: &mut Sub) -> Resolved<()> {
        if self.tree.is_scalar(value) {
            sub.made.push_value(self.tree.text_form(value));
            return Ok(());
        }
        if self.values.split.all.contains(&value) {
            let items = self.tree.items(value).iter();
            let text = items.map(|&item| self.tree.text_form(item)).collect::<Vec<_>>().join(",");
            sub.made.push_value(&text);
            return Ok(());
        }
        let View::Call(function, argument) = self.tree.view(value) else {
            return self.no_text(&describe_kind(self.tree, value), name, sub);
        };
        match (function, self.tree.string(argument)) {
            (Function::Known(Known::Ref), Some(target)) => {
                let target = target.to_owned();
                self.insert_reference(&target, sub);
            }
            (Function::Known(Known::Sub), Some(text)) => {
                let text = text.to_owned();
                for part in sub_string::parts(&text) {
                    match part {
                        Part::Variable(target) => self.insert_reference(target, sub),
                        part => sub.made.push(part),
                    }
                }
            }
            (Function::Known(Known::GetAtt), _)
                if let Some((id, Some(attribute), _)) = reference::get_att(self.tree, argument) =>
            {
                let target = [id, ".", attribute].concat();
                self.insert_reference(&target, sub);
            }
            _ => self.insert_variable(value, name, sub),
        }
        Ok(())
    }

    fn no_text(&mut self, what: &str, name: &str, sub: &Sub) -> Resolved<()> {
        let import = shown(&self.scope_name(sub.scope));
        let message = format!("{} is {what}: `Sub expected a string in {import}`", shown(name));
        let help = "refer to one of its keys, or use the value outside Fn::Sub";
        let diagnostic = self.error(codes::SUB_VARIABLE, sub.text, message, help);
        self.wrong(sub.scope, diagnostic.note("only a string can be inserted into a string"))
    }

    fn built(&mut self, sub: &Sub, is_text: bool) -> Resolved<NodeId> {
        let Sub { call, map, ref variables, .. } = *sub;
        let (text, place) = if is_text { (sub.made.plain.as_str(), call) } else { (sub.made.kept.as_str(), sub.text) };
        self.charge(text.len(), call, sub.scope)?;
        let frame = self.values.frame(sub.scope);
        let made = self.text_in_place(place, text, frame);
        if is_text {
            return Ok(made);
        }
        let argument = match map {
            _ if variables.is_empty() => made,
            Some(map) => {
                let (style, inner) = (self.tree.style(map), self.frame_within(map, frame));
                let map = self.tree.map(variables, style, Origin::Generated(map, inner));
                self.list_in_place(self.tree.call(call).1, &[made, map], frame)
            }
            None => {
                let inner = self.frame_within(call, frame);
                let map = self.tree.map(variables, Style::Plain, Origin::Generated(call, inner));
                self.tree.list(&[made, map], Style::Plain, Origin::Generated(sub.text, inner))
            }
        };
        Ok(self.call_in_place(call, argument, frame))
    }
}
