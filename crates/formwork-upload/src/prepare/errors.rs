//! The errors of files that a template refers to, as worded in reference/packaging.md#paths.

use std::io;
use std::path::Path;

use formwork::{Diagnostic, Packaging, ReadError, codes, nested};
use formwork_package::{ArtifactRef, ImageError, Treatment};

use super::{Resolution, Unit};
use crate::assets::Assets;

/// CloudFormation accepts templates of at most this many bytes.
const MOST_BYTES: u64 = 1_000_000;

fn error(need: &ArtifactRef, message: String) -> Diagnostic {
    Diagnostic::new(codes::ARTIFACT_PATH, message).at(need.span).frames(need.frames.clone())
}

/// Creates an error of an artifact: `what` completes "Content of Layer names ./layer, ...".
pub(super) fn unable(need: &ArtifactRef, what: &str) -> Diagnostic {
    let ArtifactRef { resource, property, path, .. } = need;
    error(need, format!("{property} of {resource} names {path}, {what}"))
}

/// Creates an error of a path to a template, with the sentence that SAM CLI reports whatever the reason is.
fn no_template(need: &ArtifactRef, full: &Path, what: &str) -> Diagnostic {
    unable(need, &format!("{what}: `{}`", nested::not_a_template(need, &full.display().to_string())))
}

fn names_template(need: &ArtifactRef) -> bool {
    need.treatment == Treatment::Template || need.property == "TemplateURL"
}

/// Creates an error of a path in a module that is not on a disk.
pub(super) fn elsewhere(need: &ArtifactRef, address: &str) -> Diagnostic {
    unable(need, &format!("but it is written in {address}, where local files do not exist"))
        .help("keep a copy of the module, and of its files, beside the template")
}

fn not_there(need: &ArtifactRef, full: &Path) -> Diagnostic {
    let ArtifactRef { resource, property, path, .. } = need;
    let full = full.display();
    unable(
        need,
        &format!(
            "which does not exist: `Parameter {property} of resource {resource} refers to a file or folder that does not exist {full}`"
        ),
    )
    .note(format!(
        "AWS CLI and SAM CLI also report `Unable to upload artifact {path} referenced by {property} parameter of {resource} resource.`"
    ))
}

/// Returns the path as written, `written`, with its first component that does not exist replaced by the nearest name
/// beside it, if the result exists inside the project root. `full` is the path that does not exist.
fn near_path(written: &str, full: &Path, project_root: &Path) -> Option<String> {
    let missing = full.ancestors().take_while(|path| !path.exists()).last()?;
    let (directory, name) = (missing.parent()?, missing.file_name()?.to_str()?);
    if !formwork_disk::is_inside(project_root, &directory.canonicalize().ok()?) {
        return None;
    }
    let entries = std::fs::read_dir(directory).ok()?.take(MOST_NAMES);
    let mut names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    let near = formwork::suggest::nearest(name, names.iter().map(String::as_str))?;
    let rest = full.strip_prefix(missing).ok()?;
    if !directory.join(near).join(rest).exists() {
        return None;
    }
    let mut components: Vec<&str> = written.split('/').collect();
    let at = components.iter().rposition(|component| !component.is_empty())?.checked_sub(rest.iter().count())?;
    if components[at] != name {
        return None;
    }
    components[at] = near;
    Some(components.join("/"))
}

/// Maximum number of names of a directory that are compared with a path that does not exist.
const MOST_NAMES: usize = 1000;

/// Creates an error of a path that does not exist or cannot be followed; `in_module` is set for a path in a module.
pub(super) fn missing(
    need: &ArtifactRef,
    full: &Path,
    error: &io::Error,
    in_module: bool,
    project_root: &Path,
) -> Diagnostic {
    if error.kind() != io::ErrorKind::NotFound && error.kind() != io::ErrorKind::NotADirectory {
        return unable(need, &format!("which cannot be read: {error}"))
            .help("correct the path, or the permissions of the file");
    }
    let diagnostic =
        if names_template(need) { no_template(need, full, "which does not exist") } else { not_there(need, full) };
    let start = if in_module { "the module that contains them" } else { "the template" };
    let diagnostic = diagnostic.note(format!("paths are relative to the directory of {start}"));
    match near_path(&need.path, full, project_root) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help("correct the path, or add the file"),
    }
}

pub(super) fn directory(need: &ArtifactRef, full: &Path) -> Diagnostic {
    no_template(need, full, "which is a directory").help("write the path of a template file in it")
}

pub(super) fn outside(need: &ArtifactRef, full: &Path, root: &Path) -> Diagnostic {
    unable(need, "which is outside the project root")
        .note(format!("the path leads to {}, and the project root is {}", full.display(), root.display()))
        .help("name a directory that contains the file and the template with `--project-root DIR`")
}

