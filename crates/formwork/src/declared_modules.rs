//! The modules that a template declares as written, without expanding it.

use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath};
use formwork_syntax::{NodeId, Tree};

/// Returns the `Source` of each import in `Modules` as written, also of imports in loops. Empty for bytes that cannot
/// be read.
pub fn declared_modules(bytes: &[u8]) -> Vec<String> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Vec::new() };
    // Most templates have no imports, which is quickly seen.
    if !text.contains("Modules") || !text.contains("Source") {
        return Vec::new();
    }
    let (mut tree, mut sources, mut diagnostics) = (Tree::new(), SourceMap::new(), Diagnostics::new());
    let Some(file) = sources.add(VirtualPath::new("template"), text) else { return Vec::new() };
    let document = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut diagnostics);
    let mut found = Vec::new();
    if let Some(modules) = tree.get_text(document.root, "Modules").filter(|_| document.is_well_formed) {
        of_section(&tree, modules, &mut found);
    }
    found
}

fn of_section(tree: &Tree, modules: NodeId, found: &mut Vec<String>) {
    for entry in tree.entries(modules) {
        let bodies: Vec<NodeId> = match (tree.loop_name(entry.key), tree.items(entry.value)) {
            (Some(_), &[_, _, body]) => tree.entries(body).map(|inner| inner.value).collect(),
            _ => vec![entry.value],
        };
        let sources = bodies.into_iter().filter_map(|body| tree.string(tree.get_text(body, "Source")?));
        found.extend(sources.map(str::to_owned));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_those_of_the_section() {
        let text =
            b"Modules:\n  A: {Source: ./a.yaml}\n  B: {Source: !Ref P}\n  Fn::ForEach::L: [N, [x], {C: {Source: c}}]\n\
            Resources: {R: {Type: A::B::C, Properties: {Source: x}}}\n";
        assert_eq!(declared_modules(text), ["./a.yaml", "c"]);
        let json = br#"{"Modules": {"A": {"Source": "a.json"}, "B": "Source"}}"#;
        assert_eq!(declared_modules(json), ["a.json"]);
        for none in [&b"Modules: [Source]"[..], b"Modules: {A: {Source: x}", b"Resources: {}", b"\xff Modules Source"] {
            assert_eq!(declared_modules(none), Vec::<String>::new());
        }
    }
}
