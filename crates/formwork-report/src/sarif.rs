//! SARIF 2.1.0 (reference/diagnostics.md#forms).

use std::fmt::Write as _;

use formwork_base::finding::FindingPlace;
use formwork_base::{Finding, Severity, percent};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::ConfigurationUse;
use crate::file_findings::{FileFindings, all};
use crate::fingerprint::Fingerprints;
use crate::machine;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const HOME: &str = "https://github.com/formwork-cfn/formwork";
/// The base of relative paths.
const ROOT: &str = "%SRCROOT%";

/// The version of SARIF, not of the program.
const VERSION: &str = "2.1.0";

/// Renders a document with one run. `relative` turns the path of a file into one from the root of the repository. The
/// configuration files that affected the run are a property of it.
pub fn render(
    files: &[FileFindings],
    configuration: &[ConfigurationUse],
    version: &str,
    relative: &dyn Fn(&str) -> String,
) -> String {
    let suppressed = || files.iter().flat_map(|file| &file.suppressed);
    let mut rules: Vec<&Finding> = all(files).chain(suppressed().map(|one| &one.finding)).collect();
    rules.sort_by(|a, b| a.id.cmp(&b.id));
    rules.dedup_by(|a, b| a.id == b.id);
    let unread: Vec<Value> = files
        .iter()
        .filter(|file| !file.is_read)
        .map(|file| json!({"level": "error", "message": {"text": format!("{} cannot be read", file.file)}}))
        .collect();
    let mut invocation = json!({"executionSuccessful": unread.is_empty()});
    if !unread.is_empty() {
        invocation["toolExecutionNotifications"] = unread.into();
    }
    let driver = json!({
        "name": "formwork",
        "version": version,
        "semanticVersion": version,
        "informationUri": HOME,
        "rules": rules.iter().map(|finding| rule(finding)).collect::<Vec<_>>(),
    });
    let document = Document {
        schema: SCHEMA,
        version: VERSION,
        runs: [SarifRun {
            tool: json!({"driver": driver}),
            invocations: [invocation],
            column_kind: "unicodeCodePoints",
            results: Results { files, rules: &rules, relative },
            properties: properties(configuration, relative),
        }],
    };
    machine(serde_json::to_string_pretty(&document)) + "\n"
}

#[derive(Serialize)]
struct Document<'d> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [SarifRun<'d>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRun<'d> {
    tool: Value,
    invocations: [Value; 1],
    column_kind: &'static str,
    results: Results<'d>,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Value>,
}

fn properties(configuration: &[ConfigurationUse], relative: &dyn Fn(&str) -> String) -> Option<Value> {
    let entry = |one: &ConfigurationUse| json!({"file": relative(&one.file), "keys": one.keys});
    let entries: Vec<Value> = configuration.iter().map(entry).collect();
    (!entries.is_empty()).then(|| json!({ "configuration": entries }))
}

/// The results, each built when it is written: all of them together take many times the memory of their JSON.
struct Results<'d> {
    files: &'d [FileFindings],
    rules: &'d [&'d Finding],
    relative: &'d dyn Fn(&str) -> String,
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seen = Fingerprints::default();
        let mut list = serializer.serialize_seq(None)?;
        for finding in all(self.files) {
            list.serialize_element(&result(finding, self.rules, &mut seen, self.relative))?;
        }
        for one in self.files.iter().flat_map(|file| &file.suppressed) {
            let mut result = result(&one.finding, self.rules, &mut seen, self.relative);
            let mut suppression = json!({"kind": "inSource", "status": "accepted"});
            if let Some(reason) = &one.reason {
                suppression["justification"] = reason.as_str().into();
            }
            result["suppressions"] = json!([suppression]);
            list.serialize_element(&result)?;
        }
        list.end()
    }
}

