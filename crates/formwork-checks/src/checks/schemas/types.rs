//! Resource types: whether they are known, exist in the Region, and have a future.

use std::collections::BTreeMap;

use formwork_base::display::shown;
use formwork_base::suggest::slip;
use formwork_base::{Diagnostic, FileId, Severities, Severity, codes};
use formwork_schemas::{ResourceType, Schemas, Stage};
use formwork_syntax::NodeId;
use formwork_template::attribute;
use formwork_template::template::Transform;

use crate::Context;

/// Returns the first macro that may change everything, so that properties are not checked.
pub(super) fn macro_of<'c>(cx: &Context<'c>) -> Option<&'c Transform> {
    let is_known = |name: &str| {
        matches!(
            name,
            "" | "Formwork"
                | "AWS::Serverless-2016-10-31"
                | "AWS::LanguageExtensions"
                | "AWS::Include"
                | "AWS::CodeDeployBlueGreen"
        ) || name.starts_with("AWS::SecretsManager-")
    };
    cx.template.transforms.iter().find(|transform| !is_known(&transform.name))
}

/// Builds the note on properties that are not checked because of a macro.
pub(super) fn macro_note(cx: &Context<'_>, found: &Transform) -> Option<(Diagnostic, Severity)> {
    let severity = Severities::Remark.at(cx.goal)?;
    let title = format!("properties are not checked: macro {} may change them", shown(&found.name));
    Some((Diagnostic::titled(codes::UNKNOWN_TYPE, title).at(cx.tree.span(found.node)), severity))
}

/// A type that is reported once per file.
struct Reported {
    key: NodeId,
    kind: NodeId,
    count: u32,
}

pub(super) struct Types<'t, 'w> {
    tree: &'t formwork_syntax::Tree,
    sources: &'t formwork_base::SourceMap,
    goal: formwork_base::Goal,
    schemas: &'w Schemas,
    region: Option<&'w str>,
    /// Unknown types by file and name.
    unknown: BTreeMap<(Option<FileId>, String), Reported>,
    elsewhere: BTreeMap<(Option<FileId>, String), Reported>,
    found: Vec<(Diagnostic, Severity)>,
}

impl<'t, 'w> Types<'t, 'w> {
    pub(super) fn new<'c: 't>(cx: &Context<'c>, schemas: &'w Schemas, region: Option<&'w str>) -> Types<'t, 'w> {
        Types {
            tree: cx.tree,
            sources: cx.sources,
            goal: cx.goal,
            schemas,
            region,
            unknown: BTreeMap::new(),
            elsewhere: BTreeMap::new(),
            found: Vec::new(),
        }
    }

