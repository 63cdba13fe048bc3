//! Answering for a path that a person names (reference/provenance.md#explain).

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

/// What became of what a path names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It is in the output and known.
    Present,
    /// It is in the output, and something in it is known only later.
    Residual,
    /// It is not in the output.
    Absent,
}

impl Status {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Status::Present => "present",
            Status::Residual => "residual",
            Status::Absent => "absent",
        }
    }
}

/// Where a node of the output comes from, and what keeps it from being known.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// Its path in the output, or the path that was asked for when it is absent.
    pub path: Vec<Step>,
    /// What became of it.
    pub status: Status,
    /// The value there in the output; `None` when it is absent. Secrets are masked.
    pub value: Option<Value>,
    /// How it came to be; `None` when it is absent.
    pub rule: Option<Rule>,
    /// The function at the place, if any.
    pub function: Option<String>,
    /// The place to edit.
    pub span: Span,
    /// Path of that place in its own file.
    pub authored_path: Vec<Step>,
    /// The contexts that it is seen in, outermost first.
    pub frames: Vec<Frame>,
    /// Where its text came from, nearest first.
    pub sources: Vec<Source>,
    /// What keeps it from being known, each once.
    pub residual: Vec<Residual>,
    /// Why it is absent.
    pub absent: Option<Absent>,
    /// Other paths of the output that this place made, the first ones.
    pub siblings: Vec<Vec<Step>>,
    /// How many there are.
    pub siblings_total: usize,
}

/// Where the nodes of the output come from that a line generates.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LineAnswers {
    /// The first ones, in the order of the output.
    pub answers: Vec<Answer>,
    /// How many nodes of the output the line generates.
    pub total: usize,
}

/// How many nodes of a line are explained; more are counted.
const ANSWERS: usize = 20;

impl Session<'_, '_> {
    /// Where what `path` names comes from. `secrets` are the spans of values that are never shown.
    ///
    /// # Errors
    /// When nothing matches: the nearest paths there are, at most five.
    pub fn explain(&mut self, path: &str, secrets: &[Span]) -> Result<Answer, Vec<String>> {
        let steps = path::parse(path);
        for candidate in find::candidates(&steps) {
            if let Some(trail) = self.trail(self.roots.result, &candidate) {
                let is_object = trail.last().is_some_and(|output| self.tree().kind(output.node) == Kind::Map);
                let Some(mut answer) = self.present(&[trail], secrets).pop() else { continue };
                if is_object && candidate.len() == 2 {
                    // An entry is asked for as such, not for each cause below it. Its status is that of its content.
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

    /// The nodes of the output that a line, or a column of it, generates; both count from 1. The first 20 are
    /// explained, all are counted.
    pub fn explain_line(&mut self, file: &str, line: u32, column: Option<u32>, secrets: &[Span]) -> LineAnswers {
        let (mut trails, mut total) = (Vec::new(), 0);
        let sources = self.sources;
        self.walk(&mut |session, trail| {
            let Some(output) = trail.last() else { return };
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

    /// Where the node at a path of the output comes from, and the contexts that it is seen in, outermost first. Each
    /// step is a key or an index; `None` when they lead nowhere.
    pub fn origin_at(&mut self, steps: &[String]) -> Option<(Origin, Vec<Frame>)> {
        let output = self.trail(self.roots.result, steps)?.pop()?;
        let origin = self.origin(&output);
        let frames = self.frames(origin.frame);
        Some((origin, frames))
    }

    /// Whether values stay out of visibility, as `expand` prints templates by default.
    pub(crate) fn keeps(&self) -> bool {
        matches!(self.replay.seen().settings.values, Values::Keep | Values::Pin)
    }

    /// What becomes of the last nodes of some trails, with their siblings.
    fn present(&mut self, trails: &[Vec<OutputNode>], secrets: &[Span]) -> Vec<Answer> {
        let lasts: Vec<OutputNode> = trails.iter().filter_map(|trail| trail.last().copied()).collect();
        let mut answers: Vec<Answer> =
            lasts.iter().zip(trails).map(|(output, trail)| self.alone(output, trail, secrets)).collect();
        self.add_siblings(&lasts, &mut answers);
        answers
    }

    /// What became of a node, without its siblings.
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

    /// A chain of contexts, outermost first, with the lengths of its loops.
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

    /// The authored node at the place of a map or list that has its key's place.
    fn site_key(&self, output: &OutputNode, site: formwork_syntax::NodeId) -> formwork_syntax::NodeId {
        output.key.map_or(site, |key| self.tree().authored(key))
    }
}
