//! The expansion view: its content, and the mapping from and to templates.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork::query::FileIndex;
use formwork::{Limits, LineIndex, SourceContent, VirtualPath};
use formwork_ide::Ide;
use formwork_ide::expansion_view::{Mapped, Stage, View as Expansion, expansion_view};
use formwork_ide::hover as ide_hover;
use formwork_ide::markdown::words;
use serde_json::{Value, json};

use super::fold::FoldingRange;
use crate::at::At;
use crate::context;
use crate::lines::Lines;
use crate::params::{self, InDocument, Position, Range};
use crate::response::{Answer, Failure};
use crate::uri::{self, EXPANDED};
use crate::view::View;
use crate::world::relative;

/// Returns `true` if a URI is that of a view, however it is encoded.
pub(crate) fn is_view(uri: &str) -> bool {
    formwork::percent::decoded(uri).starts_with(EXPANDED)
}

pub(crate) fn uri_of(path: &Path, stage: Stage) -> String {
    let path = uri::of_path(path);
    let path = path.strip_prefix("file://").unwrap_or(&path);
    format!("{EXPANDED}{path}?stage={}", stage.name())
}

fn parts(uri: &str) -> Option<(PathBuf, Stage)> {
    let decoded = formwork::percent::decoded(uri);
    let rest = decoded.strip_prefix(EXPANDED)?;
    let (path, query) = rest.rsplit_once("?stage=").unwrap_or((rest, "expand"));
    let path = format!("/{}", path.trim_start_matches('/'));
    Some((formwork::disk::without_dots(Path::new(&path)), Stage::from_name(query).unwrap_or_default()))
}

struct Shown<'v> {
    at: At<'v>,
    expansion: Arc<Expansion>,
    index: LineIndex,
}

impl<'v> Shown<'v> {
    fn of(view: &'v View, uri: &str) -> Result<Option<Shown<'v>>, Failure> {
        let Some((path, stage)) = parts(uri) else { return Ok(None) };
        Shown::of_path(view, &path, stage)
    }

    /// The view of a template. For a module it may be the view of its context.
    fn of_path(view: &'v View, path: &Path, stage: Stage) -> Result<Option<Shown<'v>>, Failure> {
        if !view.may_look_at(path) {
            return Ok(None);
        }
        let path = context::shown_in(view, path)?;
        let ide = view.compiled(&path)?;
        let expansion = expansion_view(&ide, stage)?;
        let index = LineIndex::new(&expansion.text);
        let file = ide.root().clone();
        Ok(Some(Shown { at: At { view, path, ide, file }, expansion, index }))
    }

    fn lines(&self) -> Lines<'_> {
        Lines { text: &self.expansion.text, index: &self.index, unit: self.at.view.unit(), mark: 0 }
    }

    /// The places of the view that come from a position in a file of the template: those of the iteration or import
    /// that was chosen last come first.
    fn copies(&self, path: &Path, position: impl FnOnce(&At<'_>) -> u32) -> Result<Vec<Range>, Failure> {
        let view = self.at.view;
        // The file may be a module of the template.
        let own = if path == self.at.path { None } else { At::of_path(view, path)? };
        let (at, file) = match &own {
            Some(own) => (own, relative(path, self.at.folder())),
            None => (&self.at, self.at.file.clone()),
        };
        let mut copies = self.expansion.copies_of(&file, position(at));
        let chosen = view.chosen().get(&self.at.path).cloned();
        let selected = view.contexts.get(path);
        copies.sort_by_key(|mapped| {
            let is_chosen = chosen.as_ref().is_some_and(|chosen| mapped.frames.starts_with(chosen));
            (!is_chosen, selected.is_some_and(|(_, instance)| !mapped.is_in(instance)))
        });
        Ok(copies.into_iter().map(|mapped| self.range(mapped)).collect())
    }

    fn range(&self, mapped: &Mapped) -> Range {
        self.lines().range(mapped.start, mapped.end)
    }
}

/// Returns the text of a view; `None` when the URI is not that of a view.
///
/// # Errors
/// When the state is outdated.
pub(crate) fn text_of(view: &View, uri: &str) -> Result<Option<String>, Failure> {
    Ok(shown_text(view, uri)?.map(|(text, ..)| text))
}

fn text_or_last(view: &View, uri: &str) -> Result<(String, bool, usize), Failure> {
    shown_text(view, uri)?.ok_or_else(|| Failure::params(format!("{uri} is not a view of a template in the workspace")))
}

/// Returns the text of a view, whether it is an earlier one, and the number of errors of the template.
fn shown_text(view: &View, uri: &str) -> Result<Option<(String, bool, usize)>, Failure> {
    let Some(shown) = Shown::of(view, uri)? else { return Ok(None) };
    let errors = shown.expansion.errors;
    if errors == 0 {
        return Ok(Some((shown.expansion.text.clone(), false, 0)));
    }
    let last = last_sound(&shown.at.ide, uri);
    let count = if errors == 1 { "1 error".to_owned() } else { format!("{errors} errors") };
    let is_yaml = shown.at.ide.compilation().format() == formwork::Format::Yaml;
    let note = if is_yaml { format!("# formwork: {count}, this is the last sound expansion\n") } else { String::new() };
    Ok(Some((note + &last, true, errors)))
}

fn last_sound(ide: &Ide<'static>, uri: &str) -> String {
    let stage = parts(uri).map_or(Stage::Expand, |(_, stage)| stage);
    ide.last_text(stage).unwrap_or_default()
}

pub(crate) fn content(view: &View, params: Value) -> Answer {
    let uri = params.get("uri").and_then(Value::as_str).ok_or_else(|| Failure::params("no uri"))?;
    Ok(json!({"text": text_or_last(view, uri)?.0}))
}

/// Handles `formwork/expanded`.
pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let uri = params.get("uri").and_then(Value::as_str).ok_or_else(|| Failure::params("no uri"))?;
    let (text, stale, errors) = text_or_last(view, uri)?;
    Ok(json!({"text": text, "stale": stale, "errors": errors}))
}

#[derive(serde::Deserialize)]
struct MapParams {
    uri: String,
    range: Option<Range>,
    position: Option<Position>,
    stage: Option<String>,
}

/// Handles `formwork/map`: from a template to its view and back.
pub(crate) fn map(view: &View, params: Value) -> Answer {
    let params: MapParams = params::read(params)?;
    let start = params.range.map(|range| range.start).or(params.position);
    let start = start.ok_or_else(|| Failure::params("no range"))?;
    if is_view(&params.uri) {
        let Some(shown) = Shown::of(view, &params.uri)? else { return Ok(Value::Null) };
        let Some(mapped) = shown.expansion.site_of(shown.lines().offset(start)) else { return Ok(Value::Null) };
        view.chosen().insert(shown.at.path.clone(), mapped.frames.clone());
        return Ok(json!({
            "uri": shown.at.uri(&mapped.site.file),
            "ranges": [shown.at.range_in(&mapped.site)],
            "frames": mapped.frames,
        }));
    }
    let path = uri::to_path(&params.uri);
    let stage = params.stage.as_deref().and_then(Stage::from_name).unwrap_or(view.settings_of(&path).stage);
    let Some(shown) = Shown::of_path(view, &path, stage)? else { return Ok(Value::Null) };
    let ranges = shown.copies(&path, |at| at.offset(start))?;
    Ok(json!({"view": uri_of(&shown.at.path, stage), "ranges": ranges}))
}

pub(crate) fn copies(at: &At<'_>, offset: u32) -> Answer {
    let stage = at.view.settings_of(&at.path).stage;
    let Some(shown) = Shown::of_path(at.view, &at.path, stage)? else { return Ok(json!([])) };
    let uri = uri_of(&shown.at.path, stage);
    let copies = shown.copies(&at.path, |_| offset)?.into_iter();
    Ok(copies.map(|range| json!({"uri": uri, "range": range})).collect())
}

fn at_position<'v>(view: &'v View, params: &InDocument) -> Result<Option<(Shown<'v>, Mapped)>, Failure> {
    let position = params.position.ok_or_else(|| Failure::params("no position"))?;
    let Some(shown) = Shown::of(view, &params.text_document.uri)? else { return Ok(None) };
    let found = shown.expansion.site_of(shown.lines().offset(position)).cloned();
    Ok(found.map(|mapped| (shown, mapped)))
}

