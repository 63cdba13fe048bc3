//! Values with which a packaged template is deployed, compared to those with which it was packaged
//! (reference/packaging.md#fixed-items).

use std::collections::HashSet;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Diagnostics, Goal, Severity, Span, codes};
use formwork_evaluate::ParameterTable;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Tree, View, symbol};
use formwork_template::Template;
use formwork_template::template::Parameter;

struct Packaged<'t> {
    parameter: NodeId,
    items: Vec<&'t str>,
    span: Span,
}

#[derive(Clone, Copy)]
struct Loop<'t> {
    variable: &'t str,
    parameter: NodeId,
}

/// A lookup in a generated Mapping, in loops over parameters whose variables are its key.
struct Lookup {
    span: Span,
    mapping: Entry,
    /// The nodes with the names of the parameters whose items are in the key.
    parameters: Vec<NodeId>,
    /// Set when the key is joined from several items.
    is_joined: bool,
}

/// Reports an error for every parameter whose items differ from those of the packaging: a generated Mapping has no
/// entry for the new ones. The packaged items are those that `package --record` noted, else the keys of the generated
/// Mappings. Lookups that fail for this reason are not reported as well. If no lookup fails, only a deployment reports
/// the items.
pub(crate) fn report(
    tree: &Tree,
    template: &Template,
    parameters: &ParameterTable,
    goal: Goal,
    diagnostics: &mut Diagnostics,
) {
    let fails = diagnostics.iter().any(|found| found.code == codes::NO_MAPPING_ENTRY);
    // Packaging writes new Mappings.
    if goal.keeps_constructs() || !fails && goal != Goal::Deploy {
        return;
    }
    let lookups = lookups(tree, template.root);
    let noted = noted(tree, template.root);
    let packaged = if noted.is_empty() { mapped(tree, &lookups) } else { noted };
    let mut reported: HashSet<&str> = HashSet::new();
    let mut consequences: HashSet<Span> = HashSet::new();
    for Packaged { parameter, items, span } in packaged {
        let name = tree.text(parameter);
        let is_meant = |declared: &&Parameter| tree.name(declared.name) == name;
        let declared = template.parameters.iter().find(is_meant);
        let bound = declared.and_then(|declared| parameters.get(declared.name)).filter(|bound| !bound.secret);
        let now = bound.and_then(|bound| bound.value).and_then(|value| items_of(tree, value));
        let known: HashSet<&str> = items.iter().copied().collect();
        let missing = now.iter().flatten().find(|item| !known.contains(*item));
        let (Some(now), Some(missing)) = (&now, missing) else { continue };
        let reads = |lookup: &&Lookup| lookup.parameters.iter().any(|&read| tree.text(read) == name);
        let of_parameter: HashSet<Span> = lookups.iter().filter(reads).map(|lookup| lookup.span).collect();
        let is_failure = |found: &Diagnostic| is_failure_of(found, &of_parameter);
        if goal != Goal::Deploy && !diagnostics.iter().any(is_failure) || !reported.insert(name) {
            continue;
        }
        diagnostics.push(changed(name, (&items, span), now, missing));
        consequences.extend(of_parameter);
    }
    if !consequences.is_empty() {
        diagnostics.retain(|found| !is_failure_of(found, &consequences));
    }
}

/// Returns `true` for the error of one of these lookups that does not find its entry.
fn is_failure_of(found: &Diagnostic, lookups: &HashSet<Span>) -> bool {
    found.code == codes::NO_MAPPING_ENTRY && lookups.contains(&found.span())
}

fn changed(name: &str, (items, span): (&[&str], Span), now: &[&str], missing: &str) -> Diagnostic {
    let list = |items: &[&str]| {
        let quoted: Vec<String> = items.iter().map(|item| format!("\"{}\"", shown(item))).collect();
        quoted.join(", ")
    };
    let (name, missing) = (shown(name), shown(missing));
    Diagnostic::new(
        codes::FIXED_COLLECTION,
        format!("the template was packaged without the item \"{missing}\" of parameter {name}"),
    )
    .severity(Severity::Error)
    .at(span)
    .label(format!("packaged with {}", list(items)))
    .note(format!("the items are now {}", list(now)))
    .note(format!("CloudFormation would reject this with `Fn::FindInMap - Key '{missing}' not found in Mapping`"))
    .help("package the template again with these values")
}

