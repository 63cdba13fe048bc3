//! Resolves the uses of names (reference/modules/references.md#lookup).

use formwork_template::PseudoParameter;

use crate::index::FileIndex;
use crate::names::{Declaration, Expects, Target, Use};
use crate::project::Project;
use crate::symbol::SymbolKind;

/// Maximum number of imports between a full logical ID and its resource.
const DEPTH: usize = 64;

impl Project {
    pub(crate) fn resolve(&self, index: &FileIndex, used: &Use) -> Option<Target> {
        self.resolve_in(index, used).or_else(|| self.in_others(index, used))
    }

    /// Resolves a name in the other files of the template.
    fn in_others(&self, index: &FileIndex, used: &Use) -> Option<Target> {
        let kinds: &[SymbolKind] = match used.expects {
            Expects::Value => &[SymbolKind::Parameter, SymbolKind::Resource, SymbolKind::Import],
            Expects::Dependency => &[SymbolKind::Resource, SymbolKind::Import],
            Expects::Condition => &[SymbolKind::Condition],
            Expects::Mapping => &[SymbolKind::Mapping],
            Expects::Constant => &[SymbolKind::Constant],
            Expects::Package => &[SymbolKind::Package],
            Expects::Import => &[SymbolKind::Import],
            _ => return None,
        };
        self.others(index).find_map(|other| {
            let at = other.declared(&used.name, kinds, None)?;
            Some(Target::Declared(other.path().clone(), at))
        })
    }

    fn resolve_in(&self, index: &FileIndex, used: &Use) -> Option<Target> {
        let find = |kinds: &[SymbolKind]| index.declared(&used.name, kinds, None);
        let here = |at: usize| Target::Declared(index.path().clone(), at);
        let in_module = |import: usize, kind: SymbolKind| {
            let module = self.module(index, import)?;
            let at = module.declared(&used.name, &[kind], None)?;
            Some(Target::Declared(module.path().clone(), at))
        };
        match used.expects {
            Expects::LoopVariable => index.variable(&used.name, &used.range).map(here),
            Expects::Value => self.value(index, used),
            Expects::Dependency => {
                let own = index.declared(&used.name, &[SymbolKind::Resource, SymbolKind::Import], None);
                own.map(here).or_else(|| self.generated(index, &used.name))
            }
            Expects::Condition => {
                find(&[SymbolKind::Condition]).map(here).or_else(|| self.generated(index, &used.name))
            }
            Expects::Mapping => find(&[SymbolKind::Mapping]).map(here),
            Expects::Constant => find(&[SymbolKind::Constant]).map(here),
            Expects::Package => find(&[SymbolKind::Package]).map(here),
            Expects::Import => find(&[SymbolKind::Import]).map(here),
            Expects::SubVariable => index.declared(&used.name, &[SymbolKind::SubVariable], Some(&used.range)).map(here),
            Expects::ModuleParameter(import) => in_module(import, SymbolKind::Parameter),
            Expects::ModuleResource(import) => in_module(import, SymbolKind::Resource)
                .or_else(|| self.full_id(self.module(index, import)?, &used.name, 0)),
            Expects::ModuleOutput(import) => in_module(import, SymbolKind::Output),
            Expects::ModuleFile(import) => self.module(index, import).map(|module| Target::File(module.path().clone())),
        }
    }

    /// Resolves a name in `Ref`, `Fn::GetAtt` or the string of `Fn::Sub`.
    fn value(&self, index: &FileIndex, used: &Use) -> Option<Target> {
        let name = used.name.as_str();
        let here = |at: usize| Target::Declared(index.path().clone(), at);
        let declared = |kind| index.declared(name, &[kind], None);
        let own = index
            .variable(name, &used.range)
            .or_else(|| declared(SymbolKind::Parameter))
            .or_else(|| declared(SymbolKind::Resource))
            .or_else(|| declared(SymbolKind::Import))
            .or_else(|| index.loop_of_imports(name));
        own.map(here)
            .or_else(|| PseudoParameter::from_name(name).map(Target::Pseudo))
            .or_else(|| self.generated(index, name))
            .or_else(|| {
                let copy = name.trim_end_matches(|c: char| c.is_ascii_digit());
                index.declared(copy, &[SymbolKind::Import, SymbolKind::Resource], None).map(here)
            })
    }

    /// Resolves a logical ID that a loop or an import generates: in the last expansion, else by the names of imports.
    fn generated(&self, index: &FileIndex, id: &str) -> Option<Target> {
        self.expanded_id(id).or_else(|| self.full_id(index, id, 0))
    }

    fn expanded_id(&self, id: &str) -> Option<Target> {
        let key = &self.expansion()?.id(id)?.declared;
        let file = self.file(&key.file)?;
        let is_key = |declaration: &Declaration| {
            key.start <= declaration.name_range.start
                && declaration.name_range.end <= key.end
                && declaration.range.start == key.start
        };
        let at = file.names.declarations.iter().position(is_key)?;
        Some(Target::Declared(key.file.clone(), at))
    }

    /// Resolves a full logical ID: names of imports from the file inward, then a resource
    /// (reference/modules/README.md#words).
    fn full_id(&self, index: &FileIndex, id: &str, depth: usize) -> Option<Target> {
        if depth > DEPTH {
            return None;
        }
        index.names.imports.iter().enumerate().find_map(|(number, import)| {
            let rest = id.strip_prefix(import.name.as_str()).filter(|rest| !rest.is_empty())?;
            let module = self.module(index, number)?;
            let find = |rest: &str| {
                let at = module.declared(rest, &[SymbolKind::Resource], None);
                let found = at.map(|at| Target::Declared(module.path().clone(), at));
                found.or_else(|| self.full_id(module, rest, depth + 1))
            };
            // Copies have a number between the two.
            find(rest).or_else(|| find(rest.trim_start_matches(|c: char| c.is_ascii_digit())))
        })
    }
}
