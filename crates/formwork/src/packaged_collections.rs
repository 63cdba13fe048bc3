//! Values that a packaged template is deployed with, and those that it was packaged with
//! (reference/packaging.md#fixed-items).

use formwork_base::{Diagnostic, Severity, Span, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Tree, View, symbol};
use formwork_template::template::Parameter;

use crate::compilation::Compilation;

/// The items of a parameter that a template was packaged with.
struct Packaged<'t> {
    /// The node with the name of the parameter.
    parameter: NodeId,
    items: Vec<&'t str>,
    /// Where the template has them.
    span: Span,
}

/// A loop over a parameter.
#[derive(Clone, Copy)]
struct Loop<'t> {
    variable: &'t str,
    parameter: NodeId,
}

impl Compilation {
    /// Returns an error for every parameter whose items the template was not packaged with: a generated Mapping has no
    /// entry for the new ones. What it was packaged with is what `package --record` noted, else the keys of the
    /// generated Mappings.
    pub fn changed_collections(&self) -> Vec<Diagnostic> {
        let tree = &self.tree;
        let Some(replay) = &self.replay else { return Vec::new() };
        let noted = self.noted_collections();
        let packaged = if noted.is_empty() { self.mapped_collections() } else { noted };
        let mut found: Vec<Diagnostic> = Vec::new();
        let mut told: Vec<&str> = Vec::new();
        for Packaged { parameter, items, span } in packaged {
            let is_meant = |declared: &&Parameter| tree.name(declared.name) == tree.text(parameter);
            let declared = self.template.parameters.iter().find(is_meant);
            let bound = declared.and_then(|declared| replay.parameters.get(declared.name));
            let bound = bound.filter(|bound| !bound.secret);
            let Some(now) = bound.and_then(|bound| bound.value).and_then(|value| items_of(tree, value)) else {
                continue;
            };
            let Some(missing) = now.iter().find(|item| !items.contains(item)) else { continue };
            if told.contains(&tree.text(parameter)) {
                continue;
            }
            told.push(tree.text(parameter));
            let name = shown(tree.text(parameter));
            let list = |items: &[&str]| items.iter().map(|item| format!("\"{}\"", shown(item))).collect::<Vec<_>>();
            found.push(
                Diagnostic::new(
                    codes::FIXED_COLLECTION,
                    format!("the template was packaged without the item \"{}\" of parameter {name}", shown(missing)),
                )
                .severity(Severity::Error)
                .at(span)
                .label(format!("packaged with {}", list(&items).join(", ")))
                .note(format!("the items are now {}", list(&now).join(", ")))
                .note(format!(
                    "CloudFormation would reject this with `Fn::FindInMap - Key '{}' not found in Mapping`",
                    shown(missing)
                ))
                .help("package the template again with these values"),
            );
        }
        found
    }

    /// What `package --record` noted.
    fn noted_collections(&self) -> Vec<Packaged<'_>> {
        let tree = &self.tree;
        let note = ["Metadata", "Formwork", "Collections"].iter().try_fold(self.template.root, |node, name| {
            tree.get_text(node, name).filter(|&node| tree.kind(node) == Kind::Map)
        });
        let texts = |list: NodeId| tree.items(list).iter().map(|&item| tree.text_form(item)).collect();
        let entries = note.into_iter().flat_map(|note| tree.entries(note));
        entries
            .filter(|entry| tree.kind(entry.value) == Kind::List)
            .map(|entry| Packaged { parameter: entry.key, items: texts(entry.value), span: tree.span(entry.key) })
            .collect()
    }

    /// What the generated Mappings have entries for that loops over parameters look up.
    fn mapped_collections(&self) -> Vec<Packaged<'_>> {
        let (tree, root) = (&self.tree, self.template.root);
        let (Some(mappings), Some(resources)) = (tree.get(root, symbol::MAPPINGS), tree.get(root, symbol::RESOURCES))
        else {
            return Vec::new();
        };
        let mut found = Vec::new();
        look(tree, mappings, resources, &mut Vec::new(), &mut found);
        found
    }
}

/// The items of a list, or of a string that is a list.
fn items_of(tree: &Tree, value: NodeId) -> Option<Vec<&str>> {
    match tree.kind(value) {
        Kind::List => Some(tree.items(value).iter().map(|&item| tree.text_form(item)).collect()),
        Kind::String => Some(tree.text(value).split(',').map(str::trim).filter(|item| !item.is_empty()).collect()),
        _ => None,
    }
}

/// Finds the lookups in generated Mappings whose key is the variable of a loop over a parameter.
fn look<'t>(tree: &'t Tree, mappings: NodeId, node: NodeId, loops: &mut Vec<Loop<'t>>, found: &mut Vec<Packaged<'t>>) {
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
            found.extend(lookup(tree, mappings, argument, loops));
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

fn lookup<'t>(tree: &'t Tree, mappings: NodeId, argument: NodeId, loops: &[Loop<'t>]) -> Option<Packaged<'t>> {
    let &[name, key, _] = list_of(tree, argument)? else { return None };
    let name = tree.string(name).filter(|name| name.starts_with("SAM"))?;
    let variable = tree.argument_of(key, Known::Ref).and_then(|name| tree.string(name))?;
    let around = loops.iter().rev().find(|around| around.variable == variable)?;
    let entry = tree.entries(mappings).find(|entry| tree.text(entry.key) == name)?;
    let items = tree.entries(entry.value).map(|entry| tree.text(entry.key)).collect();
    Some(Packaged { parameter: around.parameter, items, span: tree.span(entry.key) })
}

fn list_of(tree: &Tree, node: NodeId) -> Option<&[NodeId]> {
    (tree.kind(node) == Kind::List).then(|| tree.items(node))
}

#[cfg(test)]
mod tests {
    use formwork_base::MemoryHost;
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
        compiled.changed_collections().into_iter().map(|found| (found.message, found.notes)).collect()
    }

    #[test]
    fn keys_of_generated_mappings_are_what_a_template_was_packaged_with() {
        for kind in ["CommaDelimitedList", "String"] {
            let template = MAPPED.replace("TYPE", kind);
            let found = changed(&template, "a,c");
            assert_eq!(found.len(), 1, "{kind}: {found:?}");
            assert_eq!(found[0].0, "the template was packaged without the item \"c\" of parameter Names", "{kind}");
            assert_eq!(found[0].1[0], "the items are now \"a\", \"c\"", "{kind}");
            // Fewer items than were packaged are not an error.
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
