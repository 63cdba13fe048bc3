//! What several areas of the tests share.
#![cfg_attr(
    not(all(feature = "aws", feature = "local", unix)),
    allow(dead_code, reason = "what such a program has not is not tested")
)]

#[cfg(feature = "aws")]
pub(crate) mod archive;
#[cfg(feature = "aws")]
pub(crate) mod daemon;
#[cfg(all(feature = "aws", unix))]
pub(crate) mod double;
pub(crate) mod folder;
pub(crate) mod help_list;
#[cfg(any(feature = "aws", feature = "local"))]
pub(crate) mod http;
#[cfg(all(feature = "aws", feature = "local", unix))]
pub(crate) mod json_schema;
pub(crate) mod processes;
#[cfg(all(feature = "aws", unix))]
pub(crate) mod registry;
