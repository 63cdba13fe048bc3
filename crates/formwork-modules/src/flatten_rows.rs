//! Rows of `Fn::Flatten`: its template with the variables of a row replaced (reference/modules/functions.md#flatten).

use formwork_base::codes;
use formwork_base::display::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Origin, Style};
use formwork_template::sub_string;
use formwork_template::sub_text::SubText;

use super::Linker;
use super::flatten::ScopedNode;
use super::instance::InstanceId;
use super::report::describe_kind;
use super::stop::Resolved;

impl Linker<'_> {
    pub(super) fn row(&mut self, template: NodeId, bound: &[(&str, NodeId)], place: ScopedNode) -> Resolved<NodeId> {
        let kind = self.tree.kind(template);
        match kind {
            Kind::String => return self.row_text(template, bound, place),
            Kind::Call => {
                let made = self.row_call(template, bound, place)?;
                return self.evaluate_known(made, place.scope);
            }
            Kind::List | Kind::Map => {}
            _ => return Ok(template),
        }
        let children = self.tree.children(template).into_iter();
        let made = children.map(|child| self.row(child, bound, place)).collect::<Resolved<Vec<NodeId>>>()?;
        let (style, origin) = (self.tree.style(template), Origin::Generated(place.node, place.frame));
        if kind == Kind::List {
            return Ok(self.tree.list(&made, style, origin));
        }
        let entries = self.tree.entries(template).zip(made);
        let entries: Vec<Entry> = entries.map(|(entry, value)| Entry { key: entry.key, value }).collect();
        Ok(self.tree.map(&entries, style, origin))
    }

    fn row_call(&mut self, call: NodeId, bound: &[(&str, NodeId)], place: ScopedNode) -> Resolved<NodeId> {
        let (function, argument) = self.tree.call(call);
        let argument = match self.tree.items(argument) {
            _ if function != Function::Known(Known::Sub) => self.row_part(argument, bound, place)?,
            _ if let Some((text, map)) = self.sub_argument(argument) => {
                let (text, variables) = self.row_string(text, map, bound, ScopedNode { in_sub: true, ..place })?;
                match variables {
                    None => text,
                    Some(variables) => {
                        let parts = [text, self.row_part(variables, bound, place)?];
                        if map.is_some() {
                            self.list_in_place(argument, &parts, place.frame)
                        } else {
                            self.tree.list(&parts, Style::Plain, Origin::Generated(place.node, place.frame))
                        }
                    }
                }
            }
            [] => self.row_part(argument, bound, ScopedNode { in_sub: true, ..place })?,
            &[text, ref rest @ ..] => {
                let rest = rest.to_vec();
                let mut items = vec![self.row_part(text, bound, ScopedNode { in_sub: true, ..place })?];
                for item in rest {
                    items.push(self.row_part(item, bound, place)?);
                }
                self.list_in_place(argument, &items, place.frame)
            }
        };
        Ok(self.call_in_place(call, argument, place.frame))
    }

    /// Replaces variables in a call, whose nested calls are not computed before they have their variables.
    fn row_part(&mut self, part: NodeId, bound: &[(&str, NodeId)], place: ScopedNode) -> Resolved<NodeId> {
        if self.tree.kind(part) == Kind::Call {
            self.row_call(part, bound, place)
        } else {
            self.row(part, bound, place)
        }
    }

    fn row_text(&mut self, node: NodeId, bound: &[(&str, NodeId)], place: ScopedNode) -> Resolved<NodeId> {
        self.row_string(node, None, bound, place).map(|(text, _)| text)
    }

    /// Replaces the variables of a string, and returns the variables of the `Fn::Sub` whose string it is.
    fn row_string(
        &mut self,
        node: NodeId,
        map: Option<NodeId>,
        bound: &[(&str, NodeId)],
        place: ScopedNode,
    ) -> Resolved<(NodeId, Option<NodeId>)> {
        let text = self.tree.text(node).to_owned();
        if !text.contains('$') {
            return Ok((node, map));
        }
        let mut made = SubText::default();
        let mut rest = text.as_str();
        while let Some((before, behind)) = rest.split_once('$') {
            made.push_literal(before);
            let (path, after) = path_at(behind);
            // A variable of Fn::Sub, or a literal of it.
            let is_own = |path: &str| bound.iter().any(|&(name, _)| path.split('.').next() == Some(name));
            if place.in_sub && behind.starts_with('{') && !is_own(path) {
                let end = (behind.len() - after.len()).max(1);
                for part in sub_string::parts(&rest[before.len()..=before.len() + end]) {
                    made.push(part);
                }
                rest = &behind[end..];
                continue;
            }
            if path.is_empty() {
                made.push_literal("$");
                rest = behind.strip_prefix('$').unwrap_or(behind);
                continue;
            }
            let value = self.bound_value(path, bound, node, place.scope)?;
            if made.as_str().is_empty() && after.is_empty() && !place.in_sub {
                return Ok((value, map));
            }
            if !self.tree.is_scalar(value) {
                let what = describe_kind(self.tree, value);
                let message = format!("${} is {what} and cannot be inserted into a string of Fn::Flatten", shown(path));
                let help = "refer to one of its properties, or use it as the whole value";
                return self.wrong(place.scope, self.error(codes::LOCAL_FUNCTION, node, message, help));
            }
            made.push_literal(self.tree.text_form(value));
            rest = after;
        }
        made.push_literal(rest);
        let origin = Origin::Generated(place.node, place.frame);
        let mut variables = map;
        if place.in_sub {
            made.finish();
            variables = made.with_dollar(self.tree, map, origin);
        }
        if made.as_str() == text {
            return Ok((node, variables));
        }
        self.charge(made.as_str().len(), node, place.scope)?;
        Ok((self.tree.computed(made.as_str(), origin), variables))
    }

    fn bound_value(&mut self, path: &str, bound: &[(&str, NodeId)], at: NodeId, scope: InstanceId) -> Resolved<NodeId> {
        let (name, rest) = path.split_once('.').unwrap_or((path, ""));
        let known = bound.iter().rfind(|(known, _)| *known == name);
        let value = known.and_then(|&(_, value)| self.hits(value, rest).first().copied());
        if let Some(value) = value {
            return Ok(value);
        }
        let what = if known.is_some() { "unknown key" } else { "unknown variable" };
        let message = format!("${} in Fn::Flatten cannot be resolved: {what}", shown(path));
        let help = "declare the variable under `Variables`; `$$` is a literal dollar sign";
        self.wrong(scope, self.error(codes::LOCAL_FUNCTION, at, message, help))
    }
}

/// Returns the path after a `$`, in braces or not, and the text after it.
fn path_at(text: &str) -> (&str, &str) {
    if let Some((inner, after)) = text.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
        return (inner.trim(), after);
    }
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(text.len());
    // A dot at the end is not part of the path.
    text.split_at(text[..end].trim_end_matches('.').len())
}
