//! Documents to a block.

use formwork_base::json_pointer;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use super::SchemaError;
use super::fields::Fields;
use crate::Date;
use crate::block::{
    Block, Facts, Lifecycle, NodeData, NodeId, PathData, ReplacementStrategy, RuntimeData, Stage, StrId, TypeData,
};

/// Builds a block of registry schemas.
#[derive(Debug, Default)]
pub struct Compiler {
    pub(super) block: Block,
    strings: FxHashMap<String, StrId>,
}

impl Compiler {
    /// Adds a type.
    ///
    /// # Errors
    ///
    /// If a `$ref` leads nowhere.
    pub fn add(&mut self, name: &str, schema: &Value) -> Result<(), SchemaError> {
        let mut document = Document { compiler: self, schema, known: FxHashMap::default(), open: Vec::new() };
        let root = document.node_at("")?;
        while let Some((pointer, id)) = document.open.pop() {
            document.fill(&pointer, id)?;
        }
        let paths = |compiler: &mut Compiler, keyword: &str| -> Box<[PathData]> {
            let paths = schema.get(keyword).and_then(Value::as_array).into_iter().flatten();
            let mut paths: Vec<&str> = paths.filter_map(Value::as_str).collect();
            if keyword != "primaryIdentifier" {
                paths.sort_unstable();
                paths.dedup();
            }
            paths.into_iter().filter_map(|path| compiler.path(path)).collect()
        };
        let tagging = schema.get("tagging");
        let flag = |name: &str, default: bool| {
            tagging.and_then(|tagging| tagging.get(name)).and_then(Value::as_bool).unwrap_or(default)
        };
        let taggable = schema.get("taggable").and_then(Value::as_bool).unwrap_or(true);
        let taggable = flag("taggable", taggable);
        let handlers = schema.get("handlers").and_then(Value::as_object);
        let tag_property = tagging.and_then(|tagging| tagging.get("tagProperty")).and_then(Value::as_str);
        let tag_property = tag_property.and_then(|path| path.strip_prefix("/properties/"));
        let tag_property = tag_property.filter(|name| !name.contains('/')).map(|name| self.string(name));
        let row = TypeData {
            name: self.string(name),
            root,
            create_only: paths(self, "createOnlyProperties"),
            conditional: paths(self, "conditionalCreateOnlyProperties"),
            read_only: paths(self, "readOnlyProperties"),
            write_only: paths(self, "writeOnlyProperties"),
            deprecated: paths(self, "deprecatedProperties"),
            identifier: paths(self, "primaryIdentifier"),
            has_handlers: handlers.is_some_and(|handlers| !handlers.is_empty()),
            has_update: handlers.is_some_and(|handlers| handlers.contains_key("update")),
            taggable,
            tag_updatable: taggable && flag("tagUpdatable", true),
            replacement_strategy: match schema.get("replacementStrategy").and_then(Value::as_str) {
                Some("create_then_delete") => Some(ReplacementStrategy::CreateThenDelete),
                Some("delete_then_create") => Some(ReplacementStrategy::DeleteThenCreate),
                _ => None,
            },
            tag_property,
            lifecycle: lifecycle(schema),
            regions: None,
            facts: Facts::default(),
        };
        let at = self.block.types.partition_point(|other| self.block.str(other.name) < name);
        self.block.types.insert(at, row);
        Ok(())
    }

