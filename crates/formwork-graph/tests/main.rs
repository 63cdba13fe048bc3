//! What drawings of graphs hold.

mod crossings;
