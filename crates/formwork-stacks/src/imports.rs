//! Imports of existing resources into a stack (reference/deploy.md#import).

use std::collections::HashSet;
use std::path::Path;

use formwork::suggest::nearest;
use formwork::{Compilation, Diagnostic, ImportRecord, codes};
use formwork_deploy::{ImportedResource, ResourceIdentifiers, sentence};
use formwork_project::{Failure, FileFailure};

use super::places::Sources;
use super::reporter::DeployReporter;

/// A change set imports at most this many resources.
const MOST: usize = 200;

/// Maximum size in bytes of an import file.
const BYTES: u64 = 1 << 22;

/// Reads the file of `--resources-to-import`.
///
/// # Errors
/// When the file cannot be read, or has another shape.
pub fn read(path: &Path) -> Result<Vec<ImportRecord>, Failure> {
    let bytes = formwork::disk::read_named(path, BYTES).map_err(|error| FileFailure::unread(path, &error))?;
    formwork::import_records(&bytes).ok_or_else(|| {
        FileFailure::unfit(path, format!("{} does not name resources to import", path.display()))
            .help("write `{\"LogicalId\": {\"Property\": \"value\"}}`, or the list that the AWS CLI takes")
            .into()
    })
}

/// Checks the file against the template, and returns the resources to import.
///
/// # Errors
/// Returns every error in the file and in the template.
pub fn checked(
    records: &[ImportRecord],
    path: &Path,
    compilation: &Compilation,
) -> Result<Vec<ImportedResource>, Vec<Diagnostic>> {
    let (mut found, mut wrong, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    let file = path.display();
    let places = compilation.resource_places();
    if records.len() > MOST {
        let message = format!("{file} names {} resources", records.len());
        wrong.push(diagnostic(message).help(format!("import at most {MOST} in one change set")));
    }
    for record in records {
        let ImportRecord { logical_id: id, line, .. } = record;
        let at = format!("named in {file}:{line}");
        let Some(place) = places.iter().find(|place| place.id == *id) else {
            let help = match nearest(id, places.iter().map(|place| place.id.as_str())) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "name a resource of the expanded template".to_owned(),
            };
            wrong.push(diagnostic(format!("{file}:{line}: the template has no resource {id}")).help(help));
            continue;
        };
        let mut report = |message: String, help: String| {
            wrong.push(diagnostic(message).at(place.span).frames(place.frames.clone()).note(at.clone()).help(help));
        };
        if !seen.insert(id) {
            report(format!("{id} is to be imported twice"), "name it once".to_owned());
            continue;
        }
        if compilation.is_left_out(id) {
            report(
                format!("{id} is imported, and its condition is false"),
                "pass values for which the condition is true, or leave it out of the file".to_owned(),
            );
        }
        let own = compilation.resource_type(id).unwrap_or_default();
        if let Some(kind) = record.kind.as_deref().filter(|kind| *kind != own) {
            report(
                format!("{id} is of type {own}, and not {kind}"),
                format!("write `{own}`, or leave `ResourceType` out"),
            );
        }
        if record.identifier.is_empty() {
            report(format!("{id} has no identifier"), "write `{\"Property\": \"value\"}`".to_owned());
        }
        for (name, _) in record.identifier.iter().filter(|(_, value)| value.is_none()) {
            report(format!("{name} of {id} is not a string"), "put the value in quotes".to_owned());
        }
        let policy = compilation.path_place(id, &["DeletionPolicy".to_owned()]);
        if policy.is_none_or(|policy| policy.depth == 0) {
            report(
                format!("{id} is imported and has no DeletionPolicy"),
                format!("add `DeletionPolicy: Retain` to {id}"),
            );
        }
        found.push(ImportedResource {
            kind: own.to_owned(),
            logical_id: id.clone(),
            identifier: record
                .identifier
                .iter()
                .map(|(name, value)| (name.clone(), value.clone().unwrap_or_default()))
                .collect(),
        });
    }
    if wrong.is_empty() { Ok(found) } else { Err(wrong) }
}

/// Reports properties that do not identify resources of their types.
pub fn misidentified(
    imports: &[ImportedResource],
    known: &[ResourceIdentifiers],
    compilation: &Compilation,
) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    for import in imports {
        let Some(known) = known.iter().find(|known| known.kind == import.kind && !known.properties.is_empty()) else {
            continue;
        };
        for (name, _) in import.identifier.iter().filter(|(name, _)| !known.properties.contains(name)) {
            let message = format!("{name} does not identify {}, which is of type {}", import.logical_id, import.kind);
            let help = format!("use {}", known.properties.join(", "));
            let place = compilation.path_place(&import.logical_id, &[]);
            let found = diagnostic(message).help(help);
            wrong.push(match place {
                Some(place) => found.at(place.name).frames(place.place.frames),
                None => found,
            });
        }
    }
    wrong
}

/// Prints each existing resource that cannot be imported. Returns `true` if there are any.
pub fn print_not_importable(words: &str, reporter: &mut DeployReporter<'_>, sources: &mut Sources) -> bool {
    let ids = sentence::not_importable(words);
    for id in &ids {
        let message = format!("{id} exists already, and cannot be imported without a DeletionPolicy");
        let mut found =
            Diagnostic::new(codes::NOT_IMPORTABLE, message).help(format!("add `DeletionPolicy: Retain` to {id}"));
        let origin = sources.of(&[], id);
        if let Some(origin) = &origin {
            found = found.at(origin.span).label(origin.items.clone());
        }
        let about = sources.of_unit(origin.as_ref().and_then(|origin| origin.unit));
        reporter.more_diagnostics(std::slice::from_ref(&found), about);
    }
    !ids.is_empty()
}

fn diagnostic(message: String) -> Diagnostic {
    Diagnostic::new(codes::IMPORT_FILE, message)
}
