//! Names of variables that `Fn::Sub` gets for calls in its string, and references with the name of a variable
//! (reference/modules/references.md#sub).

use formwork_syntax::function::Known;
use formwork_syntax::{Entry, NodeId, Origin, Style};
use formwork_template::sub_string::{self, Part};
use formwork_template::sub_text::Filled;
use rustc_hash::FxHashSet;

use super::Linker;
use super::instance::InstanceId;
use super::lookup::Inserted;

pub(super) struct Sub {
    pub(super) call: NodeId,
    pub(super) text: NodeId,
    pub(super) map: Option<NodeId>,
    pub(super) scope: InstanceId,
    pub(super) made: Filled,
    pub(super) variables: Vec<Entry>,
    /// Variables that the written mapping does not have.
    pub(super) added: Vec<Added>,
    pub(super) parts: Vec<Inserted>,
    pub(super) is_changed: bool,
}

pub(super) struct Added {
    variable: usize,
    /// Offset of its `${` in the string.
    offset: usize,
}

impl Linker<'_> {
    /// Appends a reference of the result: `id` or `id.attribute`. If a variable of the mapping has the same name, the
    /// reference becomes a variable of its own.
    pub(super) fn insert_reference(&mut self, target: &str, sub: &mut Sub) {
        let name = target.trim();
        let is_variable = sub.map.is_some_and(|map| self.tree.get_text(map, name).is_some());
        if !is_variable {
            return sub.made.push(Part::Variable(target));
        }
        sub.is_changed = true;
        let frame = self.frame_at(sub.call, sub.scope);
        let origin = Origin::Generated(sub.call, frame);
        let (known, argument) = match name.split_once('.') {
            Some((id, attribute)) => {
                let parts = [id, attribute].map(|part| self.tree.computed(part, origin));
                (Known::GetAtt, self.tree.list(&parts, Style::Flow, origin))
            }
            None => (Known::Ref, self.tree.computed(name, origin)),
        };
        let value = self.call_made(known, argument, sub.call, frame);
        self.insert_variable(value, name, sub);
    }

    pub(super) fn insert_variable(&mut self, value: NodeId, name: &str, sub: &mut Sub) {
        let base: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let variable =
            fresh(&base, |name| name.is_empty() || sub.variables.iter().any(|own| self.tree.text(own.key) == name));
        let frame = self.frame_at(sub.call, sub.scope);
        let value = self.tree.stand_in(value, sub.call, frame);
        let key = self.tree.key(&variable, Style::Plain, Origin::Generated(sub.call, frame));
        sub.made.push(Part::Variable(&variable));
        let offset = sub.made.kept.as_str().len() - Part::Variable(&variable).plain_len();
        sub.added.push(Added { variable: sub.variables.len(), offset });
        sub.variables.push(Entry { key, value });
    }

    /// Renames added variables with the name of something else in the string, which is known when it is complete.
    pub(super) fn distinguish_variables(&mut self, sub: &mut Sub) {
        sub.made.kept.finish();
        if sub.added.is_empty() {
            return;
        }
        let (mut offset, mut others, mut added) = (0, FxHashSet::default(), sub.added.iter().peekable());
        let parts = sub_string::parts(sub.made.kept.as_str());
        for part in parts {
            let is_added = added.next_if(|added| added.offset == offset).is_some();
            offset += part.plain_len();
            others.extend(part.variable().filter(|_| !is_added));
        }
        let is_taken = |added: &Added| others.contains(self.tree.text(sub.variables[added.variable].key));
        if !sub.added.iter().any(is_taken) {
            return;
        }
        let mut taken: FxHashSet<String> = others.into_iter().map(str::to_owned).collect();
        let own = sub.variables.iter().map(|variable| self.tree.text(variable.key).to_owned());
        let declared: FxHashSet<String> = own.collect();
        let (mut made, mut copied) = (String::new(), 0);
        let kept = sub.made.kept.as_str();
        for added in &sub.added {
            let entry = sub.variables[added.variable];
            let old = self.tree.text(entry.key).to_owned();
            if !taken.contains(&old) {
                continue;
            }
            let name = fresh(&old, |name| taken.contains(name) || declared.contains(name));
            made.push_str(&kept[copied..added.offset]);
            Part::Variable(&name).write(&mut made);
            copied = added.offset + Part::Variable(&old).plain_len();
            let origin = self.tree.origin(entry.key);
            sub.variables[added.variable].key = self.tree.key(&name, Style::Plain, origin);
            taken.insert(name);
        }
        made.push_str(&kept[copied..]);
        sub.made.kept.replace(made);
    }
}

/// Returns an unused name: `base`, else with a number behind it.
fn fresh(base: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = base.to_owned();
    let mut number = 1;
    while is_taken(&name) {
        name = format!("{base}Value{number}");
        number += 1;
    }
    name
}
