//! The nested stack of the dependency layers of a template (reference/build.md#dependency-layers).

use std::fmt::Write;

use formwork_package::{DEPENDENCY_STACK, DependencyLayers};
use formwork_upload::Survey;

use crate::job::Job;
use crate::paths::relative;
use crate::plan::BuildPlan;
use crate::text::Text;

/// Returns the path of the stack's template below the build directory, for a template in `directory`.
pub(crate) fn path(directory: &str) -> String {
    format!("{directory}{DEPENDENCY_STACK}/template.yaml")
}

/// Returns the dependency layers of a template and the template of the stack; `None` without layers.
pub(crate) fn of(survey: &Survey, plan: &BuildPlan, unit: usize) -> Option<(DependencyLayers, Text)> {
    let needs = &survey.units[unit].packaging.plan().needs;
    // Functions with one source share a layer, which has the name of the first.
    let mut layers: Vec<(usize, String)> = Vec::new();
    let outputs: Vec<Option<String>> = plan.layers[unit]
        .iter()
        .zip(needs)
        .map(|(job, need)| {
            let job = (*job)?;
            let known = layers.iter().find(|(other, _)| *other == job).map(|(_, id)| id.clone());
            let id = known.unwrap_or_else(|| {
                let id = format!("{}Layer", need.resource);
                layers.push((job, id.clone()));
                id
            });
            Some(format!("Outputs.{id}"))
        })
        .collect();
    if layers.is_empty() {
        return None;
    }
    let directory = &plan.directories[unit];
    let path = path(directory);
    let named = DependencyLayers { outputs, template: relative(directory, &path) };
    let bytes = template(&layers, &plan.jobs, &format!("{directory}{DEPENDENCY_STACK}/")).into_bytes();
    Some((named, Text { path, bytes, origins: None }))
}

fn template(layers: &[(usize, String)], jobs: &[Job], directory: &str) -> String {
    let mut text = "AWSTemplateFormatVersion: \"2010-09-09\"\n\
                    Description: Packages of functions, from formwork build --dependency-layer\nResources:\n"
        .to_owned();
    for (job, id) in layers {
        let Job { product, recipe, .. } = &jobs[*job];
        let content = serde_json::Value::from(relative(directory, product));
        let runtime = recipe.runtime.as_ref().map_or("", |runtime| runtime.name.as_str());
        let architecture = recipe.architecture.pick("x86_64", "arm64");
        let _ = write!(
            text,
            "  {id}:\n    Type: AWS::Lambda::LayerVersion\n    Properties:\n      Content: {content}\n      \
             CompatibleRuntimes: [{runtime}]\n      CompatibleArchitectures: [{architecture}]\n"
        );
    }
    text += "Outputs:\n";
    for (_, id) in layers {
        let _ = write!(text, "  {id}:\n    Value: !Ref {id}\n");
    }
    text
}
