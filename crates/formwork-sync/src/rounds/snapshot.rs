//! Takes the snapshot of a built project: its templates as written, and the built artifacts.

use std::collections::BTreeMap;
use std::path::Path;

use formwork::{Diagnostic, Format, Goal, Report, Values};
use formwork_project::Failure;
use formwork_run::inputs;
use formwork_run::live::Live;
use formwork_run::upload::Upload;
use formwork_stacks::deploy::{DeployArgs, Wanted};
use formwork_upload::survey::{Named, Survey};
use formwork_upload::{Artifact, Destination, Prepared, Request, Symlinks};
use serde_json::Value;

use crate::{ArtifactId, Snapshot, SnapshotBuilder};

/// A snapshot, and where the contents of its artifacts are.
pub(super) struct Taken {
    pub(super) snapshot: Snapshot,
    pub(super) prepared: Prepared,
    places: BTreeMap<ArtifactId, (usize, usize)>,
}

impl Taken {
    pub(super) fn artifact(&self, id: &ArtifactId) -> Option<Artifact<'_>> {
        let (unit, need) = self.place(id)?;
        self.prepared.artifact(unit, need)
    }

    pub(super) fn place(&self, id: &ArtifactId) -> Option<(usize, usize)> {
        self.places.get(id).copied()
    }
}

/// Takes a snapshot of the surveyed templates and of the built template; returns the errors as reports when it cannot
/// be packaged.
pub(super) fn take(
    args: &DeployArgs,
    choices: &Wanted,
    survey: &Survey,
    built: &Path,
    upload: &Upload,
) -> Result<Result<Taken, Vec<Report>>, Failure> {
    let prepared = prepare(args, built, upload)?;
    if prepared.has_errors() {
        return Ok(Err(prepared.reports().to_vec()));
    }
    let mut builder = SnapshotBuilder::default();
    add_templates(&mut builder, survey);
    add_values(&mut builder, survey, choices);
    let mut places = BTreeMap::new();
    let nested = |unit: usize, need: usize| {
        let id = &prepared.units[unit].packaging.plan().needs[need].resource;
        prepared.nested(unit, id).filter(|_| prepared.artifact(unit, need).is_none())
    };
    let needs = |unit: usize| prepared.units[unit].packaging.plan().needs.len();
    for (within, unit) in walk(prepared.units.len(), needs, nested, |unit, need| {
        prepared.units[unit].packaging.plan().needs[need].resource.clone()
    }) {
        for (number, need) in prepared.units[unit].packaging.plan().needs.iter().enumerate() {
            let file = prepared.artifact(unit, number).and_then(|artifact| artifact.key().cloned());
            let key = file.map(|key| key.object_key(None, None)).or_else(|| prepared.image_key(unit, number));
            let Some(key) = key else { continue };
            let (resource, property) = (need.resource.clone(), need.property.clone());
            let id = ArtifactId { within: within.clone(), resource, property };
            builder.artifact(id.clone(), key);
            places.insert(id, (unit, number));
        }
    }
    Ok(Ok(Taken { snapshot: builder.finish(), prepared, places }))
}

/// Packages the template without a destination: files are hashed, and nothing is uploaded.
fn prepare(args: &DeployArgs, built: &Path, upload: &Upload) -> Result<Prepared, Failure> {
    let mut input = inputs::read(built, "sync", Values::Keep, &args.inputs, args.report.strict)?;
    input.options.unresolved_loops = formwork::UnresolvedLoops::WithoutValue;
    let (analysis, _) = Live::online(&args.inputs)?.analyze(&input, Goal::Package, None)?;
    let nowhere = || -> Result<Destination, Box<Diagnostic>> {
        Ok(Destination { bucket: String::new(), prefix: None, endpoint: String::new() })
    };
    let planned = |functions: &[String]| upload.planned_repositories(functions);
    Ok(formwork_upload::prepare(&Request {
        directory: inputs::folder(built),
        analysis: &analysis,
        project_root: input.host.root(),
        output: None,
        format: None,
        records: false,
        deploys: true,
        symlinks: Symlinks::Follow,
        left_out: Vec::new(),
        destination: Some(&nowhere),
        repositories: if upload.has_repositories() { Some(&planned) } else { None },
        checks_nested: false,
    }))
}

/// Adds the expanded templates, as their author wrote them.
fn add_templates(builder: &mut SnapshotBuilder, survey: &Survey) {
    let needs = |unit: usize| survey.units[unit].packaging.plan().needs.len();
    let nested = |unit: usize, need: usize| match survey.named(unit, need) {
        Named::Nested(number) => Some(number),
        _ => None,
    };
    let resource = |unit: usize, need: usize| survey.units[unit].packaging.plan().needs[need].resource.clone();
    for (within, unit) in walk(survey.units.len(), needs, nested, resource) {
        let unit = &survey.units[unit];
        let text = unit.compilation().output().map(|output| output.render(Some(Format::Json))).unwrap_or_default();
        let expanded: Value = serde_json::from_str(&text).unwrap_or_default();
        let names = unit.packaging.plan().needs.iter().map(|need| (need.resource.as_str(), need.property.as_str()));
        builder.template(&within, expanded, names);
    }
}

fn add_values(builder: &mut SnapshotBuilder, survey: &Survey, choices: &Wanted) {
    if let Some(root) = survey.units.last() {
        for parameter in root.compilation().declared_parameters() {
            let given = parameter.given.map_or_else(|| "-".to_owned(), |value| format!("={value}"));
            builder.value(&parameter.name, &given);
        }
        let arguments = root.compilation().stack_arguments();
        builder.value("tags and policy", &format!("{:?} {:?}", arguments.tags, arguments.policy));
    }
    let Wanted { request, capabilities, tags, notification_arns, .. } = choices;
    let others = (&request.stack_name, &request.role_arn, capabilities, tags, notification_arns);
    builder.value("arguments", &format!("{others:?}"));
}

/// Lists the templates with their path of nested stacks, the root first. A template that several stacks use is listed
/// for each.
fn walk(
    units: usize,
    needs: impl Fn(usize) -> usize,
    nested: impl Fn(usize, usize) -> Option<usize>,
    resource: impl Fn(usize, usize) -> String,
) -> Vec<(String, usize)> {
    let Some(root) = units.checked_sub(1) else { return Vec::new() };
    let mut all = vec![(String::new(), root)];
    let mut next = 0;
    while let Some((within, unit)) = all.get(next).cloned() {
        for need in 0..needs(unit) {
            if let Some(inner) = nested(unit, need) {
                all.push((format!("{within}{}/", resource(unit, need)), inner));
            }
        }
        next += 1;
    }
    all
}
