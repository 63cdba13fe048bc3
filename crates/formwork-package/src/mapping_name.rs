//! Names of generated Mappings (reference/packaging.md#mappings).

use std::collections::HashMap;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::Tree;
use formwork_template::logical_id;
use formwork_template::placeholder::Scanner;

use crate::lookup::Lookup;

/// Returns the name of each lookup's Mapping: `SAM`, the last part of the property, the names of all loops around it.
/// Two that would share a name get a suffix from their logical IDs.
pub(crate) fn names(tree: &Tree, lookups: &[Lookup<'_>], diagnostics: &mut Vec<Diagnostic>) -> Vec<Option<String>> {
    let group = |lookup: &Lookup<'_>| {
        let loops: Vec<&str> = lookup.slot.found.loops.iter().map(|around| around.name.as_str()).collect();
        (loops.join("\0"), lookup.leaf())
    };
    let groups: Vec<(String, &str)> = lookups.iter().map(group).collect();
    let (mut in_group, mut of_resource) = (HashMap::new(), HashMap::new());
    for (lookup, group) in lookups.iter().zip(&groups) {
        *in_group.entry(group).or_insert(0) += 1;
        *of_resource.entry((group, lookup.slot.found.resource)).or_insert(0) += 1;
    }
    let mut names = Vec::with_capacity(lookups.len());
    for (at, lookup) in lookups.iter().enumerate() {
        let found = &lookup.slot.found;
        let loops: String = found.loops.iter().map(|around| around.name.as_str()).collect();
        let mut name = format!("SAM{}{loops}", lookup.leaf());
        if in_group[&groups[at]] > 1 {
            let key = tree.text(found.resource);
            let suffix = logical_id::stripped(&without_placeholders(key));
            if suffix.is_empty() {
                diagnostics.push(empty_suffix(tree, lookup, key));
                names.push(None);
                continue;
            }
            name += &suffix;
            if of_resource[&(&groups[at], found.resource)] > 1 {
                name += &logical_id::stripped(&found.property(tree));
                for &branch in &found.branches {
                    name += if branch == 1 { "Then" } else { "Else" };
                }
            }
        }
        if !logical_id::is_alphanumeric(&name) {
            diagnostics.push(not_alphanumeric(tree, lookup, &name));
            names.push(None);
            continue;
        }
        names.push(Some(name));
    }
    names
}

/// Removes `${...}` and `&{...}` from a key.
fn without_placeholders(key: &str) -> String {
    let mut text = String::with_capacity(key.len());
    let mut scanner = Scanner::new(key);
    while let Some((before, found)) = scanner.next_placeholder() {
        text.push_str(before);
        if found.name.is_none() {
            text.push_str(found.written);
        }
    }
    text + scanner.rest()
}

fn empty_suffix(tree: &Tree, lookup: &Lookup<'_>, key: &str) -> Diagnostic {
    let sentence = format!("Resource key '{}' produces an empty suffix after sanitization.", shown(key));
    let property = lookup.property(tree);
    Diagnostic::new(
        codes::GENERATED_MAPPING,
        format!("{property} varies in several resources, and the name of one consists only of variables: `{sentence}`"),
    )
    .at(tree.span(lookup.slot.found.resource))
    .help("add letters to the logical ID")
}

fn not_alphanumeric(tree: &Tree, lookup: &Lookup<'_>, name: &str) -> Diagnostic {
    Diagnostic::new(
        codes::GENERATED_MAPPING,
        format!("the Mapping {} cannot be generated: names of Mappings are alphanumeric", shown(name)),
    )
    .at(tree.span(lookup.slot.found.resource))
    .help("use alphanumeric names for the enclosing loops")
}
