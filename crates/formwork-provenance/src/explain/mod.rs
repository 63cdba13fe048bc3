//! Explains the value at a path or line (reference/provenance.md#explain).

mod absent;
mod condition;
mod find;
pub mod path;
mod residual;
mod siblings;

use formwork_base::{Frame, FrameKind, Span};
use formwork_evaluate::Values;
use formwork_syntax::{FrameId, Kind, Value};

use crate::authored::Step;
use crate::origin::{Origin, Rule, Source};
use crate::output_node::OutputNode;
use crate::session::Session;

pub use absent::{Absence, Absent};
pub use residual::{Reason, Residual};

/// The status of the node at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The value is in the output and known.
    Present,
    /// The value is in the output, and a part of it is known only later.
    Residual,
    /// The value is not in the output.
    Absent,
}

impl Status {
    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Status::Present => "present",
            Status::Residual => "residual",
            Status::Absent => "absent",
        }
    }
}

/// The origin of a node of the output, and the reasons why it is not known.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The path in the output, or the requested path when it is absent.
    pub path: Vec<Step>,
    /// The status of the value.
    pub status: Status,
    /// The value in the output; `None` when it is absent. Secrets are masked.
    pub value: Option<Value>,
    /// The rule that produced it; `None` when it is absent.
    pub rule: Option<Rule>,
    /// The function at the place, if any.
    pub function: Option<String>,
    /// The span to edit.
    pub span: Span,
    /// The path of that span in its own file.
    pub authored_path: Vec<Step>,
    /// The contexts around it, outermost first.
    pub frames: Vec<Frame>,
    /// The sources of its value, nearest first.
    pub sources: Vec<Source>,
    /// The reasons why it is not known, without duplicates.
    pub residual: Vec<Residual>,
    /// The reason why it is absent.
    pub absent: Option<Absent>,
    /// The first other paths of the output that this place generated.
    pub siblings: Vec<Vec<Step>>,
    /// The number of all such paths.
    pub siblings_total: usize,
}

/// The origins of the nodes that a line generates.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LineAnswers {
    /// The first answers, in the order of the output.
    pub answers: Vec<Answer>,
    /// The number of nodes of the output that the line generates.
    pub total: usize,
}

impl LineAnswers {
    /// Adds those of another output.
    pub fn add(&mut self, other: LineAnswers) {
        let room = ANSWERS.saturating_sub(self.answers.len());
        self.answers.extend(other.answers.into_iter().take(room));
        self.total += other.total;
    }
}

impl Answer {
    /// Returns `true` if the node is in the output.
    pub fn is_in_output(&self) -> bool {
        self.status != Status::Absent
    }
}

/// A line of a file, or a column of it; both count from 1.
#[derive(Clone, Copy, Debug)]
pub struct LinePlace<'p> {
    /// The path of the file, from the directory of the template or as it was typed.
    pub file: &'p str,
    /// The line.
    pub line: u32,
    /// The column; `None` for the whole line.
    pub column: Option<u32>,
}

/// Maximum number of nodes of a line that are explained; the rest are counted.
const ANSWERS: usize = 20;

impl Session<'_, '_> {
    /// Explains the value at `path`. `secrets` are the spans of values that are never shown.
    ///
    /// # Errors
    /// When nothing matches: the nearest paths, at most five.
    pub fn explain(&mut self, path: &str, secrets: &[Span]) -> Result<Answer, Vec<String>> {
        let steps = path::parse(path);
        for candidate in find::candidates(&steps) {
            if let Some(trail) = self.trail(self.roots.result, &candidate) {
                let is_object = trail.last().is_some_and(|output| self.tree().kind(output.node) == Kind::Map);
                let Some(mut answer) = self.present(&[trail], secrets).pop() else { continue };
                if is_object && candidate.len() == 2 {
                    // The path refers to the entry as such, not to each cause below it. Its status is that of its
                    // content.
                    answer.residual.clear();
                }
                return Ok(answer);
            }
        }
        for candidate in find::candidates(&steps) {
            if let Some(answer) = self.absent(&candidate) {
                return Ok(answer);
            }
        }
        Err(self.nearest(&steps))
    }

