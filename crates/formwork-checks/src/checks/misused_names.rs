//! Unknown names that are something else: a loop, the variable of a loop, a resource with its attribute, a parameter.
//! Reports of [`super::references`] explain them (reference/structure.md#references).

use std::cell::OnceCell;
use std::collections::HashMap;

use formwork_base::Span;
use formwork_base::display::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, NodeSet, Style, Symbol, Tree, View, flags, symbol};
use formwork_template::fill_in::Spelling;
use formwork_template::reference::By;

use crate::Context;

/// Limit of names that a report lists.
const MOST_NAMES: usize = 5;

/// The meaning of a name, and the code to write.
pub(super) struct Meaning {
    pub(super) what: String,
    pub(super) help: String,
    /// The code to write in place of the whole call.
    pub(super) code: Option<String>,
    /// Place and kind of its declaration.
    pub(super) declared: Option<(Span, String)>,
}

/// The loops of a template and its spelling, collected for the first unknown name.
#[derive(Default)]
pub(super) struct DeclaredLoops {
    all: OnceCell<All>,
    is_json: OnceCell<bool>,
    /// Nodes in the place of the mapping in an `Fn::FindInMap`.
    maps: OnceCell<NodeSet>,
}

impl DeclaredLoops {
    fn is_json(&self, cx: &Context<'_>) -> bool {
        *self.is_json.get_or_init(|| matches!(Spelling::of(cx.tree, cx.template.root), Spelling::Json))
    }

    fn is_map(&self, cx: &Context<'_>, call: NodeId) -> bool {
        self.maps.get_or_init(|| maps_of_calls(cx.tree, cx.unrolled)).contains(call)
    }
}

#[derive(Default)]
struct All {
    /// Keys by names.
    loops: HashMap<String, NodeId>,
    /// Key of the loop of each variable.
    variables: HashMap<String, NodeId>,
    /// The first generated logical IDs of each loop, and their total number.
    generated: HashMap<String, (Vec<String>, usize)>,
}

pub(super) struct Unknown<'n> {
    pub(super) name: &'n str,
    pub(super) by: By,
    pub(super) call: Option<NodeId>,
    pub(super) attribute: Option<&'n str>,
}

/// Returns the meaning of an unknown name; `None` when the template does not declare it.
pub(super) fn meaning(cx: &Context<'_>, loops: &DeclaredLoops, unknown: &Unknown<'_>) -> Option<Meaning> {
    let declared =
        || parameter(cx, loops, unknown).or_else(|| condition(cx, unknown)).or_else(|| mapping(cx, loops, unknown));
    attribute(cx, loops, unknown).or_else(declared).or_else(|| several(cx, loops, unknown)).or_else(|| {
        let all = loops.all.get_or_init(|| All::of(cx));
        all.variable(cx.tree, unknown).or_else(|| all.of_loop(cx, loops, unknown))
    })
}

/// Explains `Ref: Bucket.Arn`, and `DependsOn: Bucket.Arn`.
fn attribute(cx: &Context<'_>, loops: &DeclaredLoops, unknown: &Unknown<'_>) -> Option<Meaning> {
    let (resource, attribute) = unknown.name.split_once('.')?;
    if attribute.is_empty() || unknown.attribute.is_some() || !is_resource(cx, resource) {
        return None;
    }
    match unknown.by {
        By::Ref => Some(Meaning {
            what: format!("Ref takes a logical ID, not an attribute: {}", shown(unknown.name)),
            help: format!("read the attribute: `{}`", get_att(cx, loops, unknown, (resource, attribute))),
            code: Some(get_att(cx, loops, unknown, (resource, attribute))),
            declared: None,
        }),
        By::DependsOn => Some(Meaning {
            what: format!("DependsOn takes a logical ID, not an attribute: {}", shown(unknown.name)),
            help: format!("write `{}`", shown(resource)),
            code: None,
            declared: None,
        }),
        By::GetAtt | By::Sub => None,
    }
}

/// Explains `Fn::GetAtt: Stage.Arn` and `DependsOn: Stage`, where `Stage` is a parameter.
fn parameter(cx: &Context<'_>, loops: &DeclaredLoops, unknown: &Unknown<'_>) -> Option<Meaning> {
    let parameter = cx.template.parameter(cx.tree.symbols().get(unknown.name)?)?;
    let name = shown(unknown.name);
    let declared = Some((cx.tree.span(parameter.key), "the parameter".to_owned()));
    match unknown.by {
        By::GetAtt => {
            let what = format!("{name} is a parameter, and has no attributes");
            Some(Meaning {
                what,
                help: format!("read its value: `{}`", reference(cx, loops, unknown)),
                declared,
                code: None,
            })
        }
        By::Sub if unknown.attribute.is_some() => {
            let what = format!("{name} is a parameter, and has no attributes");
            Some(Meaning { what, help: format!("read its value: `${{{name}}}`"), declared, code: None })
        }
        By::DependsOn => {
            let what = format!("{name} is a parameter, and DependsOn takes resources");
            Some(Meaning {
                what,
                help: "remove it: parameters are known before any resource".to_owned(),
                code: None,
                declared,
            })
        }
        By::Ref | By::Sub => None,
    }
}

