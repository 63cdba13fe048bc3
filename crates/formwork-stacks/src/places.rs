//! Maps the resources of a stack to places in the author's files.

use std::collections::HashMap;

use formwork::nested::Nested;
use formwork::{Compilation, Format, Frame, FrameKind, Goal, ResourcePlace, Span};
use formwork_report::printable;
use formwork_upload::Prepared;
use serde_json::{Value, json};

use super::local::Checked;

/// The place of a resource in a template.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The span.
    pub span: Span,
    /// The logical ID of the resource at the place.
    pub id: String,
    /// The type of the resource.
    pub kind: String,
    /// The nested template that contains the place; `None` for the root.
    pub unit: Option<usize>,
    /// File and line as `template.yaml:7`.
    pub place: String,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// Variables and items of the iterations that generated the resource, the outermost first.
    pub loops: Vec<(String, String)>,
    /// Names of the loops of these iterations.
    pub loop_names: Vec<String>,
    /// The iterations as `Name=Logs`; empty without loops.
    pub items: String,
    /// The resource of the template that a transform generated this one from, when it is not in the template itself.
    pub made_of: Option<String>,
}

/// The templates of a deployment, and the places of their resources.
pub struct Sources {
    /// The root template.
    pub root: Checked,
    prepared: Option<Prepared>,
    /// The nested templates of a root that is not packaged.
    nested: Nested,
    /// Cache of the resources of each template.
    places: HashMap<Option<usize>, Vec<ResourcePlace>>,
}

impl Sources {
    /// Creates sources of a single template.
    pub fn new(root: Checked) -> Sources {
        Sources { root, prepared: None, nested: Nested::default(), places: HashMap::new() }
    }

    /// Creates sources with nested templates that are not packaged.
    pub fn with_nested(root: Checked, nested: Nested) -> Sources {
        Sources { nested, ..Sources::new(root) }
    }

    /// Returns the root template.
    pub fn root(&self) -> &Compilation {
        self.root.root.compilation()
    }

    /// Returns the root template as JSON, with its loops and modules expanded and everything else as it is.
    pub fn expanded(&self) -> Option<Value> {
        let expanded = self.root.analysis().compile(Goal::Expand);
        let json = expanded.output().ok()?.render(Some(Format::Json));
        serde_json::from_str(&json).ok()
    }

    /// Replaces the root template after another compilation.
    pub fn replace_root(&mut self, root: Checked) {
        *self = Sources::new(root);
    }

    /// Adds the nested stacks of a packaged template.
    pub fn add_nested(&mut self, prepared: Prepared) {
        self.prepared = Some(prepared);
    }

    /// Returns the template that an origin is in.
    pub fn of_unit(&self, unit: Option<usize>) -> &Compilation {
        let Some(unit) = unit else { return self.root() };
        match &self.prepared {
            Some(prepared) => prepared.units.get(unit).map_or(self.root(), |unit| unit.compilation()),
            None => self.nested.templates.get(unit).map_or(self.root(), |template| template),
        }
    }

    /// Returns the place of the resource with a logical ID; `within` are the nested stacks around it. When the template
    /// of a nested stack is not at hand, returns the place of the stack itself.
    pub fn of(&mut self, within: &[String], logical_id: &str) -> Option<Origin> {
        let mut unit = None;
        for step in within {
            match self.nested(unit, step) {
                Some(next) => unit = Some(next),
                None => return self.in_unit(unit, step),
            }
        }
        self.in_unit(unit, logical_id)
    }

    /// Returns the place of a resource with a type, of a stack that may have been deployed from another template: the
    /// types must be equal, unless a transform generates the resource from one of the template.
    pub fn of_type(&mut self, within: &[String], logical_id: &str, kind: &str) -> Option<Origin> {
        let origin = self.of(within, logical_id)?;
        let has_transforms = self.of_unit(origin.unit).template().has_other_transforms();
        let is_made = || has_transforms && (origin.made_of.is_some() || origin.kind.starts_with("AWS::Serverless::"));
        (origin.kind == kind || origin.id != logical_id || is_made()).then_some(origin)
    }

