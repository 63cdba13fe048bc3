//! A document while it is read, and its nodes.

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::SchemaError;
use super::compiler::Compiler;
use crate::block::{NodeData, NodeId};

/// A document while it is read. Nodes that are referred to but not read yet are `open`, so that no file causes
/// recursion.
pub(super) struct Document<'a> {
    pub(super) compiler: &'a mut Compiler,
    schema: &'a Value,
    /// Nodes by their pointer, an empty one for the document itself.
    known: FxHashMap<String, NodeId>,
    open: Vec<(String, NodeId)>,
}

impl<'a> Document<'a> {
    pub(super) fn new(compiler: &'a mut Compiler, schema: &'a Value) -> Document<'a> {
        Document { compiler, schema, known: FxHashMap::default(), open: Vec::new() }
    }

    pub(super) fn next_open(&mut self) -> Option<(String, NodeId)> {
        self.open.pop()
    }

    /// Returns the node of a pointer, which is read later.
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

    /// Follows `$ref`s at a pointer that has nothing else.
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

    pub(super) fn resolved(&self, reference: &str) -> Result<String, SchemaError> {
        let pointer = reference.strip_prefix('#');
        let found = pointer.filter(|pointer| self.value(pointer).is_some());
        found.map(str::to_owned).ok_or_else(|| SchemaError::Reference(reference.to_owned()))
    }

    pub(super) fn value(&self, pointer: &str) -> Option<&'a Value> {
        self.schema.pointer(pointer)
    }
}

/// Returns `true` for keywords beside `$ref` that change nothing.
fn is_silent(keyword: &str) -> bool {
    matches!(
        keyword,
        "$ref" | "description" | "title" | "$comment" | "examples" | "insertionOrder" | "default" | "relationshipRef"
    )
}
