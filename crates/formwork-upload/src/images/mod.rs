//! Local images that functions run, from archives and container engines (reference/packaging.md#images).

mod engine;
mod local;
mod push;

pub use push::{Blob, ImageRegistry, Tagged};

pub(crate) use engine::{EngineError, may_hold};
pub(crate) use local::{LocalImage, LocalImages};
pub(crate) use push::{ImagePush, Pushed, push};
