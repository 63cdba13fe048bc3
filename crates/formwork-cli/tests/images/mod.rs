//! Images that are pushed, as scripts push them: to Debian's `docker-registry`, and to one of our own that can do what no
//! real one does on demand (reference/packaging.md#images).
#![cfg(all(feature = "aws", unix))]

mod errors;
mod local;
mod logins;
mod real;
