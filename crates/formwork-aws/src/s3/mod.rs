//! S3, called without its SDK crate, which is the largest of all: a [`S3Client`] makes calls for one bucket. Requests
//! are built and responses read here; retries, timeouts, HTTP and signatures are those of the other services.

mod address;
mod answer;
mod body;
mod checksum;
mod client;
mod content;
mod documents;
mod failure;
mod request;
#[cfg(test)]
mod tests;

pub(crate) use answer::Answer;
pub(crate) use checksum::Checksum;
pub(crate) use client::S3Client;
pub(crate) use content::Unread;
pub(crate) use documents::{Part, Version, completion, deletion};
pub(crate) use failure::Failure;
pub(crate) use request::S3Request;
