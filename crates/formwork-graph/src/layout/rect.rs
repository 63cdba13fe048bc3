//! Boxes.

/// Height of the label of a cluster.
pub const LABEL: i64 = 22;

/// A box: its upper left corner and its size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rect {
    /// The left side.
    pub x: i64,
    /// The upper side.
    pub y: i64,
    /// The width.
    pub width: i64,
    /// The height.
    pub height: i64,
}

impl Rect {
    /// Returns `true` if two boxes overlap or touch in a point.
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }
}
