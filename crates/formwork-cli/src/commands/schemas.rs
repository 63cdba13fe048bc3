//! `formwork schemas [TYPE]` (reference/schemas.md#command).

use std::fmt::Write as _;

use formwork::suggest::slip;
use formwork_report::resource_type::{json as as_json, tree};
use formwork_schemas::Schemas;
use serde_json::json;

use formwork_run::args::SchemaArgs;
use formwork_run::console::ReportFormat;

use crate::args::SchemasArgs;
use crate::failure::Failure;
use crate::terminal::{self, Form, print};
use crate::{Status, schemas};

const SOURCES: &str = "cfn-lint 1.58.0 (MIT-0) and facts kept by hand: data/schemas/SOURCES.md";

/// Prints the known facts about all resource types, or about one.
pub(crate) fn run(args: &SchemasArgs) -> Result<Status, Failure> {
    let known = schemas::read(&SchemaArgs { schemas: args.schemas.clone(), no_schemas: false })?.unwrap_or_default();
    let is_json = ReportFormat::is_json(args.format);
    let Some(name) = &args.resource_type else {
        let form = if is_json { Form::Json } else { Form::Plain };
        print(&if is_json { summary_json(&known, args) } else { summary(&known, args) }, form)?;
        return Ok(Status::Done);
    };
    let Some(found) = known.resource_type(name) else {
        terminal::say_line(&unknown(&known, name));
        return Ok(Status::Errors);
    };
    if is_json {
        print(&as_json::render(&known, &found), Form::Json)?;
    } else {
        print(&tree::render(&known, &found), Form::Plain)?;
    }
    Ok(Status::Done)
}

fn summary(known: &Schemas, args: &SchemasArgs) -> String {
    let mut text = String::new();
    let date = known.date().map(|date| date.to_string()).unwrap_or_default();
    let _ = writeln!(text, "schemas of {date}");
    let _ = writeln!(text, "{} resource types of {} services", known.len(), known.services().count());
    let _ = writeln!(text, "{} Regions", known.regions().count());
    let _ = writeln!(text, "{} bytes", known.bytes());
    let _ = writeln!(text, "from {SOURCES}");
    for directory in &args.schemas {
        let _ = writeln!(text, "from {}", directory.display());
    }
    text
}

fn summary_json(known: &Schemas, args: &SchemasArgs) -> String {
    let files = args.schemas.iter().map(|path| json!({"kind": "file", "path": path.display().to_string()}));
    let sources: Vec<_> =
        std::iter::once(json!({"kind": "embedded", "path": "data/schemas/SOURCES.md"})).chain(files).collect();
    let answer = json!({
        "formwork_schemas": 1,
        "date": known.date().map(|date| date.to_string()),
        "types": known.len(),
        "services": known.services().count(),
        "bytes": known.bytes(),
        "regions": known.regions().collect::<Vec<_>>(),
        "sources": sources,
    });
    format!("{answer:#}\n")
}

/// The error of an unknown type, with similar ones: the nearest spelling, types with the same last part, or of the same
/// service.
fn unknown(known: &Schemas, name: &str) -> String {
    const MOST: usize = 5;
    if name.starts_with("Custom::") || name == "AWS::CloudFormation::CustomResource" {
        return format!(
            "error: {name} is a custom resource, whose properties are those of its provider\n  \
             help: describe them in a schema, and pass it with --schemas DIR"
        );
    }
    let mut text = format!("error: `{name}` is not a known resource type");
    let candidates = known.candidates(name);
    let near = slip(name, candidates.iter().map(String::as_str)).filter(|near| known.resource_type(near).is_some());
    let near: Vec<&str> = if let Some(near) = near {
        vec![near]
    } else {
        let all = known.type_names("");
        let wanted = name.rsplit("::").next().unwrap_or(name).to_lowercase();
        let is_near = |one: &&str| one.rsplit("::").next().is_some_and(|last| last.to_lowercase() == wanted);
        let of_service = |one: &&str| {
            let service = name.trim_end_matches(':');
            one.starts_with(&format!("{service}::")) || one.starts_with(&format!("AWS::{service}::"))
        };
        let found: Vec<&str> = all.iter().copied().filter(is_near).take(MOST).collect();
        if found.is_empty() { all.iter().copied().filter(of_service).take(MOST).collect() } else { found }
    };
    let _ = match near.as_slice() {
        [] => write!(text, "\n  help: pass its schema with --schemas DIR"),
        [one] => write!(text, "\n  help: did you mean {one}?"),
        several => write!(text, "\n  help: did you mean one of {}?", several.join(", ")),
    };
    text
}