/// Explains a place of the view by its origin.
pub(crate) fn hover(view: &View, params: &InDocument) -> Answer {
    let Some((shown, mapped)) = at_position(view, params)? else { return Ok(Value::Null) };
    let line = shown.at.ide.file(&mapped.site.file).map_or(0, |index| index.lines().line(mapped.site.start) + 1);
    let mut parts = vec![format!("from {}", words(&format!("{}:{line}", mapped.site.file)))];
    parts.extend(mapped.frames.iter().map(|frame| format!("in {}", words(frame))));
    let found = ide_hover::hover(&shown.at.ide, &mapped.site.file, mapped.site.start);
    parts.extend(found.map(|found| found.markdown));
    let contents = super::contents::contents(view, &parts.join("\n\n"));
    Ok(json!({"contents": contents, "range": shown.range(&mapped)}))
}

pub(crate) fn definition(view: &View, params: &InDocument) -> Answer {
    let Some((shown, mapped)) = at_position(view, params)? else { return Ok(json!([])) };
    Ok(json!([shown.at.location(&mapped.site)]))
}

pub(crate) fn references(view: &View, params: &InDocument) -> Answer {
    let Some((shown, mapped)) = at_position(view, params)? else { return Ok(json!([])) };
    let copies = shown.expansion.map.iter().filter(|other| other.site == mapped.site);
    Ok(copies.map(|other| json!({"uri": params.text_document.uri, "range": shown.range(other)})).collect())
}

fn index(text: &str) -> FileIndex {
    let source = SourceContent::new(text.into());
    FileIndex::new(VirtualPath::new("view.yaml"), &source, &Limits::default())
}

pub(crate) fn symbols(view: &View, uri: &str) -> Answer {
    let (text, ..) = text_or_last(view, uri)?;
    let index = index(&text);
    let lines = Lines { text: index.text(), index: index.lines(), unit: view.unit(), mark: 0 };
    let Some(root) = index.root() else { return Ok(json!([])) };
    let tree = index.tree();
    let entry = |entry: formwork::tree::Entry, kind: u32, children: Vec<Value>| {
        let (key, value) = (index.range_of(tree.span(entry.key)), index.range_of(tree.site(entry.value)));
        let name = if tree.text(entry.key).is_empty() { "(no name)" } else { tree.text(entry.key) };
        let mut made = json!({
            "name": name,
            "kind": kind,
            "range": lines.range(key.start, value.end.max(key.end)),
            "selectionRange": lines.range(key.start, key.end),
        });
        if !children.is_empty() {
            made["children"] = Value::Array(children);
        }
        made
    };
    let sections = tree.entries(root).map(|section| {
        let members = tree.entries(section.value).map(|member| entry(member, 5, Vec::new())).collect();
        entry(section, 3, members)
    });
    Ok(sections.collect())
}

pub(crate) fn folding(view: &View, uri: &str) -> Result<Vec<FoldingRange>, Failure> {
    let (text, ..) = text_or_last(view, uri)?;
    let folds = formwork_ide::folding::folds(&index(&text));
    Ok(folds.iter().map(FoldingRange::from).collect())
}
