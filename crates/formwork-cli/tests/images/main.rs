//! Images that are pushed, as scripts push them: to Debian's `docker-registry`, and to one of our own that can do what no
//! real one does on demand (reference/packaging.md#images).
#![cfg(all(feature = "aws", unix))]
#![allow(clippy::disallowed_methods, reason = "a test of files on disk, of programs and of a network")]

mod archive;
#[path = "../support/daemon.rs"]
mod daemon;
mod double;
#[path = "../folder/mod.rs"]
mod folder;
#[path = "../support/http.rs"]
mod http;
mod local;
mod logins;
mod real;
mod registry;
mod troubles;
