//! The suite `aws-recorded`: responses of CloudFormation.

use formwork::{Format, Goal, Values};
use serde_json::Value;

use super::case::{self, Case};
use super::template::{same_bytes, without_transform};
use crate::compare::{Scalars, first_difference, missing_part, normal};
use crate::data::long_form;

/// Keys of cases that need a service.
const NEEDS_MORE: [&str; 7] =
    ["files", "lookups", "exports", "parameters_listing", "generate", "request_only", "strict_aws"];

pub(super) fn is_local(case: &Value) -> bool {
    NEEDS_MORE.iter().all(|member| case.get(member).is_none())
}

pub(super) fn holds(case: &Case) -> Result<(), String> {
    if let Some(error) = case.data["error"].as_str() {
        return case::fails_with(&case.run(&case.request(Goal::Resolve)?)?, error, &[]);
    }
    let want = &case.data["expect_inline"];
    match want["kind"].as_str().unwrap_or_default() {
        "processed" => {
            let (want, got) = (processed_form(&want["template"]), processed_form(&processed(case)?));
            first_difference(&want, &got).map_or(Ok(()), Err)
        }
        "processed-subset" => {
            let (want, got) = (processed_form(&want["template"]), processed_form(&processed(case)?));
            missing_part(&want, &got, "").map_or(Ok(()), Err)
        }
        "resolved" => resolved(want, &output(case, Goal::Resolve)?),
        // Without any transform the processed template is the text that was submitted.
        "text" => {
            let outcome = case.run(&case.request(Goal::Expand)?)?;
            case::succeeds(&outcome)?;
            same_bytes(&case.template()?.text, outcome.output.as_deref().unwrap_or_default())
        }
        other => Err(format!("unknown kind {other:?}")),
    }
}

fn processed(case: &Case) -> Result<Value, String> {
    output(case, Goal::Expand)
}

fn output(case: &Case, stage: Goal) -> Result<Value, String> {
    let mut request = case.request(stage)?;
    request.options.values = Values::All;
    request.format = Some(Format::Json);
    let outcome = case.run(&request)?;
    case::succeeds(&outcome)?;
    serde_json::from_str(&outcome.text()).map_err(|error| format!("the output is not JSON: {error}"))
}

fn processed_form(value: &Value) -> Value {
    normal(&without_transform(&long_form(value)), Scalars::Typed)
}

/// Properties of resources and values of outputs, all scalars as text.
fn resolved(want: &Value, got: &Value) -> Result<(), String> {
    let text = |value: &Value| normal(&long_form(value), Scalars::AsText);
    let members = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let resources = &got["Resources"];
    for name in want["absent"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if resources.get(name).is_some() {
            return Err(format!("/Resources/{name}: should be gone"));
        }
    }
    for (name, body) in members(&want["resources"]) {
        let path = format!("/Resources/{name}");
        let found = resources.get(&name).ok_or_else(|| format!("{path}: missing"))?;
        let properties = |body: &Value| text(body.get("Properties").unwrap_or(&Value::Object(serde_json::Map::new())));
        missing_part(&properties(&body), &properties(found), &path).map_or(Ok(()), Err)?;
    }
    for (name, value) in members(&want["outputs"]) {
        let path = format!("/Outputs/{name}");
        let found = got["Outputs"].get(&name).ok_or_else(|| format!("{path}: missing"))?;
        missing_part(&text(&value), &text(&found["Value"]), &path).map_or(Ok(()), Err)?;
    }
    Ok(())
}
