//! A block while types are added to it.

use formwork_base::json_pointer;
use rustc_hash::FxHashMap;

use crate::Date;
use crate::block::{Block, Facts, PathData, RuntimeData, StrId};

/// Builds a block from registry schemas.
#[derive(Debug, Default)]
pub struct Compiler {
    pub(super) block: Block,
    strings: FxHashMap<String, StrId>,
}

impl Compiler {
    /// Sets the facts kept by hand of a type that was added, and the number of its set of Regions.
    pub fn set_facts(&mut self, name: &str, facts: &Facts<String>, regions: Option<u32>) {
        let Some(number) = self.block.types.iter().position(|row| self.block.str(row.name) == name) else { return };
        let facts = Facts {
            reference: facts.reference.iter().map(|name| self.string(name)).collect(),
            attributes: facts.attributes.iter().map(|name| self.string(name)).collect(),
            older: facts.older.iter().map(|(name, yes)| (self.string(name), *yes)).collect(),
            stateful: facts.stateful,
            policies: facts.policies.iter().map(|(path, class)| (self.string(path), self.string(class))).collect(),
            rules: facts.rules.iter().map(|(path, rule)| (self.string(path), self.string(rule))).collect(),
        };
        if let Some(row) = self.block.types.get_mut(number) {
            row.facts = facts;
            row.regions = regions;
        }
    }

    /// Adds a Lambda runtime with the dates of its end.
    pub fn add_runtime(&mut self, name: &str, dates: [Option<Date>; 3], successor: Option<&str>) {
        let [deprecated, create_block, update_block] = dates;
        let runtime = RuntimeData {
            name: self.string(name),
            deprecated,
            create_block,
            update_block,
            successor: successor.map(|name| self.string(name)),
        };
        self.block.runtimes.push(runtime);
    }

    /// Adds the name of an action of IAM.
    pub fn add_action(&mut self, name: &str) {
        self.string(name);
    }

    /// Returns the block of all types that were added.
    pub fn finish(self) -> Block {
        self.block
    }

    pub(super) fn string(&mut self, text: &str) -> StrId {
        if let Some(known) = self.strings.get(text) {
            return *known;
        }
        let id = self.block.strings.push(text);
        self.strings.insert(text.to_owned(), id);
        id
    }

    /// Converts `/properties/Tags/*/Key` to its names.
    pub(super) fn path(&mut self, path: &str) -> Option<PathData> {
        let names = path.strip_prefix("/properties/")?;
        Some(names.split('/').map(|name| self.string(&json_pointer::unescaped(name))).collect())
    }
}
