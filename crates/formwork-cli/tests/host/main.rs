//! What hosts run: `action.yml` and `.pre-commit-hooks.yaml`, as far as they run without the host
//! (docs/guides/ci.md).
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "a test of files on disk and of programs")]

mod action;
#[path = "../folder/mod.rs"]
mod folder;
mod hooks;
mod repository;
mod runner;
