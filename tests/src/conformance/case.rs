//! A case of a manifest, and the run that it asks for.

use std::path::PathBuf;

use formwork::{FileBytes, Goal, LanguageExtensions, MemoryHost, SourceFile, Values};
use serde_json::Value;

use super::Inputs;
use crate::outcome::{self, Outcome};
use crate::words::Request;

/// A case.
#[derive(Clone, Debug)]
pub struct Case {
    folder: PathBuf,
    /// As the manifest has it.
    pub data: Value,
    /// Inputs that are generated.
    pub inputs: Inputs,
}

/// A template under the name that reports show.
pub(super) struct Template {
    pub(super) path: String,
    pub(super) text: Vec<u8>,
}

impl Case {
    /// A case of the suite in `folder`.
    pub fn new(folder: PathBuf, data: Value, inputs: Inputs) -> Case {
        Case { folder, data, inputs }
    }

    /// Its name within the suite.
    pub fn name(&self) -> &str {
        self.data["id"].as_str().or_else(|| self.data["file"].as_str()).unwrap_or("?")
    }

    /// The string of a key; empty without it.
    pub(super) fn text(&self, member: &str) -> &str {
        self.data[member].as_str().unwrap_or_default()
    }

    /// Strings of a list in the expectations.
    pub(super) fn expected_texts(&self, member: &str) -> Vec<&str> {
        self.data["expect"][member].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// Where a file of the suite is.
    pub(super) fn path(&self, relative: &str) -> PathBuf {
        self.folder.join(relative)
    }

    /// A file of the suite.
    pub(super) fn file(&self, relative: &str) -> Result<Vec<u8>, String> {
        let path = self.path(relative);
        std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// A file of the suite as text.
    pub(super) fn file_text(&self, relative: &str) -> Result<String, String> {
        String::from_utf8(self.file(relative)?).map_err(|error| format!("{relative}: {error}"))
    }

    /// Replacements of marks: `placeholders` as they are, `template_mapping` within `{{ }}`.
    pub(super) fn fill_in(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (mark, value) in self.data["placeholders"].as_object().into_iter().flatten() {
            text = text.replace(mark, &plain(value));
        }
        for (mark, value) in self.data["template_mapping"].as_object().into_iter().flatten() {
            for spelled in [format!("{{{{{mark}}}}}"), format!("{{{{ {mark} }}}}")] {
                text = text.replace(&spelled, &plain(value));
            }
        }
        text
    }

    pub(super) fn template(&self) -> Result<Template, String> {
        if let Some(path) = self.data["template"].as_str() {
            let bytes = self.file(path)?;
            let has_marks = self.data["placeholders"].is_object() || self.data["template_mapping"].is_object();
            let text = match String::from_utf8(bytes) {
                Ok(text) if has_marks => self.fill_in(&text).into_bytes(),
                Ok(text) => text.into_bytes(),
                Err(error) => error.into_bytes(),
            };
            let name = path.rsplit('/').next().unwrap_or(path);
            return Ok(Template { path: name.to_owned(), text });
        }
        let inline = &self.data["template_inline"];
        let text = match inline {
            Value::String(text) if self.data["template_is_text"] == true => text.clone(),
            other => other.to_string(),
        };
        let text = self.fill_in(&text);
        let name = if text.trim_start().starts_with('{') { "template.json" } else { "template.yaml" };
        Ok(Template { path: name.to_owned(), text: text.into_bytes() })
    }

    /// The run: parameters as a file, pseudo parameters, account data, words.
    pub(super) fn request(&self, stage: Goal) -> Result<Request, String> {
        let mut request = Request::new(stage);
        if let Some(parameters) = self.data["parameters"].as_object().filter(|parameters| !parameters.is_empty()) {
            let bytes: FileBytes = serde_json::to_vec(parameters).map_err(|error| error.to_string())?.into();
            request.options.parameter_files.push(SourceFile {
                path: "parameters.json".into(),
                display: "parameters.json".into(),
                bytes,
            });
        }
        for (name, value) in self.data["pseudo"].as_object().into_iter().flatten() {
            let value = match value {
                Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(","),
                value => plain(value),
            };
            request.add_options(&["--pseudo".into(), format!("{name}={value}")], &|_| None)?;
        }
        if let Some(account) = self.data["account"].as_str() {
            request.options.accounts.push(SourceFile {
                path: account.to_owned(),
                display: account.to_owned(),
                bytes: self.file(account)?.into(),
            });
        }
        let words: Vec<String> = self.data["args"].as_array().into_iter().flatten().map(plain).collect();
        request.add_options(&words, &|path| self.file(path).ok().map(Into::into))?;
        Ok(request)
    }

    /// As [`Case::request`], for templates of the language extensions suite: they are processed
    /// whatever their `Transform` contains, with everything computed that is known.
    pub(super) fn processing_request(&self, stage: Goal) -> Result<Request, String> {
        let mut request = self.request(stage)?;
        let says = |word: &str| self.data["args"].as_array().into_iter().flatten().any(|arg| arg == word);
        if !says("--language-extensions") {
            request.options.language_extensions = LanguageExtensions::Always;
        }
        if !says("--values") {
            request.options.values = Values::All;
        }
        Ok(request)
    }

    pub(super) fn run(&self, request: &Request) -> Result<Outcome, String> {
        let template = self.template()?;
        // The templates of these suites read no other file.
        Ok(outcome::run(&MemoryHost::new(), &template.path, &template.text, request))
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Whether a failed run reports `text`, whatever its white space.
pub(super) fn fails_with(outcome: &Outcome, text: &str, absent: &[&str]) -> Result<(), String> {
    if !outcome.failed {
        return Err(format!("should have failed: {text:?}"));
    }
    if let Some(word) = absent.iter().find(|word| outcome.human.contains(**word)) {
        return Err(format!("message should not hold {word:?}"));
    }
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat(&outcome.human).contains(&flat(text)) {
        Ok(())
    } else {
        Err(format!("message without {text:?}: {}", outcome.short))
    }
}

/// Whether a run returned a template.
pub(super) fn succeeds(outcome: &Outcome) -> Result<(), String> {
    if outcome.failed { Err(format!("failed: {}", outcome.short)) } else { Ok(()) }
}