    /// Adds the facts kept by hand of a type that was added, and the number of its set of Regions.
    pub fn set_facts(&mut self, name: &str, facts: &Facts<String>, regions: Option<u32>) {
        let Some(number) = self.block.types.iter().position(|row| self.block.str(row.name) == name) else { return };
        let facts = Facts {
            reference: facts.reference.iter().map(|name| self.string(name)).collect(),
            attributes: facts.attributes.iter().map(|name| self.string(name)).collect(),
            older: facts.older.iter().map(|(name, yes)| (self.string(name), *yes)).collect(),
            stateful: facts.stateful,
            policies: facts.policies.iter().map(|(path, class)| (self.string(path), self.string(class))).collect(),
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

    /// The block of all types that were added.
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

    /// `/properties/Tags/*/Key` to its names.
    fn path(&mut self, path: &str) -> Option<PathData> {
        let names = path.strip_prefix("/properties/")?;
        Some(names.split('/').map(|name| self.string(&json_pointer::unescaped(name))).collect())
    }
}

/// One document while it is read. Nodes that are named but not read yet are `open`: no recursion, whatever a file has.
pub(super) struct Document<'a> {
    pub(super) compiler: &'a mut Compiler,
    schema: &'a Value,
    /// Nodes by their pointer, an empty one for the document itself.
    known: FxHashMap<String, NodeId>,
    open: Vec<(String, NodeId)>,
}

impl<'a> Document<'a> {
    /// The node of a pointer, which is read later.
    pub(super) fn node_at(&mut self, pointer: &str) -> Result<NodeId, SchemaError> {
        let pointer = self.target(pointer)?;
        if let Some(known) = self.known.get(&pointer) {
            return Ok(*known);
        }
        let id = self.compiler.block.nodes.len() as NodeId;
        self.compiler.block.nodes.push(NodeData::default());
        self.known.insert(pointer.clone(), id);
        self.open.push((pointer, id));
        Ok(id)
    }

    /// Where a pointer leads if only a `$ref` is there.
    fn target(&self, pointer: &str) -> Result<String, SchemaError> {
        let mut pointer = pointer.to_owned();
        for _ in 0..32 {
            let Some(fields) = self.value(&pointer).and_then(Value::as_object) else { return Ok(pointer) };
            let Some(reference) = fields.get("$ref").and_then(Value::as_str) else { return Ok(pointer) };
            if fields.keys().any(|keyword| !is_silent(keyword)) {
                return Ok(pointer);
            }
            pointer = self.resolved(reference)?;
        }
        Err(SchemaError::Reference(pointer))
    }

    fn resolved(&self, reference: &str) -> Result<String, SchemaError> {
        let pointer = reference.strip_prefix('#');
        let found = pointer.filter(|pointer| self.value(pointer).is_some());
        found.map(str::to_owned).ok_or_else(|| SchemaError::Reference(reference.to_owned()))
    }

    fn value(&self, pointer: &str) -> Option<&'a Value> {
        self.schema.pointer(pointer)
    }

    /// Reads the node of a pointer: its keywords, and those of the node that it refers to; its own win.
    fn fill(&mut self, pointer: &str, id: NodeId) -> Result<(), SchemaError> {
        let mut fields = Fields::default();
        let mut pointer = pointer.to_owned();
        for _ in 0..32 {
            let Some(own) = self.value(&pointer).and_then(Value::as_object) else { break };
            fields.add(&pointer, own);
            match own.get("$ref").and_then(Value::as_str) {
                Some(reference) => pointer = self.resolved(reference)?,
                None => break,
            }
        }
        let node = self.read(&fields)?;
        if let Some(place) = self.compiler.block.nodes.get_mut(id as usize) {
            *place = node;
        }
        Ok(())
    }
}

/// Keywords beside `$ref` that change nothing.
fn is_silent(keyword: &str) -> bool {
    matches!(
        keyword,
        "$ref" | "description" | "title" | "$comment" | "examples" | "insertionOrder" | "default" | "relationshipRef"
    )
}

fn lifecycle(schema: &Value) -> Option<Lifecycle> {
    let fields: &Map<String, Value> = schema.get("lifecycle")?.as_object()?;
    let stage = match fields.get("status")?.as_str()? {
        "shutdown" => Stage::Shutdown,
        "sunset" => Stage::Sunset,
        "maintenance" => Stage::Maintenance,
        _ => return None,
    };
    Some(Lifecycle { stage, date: fields.get("date").and_then(Value::as_str).and_then(Date::parse) })
}