    /// Explains the nodes of the output that a line, or a column of it, generates; both count from 1. The first 20 are
    /// explained, all are counted.
    ///
    /// With `only_made`, only those that the serverless transform made.
    pub fn explain_line(&mut self, place: LinePlace<'_>, only_made: bool, secrets: &[Span]) -> LineAnswers {
        let LinePlace { file, line, column } = place;
        let (mut trails, mut total) = (Vec::new(), 0);
        let sources = self.sources;
        self.walk(&mut |session, trail| {
            let Some(output) = trail.last() else { return };
            if only_made && !session.authored.is_made(output.node) {
                return;
            }
            let Some(place) = sources.place(session.place(output)) else { return };
            let ends_behind = |column| place.end_line > line || column < place.end_column;
            let is_here =
                place.line == line && column.is_none_or(|column| place.column <= column && ends_behind(column));
            if is_here && (sources.path(place.file).as_str() == file || sources.display(place.file) == file) {
                total += 1;
                if trails.len() < ANSWERS {
                    trails.push(trail.to_vec());
                }
            }
        });
        LineAnswers { answers: self.present(&trails, secrets), total }
    }

    /// Returns the origin of the node at a path of the output, and the contexts around it, outermost first. Each step
    /// is a key or an index; `None` when the path does not exist.
    pub fn origin_at(&mut self, steps: &[String]) -> Option<(Origin, Vec<Frame>)> {
        let output = self.trail(self.roots.result, steps)?.pop()?;
        let origin = self.origin(&output);
        let frames = self.frames(origin.frame);
        Some((origin, frames))
    }

    /// Returns `true` if values are kept as references, as `expand` prints templates by default.
    pub(crate) fn keeps(&self) -> bool {
        matches!(self.replay.seen().settings.values, Values::Keep | Values::Pin)
    }

    /// Explains the last nodes of some trails, with their siblings.
    fn present(&mut self, trails: &[Vec<OutputNode>], secrets: &[Span]) -> Vec<Answer> {
        let lasts: Vec<OutputNode> = trails.iter().filter_map(|trail| trail.last().copied()).collect();
        let mut answers: Vec<Answer> =
            lasts.iter().zip(trails).map(|(output, trail)| self.alone(output, trail, secrets)).collect();
        self.add_siblings(&lasts, &mut answers);
        answers
    }

    /// Explains a node, without its siblings.
    fn alone(&mut self, output: &OutputNode, trail: &[OutputNode], secrets: &[Span]) -> Answer {
        let origin = self.origin(output);
        let residual = self.residual(output.node);
        let path = self.path_of(trail);
        let tree = self.tree();
        let at = if tree.span(origin.site) == origin.span { origin.site } else { self.site_key(output, origin.site) };
        Answer {
            path,
            status: if residual.is_empty() { Status::Present } else { Status::Residual },
            value: Some(Value::masked(tree, output.node, secrets)),
            rule: Some(origin.rule),
            span: origin.span,
            authored_path: self.authored.path(tree, self.sources, at),
            function: (tree.kind(origin.site) == Kind::Call).then(|| {
                let (function, _) = tree.call(origin.site);
                tree.function_name(function).to_owned()
            }),
            frames: self.frames(origin.frame),
            sources: origin.sources,
            residual,
            absent: None,
            siblings: Vec::new(),
            siblings_total: 0,
        }
    }

    /// Returns a chain of contexts, outermost first, with the lengths of its loops.
    fn frames(&self, frame: FrameId) -> Vec<Frame> {
        let tree = self.tree();
        let mut chain: Vec<Frame> = tree
            .frames()
            .chain(frame)
            .map(|(_, record)| {
                let mut shown = tree.frame(&record);
                if record.kind == FrameKind::Loop {
                    shown.length = Some(tree.frames().iterations(&record));
                }
                shown
            })
            .collect();
        chain.reverse();
        chain
    }

    /// Returns the authored key of a mapping or list whose place is that of its key.
    fn site_key(&self, output: &OutputNode, site: formwork_syntax::NodeId) -> formwork_syntax::NodeId {
        output.key.map_or(site, |key| self.tree().authored(key))
    }
}
