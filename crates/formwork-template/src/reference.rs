//! Finds the names that a piece of a template refers to.

use formwork_base::IdSet;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Symbol, Tree, View, flags, symbol};

use crate::sub_string::{self, Part};
use crate::template::may_get_entries;

/// The function or attribute of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum By {
    /// `Ref`
    Ref,
    /// `Fn::GetAtt`
    GetAtt,
    /// A variable of `Fn::Sub`.
    Sub,
    /// `DependsOn`
    DependsOn,
}

/// A reference to a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference<'t> {
    /// The name referred to, without attribute.
    pub name: &'t str,
    /// The attribute, for `Fn::GetAtt` and `${Name.Attribute}`.
    pub attribute: Option<&'t str>,
    /// The function or attribute of the reference.
    pub by: By,
    /// The string node that contains the name.
    pub node: NodeId,
    /// The string node of the attribute, if it is an element of a list.
    pub attribute_node: Option<NodeId>,
    /// The call whose whole argument that node is; for `Fn::Sub`, the call of the string.
    pub call: Option<NodeId>,
    /// The number of the variable in the string of `Fn::Sub`.
    pub variable: Option<u32>,
    /// The constructs around the reference.
    pub inside: Inside,
}

/// The constructs around a reference.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Inside {
    /// In a branch of an `Fn::If`, which may not be taken.
    pub branch: bool,
    /// In the name of an `Fn::ImportValue`, which accepts parameters alone.
    pub import: bool,
    /// In the string of an `Fn::Sub` whose variables are not a mapping, or are written by a macro or an include: the
    /// meaning of the name is not known.
    pub unread_variables: bool,
}

/// Calls `visit` for every reference by literal name below `node`. Computed names are skipped. `enter` decides whether
/// a subtree is visited, so that a subtree shared by many copies need not be visited again.
pub fn visit<'t>(
    tree: &'t Tree,
    node: NodeId,
    enter: &mut impl FnMut(NodeId) -> bool,
    visit: &mut impl FnMut(Reference<'t>),
) {
    walk(tree, node, Inside::default(), &mut |node, _| enter(node), visit);
}

/// Like [`visit`], below a node with constructs around it, which `enter` also receives.
pub fn visit_inside<'t>(
    tree: &'t Tree,
    node: NodeId,
    inside: Inside,
    enter: &mut impl FnMut(NodeId, Inside) -> bool,
    visit: &mut impl FnMut(Reference<'t>),
) {
    walk(tree, node, inside, enter, visit);
}

/// Like [`visit`], for references that are needed in any case: branches of an `Fn::If` are skipped.
pub fn visit_certain<'t>(
    tree: &'t Tree,
    node: NodeId,
    enter: &mut impl FnMut(NodeId) -> bool,
    visit: &mut impl FnMut(Reference<'t>),
) {
    walk(tree, node, Inside::default(), &mut |node, inside| !inside.branch && enter(node), visit);
}

fn walk<'t>(
    tree: &'t Tree,
    node: NodeId,
    inside: Inside,
    enter: &mut impl FnMut(NodeId, Inside) -> bool,
    visit: &mut impl FnMut(Reference<'t>),
) {
    if !tree.has(node, flags::HAS_CALL) || !enter(node, inside) {
        return;
    }
    match tree.kind(node) {
        Kind::List => {
            for &item in tree.items(node) {
                walk(tree, item, inside, enter, visit);
            }
        }
        Kind::Map => {
            // A loop that is left for CloudFormation refers to names that exist only inside of it.
            for entry in tree.entries(node).filter(|entry| tree.loop_name(entry.key).is_none()) {
                walk(tree, entry.value, inside, enter, visit);
            }
        }
        Kind::Call => call(tree, node, inside, enter, visit),
        _ => {}
    }
}

fn call<'t>(
    tree: &'t Tree,
    node: NodeId,
    inside: Inside,
    enter: &mut impl FnMut(NodeId, Inside) -> bool,
    visit: &mut impl FnMut(Reference<'t>),
) {
    let (function, argument) = tree.call(node);
    match function {
        Function::Known(Known::Ref) => {
            // A name such as `5` or `Yes` is parsed as a number or Boolean, and is a name all the same.
            if tree.is_scalar(argument) {
                let name = tree.text(argument);
                visit(Reference {
                    name,
                    attribute: None,
                    by: By::Ref,
                    node: argument,
                    attribute_node: None,
                    call: Some(node),
                    variable: None,
                    inside,
                });
            }
            walk(tree, argument, inside, enter, visit);
        }
        Function::Known(Known::GetAtt) => {
            if let Some((name, attribute, at)) = get_att(tree, argument) {
                let call = (at == argument).then_some(node);
                let attribute_node = tree.items(argument).get(1).copied();
                visit(Reference {
                    name,
                    attribute,
                    by: By::GetAtt,
                    node: at,
                    attribute_node,
                    call,
                    variable: None,
                    inside,
                });
            }
            walk(tree, argument, inside, enter, visit);
        }
        Function::Known(Known::Sub) => sub(tree, node, inside, enter, visit),
        Function::Known(Known::If) => {
            for &item in tree.items(argument) {
                walk(tree, item, Inside { branch: true, ..inside }, enter, visit);
            }
        }
        // CloudFormation resolves includes; their content is not known here.
        Function::Known(Known::Transform) => {}
        // A remaining call had an error; it refers to names that exist only inside of it.
        Function::Known(Known::Map) => {}
        Function::Known(Known::ImportValue) => {
            walk(tree, argument, Inside { import: true, ..inside }, enter, visit);
        }
        _ => walk(tree, argument, inside, enter, visit),
    }
}

