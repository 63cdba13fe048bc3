//! The facts kept by hand, `data/schemas/*.tsv`.

use std::collections::BTreeMap;
use std::path::Path;

use formwork_schemas::{Facts as TypeFacts, Policy, Schemas, Stateful};
use serde_json::Value;

use super::rows;
use super::wheel::Wheel;

/// Rows of each file, by type.
pub(crate) struct Facts {
    reference: Vec<Vec<String>>,
    attributes: Vec<Vec<String>>,
    replacement: Vec<Vec<String>>,
    stateful: Vec<Vec<String>>,
    policies: Vec<Vec<String>>,
    types: BTreeMap<String, TypeFacts<String>>,
}

/// Ends of names of types that usually hold data.
const HOLDERS: [&str; 11] = [
    "Bucket",
    "Table",
    "Database",
    "Cluster",
    "Volume",
    "FileSystem",
    "Repository",
    "Store",
    "Vault",
    "Index",
    "Stream",
];

impl Facts {
    pub(crate) fn read(folder: &Path) -> Result<Facts, String> {
        let mut facts = Facts {
            reference: rows(folder, "ref.tsv", 2)?,
            attributes: rows(folder, "attributes.tsv", 3)?,
            replacement: rows(folder, "replacement.tsv", 3)?,
            stateful: rows(folder, "stateful.tsv", 5)?,
            policies: rows(folder, "policies.tsv", 3)?,
            types: BTreeMap::new(),
        };
        facts.types = facts.by_type()?;
        Ok(facts)
    }

    pub(crate) fn of(&self, name: &str) -> TypeFacts<String> {
        self.types.get(name).cloned().unwrap_or_default()
    }

    fn by_type(&self) -> Result<BTreeMap<String, TypeFacts<String>>, String> {
        let mut lists: BTreeMap<String, TypeFacts<String>> = BTreeMap::new();
        for row in &self.reference {
            lists.entry(row[0].clone()).or_default().reference = row[1].split('|').map(str::to_owned).collect();
        }
        for row in &self.attributes {
            push(&mut lists.entry(row[0].clone()).or_default().attributes, row[1].clone());
        }
        for row in &self.replacement {
            push(&mut lists.entry(row[0].clone()).or_default().older, (row[1].clone(), row[2] == "yes"));
        }
        for row in &self.stateful {
            let default_policy = match row[4].as_str() {
                "-" => None,
                "Snapshot" => Some(Policy::Snapshot),
                "Snapshot unless DBClusterIdentifier" => Some(Policy::SnapshotWithoutCluster),
                other => return Err(format!("stateful.tsv: {other} is not a policy")),
            };
            lists.entry(row[0].clone()).or_default().stateful = Some(Stateful {
                listed: row[1] == "w",
                snapshot: row[2] == "y",
                deleted_only_when_empty: row[3] == "y",
                default_policy,
            });
        }
        for row in &self.policies {
            push(&mut lists.entry(row[0].clone()).or_default().policies, (row[1].clone(), row[2].clone()));
        }
        Ok(lists)
    }

    /// Refuses rows whose type or property has gone; prints those that the wheel has itself by now.
    pub(crate) fn verify(&self, wheel: &Wheel) -> Result<(), String> {
        let files = [
            ("ref.tsv", &self.reference),
            ("attributes.tsv", &self.attributes),
            ("replacement.tsv", &self.replacement),
            ("stateful.tsv", &self.stateful),
            ("policies.tsv", &self.policies),
        ];
        for (file, rows) in files {
            for row in rows {
                let name = &row[0];
                let schema = wheel.types.get(name).ok_or_else(|| format!("{file}: the wheel has no type {name}"))?;
                let names: Vec<&str> = match file {
                    "ref.tsv" => row[1].split('|').collect(),
                    "stateful.tsv" => continue,
                    _ => vec![row[1].as_str()],
                };
                for property in names {
                    let first = property.split('.').next().unwrap_or_default();
                    // `Ref` and attributes may have names that are not properties of the schema.
                    let must_exist =
                        !first.is_empty() && first != "*" && matches!(file, "replacement.tsv" | "policies.tsv");
                    if must_exist && schema.pointer(&format!("/properties/{first}")).is_none() {
                        return Err(format!("{file}: {name} has no property {first}"));
                    }
                }
                if let Some(now) = known_by_now(file, row, schema) {
                    println!("{file}: {name} {}: the wheel has it now ({now})", row[1]);
                }
            }
        }
        Ok(())
    }

    /// Prints types that may hold data and are not listed, for review.
    pub(crate) fn print_unlisted(&self, schemas: &Schemas) {
        let names = schemas.type_names("AWS::");
        let unlisted = names.into_iter().filter(|name| {
            HOLDERS.iter().any(|end| name.ends_with(end)) && !self.stateful.iter().any(|row| row[0] == *name)
        });
        let unlisted: Vec<&str> = unlisted.collect();
        println!("not in stateful.tsv: {}", unlisted.join(", "));
    }
}

/// The list of the schema that has a row's fact, if there is one.
fn known_by_now(file: &str, row: &[String], schema: &Value) -> Option<&'static str> {
    let has = |list: &str, names: &str| {
        let path = format!("/properties/{}", names.replace('.', "/"));
        schema.get(list).and_then(Value::as_array).is_some_and(|paths| paths.iter().any(|known| *known == *path))
    };
    match file {
        "attributes.tsv" => has("readOnlyProperties", &row[1]).then_some("readOnlyProperties"),
        "replacement.tsv" => {
            ["createOnlyProperties", "conditionalCreateOnlyProperties"].into_iter().find(|list| has(list, &row[1]))
        }
        _ => None,
    }
}

fn push<T: Clone>(list: &mut Box<[T]>, value: T) {
    let mut values = std::mem::take(list).into_vec();
    values.push(value);
    *list = values.into_boxed_slice();
}
