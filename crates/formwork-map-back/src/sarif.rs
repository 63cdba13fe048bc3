//! SARIF of cfn-lint, cfn-guard, checkov and trivy.

use std::collections::BTreeMap;

use formwork_base::percent;
use formwork_report::Fingerprints;
use serde_json::{Map, Value, json};

use crate::finding::{Level, Target, ToolFinding};
use crate::locate::{Expanded, Located};
use crate::merge::Merged;
use crate::site::SiteSource;
use crate::suppress::is_suppressed;

/// Maximum number of instances in the text of a result.
const MOST_NAMED: usize = 5;

/// Returns the results about the output; `is_ours` returns whether a path is that of the output. Numbers count all
/// results.
pub(crate) fn findings(report: &Value, is_ours: &dyn Fn(&str) -> bool) -> Vec<ToolFinding> {
    let (mut found, mut number) = (Vec::new(), 0);
    for run in list(&report["runs"]) {
        let driver = &run["tool"]["driver"];
        let tool = driver["name"].as_str().unwrap_or("tool").to_owned();
        for result in list(&run["results"]) {
            let location = &result["locations"][0]["physicalLocation"];
            if uri(location, run).is_some_and(|uri| is_ours(&uri)) {
                found.push(finding(number, result, driver, &tool));
            }
            number += 1;
        }
    }
    found
}

pub(crate) fn count(report: &Value) -> usize {
    list(&report["runs"]).iter().map(|run| list(&run["results"]).len()).sum()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Returns the decoded path of a location, relative to its base.
fn uri(location: &Value, run: &Value) -> Option<String> {
    let artifact = &location["artifactLocation"];
    let index = artifact["index"].as_u64().and_then(|index| usize::try_from(index).ok());
    let known = index.and_then(|index| run["artifacts"][index]["location"]["uri"].as_str());
    let uri = artifact["uri"].as_str().or(known)?;
    let base = artifact["uriBaseId"].as_str().and_then(|id| run["originalUriBaseIds"][id]["uri"].as_str());
    let joined = match base {
        Some(base) if !uri.contains("://") => format!("{}/{uri}", base.trim_end_matches('/')),
        _ => uri.to_owned(),
    };
    Some(percent::decoded(joined.strip_prefix("file://").unwrap_or(&joined)))
}

fn finding(number: usize, result: &Value, driver: &Value, tool: &str) -> ToolFinding {
    let rules = list(&driver["rules"]);
    let rule = result["ruleId"].as_str().or_else(|| result["rule"]["id"].as_str()).unwrap_or_default();
    let known = rules.iter().find(|known| known["id"].as_str() == Some(rule));
    let level = result["level"].as_str().or_else(|| known?["defaultConfiguration"]["level"].as_str());
    let message = result["message"]["text"].as_str().unwrap_or_default().to_owned();
    ToolFinding {
        tool: tool.to_owned(),
        rule: rule.to_owned(),
        level: Level::of(level.unwrap_or("warning")),
        url: known.and_then(|known| known["helpUri"].as_str()).map(str::to_owned),
        target: target(&result["locations"][0]["physicalLocation"]["region"], tool, &message),
        message: without_places(&message),
        number,
    }
}

/// Returns the target of a result: tools use regions in different ways.
fn target(region: &Value, tool: &str, message: &str) -> Target {
    let number = |name: &str| region[name].as_u64().and_then(|number| u32::try_from(number).ok());
    let tool = tool.to_ascii_lowercase();
    let (line, column) = (number("startLine").unwrap_or(1), number("startColumn").unwrap_or(1));
    if tool.contains("guard") {
        // Its region may be that of the whole file, while its message has the path.
        return match guard_path(message) {
            Some(path) => Target::Path { path, line, column },
            None => Target::Line { line, column },
        };
    }
    let last = number("endLine").unwrap_or(line);
    if tool.contains("trivy") && line <= 1 && last <= 1 {
        let id = message.split_once("Resource '").and_then(|(_, rest)| rest.split_once('\''));
        return id.map_or(Target::File, |(id, _)| Target::Resource(id.to_owned()));
    }
    if tool.contains("checkov") || tool.contains("trivy") || number("startColumn").is_none() {
        return Target::Lines { first: line, last };
    }
    Target::Point { line, column }
}

/// Parses the path in a message of cfn-guard: `[Path=/Resources/A/Properties/B[L:12,C:21] ...`.
pub(crate) fn guard_path(message: &str) -> Option<Vec<String>> {
    let (_, rest) = message.split_once("[Path=/")?;
    let path = rest.split_once("[L:")?.0;
    Some(path.split('/').map(str::to_owned).collect())
}

/// Removes lines and columns from a message of cfn-guard, which are those of the output.
fn without_places(message: &str) -> String {
    let mut text = message.to_owned();
    while let Some(start) = text.find("[L:") {
        let place = text.get(start..).unwrap_or_default();
        let Some(end) = place.find(']').filter(|end| place.get(..*end).is_some_and(|place| place.contains(",C:")))
        else {
            break;
        };
        text.replace_range(start..=start + end, "");
    }
    text
}

pub(crate) struct Authored<'t> {
    pub(crate) text: &'t dyn Fn(&str) -> Option<String>,
    pub(crate) output: &'t str,
}

