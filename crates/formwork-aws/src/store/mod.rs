//! A bucket that objects are put into (reference/packaging.md#upload), and what registries of images need of AWS
//! (reference/packaging.md#images).
//!
//! [`Bucket::open`] finds out where the bucket is and whether the credentials are accepted; then
//! [`Bucket::holds`] and [`Bucket::put`] may be called from several threads concurrently. [`empty_bucket`]
//! deletes all that is in a bucket.

mod bucket;
mod companion;
mod ecr;
mod empty;
mod interrupt;
mod managed;
mod multipart;
mod place;
mod put;
mod refusal;
mod stack;
mod target;

pub use bucket::{Bucket, Holding};
pub use companion::{managed_repositories, managed_repository_path};
pub use ecr::{EcrLogin, ecr_login};
pub use empty::{delete_objects, empty_bucket};
pub use interrupt::Interrupt;
pub use managed::managed_bucket;
pub use target::Upload;