fn noted(tree: &Tree, root: NodeId) -> Vec<Packaged<'_>> {
    let note = ["Metadata", "Formwork", "Collections"]
        .iter()
        .try_fold(root, |node, name| (tree.kind(node) == Kind::Map).then(|| tree.get_text(node, name)).flatten());
    let texts = |list: NodeId| tree.items(list).iter().map(|&item| tree.text_form(item)).collect();
    let entries = note.filter(|&note| tree.kind(note) == Kind::Map).into_iter().flat_map(|note| tree.entries(note));
    entries
        .filter(|entry| tree.kind(entry.value) == Kind::List)
        .map(|entry| Packaged { parameter: entry.key, items: texts(entry.value), span: tree.span(entry.key) })
        .collect()
}

/// Returns the items for which the generated Mappings have entries whose key is one item.
fn mapped<'t>(tree: &'t Tree, lookups: &[Lookup]) -> Vec<Packaged<'t>> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for lookup in lookups {
        let Some(&parameter) = lookup.parameters.first().filter(|_| !lookup.is_joined) else { continue };
        if seen.insert((tree.text(parameter), lookup.mapping.key)) && tree.kind(lookup.mapping.value) == Kind::Map {
            let items = tree.entries(lookup.mapping.value).map(|entry| tree.text(entry.key)).collect();
            found.push(Packaged { parameter, items, span: tree.span(lookup.mapping.key) });
        }
    }
    found
}

/// The items of a list, or of a string that is a list.
fn items_of(tree: &Tree, value: NodeId) -> Option<Vec<&str>> {
    match tree.kind(value) {
        Kind::List => Some(tree.items(value).iter().map(|&item| tree.text_form(item)).collect()),
        Kind::String => Some(tree.text(value).split(',').map(str::trim).filter(|item| !item.is_empty()).collect()),
        _ => None,
    }
}

/// Returns the lookups in generated Mappings whose key consists of variables of loops over parameters.
fn lookups(tree: &Tree, root: NodeId) -> Vec<Lookup> {
    let section = |name| tree.get(root, name).filter(|&section| tree.kind(section) == Kind::Map);
    let (Some(mappings), Some(resources)) = (section(symbol::MAPPINGS), section(symbol::RESOURCES)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    look(tree, mappings, resources, &mut Vec::new(), &mut found);
    found
}

fn look<'t>(tree: &'t Tree, mappings: NodeId, node: NodeId, loops: &mut Vec<Loop<'t>>, found: &mut Vec<Lookup>) {
    match tree.view(node) {
        View::List(items) => items.iter().for_each(|&item| look(tree, mappings, item, loops, found)),
        View::Map => {
            for entry in tree.entries(node) {
                let around = loop_of(tree, tree.text(entry.key), entry.value);
                loops.extend(around);
                look(tree, mappings, entry.value, loops, found);
                if around.is_some() {
                    loops.pop();
                }
            }
        }
        View::Call(Function::Known(Known::FindInMap), argument) => {
            found.extend(lookup(tree, mappings, (node, argument), loops));
        }
        View::Call(_, argument) => look(tree, mappings, argument, loops, found),
        _ => {}
    }
}

fn loop_of<'t>(tree: &'t Tree, key: &str, value: NodeId) -> Option<Loop<'t>> {
    let &[variable, collection, _] = list_of(tree, value).filter(|_| key.starts_with("Fn::ForEach::"))? else {
        return None;
    };
    let parameter = tree.argument_of(collection, Known::Ref)?;
    Some(Loop { variable: tree.string(variable)?, parameter })
}