    /// Returns the template of the stack at `within`.
    pub fn compilation_of(&self, within: &[String]) -> Option<&Compilation> {
        let unit = within.iter().try_fold(None, |unit, step| self.nested(unit, step).map(Some))?;
        Some(self.of_unit(unit))
    }

    /// Returns the path, type and place of every resource; those of a nested stack come after it.
    pub fn all(&mut self) -> Vec<(String, String, String)> {
        let mut found = Vec::new();
        // The last entry is the next template to visit.
        let mut open: Vec<(Option<usize>, Vec<String>, usize)> = vec![(None, Vec::new(), 0)];
        while let Some((unit, within, at)) = open.pop() {
            let Some(place) = self.places_of(unit).get(at).cloned() else { continue };
            let path: Vec<String> = within.iter().chain([&place.id]).cloned().collect();
            let words = origin(&place, unit, self.of_unit(unit)).map_or_else(String::new, |origin| words(&origin));
            found.push((path.join("/"), place.kind.clone(), words));
            let nested = self.nested(unit, &place.id);
            open.push((unit, within, at + 1));
            open.extend(nested.map(|nested| (Some(nested), path, 0)));
        }
        found
    }

    /// Returns the place of the deepest part of a path below a resource, and the place of the resource's own name.
    /// Paths of resources that a transform generated are not in the template.
    pub fn of_path(&mut self, within: &[String], logical_id: &str, keys: &[String]) -> Option<(Origin, Span)> {
        let origin = self.of(within, logical_id)?;
        let unit = within.iter().try_fold(None, |unit, step| self.nested(unit, step).map(Some));
        let found = unit.and_then(|unit| self.of_unit(unit).path_place(logical_id, keys));
        let Some((found, unit)) = found.zip(unit) else { return Some((origin.clone(), origin.span)) };
        let refined = self::origin(&found.place, unit, self.of_unit(unit));
        Some((refined.unwrap_or(origin), found.name))
    }

    /// Returns the place of the deepest part of a path in another section than `Resources`: `Outputs`, a name, and keys
    /// below it.
    pub(super) fn of_section(&self, within: &[String], path: &[String]) -> Option<(Origin, Span)> {
        let [section, name, keys @ ..] = path else { return None };
        let unit = within.iter().try_fold(None, |unit, step| self.nested(unit, step).map(Some))?;
        let compilation = self.of_unit(unit);
        let found = compilation.section_path_place(section, name, keys)?;
        Some((origin(&found.place, unit, compilation)?, found.name))
    }

    fn nested(&self, unit: Option<usize>, logical_id: &str) -> Option<usize> {
        let Some(prepared) = &self.prepared else { return self.nested.template_of(unit, logical_id) };
        prepared.nested(unit.unwrap_or(prepared.units.len().checked_sub(1)?), logical_id)
    }

    fn places_of(&mut self, unit: Option<usize>) -> &[ResourcePlace] {
        if !self.places.contains_key(&unit) {
            let places = self.of_unit(unit).resource_places();
            self.places.insert(unit, places);
        }
        self.places.get(&unit).map(Vec::as_slice).unwrap_or_default()
    }

    fn in_unit(&mut self, unit: Option<usize>, logical_id: &str) -> Option<Origin> {
        self.places_of(unit);
        let (compilation, places) = (self.of_unit(unit), self.places.get(&unit)?);
        if let Some(place) = places.iter().find(|place| place.id == logical_id) {
            return origin(place, unit, compilation);
        }
        if !compilation.template().has_other_transforms() {
            return None;
        }
        let owner = compilation.owner_of(logical_id);
        // Other transforms derive the names of resources from those of their sources.
        let is_source =
            |place: &&ResourcePlace| owner.map_or_else(|| logical_id.starts_with(&place.id), |owner| owner == place.id);
        let source = places.iter().filter(is_source).max_by_key(|place| place.id.len())?;
        Some(Origin { made_of: Some(source.id.clone()), ..origin(source, unit, compilation)? })
    }
}

/// Formats a place and the iterations that led there.
pub fn words(origin: &Origin) -> String {
    let mut words = vec![origin.place.clone()];
    if !origin.items.is_empty() {
        words.push(format!("[{}]", origin.items));
    }
    words.extend(origin.made_of.as_ref().map(|source| format!("(made of {source})")));
    words.join(" ")
}

