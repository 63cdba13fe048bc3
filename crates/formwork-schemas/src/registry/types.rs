//! Converting documents to a block.

use serde_json::{Map, Value};

use super::SchemaError;
use super::compiler::Compiler;
use super::document::Document;
use super::fields::Fields;
use crate::Date;
use crate::block::{Facts, Lifecycle, NodeId, PathData, ReplacementStrategy, Stage, TypeData};

impl Compiler {
    /// Adds a type.
    ///
    /// # Errors
    ///
    /// If a `$ref` has no target.
    pub fn add(&mut self, name: &str, schema: &Value) -> Result<(), SchemaError> {
        let mut document = Document::new(self, schema);
        let root = document.node_at("")?;
        while let Some((pointer, id)) = document.next_open() {
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
}

impl Document<'_> {
    /// Reads the node of a pointer: its keywords, and those of the node that it refers to; its own take precedence.
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
