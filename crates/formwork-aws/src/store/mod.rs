//! The bucket of uploads (reference/packaging.md#upload), and the AWS side of image registries
//! (reference/packaging.md#images).
//!
//! [`Bucket::open`] finds the Region of the bucket and checks the credentials; then [`Bucket::holds`] and
//! [`Bucket::put`] may be called from several threads concurrently. [`empty_bucket`] deletes all contents of a bucket.

mod bucket;
mod bucket_region;
mod companion;
mod ecr;
mod empty;
mod interrupt;
mod managed;
mod multipart;
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