/// Explains `Ref: IsProd` and `DependsOn: IsProd`, where `IsProd` is a condition.
fn condition(cx: &Context<'_>, unknown: &Unknown<'_>) -> Option<Meaning> {
    let key = member(cx, symbol::CONDITIONS, unknown.name)?.key;
    let name = shown(unknown.name);
    let (what, help) = match unknown.by {
        By::DependsOn => (
            format!("{name} is a condition, and DependsOn takes resources"),
            format!("write `Condition: {name}` for a resource that exists only if it is true"),
        ),
        By::Ref | By::Sub | By::GetAtt => (
            format!("{name} is a condition, which has no value"),
            format!("choose between two values with `Fn::If` and {name}, or write `Condition: {name}` in a condition"),
        ),
    };
    Some(Meaning { what, help, code: None, declared: Some((cx.tree.span(key), "the condition".to_owned())) })
}

/// Explains `Ref: Sizes`, where `Sizes` is a mapping.
fn mapping(cx: &Context<'_>, loops: &DeclaredLoops, unknown: &Unknown<'_>) -> Option<Meaning> {
    let tree = cx.tree;
    let mapping = member(cx, symbol::MAPPINGS, unknown.name)?;
    let first = |node: NodeId| tree.entries(node).next().filter(|_| tree.kind(node) == Kind::Map);
    let name = shown(unknown.name);
    let keys = first(mapping.value).and_then(|top| Some([top.key, first(top.value)?.key]));
    let is_map = || unknown.by == By::Ref && unknown.call.is_some_and(|call| loops.is_map(cx, call));
    let help = match keys {
        _ if is_map() => format!("write the name of the mapping alone: `{name}`"),
        Some(keys) if unknown.by != By::DependsOn => {
            let [top, second] = keys.map(|key| shown(tree.text(key)));
            let call = match () {
                () if is_tagged(cx, unknown) => format!("!FindInMap [{name}, {top}, {second}]"),
                () if loops.is_json(cx) => format!("{{\"Fn::FindInMap\": [\"{name}\", \"{top}\", \"{second}\"]}}"),
                () => format!("Fn::FindInMap: [{name}, {top}, {second}]"),
            };
            format!("read one of its values, such as `{call}`")
        }
        _ => "read one of its values with `Fn::FindInMap`".to_owned(),
    };
    let what = format!("{name} is a mapping, not a parameter or resource");
    let code = is_map().then(|| if loops.is_json(cx) { format!("\"{name}\"") } else { name.clone() });
    Some(Meaning { what, help, code, declared: Some((tree.span(mapping.key), "the mapping".to_owned())) })
}

fn maps_of_calls(tree: &Tree, root: NodeId) -> NodeSet {
    let (mut maps, mut done, mut pending) = (NodeSet::default(), NodeSet::default(), vec![root]);
    while let Some(node) = pending.pop() {
        if !done.insert(node) {
            continue;
        }
        if let Some(&map) = tree.argument_of(node, Known::FindInMap).and_then(|list| tree.items(list).first()) {
            maps.insert(map);
        }
        pending.extend(tree.child_nodes(node));
    }
    maps
}

/// Explains `DependsOn: "A, B"`: several resources in one string.
fn several(cx: &Context<'_>, loops: &DeclaredLoops, unknown: &Unknown<'_>) -> Option<Meaning> {
    if unknown.by != By::DependsOn {
        return None;
    }
    let names: Vec<&str> = unknown.name.split([',', ' ', ';']).filter(|name| !name.is_empty()).collect();
    if names.len() < 2 || names.len() > MOST_NAMES || !names.iter().all(|name| is_resource(cx, name)) {
        return None;
    }
    let quoted = |name: &&str| if loops.is_json(cx) { format!("\"{name}\"") } else { (*name).to_owned() };
    let list: Vec<String> = names.iter().map(quoted).collect();
    Some(Meaning {
        what: format!("DependsOn has {} names in one string", names.len()),
        help: format!("write a list: `[{}]`", list.join(", ")),
        code: None,
        declared: None,
    })
}

fn member(cx: &Context<'_>, section: Symbol, name: &str) -> Option<Entry> {
    let node = cx.tree.get(cx.unrolled, section).filter(|&node| cx.tree.kind(node) == Kind::Map)?;
    let name = cx.tree.symbols().get(name)?;
    cx.tree.member(node, name)
}

