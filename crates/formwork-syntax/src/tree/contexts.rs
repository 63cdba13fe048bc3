//! Conversion of contexts for reports.

use formwork_base::{Frame, FrameKind, keep_ends};

use super::{FrameId, FrameRecord, Kind, Tree};

impl Tree {
    /// Returns a chain of contexts for reports, outermost first: both ends, when it is longer than
    /// [`formwork_base::MOST_CONTEXTS`].
    pub fn frame_chain(&self, frame: FrameId) -> Vec<Frame> {
        let mut chain: Vec<FrameRecord> = self.frames.chain(frame).map(|(_, record)| record).collect();
        keep_ends(&mut chain);
        chain.iter().rev().map(|record| self.frame(record)).collect()
    }

    /// Returns a context for reports.
    pub fn frame(&self, record: &FrameRecord) -> Frame {
        let is_loop = record.kind == FrameKind::Loop;
        let value = record.value.filter(|&value| !matches!(self.kind(value), Kind::List | Kind::Map | Kind::Call));
        Frame {
            kind: record.kind,
            name: self.name(record.name).to_owned(),
            value: value.map(|value| self.text_form(value).to_owned()),
            index: is_loop.then_some(record.index),
            length: None,
            loop_name: is_loop.then(|| self.name(record.loop_name).to_owned()),
            span: record.site,
            item: record.item,
        }
    }
}