/// Adds the place of the resource to an object for programs: in words, and in parts.
pub fn with_source(mut object: Value, origin: Option<&Origin>) -> Value {
    let item = |(variable, item): &(String, String)| json!({"variable": variable, "item": item});
    object["source"] = json!(origin.map(words));
    object["file"] = json!(origin.map(|origin| &origin.file));
    object["line"] = json!(origin.map(|origin| origin.line));
    object["items"] = origin.map_or_else(|| json!([]), |origin| origin.loops.iter().map(item).collect());
    object
}

/// Returns the resources of a template that a sentence of CloudFormation names, in its order: as part of a path
/// (`/Resources/Topic/Type`), or between brackets or quotes, or after the word `resource`.
pub fn named_in(sentence: &str, compilation: &Compilation) -> Vec<(String, Origin)> {
    let places = compilation.resource_places();
    let place = |word: &str| places.iter().find(|place| place.id == word);
    let mut named: Vec<(String, Origin)> = Vec::new();
    for word in words_of(sentence) {
        if !named.iter().any(|(known, _)| known == word)
            && let Some(origin) = place(word).and_then(|place| origin(place, None, compilation))
        {
            named.push((word.to_owned(), origin));
        }
    }
    named
}

fn origin(place: &ResourcePlace, unit: Option<usize>, compilation: &Compilation) -> Option<Origin> {
    let at = compilation.sources().place(place.span)?;
    let name = compilation.sources().display(at.file);
    let loops = loops(&place.frames);
    let items = loops.iter().map(|(variable, item)| format!("{variable}={item}")).collect::<Vec<_>>().join(", ");
    Some(Origin {
        span: place.span,
        id: place.id.clone(),
        kind: place.kind.clone(),
        unit,
        place: printable(&format!("{name}:{}", at.line)).into_owned(),
        file: name.to_owned(),
        line: at.line,
        column: at.column,
        loops,
        loop_names: place.frames.iter().filter_map(|frame| frame.loop_name.clone()).collect(),
        items: printable(&items).into_owned(),
        made_of: None,
    })
}

fn loops(frames: &[Frame]) -> Vec<(String, String)> {
    let frames = frames.iter().filter(|frame| frame.kind == FrameKind::Loop);
    frames.filter_map(|frame| Some((frame.name.clone(), frame.value.clone()?))).collect()
}

/// Returns words of a sentence that may be logical IDs by their position.
fn words_of(sentence: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut before) = (None, "");
    let ends = sentence.char_indices().chain(std::iter::once((sentence.len(), ' ')));
    for (at, c) in ends {
        if c.is_ascii_alphanumeric() {
            start.get_or_insert(at);
            continue;
        }
        let Some(from) = start.take() else { continue };
        let (word, left) = (&sentence[from..at], sentence[..from].chars().next_back());
        let right = sentence[at..].chars().next();
        let is_between = |open, close| left == Some(open) && right == Some(close);
        let is_marked = is_between('\'', '\'')
            || is_between('"', '"')
            || is_between('`', '`')
            || left == Some('/')
            || matches!(left, Some('[' | '('))
            || matches!(right, Some(']' | ')'))
            || before.eq_ignore_ascii_case("resource");
        // Inside a list in brackets: `[A, B, C]`.
        let is_listed = sentence[..from].rfind('[') > sentence[..from].rfind(']') && sentence[at..].contains(']');
        if is_marked || is_listed {
            found.push(word);
        }
        before = word;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_may_be_ids() {
        let check = |sentence, want: &[&str]| assert_eq!(words_of(sentence), want, "{sentence}");
        check(
            "Unresolved resource dependencies [Topic, Queue] in the Resources block of the template",
            &["dependencies", "Topic", "Queue"],
        );
        check("[/Resources/Topic/Type] 'null' values are not allowed", &["Resources", "Topic", "Type", "null"]);
        check("Resource handler returned", &["handler"]);
        check("Template error: resource Role does not support attribute type Arn in Fn::GetAtt", &["Role"]);
        check("Topic is not what is meant", &[]);
    }
}
