//! Packaging and then expanding is expanding and then packaging; what is packaged stays as it is when it
//! is packaged again; nothing but artifact properties and generated Mappings changes
//! (reference/packaging.md#untouched, reference/packaging.md#loops).

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use formwork::{Goal, Options, PackageOptions, Packaging};
use formwork_package::{Output, Target};
use serde_json::Value;

use super::{Verdict, compile, equal, output};
use crate::data;

/// The laws for one template; whether it could be packaged with its loops.
///
/// # Errors
/// In words.
pub fn packaging(text: &str) -> Result<bool, String> {
    let unrolled = packaged(text, Some(Output::Expanded))?;
    let Ok(preserved) = packaged(text, None) else { return Ok(false) };
    commutes(&preserved, &unrolled)?;
    equal("packaged again", &packaged(&preserved, None)?, &preserved)?;
    nothing_else(text, &preserved)?;
    Ok(true)
}

/// A template whose files are all there, each in an object that its path names.
fn packaged(text: &str, form: Option<Output>) -> Result<String, String> {
    let compiled = compile(text, &Options::default(), Goal::Package);
    if !compiled.is_well_formed() {
        return Err("no template".to_owned());
    }
    let mut result = Packaging::new(&compiled, PackageOptions { output: form, ..PackageOptions::default() });
    let targets: Vec<Target> = result
        .plan()
        .needs
        .iter()
        .map(|need| {
            let mut hasher = DefaultHasher::new();
            need.path.trim_start_matches("./").hash(&mut hasher);
            let key = format!("k{:x}", hasher.finish());
            Target::Object { bucket: "bucket".to_owned(), url: format!("https://s3/bucket/{key}"), key }
        })
        .collect();
    result.rewrite(&targets);
    match result.output() {
        Ok(packaged) => Ok(packaged.render(None)),
        Err(failed) => {
            let said: Vec<&str> = failed.diagnostics().iter().map(|found| found.message.as_str()).collect();
            Err(format!("cannot be packaged: {}\n{text}", said.join("\n")))
        }
    }
}

fn commutes(preserved: &str, unrolled: &str) -> Verdict {
    let expand = |text: &str| {
        let text = output(text, &Options::default(), Goal::Expand).ok_or_else(|| format!("no expansion of\n{text}"))?;
        data::read(&text).map(|value| one_form(data::long_form(&value)))
    };
    let (a, b) = (expand(preserved)?, expand(unrolled)?);
    if a == b {
        Ok(())
    } else {
        Err(format!("packaged and then expanded\n{a:#}\nexpanded and then packaged\n{b:#}\nfrom\n{preserved}"))
    }
}

/// Without generated Mappings, and an object that names a file in S3 as text: properties that take both
/// have the text in loops.
pub(super) fn one_form(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let object = |bucket: &str, key: &str| -> Option<Value> {
                let found = (members.get(bucket)?.as_str()?, members.get(key)?.as_str()?);
                (members.len() == 2).then(|| format!("s3://{}/{}", found.0, found.1).into())
            };
            if let Some(text) = object("Bucket", "Key") {
                return text;
            }
            let kept = members.into_iter().filter(|(name, _)| !name.starts_with("SAM"));
            Value::Object(kept.map(|(name, value)| (name, one_form(value))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(one_form).collect()),
        other => other,
    }
}

/// What packaging left is what was written.
fn nothing_else(written: &str, preserved: &str) -> Verdict {
    let read = |text: &str| data::read(text).map(|value| without_artifacts(data::long_form(&value)));
    let (a, b) = (read(written)?, read(preserved)?);
    if a == b { Ok(()) } else { Err(format!("something else changed\n--- written\n{a:#}\n--- packaged\n{b:#}")) }
}

/// Without artifact properties and generated Mappings.
pub(super) fn without_artifacts(value: Value) -> Value {
    const NAMES: [&str; 8] =
        ["ContentUri", "Code", "DefinitionUri", "BodyS3Location", "Command", "CodeUri", "TemplateURL", "Functions"];
    match value {
        Value::Object(members) => {
            let kept = members.into_iter().filter(|(name, _)| !name.starts_with("SAM") && !NAMES.contains(&&**name));
            Value::Object(kept.map(|(name, value)| (name, without_artifacts(value))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_artifacts).collect()),
        other => other,
    }
}
