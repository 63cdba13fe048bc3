//! The smallest block with the same facts: equal nodes are one node, strings are sorted.

use rustc_hash::FxHashMap;

use super::encode::class;
use super::{Block, Facet, Facts, NodeData, NodeId, PropertyData, Rows, RuntimeData, StrId, Strings, TypeData};

/// Merges equal nodes, also those that contain themselves, numbers them depth first from the types, sorts the types by
/// name and the strings by their bytes. Two blocks with the same facts result in the same block.
pub fn minimize(block: &Block) -> Block {
    let classes = classes(block);
    let mut types: Vec<&TypeData> = block.types.iter().collect();
    types.sort_by_key(|row| block.str(row.name));
    let mut order = Order { block, classes: &classes, numbers: FxHashMap::default(), nodes: Vec::new() };
    for row in &types {
        order.visit(row.root);
    }
    let (numbers, nodes) = (order.numbers, order.nodes);
    let mut texts = Texts::new(block);
    for node in &nodes {
        texts.of_node(*node);
    }
    for row in &types {
        texts.of_type(row);
    }
    for runtime in &block.runtimes {
        texts.of_runtime(*runtime);
    }
    let (strings, of_string) = texts.sorted();
    let number = |node: NodeId| numbers.get(&class_of(&classes, node)).copied().unwrap_or_default();
    let mut out = Block { strings, ..Block::default() };
    for node in nodes {
        let start = out.properties.len() as u32;
        let mut properties: Vec<PropertyData> = node
            .properties
            .of(&block.properties)
            .iter()
            .map(|property| PropertyData {
                name: of_string(property.name),
                node: number(property.node),
                required: property.required,
            })
            .collect();
        properties.sort_by_key(|property| property.name);
        out.properties.extend(properties);
        let properties = Rows { start, end: out.properties.len() as u32 };
        let start = out.facets.len() as u32;
        out.facets.extend(node.facets.of(&block.facets).iter().map(|facet| mapped(*facet, &number, &of_string)));
        out.nodes.push(NodeData { properties, facets: Rows { start, end: out.facets.len() as u32 }, ..node });
    }
    for row in types {
        out.types.push(mapped_type(row, number(row.root), &of_string));
    }
    out.runtimes = block
        .runtimes
        .iter()
        .map(|runtime| RuntimeData {
            name: of_string(runtime.name),
            successor: runtime.successor.map(&of_string),
            ..*runtime
        })
        .collect();
    out
}

fn class_of(classes: &[u32], node: NodeId) -> u32 {
    classes.get(node as usize).copied().unwrap_or_default()
}

/// Returns for each node a number that only equal nodes share: nodes are split by their own facts, then by the classes
/// of their children, until nothing changes.
fn classes(block: &Block) -> Vec<u32> {
    let mut classes = vec![0; block.nodes.len()];
    let mut count = 1;
    loop {
        let mut known: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
        let next: Vec<u32> = block
            .nodes
            .iter()
            .enumerate()
            .map(|(own, node)| {
                let number = known.len() as u32;
                *known.entry(signature(block, own, *node, &classes)).or_insert(number)
            })
            .collect();
        let found = known.len();
        classes = next;
        if found == count {
            return classes;
        }
        count = found;
    }
}

