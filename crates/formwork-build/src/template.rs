//! The built templates: those of the survey, with artifact properties that refer to the artifacts
//! (reference/build.md#template).

use std::io::Write;
use std::path::Path;

use formwork::Format;
use formwork_disk::Unlinked;
use formwork_package::Target;
use formwork_upload::Survey;

use crate::job::Job;
use crate::layers;
use crate::origins::record;
use crate::paths::relative;
use crate::plan::{BuildPlan, Use};
use crate::text::Text;

/// Replaces the sources in every template with the artifacts. Errors are added to the report of the template.
pub(crate) fn rewrite(
    survey: &mut Survey,
    plan: &BuildPlan,
    (template, directory): (&Path, &Path),
    format: Option<Format>,
) -> Vec<Text> {
    let directory_of_sources = template.parent().unwrap_or(Path::new("/"));
    let root = survey.units.len().saturating_sub(1);
    let paths: Vec<String> = (0..survey.units.len())
        .map(|unit| {
            let own = survey.units[unit].compilation().format();
            let name = match format.filter(|_| unit == root).unwrap_or(own) {
                Format::Json => "template.json",
                Format::Yaml => "template.yaml",
            };
            format!("{}{name}", plan.directories[unit])
        })
        .collect();
    let mut texts = Vec::new();
    for unit in 0..survey.units.len() {
        let unit_directory = &plan.directories[unit];
        let targets: Vec<Target> =
            plan.uses[unit].iter().map(|used| target(used, unit_directory, &plan.jobs, &paths, directory)).collect();
        let layers = layers::of(survey, plan, unit);
        let packaging = &mut survey.units[unit].packaging;
        packaging.rewrite_with_layers(&targets, layers.as_ref().map(|(layers, _)| layers));
        let Ok(packaged) = packaging.output() else { continue };
        let mut bytes = Vec::new();
        texts.extend(layers.map(|(_, text)| text));
        let written =
            packaged.write_with_places(format.filter(|_| unit == root), &mut |part| bytes.extend_from_slice(part));
        let origins = record(&written, survey.units[unit].compilation(), directory_of_sources, &bytes);
        texts.push(Text { path: paths[unit].clone(), bytes, origins: Some(origins) });
    }
    texts
}

fn target(used: &Use, unit_directory: &str, jobs: &[Job], templates: &[String], directory: &Path) -> Target {
    match used {
        Use::Product(job, inner) => {
            let product = &jobs[*job].product;
            let full = inner.as_ref().map_or_else(|| product.clone(), |inner| format!("{product}/{inner}"));
            Target::Path(relative(unit_directory, &full))
        }
        Use::Nested(unit) => Target::Path(relative(unit_directory, &templates[*unit])),
        Use::Source(path) => Target::Path(relative_to(&directory.join(unit_directory), path)),
        Use::Image(name) => Target::Image(name.clone()),
        Use::Missing => Target::Missing,
    }
}

/// Returns a path relative to a directory; both are absolute.
fn relative_to(directory: &Path, path: &Path) -> String {
    let text = |path: &Path| path.to_string_lossy().trim_start_matches('/').trim_end_matches('/').to_owned();
    relative(&format!("{}/", text(directory)), &text(path))
}

/// Writes a template, unless it is unchanged, and not through a link.
pub(crate) fn write(text: &Text, directory: &Path, known: &mut Unlinked<'_>) -> std::io::Result<()> {
    let path = directory.join(&text.path);
    known.refuse(&path)?;
    if known.read(&path, text.bytes.len() as u64).is_ok_and(|old| old == text.bytes) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    formwork_disk::replace(&path, |file| file.write_all(&text.bytes))
}
