//! `cargo xtask serverless`: the facts of the serverless transform, from the wheel of AWS's translator.

mod table;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use formwork_serverless::facts::Facts;
use xtask_launcher::ServerlessArgs;

use crate::archive::Archive;
use crate::command::repository;

/// The table in the repository.
const TABLE: &str = "crates/formwork-serverless/data/table.bin";
const SOURCES: &str = "data/serverless/SOURCES.md";
/// No larger table is made.
const LARGEST: usize = 60_000;

/// Does it.
pub(crate) fn run(args: &ServerlessArgs) -> Result<(), String> {
    let source = table::Source::read(&mut Archive::read(&args.from)?)?;
    let bytes = deflate(&source.text()?)?;
    if bytes.len() > LARGEST {
        return Err(format!("the table has {} bytes, more than {LARGEST}", bytes.len()));
    }
    let new = Facts::read(&bytes).ok_or("the table cannot be read")?;
    source.compare(&new)?;
    let (path, page) = (repository().join(TABLE), repository().join(SOURCES));
    let committed = fs::read(&path).ok();
    if let Some(old) = committed.as_deref().and_then(Facts::read) {
        print_changes(&old, &new);
    }
    let sources = sources(&new, bytes.len());
    if args.check {
        let same_page = fs::read_to_string(&page).is_ok_and(|text| text == sources);
        if committed.as_deref() != Some(bytes.as_slice()) || !same_page {
            return Err(format!("{TABLE} or {SOURCES} is not what {} results in", args.from.display()));
        }
        return Ok(());
    }
    put(&path, &bytes)?;
    put(&page, sources.as_bytes())
}

fn deflate(text: &str) -> Result<Vec<u8>, String> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).map_err(|error| error.to_string())
}

fn put(path: &PathBuf, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

/// Prints names that are new or gone, as a list in Markdown.
fn print_changes(old: &Facts, new: &Facts) {
    let names = |facts: &Facts| -> [BTreeSet<String>; 3] {
        let connectors = facts.connectors();
        let pairs = connectors
            .sources()
            .flat_map(|source| connectors.destinations(source).map(move |other| format!("{source} to {other}")));
        [
            facts.policy_templates().names().map(str::to_owned).collect(),
            pairs.collect(),
            facts.managed_policies().names("aws").map(str::to_owned).collect(),
        ]
    };
    for (title, (old, new)) in
        ["policy template", "connector", "managed policy"].iter().zip(names(old).iter().zip(&names(new)))
    {
        new.difference(old).for_each(|name| println!("- {title} added: `{name}`"));
        old.difference(new).for_each(|name| println!("- {title} gone: `{name}`"));
    }
}

fn sources(facts: &Facts, bytes: usize) -> String {
    let package = facts.package();
    let policies = facts.managed_policies();
    let connectors = facts.connectors();
    format!(
        "# Sources of the facts of the serverless transform

Written by `cargo xtask serverless`.

| source | version | licence | facts |
|---|---|---|---|
| [{name}](https://pypi.org/project/{name}/) | {version} of {date} | Apache-2.0 | policy templates, managed policies of each partition, profiles of connectors |

SHA-256 of the wheel: `{sha256}`

The table has {bytes} bytes: {templates} policy templates, {managed} managed policies of the partition `aws`, {pairs} pairs of types that a connector connects.
",
        name = package.name,
        version = package.version,
        date = package.date,
        sha256 = package.sha256,
        templates = facts.policy_templates().names().count(),
        managed = policies.names("aws").count(),
        pairs = connectors.sources().map(|source| connectors.destinations(source).count()).sum::<usize>(),
    )
}