fn signature(block: &Block, own: usize, node: NodeData, classes: &[u32]) -> Vec<u64> {
    let flags = u64::from(node.kinds.bits())
        | u64::from(node.closed) << 8
        | u64::from(node.unique) << 9
        | u64::from(node.any_case) << 10;
    // The own class as well: classes are only ever split.
    let mut signature = vec![u64::from(class_of(classes, own as u32)), flags];
    let mut properties: Vec<&PropertyData> = node.properties.of(&block.properties).iter().collect();
    properties.sort_by_key(|property| property.name);
    for property in properties {
        signature.push(u64::from(property.name) << 1 | u64::from(property.required));
        signature.push(u64::from(class_of(classes, property.node)));
    }
    for facet in node.facets.of(&block.facets) {
        signature.push(u64::MAX - u64::from(class(*facet)));
        match *facet {
            Facet::Additional(node)
            | Facet::Items(node)
            | Facet::OneOf(node)
            | Facet::AnyOf(node)
            | Facet::AllOf(node) => signature.push(u64::from(class_of(classes, node))),
            Facet::NamePattern(name, node) => {
                signature.extend([u64::from(name), u64::from(class_of(classes, node))]);
            }
            Facet::Required(name)
            | Facet::Value(name)
            | Facet::Pattern(name)
            | Facet::Format(name)
            | Facet::RequiredXor(name)
            | Facet::RequiredOr(name) => signature.push(u64::from(name)),
            Facet::DependentRequired(name, other) | Facet::DependentExcluded(name, other) => {
                signature.extend([u64::from(name), u64::from(other)]);
            }
            Facet::MinLength(value)
            | Facet::MaxLength(value)
            | Facet::MinItems(value)
            | Facet::MaxItems(value)
            | Facet::MinProperties(value)
            | Facet::MaxProperties(value) => signature.push(value),
            Facet::Minimum(number) | Facet::Maximum(number) | Facet::MultipleOf(number) => match number {
                crate::Number::Integer(value) => signature.extend([0, value.cast_unsigned()]),
                crate::Number::Decimal(value) => signature.extend([1, value.to_bits()]),
            },
        }
    }
    signature
}

/// Nodes depth first, one of each class.
struct Order<'a> {
    block: &'a Block,
    classes: &'a [u32],
    numbers: FxHashMap<u32, NodeId>,
    nodes: Vec<NodeData>,
}

impl Order<'_> {
    fn visit(&mut self, root: NodeId) {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            let class = class_of(self.classes, id);
            let Some(node) = self.block.nodes.get(id as usize) else { continue };
            if self.numbers.contains_key(&class) {
                continue;
            }
            self.numbers.insert(class, self.nodes.len() as u32);
            self.nodes.push(*node);
            let mut properties: Vec<&PropertyData> = node.properties.of(&self.block.properties).iter().collect();
            properties.sort_by_key(|property| self.block.str(property.name));
            let facets = node.facets.of(&self.block.facets).iter().filter_map(|facet| match *facet {
                Facet::Additional(node)
                | Facet::Items(node)
                | Facet::OneOf(node)
                | Facet::AnyOf(node)
                | Facet::AllOf(node)
                | Facet::NamePattern(_, node) => Some(node),
                _ => None,
            });
            let children: Vec<NodeId> = properties.into_iter().map(|property| property.node).chain(facets).collect();
            open.extend(children.into_iter().rev());
        }
    }
}

struct Texts<'a> {
    block: &'a Block,
    used: Vec<bool>,
}