pub(crate) fn rewritten(report: &Value, merged: &[Merged], authored: &Authored<'_>) -> Value {
    let mut report = report.clone();
    let mut prints = Fingerprints::default();
    let mut files: BTreeMap<String, (String, Option<Expanded>)> = BTreeMap::new();
    let mut number = 0;
    for run in report.get_mut("runs").and_then(Value::as_array_mut).into_iter().flatten() {
        let Some(results) = run.get_mut("results").and_then(Value::as_array_mut) else { continue };
        let mut kept = Vec::with_capacity(results.len());
        for mut result in std::mem::take(results) {
            let own = merged.iter().find(|merged| merged.numbers.contains(&number));
            let is_first = own.is_none_or(|own| own.first.finding.number == number);
            number += 1;
            if let Some(own) = own.filter(|own| own.first.site.is_some()) {
                if !is_first {
                    continue;
                }
                place(&mut result, own, authored, &mut files, &mut prints);
            }
            kept.push(result);
        }
        *results = kept;
        run["columnKind"] = "unicodeCodePoints".into();
    }
    report
}

fn place(
    result: &mut Value,
    merged: &Merged,
    authored: &Authored<'_>,
    files: &mut BTreeMap<String, (String, Option<Expanded>)>,
    prints: &mut Fingerprints,
) {
    let first = &merged.first;
    let Some(site) = &first.site else { return };
    let (text, read) = files.entry(site.file.clone()).or_insert_with(|| {
        let text = (authored.text)(&site.file).unwrap_or_default();
        let read = Expanded::read(&text);
        (text, read)
    });
    let mut region = json!({"startLine": site.line, "startColumn": site.column});
    if let Some(last) = first.last_line {
        region = json!({"startLine": site.line, "endLine": last});
    }
    let lines: Vec<&str> = text
        .lines()
        .skip(site.line.saturating_sub(1) as usize)
        .take((first.last_line.unwrap_or(site.line) + 1).saturating_sub(site.line) as usize)
        .collect();
    if !lines.is_empty() {
        region["snippet"] = json!({"text": lines.join("\n") + "\n"});
    }
    let mut location = json!({"physicalLocation": {"artifactLocation": artifact(&site.file), "region": region}});
    if let Some(path) = &first.path {
        location["logicalLocations"] = json!([{"fullyQualifiedName": path}]);
    }
    result["locations"] = json!([location]);
    let related = related(first, authored.output);
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    if merged.count > 1 {
        result["occurrenceCount"] = merged.count.into();
        let named: Vec<&str> = merged.instances.iter().take(MOST_NAMED).map(String::as_str).collect();
        let more = merged.instances.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let message = result["message"]["text"].as_str().unwrap_or_default();
        result["message"] = json!({"text": format!("{message} (in {}{more})", named.join(", "))});
    }
    let mut properties = taken(result, "properties");
    properties.insert("formwork".to_owned(), json!({"instances": merged.instances}));
    result["properties"] = properties.into();
    let path = read.as_ref().and_then(|read| read.path_at((site.line, site.column))).unwrap_or_default();
    let print = prints.of_site(&first.finding.rule, &site.file, &path);
    let mut known = taken(result, "partialFingerprints");
    known.retain(|name, _| !name.contains("Line"));
    known.insert("formworkSite/v1".to_owned(), print.into());
    result["partialFingerprints"] = known.into();
    if is_suppressed(first, text) {
        result["suppressions"] = json!([{"kind": "inSource", "status": "accepted"}]);
    }
}

/// Takes a property that is an object out of a value.
fn taken(value: &mut Value, name: &str) -> Map<String, Value> {
    match value[name].take() {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn related(located: &Located, output: &str) -> Vec<Value> {
    let Some(site) = &located.site else { return Vec::new() };
    let at = |file: &str, line: u32, column: u32, words: &str| {
        let region = json!({"startLine": line.max(1), "startColumn": column.max(1)});
        json!({
            "physicalLocation": {"artifactLocation": artifact(file), "region": region},
            "message": {"text": words},
        })
    };
    let frames = site
        .frames
        .iter()
        .filter_map(|frame| Some(at(frame.file.as_deref()?, frame.line, frame.column, &frame.words())));
    let sources = site.sources.iter().filter(|source| source.kind != "loop").filter_map(|source: &SiteSource| {
        Some(at(source.file.as_deref()?, source.line, source.column, &format!("{} {}", source.kind, source.name)))
    });
    let place = located.output.map(|(line, column)| at(output, line, column, "in the expanded template"));
    let all = frames.chain(sources).chain(place).enumerate();
    all.map(|(number, mut location)| {
        location["id"] = (number + 1).into();
        location
    })
    .collect()
}

fn artifact(file: &str) -> Value {
    json!({"uri": percent::encoded(file, b"/:"), "uriBaseId": "%SRCROOT%"})
}