fn rule(finding: &Finding) -> Value {
    if let Some(tool) = &finding.tool {
        let mut rule = json!({"id": finding.id, "properties": {"tool": tool}});
        if !finding.url.is_empty() {
            rule["helpUri"] = finding.url.as_str().into();
        }
        return rule;
    }
    let code = finding.code;
    let info = code.info();
    json!({
        "id": code.to_string(),
        "shortDescription": {"text": info.title},
        "helpUri": code.url(),
        "defaultConfiguration": {"level": level(info.severity)},
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn result(finding: &Finding, rules: &[&Finding], seen: &mut Fingerprints, relative: &dyn Fn(&str) -> String) -> Value {
    let mut related = Vec::new();
    let mut text = finding.message.clone();
    let mut links = Vec::new();
    for frame in &finding.frames {
        let place = FindingPlace::of_line(frame.file.clone(), frame.line, frame.column);
        let Some(mut location) = location(&place, relative) else { continue };
        let value = frame.value.as_deref().map(|value| format!(" = \"{value}\"")).unwrap_or_default();
        let words = match frame.index {
            Some(index) => format!("iteration {}: {}{value}", index + 1, frame.name),
            None => format!("{} {}", frame.kind.name(), frame.name),
        };
        related.push(words.clone());
        let id = related.len();
        location["id"] = id.into();
        location["message"] = json!({"text": words});
        let name = if frame.index.is_some() { "iteration" } else { frame.kind.name() };
        links.push((location, Some(format!("[{name}]({id})"))));
    }
    for label in &finding.related {
        let Some(mut location) = location(&label.place, relative) else { continue };
        related.push(label.message.clone());
        location["id"] = related.len().into();
        if !label.message.is_empty() {
            location["message"] = json!({"text": label.message});
        }
        links.push((location, None));
    }
    let named: Vec<&str> = links.iter().filter_map(|(_, link)| link.as_deref()).collect();
    if !named.is_empty() {
        let _ = write!(text, " ({})", named.join(", "));
    }
    for (name, lines) in [("note", &finding.notes), ("help", &finding.help)] {
        for line in lines {
            let _ = write!(text, "\n{name}: {line}");
        }
    }
    // With a baseline, it was computed among those that are passed over.
    let fingerprint = finding.fingerprint.clone().unwrap_or_else(|| seen.of(finding, relative));
    let mut result = json!({
        "ruleId": finding.id,
        "ruleIndex": rules.binary_search_by(|rule| rule.id.cmp(&finding.id)).unwrap_or_default(),
        "level": level(finding.severity),
        "message": {"text": text},
        "partialFingerprints": {"formworkSite/v1": fingerprint},
    });
    if let Some(mut place) = location(&finding.place, relative) {
        if let Some(path) = &finding.path {
            place["logicalLocations"] = json!([{"fullyQualifiedName": path}]);
        }
        result["locations"] = json!([place]);
    }
    if !links.is_empty() {
        result["relatedLocations"] = links.into_iter().map(|(location, _)| location).collect();
    }
    if finding.count > 1 {
        result["occurrenceCount"] = finding.count.into();
    }
    if let Some(fix) = fix(finding, relative) {
        result["fixes"] = json!([fix]);
    }
    result
}

/// The location of a place; `None` if it is in no file.
fn location(place: &FindingPlace, relative: &dyn Fn(&str) -> String) -> Option<Value> {
    let mut physical = json!({"artifactLocation": artifact(place.file.as_deref()?, relative)});
    if let Some(region) = region(place) {
        physical["region"] = region;
    }
    Some(json!({"physicalLocation": physical}))
}

fn artifact(file: &str, relative: &dyn Fn(&str) -> String) -> Value {
    let path = relative(file);
    if path.starts_with('/') || path.contains("://") {
        let encoded = percent::encoded(&path, b"/:");
        let uri = if path.starts_with('/') { format!("file://{encoded}") } else { encoded };
        return json!({"uri": uri});
    }
    json!({"uri": percent::encoded(&path, b"/:"), "uriBaseId": ROOT})
}

fn region(place: &FindingPlace) -> Option<Value> {
    let mut region = Map::new();
    region.insert("startLine".to_owned(), place.line?.into());
    region.insert("startColumn".to_owned(), place.column?.into());
    if let (Some(line), Some(column)) = (place.end_line, place.end_column) {
        region.insert("endLine".to_owned(), line.into());
        region.insert("endColumn".to_owned(), column.into());
    }
    Some(Value::Object(region))
}

fn fix(finding: &Finding, relative: &dyn Fn(&str) -> String) -> Option<Value> {
    let fix = finding.fix.as_ref()?;
    let mut changes: Vec<(&str, Vec<Value>)> = Vec::new();
    for edit in &fix.edits {
        let file = edit.place.file.as_deref()?;
        let replacement = json!({"deletedRegion": region(&edit.place)?, "insertedContent": {"text": edit.text}});
        match changes.iter_mut().find(|(known, _)| *known == file) {
            Some((_, replacements)) => replacements.push(replacement),
            None => changes.push((file, vec![replacement])),
        }
    }
    let changes: Vec<Value> = changes
        .into_iter()
        .map(|(file, replacements)| json!({"artifactLocation": artifact(file, relative), "replacements": replacements}))
        .collect();
    Some(json!({"description": {"text": fix.message}, "artifactChanges": changes}))
}

#[cfg(test)]
mod tests {
    use formwork_base::{Diagnostic, Frame, FrameKind, SourceMap, Span, VirtualPath, codes};

    use super::*;

    fn document() -> Value {
        let mut sources = SourceMap::new();
        let file = sources.add(VirtualPath::new("my stack.yaml"), "Key: värde\nb: 2\n").expect("room");
        let start = sources.base(file);
        let span = Span::new(start + 5, start + 11);
        let frame = Frame {
            kind: FrameKind::Loop,
            name: "Name".into(),
            value: Some("a".into()),
            index: Some(0),
            length: Some(1),
            loop_name: Some("Loop".into()),
            span: Span::new(start, start + 3),
            item: Span::NONE,
        };
        let error = Diagnostic::new(codes::DUPLICATE_KEY, "twice")
            .at(span)
            .related(Span::new(start + 12, start + 13), "here")
            .help("remove it")
            .fix("remove it", span, "x")
            .path("Resources.A")
            .frames(vec![frame]);
        let findings = vec![error.resolve(&sources), error.resolve(&sources)];
        let files = [
            FileFindings { file: "my stack.yaml".into(), findings, suppressed: Vec::new(), is_read: true },
            FileFindings { file: "gone.yaml".into(), findings: Vec::new(), suppressed: Vec::new(), is_read: false },
        ];
        let configuration = [ConfigurationUse { file: "formwork.toml".to_owned(), keys: vec!["ignore".to_owned()] }];
        let text = render(&files, &configuration, "1.2.3", &|path| format!("deep/{path}"));
        serde_json::from_str(&text).expect("JSON")
    }

    #[test]
    fn places_are_relative_and_count_characters() {
        let document = document();
        let run = &document["runs"][0];
        let result = &run["results"][0];
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"], json!({"uri": "deep/my%20stack.yaml", "uriBaseId": ROOT}));
        assert_eq!(place["region"], json!({"startLine": 1, "startColumn": 6, "endLine": 1, "endColumn": 11}));
        assert_eq!(result["message"]["text"], "twice ([iteration](1))\nhelp: remove it");
        assert_eq!(
            (&result["relatedLocations"][0]["id"], &result["relatedLocations"][1]["id"]),
            (&1.into(), &2.into())
        );
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "FW0003");
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    }

    #[test]
    fn equal_sites_have_fingerprints_of_their_own() {
        let document = document();
        let results = document["runs"][0]["results"].as_array().expect("results").clone();
        let prints: Vec<&Value> = results.iter().map(|one| &one["partialFingerprints"]["formworkSite/v1"]).collect();
        assert_ne!(prints[0], prints[1]);
        assert_eq!(prints[0].as_str().map(str::len), Some(64));
    }
}