impl<'a> Texts<'a> {
    fn new(block: &'a Block) -> Texts<'a> {
        Texts { block, used: vec![false; block.strings.len()] }
    }

    fn add(&mut self, string: StrId) {
        if let Some(used) = self.used.get_mut(string as usize) {
            *used = true;
        }
    }

    fn of_node(&mut self, node: NodeData) {
        for property in node.properties.of(&self.block.properties) {
            self.add(property.name);
        }
        for facet in node.facets.of(&self.block.facets) {
            match *facet {
                Facet::NamePattern(name, _)
                | Facet::Required(name)
                | Facet::Value(name)
                | Facet::Pattern(name)
                | Facet::Format(name)
                | Facet::RequiredXor(name)
                | Facet::RequiredOr(name) => self.add(name),
                Facet::DependentRequired(name, other) | Facet::DependentExcluded(name, other) => {
                    self.add(name);
                    self.add(other);
                }
                _ => {}
            }
        }
    }

    fn of_type(&mut self, row: &TypeData) {
        self.add(row.name);
        for paths in
            [&row.create_only, &row.conditional, &row.read_only, &row.write_only, &row.deprecated, &row.identifier]
        {
            for name in paths.iter().flatten() {
                self.add(*name);
            }
        }
        let facts = &row.facts;
        let names = facts.reference.iter().chain(&facts.attributes).copied();
        let older = facts.older.iter().map(|(name, _)| *name);
        let policies = facts.policies.iter().chain(&facts.rules).flat_map(|(path, policy)| [*path, *policy]);
        for name in names.chain(older).chain(policies).chain(row.tag_property) {
            self.add(name);
        }
    }

    fn of_runtime(&mut self, runtime: RuntimeData) {
        self.add(runtime.name);
        if let Some(name) = runtime.successor {
            self.add(name);
        }
    }

    fn sorted(self) -> (Strings, impl Fn(StrId) -> StrId) {
        let block = self.block;
        let mut used: Vec<StrId> = (0..self.used.len() as u32).filter(|id| self.used[*id as usize]).collect();
        used.sort_by_key(|id| block.str(*id));
        let mut strings = Strings::default();
        let mut numbers = vec![0; self.used.len()];
        for id in used {
            let number = strings.push(block.str(id));
            if let Some(place) = numbers.get_mut(id as usize) {
                *place = number;
            }
        }
        (strings, move |id| numbers.get(id as usize).copied().unwrap_or_default())
    }
}

fn mapped(facet: Facet, node: &impl Fn(NodeId) -> NodeId, string: &impl Fn(StrId) -> StrId) -> Facet {
    match facet {
        Facet::Additional(child) => Facet::Additional(node(child)),
        Facet::Items(child) => Facet::Items(node(child)),
        Facet::NamePattern(name, child) => Facet::NamePattern(string(name), node(child)),
        Facet::Required(name) => Facet::Required(string(name)),
        Facet::Value(name) => Facet::Value(string(name)),
        Facet::Pattern(name) => Facet::Pattern(string(name)),
        Facet::Format(name) => Facet::Format(string(name)),
        Facet::OneOf(child) => Facet::OneOf(node(child)),
        Facet::AnyOf(child) => Facet::AnyOf(node(child)),
        Facet::AllOf(child) => Facet::AllOf(node(child)),
        Facet::RequiredXor(name) => Facet::RequiredXor(string(name)),
        Facet::RequiredOr(name) => Facet::RequiredOr(string(name)),
        Facet::DependentRequired(name, other) => Facet::DependentRequired(string(name), string(other)),
        Facet::DependentExcluded(name, other) => Facet::DependentExcluded(string(name), string(other)),
        other => other,
    }
}

fn mapped_type(row: &TypeData, root: NodeId, string: &impl Fn(StrId) -> StrId) -> TypeData {
    let names = |names: &[StrId]| -> Box<[StrId]> { names.iter().map(|name| string(*name)).collect() };
    let paths = |paths: &[Box<[StrId]>]| -> Box<[Box<[StrId]>]> { paths.iter().map(|path| names(path)).collect() };
    TypeData {
        name: string(row.name),
        root,
        create_only: paths(&row.create_only),
        conditional: paths(&row.conditional),
        read_only: paths(&row.read_only),
        write_only: paths(&row.write_only),
        deprecated: paths(&row.deprecated),
        identifier: paths(&row.identifier),
        tag_property: row.tag_property.map(string),
        facts: Facts {
            reference: names(&row.facts.reference),
            attributes: names(&row.facts.attributes),
            older: row.facts.older.iter().map(|(name, yes)| (string(*name), *yes)).collect(),
            stateful: row.facts.stateful,
            policies: row.facts.policies.iter().map(|(path, policy)| (string(*path), string(*policy))).collect(),
            rules: row.facts.rules.iter().map(|(path, rule)| (string(*path), string(*rule))).collect(),
        },
        ..*row
    }
}
