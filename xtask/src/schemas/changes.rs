//! What a new table changes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use formwork_schemas::{Kinds, Node, Schemas};

/// Refuses a table that is older, or has lost too much.
pub(crate) fn refuse(old: &Schemas, new: &Schemas, older: bool) -> Result<(), String> {
    if !older && new.date() < old.date() {
        return Err(
            "the schemas of the wheel are older than those of the table: use --older if that is meant".to_owned()
        );
    }
    let gone = names(old).difference(&names(new)).count();
    if gone * 20 > old.len() {
        return Err(format!("{gone} of {} types have gone", old.len()));
    }
    Ok(())
}

fn names(schemas: &Schemas) -> BTreeSet<&str> {
    schemas.type_names("").into_iter().collect()
}

/// What a person wants to know of a new table, as a list in Markdown. Empty if nothing has changed.
pub(crate) fn summary(old: &Schemas, new: &Schemas) -> String {
    let mut out = String::new();
    let (before, after) = (names(old), names(new));
    list(&mut out, "types added", after.difference(&before).map(|name| (*name).to_owned()));
    list(&mut out, "types gone", before.difference(&after).map(|name| (*name).to_owned()));
    let mut changes = Changes::default();
    for name in before.intersection(&after) {
        if let (Some(old), Some(new)) = (old.resource_type(name), new.resource_type(name)) {
            changes.compare(name, &flat(old.properties()), &flat(new.properties()));
        }
    }
    list(&mut out, "properties added", changes.added);
    list(&mut out, "properties gone", changes.gone);
    list(&mut out, "newly required", changes.required);
    list(&mut out, "kinds changed", changes.kinds);
    list(&mut out, "values added", changes.values_added);
    list(&mut out, "values gone", changes.values_gone);
    out
}

fn list(out: &mut String, title: &str, lines: impl IntoIterator<Item = String>) {
    let lines: Vec<String> = lines.into_iter().collect();
    if !lines.is_empty() {
        let _ = writeln!(out, "- {title}: {}", lines.len());
        for line in lines {
            let _ = writeln!(out, "  - `{line}`");
        }
    }
}

#[derive(Default)]
struct Changes {
    added: Vec<String>,
    gone: Vec<String>,
    required: Vec<String>,
    kinds: Vec<String>,
    values_added: Vec<String>,
    values_gone: Vec<String>,
}

impl Changes {
    fn compare(&mut self, name: &str, old: &Flat, new: &Flat) {
        for (path, after) in new {
            let Some(before) = old.get(path) else {
                self.added.push(format!("{name} {path}"));
                continue;
            };
            if after.required && !before.required {
                self.required.push(format!("{name} {path}"));
            }
            if after.kinds != before.kinds {
                self.kinds.push(format!("{name} {path}: {} to {}", before.kinds, after.kinds));
            }
            let line = |values: Vec<&String>| {
                let values: Vec<&str> = values.into_iter().map(String::as_str).collect();
                (!values.is_empty()).then(|| format!("{name} {path}: {}", values.join(", ")))
            };
            self.values_added.extend(line(after.values.difference(&before.values).collect()));
            self.values_gone.extend(line(before.values.difference(&after.values).collect()));
        }
        self.gone.extend(old.keys().filter(|path| !new.contains_key(*path)).map(|path| format!("{name} {path}")));
    }
}

/// Paths of a type with what is known of them.
type Flat = BTreeMap<String, Known>;

struct Known {
    required: bool,
    kinds: Kinds,
    values: BTreeSet<String>,
}

fn flat(root: Node<'_>) -> Flat {
    let mut flat = Flat::new();
    visit(root, "", false, &mut BTreeSet::new(), &mut flat);
    flat
}

/// Walks into a node unless it was met before: schemas contain themselves, and the same node in many places.
fn visit(node: Node<'_>, path: &str, required: bool, met: &mut BTreeSet<u32>, flat: &mut Flat) {
    let values = node.values().into_iter().flat_map(|values| values.iter().map(str::to_owned)).collect();
    flat.insert(path.to_owned(), Known { required, kinds: node.kinds(), values });
    if !met.insert(node.key()) {
        return;
    }
    for property in node.properties() {
        visit(property.node, &format!("{path}/{}", property.name), property.required, met, flat);
    }
    if let Some(items) = node.items() {
        visit(items, &format!("{path}/*"), false, met, flat);
    }
    for (number, part) in node.one_of().chain(node.any_of()).chain(node.all_of()).enumerate() {
        visit(part, &format!("{path}|{number}"), false, met, flat);
    }
}
