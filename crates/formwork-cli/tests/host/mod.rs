//! What hosts run: `action.yml` and `.pre-commit-hooks.yaml`, as far as they run without the host
//! (docs/guides/ci.md).
#![cfg(all(target_os = "linux", feature = "aws", feature = "local"))]

mod action;
mod hooks;
pub(crate) mod repository;
mod runner;
