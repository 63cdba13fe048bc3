//! `cargo xtask schemas`: the table of resource types, from the wheel of cfn-lint and the facts in `data/schemas`.

mod changes;
mod facts;
mod regions;
mod rules;
mod sources;
mod wheel;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use formwork_schemas::{Block, Compiler, Contents, Date, Schemas, Table, minimize, unknown_keywords};
use xtask_launcher::SchemasArgs;

use crate::command::repository;

/// The table in the repository.
const TABLE: &str = "crates/formwork-schemas/data/table.bin";
/// The facts kept by hand.
const FACTS: &str = "data/schemas";
/// No larger table is made.
const LARGEST: usize = 850_000;

/// Does it.
pub(crate) fn run(args: &SchemasArgs) -> Result<(), String> {
    let wheel = wheel::Wheel::read(&args.from)?;
    let facts = facts::Facts::read(&repository().join(FACTS))?;
    facts.verify(&wheel)?;
    let contents = contents(&wheel, &facts)?;
    let bytes = formwork_schemas::write(&contents).map_err(|error| format!("the table cannot be written: {error}"))?;
    if bytes.len() > LARGEST {
        return Err(format!("the table has {} bytes, more than {LARGEST}", bytes.len()));
    }
    let new = Schemas::of_table(read(bytes.clone())?);
    compare(&contents, &new)?;
    let path = repository().join(TABLE);
    let committed = fs::read(&path).ok().filter(|bytes| !bytes.is_empty());
    // A table of another version is not compared.
    if let Some(old) = committed.as_ref().and_then(|bytes| read(bytes.clone()).ok()) {
        let old = Schemas::of_table(old);
        changes::refuse(&old, &new, args.older)?;
        print!("{}", changes::summary(&old, &new));
    }
    facts.print_unlisted(&new);
    let sources = sources::page(&wheel, &new);
    let page = repository().join(FACTS).join("SOURCES.md");
    println!("{} types, {} bytes, schemas of {}", new.len(), bytes.len(), wheel.date);
    if args.check {
        let same_page = fs::read_to_string(&page).is_ok_and(|text| text == sources);
        if committed.as_deref() != Some(bytes.as_slice()) || !same_page {
            return Err(format!("{TABLE} or {FACTS}/SOURCES.md is not what {} results in", args.from.display()));
        }
        return Ok(());
    }
    put(&path, &bytes)?;
    put(&page, sources.as_bytes())
}

fn read(bytes: Vec<u8>) -> Result<Table, String> {
    let table = Table::read(bytes).map_err(|error| format!("the table cannot be read: {error}"))?;
    table.verify().map_err(|service| format!("the table cannot be read: {service}"))?;
    Ok(table)
}

fn put(path: &PathBuf, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

/// All facts, service by service.
fn contents(wheel: &wheel::Wheel, facts: &facts::Facts) -> Result<Contents, String> {
    let regions = regions::Regions::of(wheel)?;
    let rules = rules::read(&repository().join(FACTS), wheel, &regions)?;
    let mut services: BTreeMap<String, Compiler> = BTreeMap::new();
    for (name, schema) in &wheel.types {
        let unknown = unknown_keywords(schema);
        if !unknown.is_empty() {
            return Err(format!("{name} has keywords that are not known: {}", unknown.join(", ")));
        }
        if schema.get("properties").and_then(serde_json::Value::as_object).is_none_or(serde_json::Map::is_empty) {
            return Err(format!("{name} has no properties"));
        }
        let service = name.rsplit_once("::").map_or(name.as_str(), |(service, _)| service).to_owned();
        let compiler = services.entry(service).or_default();
        compiler.add(name, schema).map_err(|error| format!("{name}: {error}"))?;
        let mut facts = facts.of(name);
        facts.rules = rules.get(name).cloned().unwrap_or_default().into_boxed_slice();
        compiler.set_facts(name, &facts, regions.of_type(name));
    }
    if let Some(lambda) = services.get_mut("AWS::Lambda") {
        for (name, fields) in &wheel.runtimes {
            let text = |field: &str| fields.get(field).and_then(serde_json::Value::as_str);
            let dates = ["deprecated", "create-block", "update-block"].map(|field| text(field).and_then(Date::parse));
            lambda.add_runtime(name, dates, text("successor"));
        }
    }
    let services = services.into_iter().map(|(name, compiler)| (name, minimize(&compiler.finish())));
    let services = services.chain(actions(wheel)).collect();
    Ok(Contents { date: wheel.date, regions: regions.names, sets: regions.sets, services })
}

/// A block with the names of the actions of each service of IAM.
fn actions(wheel: &wheel::Wheel) -> impl Iterator<Item = (String, Block)> {
    wheel.actions.iter().map(|(service, names)| {
        let mut compiler = Compiler::default();
        for name in names {
            compiler.add_action(name);
        }
        (format!("{}{service}", Schemas::ACTIONS), compiler.finish())
    })
}

/// The lines of a table of facts below its header, split at tabs.
fn rows(folder: &Path, name: &str, width: usize) -> Result<Vec<Vec<String>>, String> {
    let path = folder.join(name);
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate().skip(1) {
        let row: Vec<String> = line.split('\t').map(str::to_owned).collect();
        if row.len() != width {
            return Err(format!("{}:{}: {} columns, not {width}", path.display(), number + 1, row.len()));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Refuses a table of which a type does not have the facts of its schema.
fn compare(contents: &Contents, new: &Schemas) -> Result<(), String> {
    for (service, block) in &contents.services {
        if new.table_block(service).is_none_or(|read| !read.is_equivalent(block)) {
            return Err(format!("the table does not have the facts of {service}"));
        }
    }
    Ok(())
}
