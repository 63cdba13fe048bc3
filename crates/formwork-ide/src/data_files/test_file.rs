//! Test files, `*.formwork-test.yaml`.

use formwork::NodeId;
use formwork::tree::Kind;

use super::{DataFile, parameters, unquoted};

/// Reads a test file: names in `Given.Parameters` and `Each`, and placeholders in the names of tests.
pub(super) fn read(text: &str, file: &mut DataFile) {
    let index = parameters::index(text);
    let Some(root) = index.root() else { return };
    let tree = index.tree();
    let range = |node: NodeId| unquoted(text, index.range_of(tree.span(node)));
    let template = tree.get_text(root, "Template").filter(|&path| tree.is_scalar(path));
    let path = template.map(|path| tree.text(path).to_owned());
    if let Some((node, path)) = template.zip(path.as_deref()) {
        file.add_path(path, range(node));
        file.templates.push(path.to_owned());
    }
    let add = |mapping: Option<NodeId>, file: &mut DataFile| {
        let Some(mapping) = mapping.filter(|&node| tree.kind(node) == Kind::Map) else { return };
        for entry in tree.entries(mapping) {
            file.add_use(tree.text(entry.key), range(entry.key), path.as_deref());
        }
    };
    let given = |node: NodeId| tree.get_text(node, "Given").and_then(|given| tree.get_text(given, "Parameters"));
    add(given(root), file);
    let Some(tests) = tree.get_text(root, "Tests").filter(|&tests| tree.kind(tests) == Kind::List) else { return };
    for &test in tree.items(tests) {
        add(given(test), file);
        let each = tree.get_text(test, "Each");
        add(each, file);
        if let Some(name) = tree.get_text(test, "Name").filter(|&name| tree.is_scalar(name)) {
            let whole = range(name);
            let source = text.get(whole.start as usize..whole.end as usize).unwrap_or_default();
            for (at, _) in source.match_indices("${") {
                let inner = source.get(at + 2..).and_then(|rest| rest.split_once('}')).map_or("", |(inner, _)| inner);
                let start = whole.start + at as u32 + 2;
                let is_variable = each.is_some_and(|each| tree.get_text(each, inner).is_some());
                if is_variable {
                    file.add_use(inner, start..start + inner.len() as u32, path.as_deref());
                }
            }
        }
        let expected = tree.get_text(test, "Expect").and_then(|expect| tree.get_text(expect, "Snapshot"));
        if let Some(snapshot) = expected.filter(|&snapshot| tree.is_scalar(snapshot)) {
            file.add_path(tree.text(snapshot), range(snapshot));
        }
    }
}
