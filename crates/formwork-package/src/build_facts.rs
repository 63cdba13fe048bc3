//! Facts about a resource that a build needs besides the path of its source (reference/build.md#builders).

use formwork_evaluate::{Evaluator, Outcome, Visibility};
use formwork_syntax::{NodeId, Tree, Value, flags, symbol};
use formwork_template::serverless_globals;

/// A property as far as it is known before deployment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Fact {
    /// The property is missing.
    #[default]
    Absent,
    /// The value of the property.
    Known(Value),
    /// An expression that only the deployment resolves.
    Unknown,
}

impl Fact {
    /// Returns the value as a string; also that of a number or Boolean.
    pub fn text(&self) -> Option<&str> {
        match self {
            Fact::Known(value) => text(value),
            _ => None,
        }
    }

    /// Returns the strings of a list; a lone string is a list of one.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Fact::Known(Value::List(items)) => items.iter().filter_map(text).collect(),
            Fact::Known(value) => text(value).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the value of a key, if the fact is an object.
    pub fn member(&self, name: &str) -> Option<&Value> {
        match self {
            Fact::Known(Value::Map(members)) => members.iter().rfind(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }
}

/// Returns a scalar as a string.
pub fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) | Value::Number(text) => Some(text),
        Value::Bool(true) => Some("true"),
        Value::Bool(false) => Some("false"),
        _ => None,
    }
}

/// Facts about a resource that a build needs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BuildFacts {
    /// The resource type.
    pub resource_type: String,
    /// `Runtime`, that of `Globals` included.
    pub runtime: Fact,
    /// `Architectures` of a function; `CompatibleArchitectures` of a layer.
    pub architectures: Fact,
    /// `Handler`, that of `Globals` included.
    pub handler: Fact,
    /// `CompatibleRuntimes` of a layer.
    pub compatible_runtimes: Fact,
    /// `ImageUri`, or the one in `Code`.
    pub image: Fact,
    /// The resource attribute `Metadata`.
    pub metadata: Fact,
}

/// Collects the facts of the resource `body`; `written` is the root whose `Globals` count.
pub(crate) fn facts(ev: &mut Evaluator<'_>, written: NodeId, body: NodeId) -> BuildFacts {
    let resource_type = ev.tree.get(body, symbol::TYPE).map(|node| ev.tree.text(node).to_owned()).unwrap_or_default();
    let properties = ev.tree.get(body, symbol::PROPERTIES);
    let image = member(ev.tree, member(ev.tree, properties, "Code"), "ImageUri");
    let mut property = |name: &str| {
        let node =
            member(ev.tree, properties, name).or_else(|| serverless_globals::property(ev.tree, written, body, name));
        fact(ev, node)
    };
    let is_layer = resource_type.ends_with("::LayerVersion");
    let architectures = property(if is_layer { "CompatibleArchitectures" } else { "Architectures" });
    let mut facts = BuildFacts {
        runtime: property("Runtime"),
        architectures,
        handler: property("Handler"),
        compatible_runtimes: property("CompatibleRuntimes"),
        image: property("ImageUri"),
        resource_type,
        metadata: Fact::Absent,
    };
    if facts.image == Fact::Absent {
        facts.image = fact(ev, image);
    }
    let metadata = ev.tree.get(body, symbol::METADATA);
    facts.metadata = fact(ev, metadata);
    facts
}

pub(crate) fn builds_image(tree: &Tree, body: NodeId) -> bool {
    member(tree, tree.get(body, symbol::METADATA), "Dockerfile").is_some()
}

fn member(tree: &Tree, node: Option<NodeId>, name: &str) -> Option<NodeId> {
    tree.get_text(node?, name)
}

fn fact(ev: &mut Evaluator<'_>, node: Option<NodeId>) -> Fact {
    let Some(node) = node else { return Fact::Absent };
    let outcome = if ev.tree.has(node, flags::HAS_CALL | flags::HAS_NULL) {
        ev.with_visibility(Visibility::Full, |ev| ev.strictly(|ev| ev.resolve_silently(node)))
    } else {
        Outcome::Known(node)
    };
    match outcome {
        Outcome::Known(value) => Fact::Known(Value::new(ev.tree, value)),
        Outcome::Omit(_) => Fact::Absent,
        // The known parts of an object count: a value that is known only at deployment is an expression.
        Outcome::Residual(left) if ev.tree.kind(left) == formwork_syntax::Kind::Map => {
            Fact::Known(Value::new(ev.tree, left))
        }
        Outcome::Residual(_) | Outcome::Secret { .. } | Outcome::Poison => Fact::Unknown,
    }
}
