//! `sync --code`, as scripts run it: against services of a script, and for images against Debian's `docker-registry`.
#![cfg(all(feature = "aws", unix))]
#![allow(clippy::disallowed_methods, reason = "a test of files on disk, of programs and of a network")]

#[path = "../images/archive.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod archive;
mod code;
#[path = "../support/daemon.rs"]
mod daemon;
#[path = "../images/double.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod double;
#[path = "../folder/mod.rs"]
mod folder;
#[path = "../support/http.rs"]
mod http;
mod images;
mod interrupts;
#[path = "../images/registry.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod registry;
mod services;
