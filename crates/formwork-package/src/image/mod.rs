//! Container images in archives, as `docker save` and the tools of OCI write them, and their manifests in a registry
//! (reference/packaging.md#images).
//!
//! [`Image::read`] reads an archive and reports its errors: nothing is unpacked, and no name in it is a path of this
//! disk. Layers that are compressed are pushed as they are, others are compressed on the way ([`compress`]).

mod docker;
mod error;
mod layer;
mod layout;
mod manifest;
mod names;
mod oci;
mod read;
mod tar;

pub use error::ImageError;
pub use layer::{Compressed, Layer, compress};
pub use layout::Image;
pub use manifest::{Descriptor, Manifest, config_of};
pub use names::{InvalidRepository, Repository, tag};
pub use tar::Extent;
#[cfg(test)]
mod tests;