/// Returns the resource name, the attribute and the node with the name, of the argument of `Fn::GetAtt`.
pub fn get_att(tree: &Tree, argument: NodeId) -> Option<(&str, Option<&str>, NodeId)> {
    match tree.view(argument) {
        View::String(text) => {
            let (name, attribute) = text.split_once('.')?;
            Some((name, Some(attribute), argument))
        }
        View::List([name, attribute]) => Some((tree.string(*name)?, tree.string(*attribute), *name)),
        _ => None,
    }
}

/// Returns the name of a condition in an operand of another condition. `{Condition: Name}` is parsed as a mapping,
/// since it may be data elsewhere.
pub fn condition_named(tree: &Tree, node: NodeId) -> Option<NodeId> {
    match tree.kind(node) {
        Kind::Map if tree.len(node) == 1 => tree.get(node, symbol::CONDITION),
        Kind::Call => tree.argument_of(node, Known::Condition),
        _ => None,
    }
}

/// Returns the string and the variables of the argument of `Fn::Sub`.
pub fn sub_parts(tree: &Tree, argument: NodeId) -> (NodeId, Option<NodeId>) {
    match tree.items(argument) {
        [] => (argument, None),
        [text, rest @ ..] => (*text, rest.first().copied()),
    }
}

fn sub<'t>(
    tree: &'t Tree,
    call: NodeId,
    inside: Inside,
    enter: &mut impl FnMut(NodeId, Inside) -> bool,
    visit: &mut impl FnMut(Reference<'t>),
) {
    let (text_node, variables) = sub_parts(tree, tree.call(call).1);
    let bound: Option<IdSet<Symbol>> =
        variables.map(|map| tree.entries(map).map(|entry| tree.symbol(entry.key)).collect());
    let is_bound = |name: &str| {
        bound.as_ref().is_some_and(|bound| tree.symbols().get(name).is_some_and(|name| bound.contains(&name)))
    };
    let is_unread = |map: NodeId| {
        matches!(tree.kind(map), Kind::List | Kind::String | Kind::Number | Kind::Bool) || may_get_entries(tree, map)
    };
    let inside_string = Inside { unread_variables: variables.is_some_and(is_unread), ..inside };
    let names = sub_string::parts(tree.string(text_node).unwrap_or_default()).filter_map(Part::variable);
    for (number, full) in (0..).zip(names) {
        // Anything but a name is an error of the string, which evaluation reports.
        if is_bound(full) || !sub_string::is_variable_name(full) {
            continue;
        }
        let (name, attribute) = full.split_once('.').map_or((full, None), |(name, rest)| (name, Some(rest)));
        let variable = Some(number);
        let (by, call) = (By::Sub, Some(call));
        visit(Reference {
            name,
            attribute,
            by,
            node: text_node,
            attribute_node: None,
            call,
            variable,
            inside: inside_string,
        });
    }
    if let Some(variables) = variables {
        walk(tree, variables, inside, enter, visit);
    }
}

/// Returns the names in a `DependsOn`: a string or a list of strings.
pub fn depends_on(tree: &Tree, node: NodeId) -> impl Iterator<Item = Reference<'_>> {
    let list = if tree.kind(node) == Kind::List { tree.items(node) } else { &[] };
    let single = (tree.kind(node) != Kind::List).then_some(node);
    list.iter().copied().chain(single).filter_map(move |node| {
        let name = tree.string(node)?;
        Some(Reference {
            name,
            attribute: None,
            by: By::DependsOn,
            node,
            attribute_node: None,
            call: None,
            variable: None,
            inside: Inside::default(),
        })
    })
}

#[cfg(test)]
mod tests {
    use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath};

    use super::*;

    fn check(text: &str) -> Vec<String> {
        let (mut tree, mut sources) = (Tree::new(), SourceMap::new());
        let file = sources.add(VirtualPath::new("t.yaml"), text).expect("room");
        let root = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut Diagnostics::new()).root;
        let mut names = Vec::new();
        visit(&tree, root, &mut |_| true, &mut |reference| names.push(reference.name.to_owned()));
        names
    }

    #[test]
    fn names_in_calls() {
        assert_eq!(
            check("[!Ref A, !GetAtt B.C, !Sub 'x${D}${E.F}${!G}', {Fn::If: [H, !Ref I, x]}]"),
            ["A", "B", "D", "E", "I"]
        );
        assert_eq!(check("{Fn::Sub: ['${A}${B}', {A: !Ref C}]}"), ["B", "C"]);
        assert_eq!(check("!Sub '${}${A-b}${A${B}}${C}'"), ["C"]);
    }

    #[test]
    fn names_that_are_needed_for_sure() {
        let (mut tree, mut sources) = (Tree::new(), SourceMap::new());
        let text = "[!Ref A, !If [C, !Ref D, [!GetAtt E.F]], !Sub ['${G}', {G: !If [C, !Ref H, x]}], !Ref I]";
        let file = sources.add(VirtualPath::new("t.yaml"), text).expect("room");
        let root = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut Diagnostics::new()).root;
        let mut names = Vec::new();
        visit_certain(&tree, root, &mut |_| true, &mut |reference| names.push(reference.name.to_owned()));
        assert_eq!(names, ["A", "I"]);
        let (mut certain, mut all) = (Vec::new(), Vec::new());
        visit(&tree, root, &mut |_| true, &mut |reference| {
            if !reference.inside.branch {
                certain.push(reference.name.to_owned());
            }
            all.push(reference.name);
        });
        assert_eq!((certain, all.len()), (names, 5));
    }
}