    pub(super) fn look_up(&mut self, key: NodeId, kind: NodeId) -> Option<ResourceType<'w>> {
        let name = self.tree.text(kind);
        let is_custom = name.starts_with("Custom::")
            || name == "AWS::CloudFormation::CustomResource"
            || attribute::is_registry_module(name);
        if is_custom {
            return None;
        }
        let file = self.sources.file_of(self.tree.span(kind));
        let Some(known) = self.schemas.resource_type(name) else {
            // A string without the form of a name is reported as that.
            let is_name =
                name.split("::").count() >= 3 && attribute::is_type_name(name) || self.is_without_prefix(name);
            if is_name {
                let reported = self.unknown.entry((file, name.to_owned()));
                reported.or_insert(Reported { key, kind, count: 0 }).count += 1;
            }
            return None;
        };
        if self.region.and_then(|region| known.is_in(region)) == Some(false) {
            let reported = self.elsewhere.entry((file, name.to_owned()));
            reported.or_insert(Reported { key, kind, count: 0 }).count += 1;
        }
        self.lifecycle(key, kind, known);
        Some(known)
    }

    /// Returns `true` for a name of AWS without its first part: `SNS::Topic`.
    fn is_without_prefix(&self, name: &str) -> bool {
        name.split("::").count() == 2 && self.schemas.resource_type(&format!("AWS::{name}")).is_some()
    }

    fn lifecycle(&mut self, key: NodeId, kind: NodeId, known: ResourceType<'_>) {
        let Some(lifecycle) = known.lifecycle() else { return };
        let name = known.name();
        let date = |word: &str| lifecycle.date.map(|date| format!(" {word} {date}")).unwrap_or_default();
        let (message, row) = match lifecycle.stage {
            Stage::Shutdown => {
                (format!("{name} can no longer be created: its service ended{}", date("on")), Severities::ThoroughDoubt)
            }
            Stage::Sunset => (format!("the service of {name} ends{}", date("on")), Severities::Remark),
            Stage::Maintenance => {
                (format!("new customers cannot use the service of {name}{}", date("since")), Severities::Remark)
            }
        };
        let Some(severity) = row.at(self.goal) else { return };
        let diagnostic = Diagnostic::titled(codes::DEPRECATED, message)
            .at(self.tree.span(kind))
            .frames(self.tree.frame_chain(self.tree.frame_of(key)))
            .subject("type");
        self.found.push((diagnostic, severity));
    }

    pub(super) fn finish(mut self) -> Vec<(Diagnostic, Severity)> {
        let (unknown, elsewhere) = (std::mem::take(&mut self.unknown), std::mem::take(&mut self.elsewhere));
        for ((_, name), reported) in &unknown {
            self.unknown(name, reported);
        }
        for ((_, name), reported) in &elsewhere {
            let Some(severity) = Severities::Remark.at(self.goal) else { continue };
            let region = shown(self.region.unwrap_or_default());
            let title = format!("{} is not recorded in {region}{}", shown(name), times(reported.count));
            let diagnostic = self.diagnostic(title, reported).note(self.date());
            self.found.push((diagnostic, severity));
        }
        self.found
    }

    fn unknown(&mut self, name: &str, reported: &Reported) {
        let tree = self.tree;
        let candidates = self.schemas.candidates(name);
        let prefixed = format!("AWS::{name}");
        let near = if self.is_without_prefix(name) {
            Some(prefixed.as_str())
        } else {
            slip(name, candidates.iter().map(String::as_str))
        };
        let near = near.filter(|near| self.schemas.resource_type(near).is_some());
        let row = if near.is_some() { Severities::ThoroughDoubt } else { Severities::Remark };
        let Some(severity) = row.at(self.goal) else { return };
        let title = format!("{} is not a known resource type{}", shown(name), times(reported.count));
        let mut diagnostic =
            self.diagnostic(title, reported).note(format!("its properties are not checked; {}", self.date()));
        diagnostic = match near {
            Some(near) => {
                let is_written = !tree.is_generated(reported.kind) && !tree.is_alias(reported.kind);
                let (fix, span) = (format!("write {near}"), tree.span(reported.kind));
                let found = diagnostic.label(format!("did you mean {near}?")).help(&*fix);
                match is_written {
                    true if near.eq_ignore_ascii_case(name) => found.fix(fix, span, near),
                    true => found.unsafe_fix(fix, span, near),
                    false => found,
                }
            }
            None => diagnostic.help("pass its schema with `--schemas DIR`"),
        };
        self.found.push((diagnostic, severity));
    }

    fn diagnostic(&self, title: String, reported: &Reported) -> Diagnostic {
        Diagnostic::titled(codes::UNKNOWN_TYPE, title)
            .at(self.tree.span(reported.kind))
            .frames(self.tree.frame_chain(self.tree.frame_of(reported.key)))
    }

    fn date(&self) -> String {
        self.schemas.date().map_or_else(|| "no table is known".to_owned(), |date| format!("known as of {date}"))
    }
}

fn times(count: u32) -> String {
    if count > 1 { format!(", used {count} times") } else { String::new() }
}
