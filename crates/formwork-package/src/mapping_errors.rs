//! Errors of generated Mappings (reference/packaging.md#mappings).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::{NodeId, Tree};

use crate::lookup::{Lookup, LookupSource};

/// Reports items that cannot be part of a key, in every loop whose variable the value refers to.
pub(crate) fn check_items(tree: &Tree, lookup: &Lookup<'_>, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let mut is_sound = true;
    for &at in &lookup.variables {
        let around = &lookup.slot.found.loops[at];
        let mut wrong: Vec<String> = Vec::new();
        for instance in &lookup.slot.instances {
            let item = &instance.items[at];
            let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
            let quoted = format!("\"{}\"", shown(item));
            if (item.is_empty() || !item.bytes().all(fits)) && !wrong.contains(&quoted) {
                wrong.push(quoted);
            }
        }
        if wrong.is_empty() {
            continue;
        }
        is_sound = false;
        let name = shown(&around.name);
        let sentence = format!(
            "Invalid collection values for CloudFormation Mapping keys in Fn::ForEach '{name}'. The following collection values contain invalid characters: {}",
            wrong.join(", ")
        );
        let property = lookup.property(tree);
        diagnostics.push(
            Diagnostic::new(
                codes::GENERATED_MAPPING,
                format!(
                    "{property} varies with {}, whose items cannot be keys of a Mapping: `{sentence}`",
                    around.variable
                ),
            )
            .at(tree.span(around.collection.unwrap_or(lookup.slot.found.resource)))
            .related(around.site, "the loop")
            .note("a Mapping key consists of letters, digits, `-` and `.`")
            .help("rename the items, or package the expanded template: `--expand`"),
        );
    }
    is_sound
}

pub(crate) fn at_value(tree: &Tree, lookup: &Lookup<'_>, message: String) -> Diagnostic {
    let found = &lookup.slot.found;
    Diagnostic::new(codes::GENERATED_MAPPING, message).at(tree.span(found.value.unwrap_or(found.resource)))
}

pub(crate) fn no_value(tree: &Tree, lookup: &Lookup<'_>, resource: &str) -> Diagnostic {
    let (property, id) = (lookup.property(tree), shown(resource));
    if matches!(lookup.source, LookupSource::Layers(_)) {
        return at_value(tree, lookup, format!("{id} has no packages, and other iterations have a dependency layer"))
            .help("add a manifest to its source, or build without `--dependency-layer`");
    }
    let sentence = format!("Could not find S3 URI for {property} in expanded resource {id}");
    at_value(tree, lookup, format!("{property} is a local file in other iterations, but not in {id}: `{sentence}`"))
        .help("use a local file in every iteration, or package the expanded template: `--expand`")
}

pub(crate) fn same_key(tree: &Tree, lookup: &Lookup<'_>, key: &str, one: &[&str], other: &[&str]) -> Diagnostic {
    let words = |items: &[&str]| items.iter().map(|item| shown(item)).collect::<Vec<_>>().join("` and `");
    at_value(
        tree,
        lookup,
        format!(
            "two combinations of items generate the Mapping key {}: `{}`, and `{}`",
            shown(key),
            words(one),
            words(other)
        ),
    )
    .help("rename the items, or package the expanded template: `--expand`")
}

pub(crate) fn two_values(tree: &Tree, lookup: &Lookup<'_>, key: &str, one: &str, other: &str) -> Diagnostic {
    let property = lookup.property(tree);
    let (key, one, other) = (shown(key), shown(one), shown(other));
    at_value(tree, lookup, format!("{property} differs between {one} and {other}, which share the Mapping key {key}"))
        .help("use the variable that distinguishes them in the path, or package the expanded template: `--expand`")
}

pub(crate) fn mixed_versions(tree: &Tree, lookup: &Lookup<'_>) -> Diagnostic {
    let property = lookup.property(tree);
    at_value(tree, lookup, format!("{property} has an object version in some iterations only"))
        .help("set a version in all of them, or in none")
}

pub(crate) fn taken(tree: &Tree, lookup: &Lookup<'_>, name: &str, other: NodeId, label: &str) -> Diagnostic {
    let property = lookup.property(tree);
    at_value(tree, lookup, format!("{property} needs the Mapping {}, but that name is already used", shown(name)))
        .label("this property")
        .related(tree.span(other), label)
        .help("rename the Mapping, or one of the loops")
}
