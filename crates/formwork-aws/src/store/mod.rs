//! A bucket that objects are put into (reference/packaging.md#upload).
//!
//! [`Bucket::open`] finds out where the bucket is and whether the credentials are accepted; then
//! [`Bucket::holds`] and [`Bucket::put`] may be called from several threads at once. [`empty_bucket`] deletes all that is
//! in a bucket.

mod bucket;
mod empty;
mod interrupt;
mod managed;
mod multipart;
mod place;
mod put;
mod refusal;
mod target;

pub use bucket::{Bucket, Holding};
pub use empty::empty_bucket;
pub use interrupt::Interrupt;
pub use managed::managed_bucket;
pub use target::Upload;
