//! Where resources of a stack come from in the author's files.

use std::collections::HashMap;

use formwork::{Compilation, Frame, FrameKind, Span};
use formwork_report::printable;

/// Where a resource comes from.
#[derive(Clone, Debug)]
pub(in crate::commands) struct Origin {
    pub(in crate::commands) span: Span,
    /// `template.yaml:7`
    pub(super) place: String,
    /// Iterations that made it: `Name=Logs`; empty without loops.
    pub(super) items: String,
    /// The resource of the template that a transform made it of, when it is not in the template itself.
    pub(super) made_of: Option<String>,
}

/// Where the resources of a template come from. What was found once is kept.
#[derive(Default)]
pub(in crate::commands) struct Places {
    found: HashMap<String, Option<Origin>>,
    ids: Option<Vec<String>>,
}

impl Places {
    /// Where the resource with a logical id comes from.
    pub(super) fn of(&mut self, logical_id: &str, compilation: &mut Compilation) -> Option<Origin> {
        if let Some(known) = self.found.get(logical_id) {
            return known.clone();
        }
        let origin = self.find(logical_id, compilation);
        self.found.insert(logical_id.to_owned(), origin.clone());
        origin
    }

    fn find(&mut self, logical_id: &str, compilation: &mut Compilation) -> Option<Origin> {
        if logical_id.is_empty() || !logical_id.chars().all(|c| c.is_ascii_alphanumeric()) {
            return None;
        }
        let ids = self.ids.get_or_insert_with(|| compilation.resource_ids());
        if ids.iter().any(|id| id == logical_id) {
            return explained(logical_id, compilation);
        }
        if !compilation.template().has_other_transforms() {
            return None;
        }
        // Transforms name what they make after what they make it of.
        let source = ids.iter().filter(|id| logical_id.starts_with(id.as_str())).max_by_key(|id| id.len())?.clone();
        let origin = explained(&source, compilation)?;
        Some(Origin { made_of: Some(source), ..origin })
    }

    /// Resources of the template that a sentence of the service names, in its order: as part of a path
    /// (`/Resources/Topic/Type`), or between brackets, quotes or blanks after the word `resource`.
    pub(in crate::commands) fn named_in(
        &mut self,
        sentence: &str,
        compilation: &mut Compilation,
    ) -> Vec<(String, Origin)> {
        let mut named: Vec<(String, Origin)> = Vec::new();
        for word in words(sentence) {
            if !named.iter().any(|(known, _)| known == word)
                && let Some(origin) = self.of(word, compilation)
            {
                named.push((word.to_owned(), origin));
            }
        }
        named
    }
}

fn explained(logical_id: &str, compilation: &mut Compilation) -> Option<Origin> {
    let answer = compilation.explain(&format!("Resources.{logical_id}")).ok()?;
    let place = compilation.sources().place(answer.span)?;
    let name = compilation.sources().display(place.file);
    Some(Origin {
        span: answer.span,
        place: printable(&format!("{name}:{}", place.line)).into_owned(),
        items: items(&answer.frames),
        made_of: None,
    })
}

/// Iterations around a resource: `Zone=a, Name=Logs`.
fn items(frames: &[Frame]) -> String {
    let words = frames.iter().filter(|frame| frame.kind == FrameKind::Loop);
    let words = words.filter_map(|frame| Some(format!("{}={}", frame.name, frame.value.as_deref()?)));
    printable(&words.collect::<Vec<_>>().join(", ")).into_owned()
}

/// Words of a sentence that may be logical ids by where they stand.
fn words(sentence: &str) -> Vec<&str> {
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
        let check = |sentence, want: &[&str]| assert_eq!(words(sentence), want, "{sentence}");
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
