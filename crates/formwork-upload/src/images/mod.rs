//! Images of this machine that functions run: archives, and what a container engine holds
//! (reference/packaging.md#images).

mod engine;
mod local;
mod push;

pub use push::{Blob, ImageRegistry, Tagged};

pub(crate) use engine::{EngineError, may_hold};
pub(crate) use local::{LocalImage, LocalImages};
pub(crate) use push::{ImagePush, Pushed, push};