impl All {
    fn of(cx: &Context<'_>) -> All {
        let (tree, mut all) = (cx.tree, All::default());
        let mut pending = vec![cx.template.root];
        while let Some(node) = pending.pop() {
            if !tree.has(node, flags::HAS_LOOP) {
                continue;
            }
            match tree.view(node) {
                View::List(items) => pending.extend(items),
                View::Call(_, argument) => pending.push(argument),
                View::Map => {
                    for entry in tree.entries(node) {
                        if let Some(name) = tree.loop_name(entry.key) {
                            all.add(tree, (name, entry.key), entry.value);
                        }
                        pending.push(entry.value);
                    }
                }
                _ => {}
            }
        }
        let resources = tree.get(cx.unrolled, symbol::RESOURCES).into_iter();
        for entry in resources.flat_map(|section| tree.entries(section)) {
            let frames = tree.frame_chain(tree.frame_of(entry.key));
            for name in frames.into_iter().filter_map(|frame| frame.loop_name) {
                let (names, count) = all.generated.entry(name).or_default();
                *count += 1;
                if names.len() < MOST_NAMES {
                    names.push(shown(tree.text(entry.key)));
                }
            }
        }
        all
    }

    fn add(&mut self, tree: &Tree, (name, key): (&str, NodeId), value: NodeId) {
        self.loops.entry(name.to_owned()).or_insert(key);
        let Some(&identifier) = (tree.kind(value) == Kind::List).then(|| tree.items(value).first()).flatten() else {
            return;
        };
        let identifiers = match tree.view(identifier) {
            View::List(items) => items,
            _ => std::slice::from_ref(&identifier),
        };
        for &identifier in identifiers {
            if let Some(variable) = tree.string(identifier) {
                self.variables.entry(variable.to_owned()).or_insert(key);
            }
        }
    }

    fn variable(&self, tree: &Tree, unknown: &Unknown<'_>) -> Option<Meaning> {
        let key = *self.variables.get(unknown.name)?;
        let of = tree.loop_name(key)?;
        let what = format!("{} is the variable of loop {}, known only inside it", shown(unknown.name), shown(of));
        let help = match self.generated.get(of) {
            Some((names, _)) => format!("refer to what the loop generates, such as {}, or write a loop here", names[0]),
            None => "write a loop here, or refer to what the loop generates".to_owned(),
        };
        Some(Meaning { what, help, code: None, declared: Some((tree.span(key), "the loop".to_owned())) })
    }

    fn of_loop(&self, cx: &Context<'_>, loops: &DeclaredLoops, unknown: &Unknown<'_>) -> Option<Meaning> {
        let key = *self.loops.get(unknown.name)?;
        let name = shown(unknown.name);
        let help = match self.generated.get(unknown.name) {
            Some((names, count)) if unknown.by == By::DependsOn && *count == names.len() => {
                let quoted = |name: &String| if loops.is_json(cx) { format!("\"{name}\"") } else { name.clone() };
                let names: Vec<String> = names.iter().map(quoted).collect();
                format!("write the names that it generates: `[{}]`", names.join(", "))
            }
            Some((names, count)) if *count > names.len() => {
                format!("write the names that it generates: {} and {} more", names.join(", "), count - names.len())
            }
            Some((names, _)) => format!("write a name that it generates: {}", names.join(", ")),
            None => "write a name that it generates".to_owned(),
        };
        let what = format!("{name} is a loop, not a resource");
        Some(Meaning { what, help, code: None, declared: Some((cx.tree.span(key), "the loop".to_owned())) })
    }
}

fn is_resource(cx: &Context<'_>, name: &str) -> bool {
    let resources = cx.tree.get(cx.result, symbol::RESOURCES);
    cx.tree.symbols().get(name).is_some_and(|name| resources.is_some_and(|node| cx.tree.get(node, name).is_some()))
}

fn is_tagged(cx: &Context<'_>, unknown: &Unknown<'_>) -> bool {
    unknown.call.is_some_and(|call| cx.tree.style(call) == Style::Tag)
}

fn get_att(
    cx: &Context<'_>,
    loops: &DeclaredLoops,
    unknown: &Unknown<'_>,
    (resource, attribute): (&str, &str),
) -> String {
    let (resource, attribute) = (shown(resource), shown(attribute));
    match () {
        () if is_tagged(cx, unknown) => format!("!GetAtt {resource}.{attribute}"),
        () if loops.is_json(cx) => format!("{{\"Fn::GetAtt\": [\"{resource}\", \"{attribute}\"]}}"),
        () => format!("Fn::GetAtt: [{resource}, {attribute}]"),
    }
}

fn reference(cx: &Context<'_>, loops: &DeclaredLoops, unknown: &Unknown<'_>) -> String {
    let name = shown(unknown.name);
    match () {
        () if is_tagged(cx, unknown) => format!("!Ref {name}"),
        () if loops.is_json(cx) => format!("{{\"Ref\": \"{name}\"}}"),
        () => format!("Ref: {name}"),
    }
}
