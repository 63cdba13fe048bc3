//! Registries of container images, by their HTTP API (reference/packaging.md#images): what is there is looked at, blobs
//! and manifests are stored. Nothing here knows what an image is.
//!
//! [`Registry`] is all that a driver needs. It answers challenges (`challenge`, `token`) with the credentials of
//! [`Logins`]: the ones that the driver has, or those of Docker's configuration ([`docker_login`]). Uploads of blobs
//! are begun, carried out and finished or aborted (`upload`). `Client` is its way through proxies.
//!
//! `formwork_run::upload` joins it with the images that `formwork-upload` pushes. `crates/formwork-cli/tests/images`
//! runs the program against Debian's `docker-registry` and a double.

mod calls;
mod challenge;
mod docker_config;
mod error;
mod exchange;
mod login;
mod token;
mod upload;

pub use calls::{Content, Logins, Place, Registry};
pub use docker_config::docker_login;
pub use error::RegistryError;
pub use login::Login;
