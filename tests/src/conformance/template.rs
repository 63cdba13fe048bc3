//! The suites `expand` and `language-extensions`: a template in, a template or an error out.

use formwork::{Format, Goal};
use serde_json::Value;

use super::case::{self, Case};
use crate::compare::{Scalars, first_difference, joined_sub, normal};
use crate::data::{self, long_form};
use crate::words::Request;

/// What `expand` prints: the template as data with its `Transform`, or byte for byte.
pub(super) fn expand(case: &Case) -> Result<(), String> {
    let request = case.request(Goal::Expand)?;
    hold(case, request, |value| joined_sub(&value))
}

/// CloudFormation's processed template, as data without `Transform`.
pub(super) fn language_extensions(case: &Case) -> Result<(), String> {
    let stage = match case.text("command") {
        "" => Goal::Expand,
        "check" => Goal::Check,
        "resolve" => Goal::Resolve,
        other => return Err(format!("unknown command {other}")),
    };
    let request = case.processing_request(stage)?;
    hold(case, request, |value| without_transform(&value))
}

/// The results of `expand` for `Fn::Map` and `Fn::Merge`, as data; sections of modules do not count.
pub(super) fn map_and_merge(case: &Case) -> Result<(), String> {
    let request = case.request(Goal::Expand)?;
    hold(case, request, |value| {
        let mut value = value;
        for section in ["Modules", "Packages", "Constants", "Transform"] {
            value.as_object_mut().map(|map| map.remove(section));
        }
        value
    })
}

pub(super) fn without_transform(value: &Value) -> Value {
    let mut value = value.clone();
    if let Some(map) = value.as_object_mut() {
        map.remove("Transform");
    }
    value
}

fn hold(case: &Case, mut request: Request, comparable: fn(Value) -> Value) -> Result<(), String> {
    let expect = &case.data["expect"];
    if expect["text"].is_null() && request.stage == Goal::Expand {
        request.format = Some(Format::Json);
    }
    let outcome = case.run(&request)?;
    let absent = case.expected_texts("messages_absent");
    if let Some(error) = expect["error"].as_str() {
        return case::fails_with(&outcome, error, &absent);
    }
    case::succeeds(&outcome)?;
    if let Some(text) = case.expected_texts("messages").into_iter().find(|text| !outcome.human.contains(text)) {
        return Err(format!("message without {text:?}: {}", outcome.human));
    }
    if let Some(text) = absent.into_iter().find(|text| outcome.human.contains(text)) {
        return Err(format!("message should not hold {text:?}"));
    }
    if let Some(file) = expect["text"].as_str() {
        return same_bytes(&case.file(file)?, outcome.output.as_deref().unwrap_or_default());
    }
    if expect["ok"] == true {
        return Ok(());
    }
    let file = expect["template"].as_str().ok_or("the case expects nothing")?;
    let want = data::read(&case.fill_in(&case.file_text(file)?))?;
    let got: Value =
        serde_json::from_str(&outcome.text()).map_err(|error| format!("the output is not JSON: {error}"))?;
    let form = |value: &Value| normal(&comparable(long_form(value)), Scalars::Typed);
    if let Some(found) = first_difference(&form(&want), &form(&got)) {
        return Err(found);
    }
    for pointer in case.data["check_order"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let order = |value: &Value| -> Vec<String> {
            let found = value.pointer(pointer).and_then(Value::as_object);
            found.into_iter().flatten().map(|(name, _)| name.clone()).collect()
        };
        if order(&want) != order(&got) {
            return Err(format!("{pointer}: order {:?}", order(&got)));
        }
    }
    Ok(())
}

/// Whether two strings are the same; names the first line that is not.
pub(super) fn same_bytes(want: &[u8], got: &[u8]) -> Result<(), String> {
    if want == got {
        return Ok(());
    }
    let (want, got) = (String::from_utf8_lossy(want), String::from_utf8_lossy(got));
    let mut lines = want.split('\n').zip(got.split('\n')).enumerate();
    Err(match lines.find(|(_, (a, b))| a != b) {
        Some((at, (a, b))) => format!("text differs: line {}: want {a:?} got {b:?}", at + 1),
        None => "text differs: length".to_owned(),
    })
}