fn lookup(tree: &Tree, mappings: NodeId, (call, argument): (NodeId, NodeId), loops: &[Loop<'_>]) -> Option<Lookup> {
    let &[name, key, _] = list_of(tree, argument)? else { return None };
    let name = tree.string(name).filter(|name| name.starts_with("SAM"))?;
    let joined = tree.argument_of(key, Known::Join).and_then(|join| match *list_of(tree, join)? {
        [_, parts] => list_of(tree, parts),
        _ => None,
    });
    let parts = joined.unwrap_or(std::slice::from_ref(&key));
    let variables = parts.iter().map(|&part| tree.argument_of(part, Known::Ref).and_then(|name| tree.string(name)));
    let parameter_of = |variable: Option<&str>| {
        let around = loops.iter().rev().find(|around| Some(around.variable) == variable)?;
        Some(around.parameter)
    };
    let parameters: Vec<NodeId> = variables.filter_map(parameter_of).collect();
    let mapping = tree.entries(mappings).find(|entry| tree.text(entry.key) == name)?;
    (!parameters.is_empty()).then(|| Lookup { span: tree.span(call), mapping, parameters, is_joined: joined.is_some() })
}

fn list_of(tree: &Tree, node: NodeId) -> Option<&[NodeId]> {
    (tree.kind(node) == Kind::List).then(|| tree.items(node))
}

#[cfg(test)]
mod tests {
    use formwork_base::{Diagnostic, MemoryHost, codes};
    use formwork_evaluate::ValueSource;

    use crate::{Goal, Options, ParameterValue, Session};

    const MAPPED: &str = "Transform: AWS::LanguageExtensions
Parameters: {Names: {Type: TYPE}, Stage: {Type: String, Default: dev}}
Mappings:
  SAMCodeUriFunctions: {a: {CodeUri: 's3://b/1'}, b: {CodeUri: 's3://b/2'}}
  Sizes: {a: {Size: 1}, b: {Size: 2}, c: {Size: 3}}
Resources:
  Fn::ForEach::Functions:
    - Name
    - !Ref Names
    - Function${Name}:
        Type: AWS::Serverless::Function
        Properties:
          MemorySize: !FindInMap [Sizes, !Ref Name, Size]
          CodeUri: !FindInMap [SAMCodeUriFunctions, !Ref Name, CodeUri]
";

    fn changed(template: &str, value: &str) -> Vec<(String, Vec<String>)> {
        let host = MemoryHost::new().with("t.yaml", template);
        let parameter =
            ParameterValue { name: "Names".to_owned(), value: value.to_owned(), given: ValueSource::CommandLine };
        let options = Options { parameters: vec![parameter], ..Options::default() };
        let compiled = Session::new(&host, options).compile("t.yaml", Goal::Deploy);
        let is_meant = |found: &&Diagnostic| found.code == codes::FIXED_COLLECTION;
        let found: Vec<_> = compiled.diagnostics().iter().filter(is_meant).collect();
        let follows = compiled.diagnostics().iter().any(|found| found.code == codes::NO_MAPPING_ENTRY);
        assert!(found.is_empty() || !follows, "{:?}", compiled.diagnostics());
        found.into_iter().map(|found| (found.message.clone(), found.notes.clone())).collect()
    }

    #[test]
    fn keys_of_generated_mappings_are_what_a_template_was_packaged_with() {
        for kind in ["CommaDelimitedList", "String"] {
            let template = MAPPED.replace("TYPE", kind);
            let found = changed(&template, "a,c");
            assert_eq!(found.len(), 1, "{kind}: {found:?}");
            assert_eq!(found[0].0, "the template was packaged without the item \"c\" of parameter Names", "{kind}");
            assert_eq!(found[0].1[0], "the items are now \"a\", \"c\"", "{kind}");
            assert_eq!(changed(&template, "b"), [], "{kind}");
        }
    }

    #[test]
    fn a_note_counts_before_mappings() {
        let note = "Metadata: {Formwork: {Collections: {Names: [a, c]}}}\n";
        assert_eq!(changed(&(MAPPED.replace("TYPE", "CommaDelimitedList") + note), "a,c"), []);
        let found = changed(&(MAPPED.replace("TYPE", "CommaDelimitedList") + note), "b");
        assert_eq!(found.len(), 1, "{found:?}");
    }
}
