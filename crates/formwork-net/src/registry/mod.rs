//! A client of container registries, by their HTTP API (reference/packaging.md#images): checks for and stores blobs and
//! manifests. The content of images is not interpreted here.
//!
//! [`Registry`] is all that a driver needs. It answers challenges (`challenge`, `token`) with the credentials of
//! [`Logins`]: the ones that the driver has, or those of Docker's configuration ([`docker_login`]). Uploads of blobs
//! are begun, carried out and finished or aborted (`upload`). `Client` sends the requests, through proxies if needed.
//!
//! `formwork_run::upload` joins it with the images that `formwork-upload` pushes. `crates/formwork-cli/tests/images`
//! runs the program with Debian's `docker-registry` and a test double.

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
