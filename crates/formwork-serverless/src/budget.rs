//! The size of what the transform makes, counted before it becomes nodes.

use formwork_base::Limits;

use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Data, Map, Value};

/// The nodes and bytes of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Size {
    pub(crate) nodes: u64,
    pub(crate) bytes: u64,
}

impl Size {
    /// Returns the size of a value with everything below it.
    pub(crate) fn of(value: &Value) -> Size {
        let mut size = Size { nodes: 1, bytes: 0 };
        match value.data() {
            Data::Null | Data::Bool(_) => {}
            Data::Number(text) | Data::Text(text) => size.bytes = text.len() as u64,
            Data::List(items) => items.iter().for_each(|item| size.add(Size::of(item), 1)),
            Data::Map(map) => size.add(Size::of_map(map), 1),
        }
        size
    }

    fn of_map(map: &Map) -> Size {
        let mut size = Size::default();
        for (key, value) in map.iter() {
            size.add(Size { nodes: 1, bytes: key.len() as u64 }, 1);
            size.add(Size::of(value), 1);
        }
        size
    }

    /// Returns the size of a resource.
    pub(crate) fn of_resource(resource: &Resource) -> Size {
        let mut size = Size { nodes: 6, bytes: (resource.id.len() + resource.kind.len()) as u64 };
        size.add(Size::of_map(&resource.attributes), 1);
        size.add(Size::of_map(&resource.properties), 1);
        size
    }

    /// Adds another size, several times.
    pub(crate) fn add(&mut self, other: Size, times: usize) {
        let times = times as u64;
        self.nodes = self.nodes.saturating_add(other.nodes.saturating_mul(times));
        self.bytes = self.bytes.saturating_add(other.bytes.saturating_mul(times));
    }
}

/// What the result may still have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    spent: Size,
    limit: Size,
}

impl Budget {
    pub(crate) fn new(limits: &Limits) -> Budget {
        let limit = Size { nodes: limits.output_nodes, bytes: limits.output_bytes };
        Budget { spent: Size::default(), limit }
    }

    /// Counts a size several times. Refuses the template when its result is too large.
    pub(crate) fn spend(&mut self, size: Size, times: usize) -> Result<(), Refusal> {
        self.spent.add(size, times);
        let (limit, unit) = if self.spent.nodes > self.limit.nodes {
            (self.limit.nodes, "nodes")
        } else if self.spent.bytes > self.limit.bytes {
            (self.limit.bytes, "bytes")
        } else {
            return Ok(());
        };
        Err(Refusal::limit(format!("the result of the serverless transform exceeds the limit of {limit} {unit}")))
    }
}
