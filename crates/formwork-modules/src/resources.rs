//! Resources and imports of a file as targets of references (reference/modules/references.md#lookup,
//! reference/modules/copies.md#selectors).

use formwork_base::FrameKind;
use formwork_evaluate::Truth;
use formwork_syntax::{Kind, NodeId, Origin, Style, Symbol, symbol};

use super::Linker;
use super::goal::Goal;
use super::groups::{ForEachCopy, Section};
use super::instance::InstanceId;
use super::lookup::{Inserted, LookupResult};
use super::path::Path;
use super::stop::{Resolved, unless_wrong};

impl Linker<'_> {
    pub(super) fn full_id(&mut self, name: &str, scope: InstanceId) -> Resolved<Option<String>> {
        Ok(self.is_there(name, scope)?.then(|| [&self.values.instances[scope.at()].prefix, name].concat()))
    }

    fn is_there(&mut self, name: &str, scope: InstanceId) -> Resolved<bool> {
        Ok(self.is_resource(name, scope)? || self.is_nested(name, scope)?)
    }

    /// Returns `true` when `name` is that of a resource of an import in a module's file: the import's name before its
    /// own. In the template itself that is its full ID already.
    fn is_nested(&mut self, name: &str, scope: InstanceId) -> Resolved<bool> {
        let mut open = vec![(scope, name.to_owned())];
        while let Some((scope, name)) = open.pop() {
            if scope == InstanceId::ROOT || self.values.usage.stopped {
                return Ok(false);
            }
            if self.values.agenda.open.contains(&Goal::Loops(scope)) {
                continue;
            }
            let groups = self.groups(Section::Imports, scope)?;
            for group in groups.in_front_of(&name, self.tree) {
                let copies = unless_wrong(self.copies_of(Section::Imports, group, scope))?.unwrap_or_default();
                for copy in copies.in_front_of(&name, self.tree).into_iter().map(|at| &copies[at]) {
                    let rest = name.strip_prefix(self.tree.name(copy.id)).filter(|rest| !rest.is_empty());
                    if let Some(rest) = rest
                        && let Some(used) = self.instance(copy, scope)?
                    {
                        if self.is_resource(rest, used)? {
                            return Ok(true);
                        }
                        open.push((used, rest.to_owned()));
                    }
                }
            }
        }
        Ok(false)
    }

    /// Returns `true` when `name` is a resource of the file, or the ID of a copy, such as `Box1`.
    fn is_resource(&mut self, name: &str, scope: InstanceId) -> Resolved<bool> {
        let groups = self.groups(Section::Resources, scope)?;
        let is_one = |name| groups.get(name).is_some() && !groups.is_many(name);
        Ok(self.tree.symbols().get(name).is_some_and(is_one)
            || self.copy_named(Section::Resources, name, scope)?.is_some())
    }

    /// Looks up a path among the resources and the imports of the file; `None` when it is neither.
    pub(super) fn find(
        &mut self,
        path: &Path<'_>,
        name: Symbol,
        scope: InstanceId,
        at: NodeId,
    ) -> Resolved<Option<LookupResult>> {
        let resources = self.groups(Section::Resources, scope)?;
        if resources.is_many(name) {
            let copies = self.copies_of(Section::Resources, name, scope)?;
            let selected = self.select(path, &copies, at, scope)?;
            let target = |copy: &ForEachCopy| self.values.target(self.tree.name(copy.id), &path.steps[1..], scope);
            let Some(at) = selected else {
                let mut all = Vec::with_capacity(copies.len());
                for copy in copies.iter() {
                    if !self.is_copy_removed(copy, name, scope)? {
                        all.push((
                            self.values.target(self.tree.name(copy.id), &path.steps[1..], scope),
                            self.copy_condition_left(copy, name, scope)?,
                        ));
                    }
                }
                return Ok(Some(LookupResult::Many(all)));
            };
            return Ok(Some(LookupResult::One(target(&copies[at]))));
        }
        if resources.get(name).is_some() || self.is_there(path.head, scope)? {
            return Ok(Some(LookupResult::One(self.values.target(path.head, &path.steps, scope))));
        }
        let import = if path.steps.is_empty() { None } else { self.import_named(path.head, name, scope)? };
        let Some((copies, number)) = import else { return Ok(None) };
        let (number, steps) = match number {
            Some(number) => (Some(number), path.steps.as_slice()),
            None => (self.select(path, &copies, at, scope)?, &path.steps[1..]),
        };
        let Some(number) = number else {
            let mut values = Vec::with_capacity(copies.len());
            for copy in copies.iter() {
                if !self.is_removed(copy.body, scope)? {
                    values.push(self.output_of(copy, steps, scope, at)?.0);
                }
            }
            let frame = self.frame_at(at, scope);
            let list = self.tree.list(&values, Style::Plain, Origin::Generated(at, frame));
            return Ok(Some(LookupResult::Value(Inserted { kind: FrameKind::Output, name, value: list })));
        };
        let Some(copy) = copies.get(number) else { return Ok(None) };
        let (value, name) = self.output_of(copy, steps, scope, at)?;
        Ok(Some(LookupResult::Value(Inserted { kind: FrameKind::Output, name, value })))
    }

    pub(super) fn condition_left(&mut self, body: NodeId, scope: InstanceId) -> Resolved<Option<Symbol>> {
        let condition = self.tree.get(body, symbol::CONDITION).filter(|&node| self.tree.kind(node) == Kind::String);
        let Some(condition) = condition else { return Ok(None) };
        Ok(match unless_wrong(self.condition_of(condition, scope))? {
            Some((Truth::Unknown, name)) => Some(self.symbol_of(name)),
            _ => None,
        })
    }
}