pub(super) fn unreadable(need: &ArtifactRef, error: &ReadError) -> Diagnostic {
    unable(need, &format!("which cannot be read: {error}")).help("correct the path, or the permissions of the file")
}

const IMAGES: &str = "name an archive (`docker save --output FILE NAME`, or an OCI layout as a tar archive), an image in a running Docker or Podman, or an image in ECR such as 111122223333.dkr.ecr.eu-west-1.amazonaws.com/app:1";

/// Creates an error of an image that does not exist; `why` is the result of the look-ups other than the path.
pub(super) fn image(need: &ArtifactRef, full: &Path, why: &str) -> Diagnostic {
    not_there(need, full).note(why).help(IMAGES)
}

pub(super) fn archive(need: &ArtifactRef, full: &Path, error: &ImageError) -> Diagnostic {
    unable(need, &format!("but {error}")).note(format!("the path leads to {}", full.display())).help(error.help())
}

pub(super) fn engine(need: &ArtifactRef, why: &str) -> Diagnostic {
    unable(need, &format!("but {why}"))
        .help("save it to an archive, and name the archive: `docker save --output FILE NAME`")
}

pub(super) fn without_repository(units: &mut [Unit]) {
    let names = |unit: &Unit| {
        let needs = unit.packaging.plan().needs.iter().zip(&unit.found);
        let images = needs.filter(|(_, found)| matches!(found, Resolution::Image(_)));
        images.map(|(need, _)| named(need)).collect::<Vec<_>>()
    };
    let names: Vec<String> = units.iter().flat_map(names).collect();
    let (Some(root), false) = (units.last_mut(), names.is_empty()) else { return };
    let message = format!("{} images are to be pushed, and no repository is named", names.len());
    let help = "name one for all with `--image-repository URI`, or for each function with `--image-repositories LOGICALID=URI`, or let `--resolve-image-repos` create them";
    root.packaging.add([listed(Diagnostic::new(codes::BUCKET, message), names).help(help)]);
}

pub(super) fn cycle<'p>(need: &ArtifactRef, chain: impl Iterator<Item = &'p Path>, root: &Path) -> Diagnostic {
    nested::cycle(need, chain.map(|path| path.strip_prefix(root).unwrap_or(path).display().to_string()))
}

/// Reports files and directories that cannot be stored, at their places in the templates.
pub(super) fn of_assets(units: &mut [Unit], assets: &Assets) {
    for unit in units {
        let mut errors = Vec::new();
        for (need, found) in unit.packaging.plan().needs.iter().zip(&unit.found) {
            let Resolution::Asset(number) = found else { continue };
            if let Some((first, rest)) = assets.get(*number).errors.split_first() {
                let mut diagnostic = unable(need, &format!("but {first}")).help(first.help());
                diagnostic.notes.extend(rest.iter().map(|why| format!("also: {why}")));
                errors.push(diagnostic);
            }
        }
        unit.packaging.add(errors);
    }
}

pub(super) fn without_bucket(units: &mut [Unit]) {
    let names = |unit: &Unit| {
        let needs = unit.packaging.plan().needs.iter();
        needs.filter(|need| need.treatment != Treatment::Image).map(named).collect::<Vec<_>>()
    };
    let names: Vec<String> = units.iter().flat_map(names).collect();
    let (Some(root), false) = (units.last_mut(), names.is_empty()) else { return };
    let sentence = "S3 Bucket not specified, use --s3-bucket to specify a bucket name, or use --resolve-s3";
    let paths = match names.len() {
        1 => "1 local path is".to_owned(),
        count => format!("{count} local paths are"),
    };
    let message = format!("{paths} to be uploaded, and no bucket is named: `{sentence}`");
    let help = "Add the --s3-bucket parameter to your command to upload artifacts to S3";
    root.packaging.add([listed(Diagnostic::new(codes::BUCKET, message), names).help(help)]);
}

fn named(need: &ArtifactRef) -> String {
    format!("{} of {}: {}", need.property, need.resource, need.path)
}

/// Adds the first of some names as notes.
fn listed(mut diagnostic: Diagnostic, names: Vec<String>) -> Diagnostic {
    const SHOWN: usize = 20;
    let count = names.len();
    diagnostic.notes.extend(names.into_iter().take(SHOWN));
    if count > SHOWN {
        diagnostic.notes.push(format!("and {} more", count - SHOWN));
    }
    diagnostic
}

/// Reports a template that CloudFormation would reject for its size.
pub(super) fn too_large(packaging: &mut Packaging, bytes: u64) {
    if bytes > MOST_BYTES {
        let message = format!("the packaged template has {bytes} bytes; a template has at most {MOST_BYTES}");
        let diagnostic = Diagnostic::new(codes::QUOTA_BYTES, message).help("split it into nested stacks");
        packaging.add([diagnostic]);
    }
}
