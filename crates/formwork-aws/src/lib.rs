//! AWS access of Formwork: live account data, by read-only calls for values that a run did not know
//! (reference/account-data.md#live), modules in S3, and a bucket for packaged artifacts
//! (reference/packaging.md#upload). [`JsonClient`] makes the calls that push code (reference/sync.md#code).
//!
//! [`fetch`] takes the queries of a run and returns an account [`Snapshot`] with the answers, and an [`AwsError`] for
//! everything that stays unknown. Data that a snapshot does not contain is unknown, never guessed: if one page of a
//! listing or one permission is missing, the whole type is unknown. [`read_object`] reads a module.
//!
//! # Write access
//!
//! [`JsonClient`] calls services in JSON, [`Bucket::put`] uploads objects, [`managed_bucket`] creates the stack with
//! the bucket that SAM CLI shares, when it does not exist, [`managed_repositories`] creates the one with the
//! repositories of images, and [`empty_bucket`] and [`delete_objects`] delete objects of a bucket. `formwork-deploy`
//! deploys the stacks of templates; it takes its configuration ([`lasting_configuration`]), its client
//! ([`CloudFormation`]) and its view of failures ([`CallError`]) from here.
//!
//! # Parts
//!
//! The interface is synchronous; inside, calls run in parallel. `plan` joins queries to calls, so that none is made
//! twice, and `facts` has a file for each type of data. [`CallError`] is one view of every error of a call; it keeps
//! only messages, since responses contain values that must not be shown.
//!
//! No service is called through its SDK crate (docs/decisions.md): `s3` calls S3, `xml_api` CloudFormation, EC2, STS
//! and Route 53, `json_api` Lambda, Step Functions, API Gateway, `CloudWatch` Logs, ECR and SSM. Retries, HTTP,
//! signatures, credentials and endpoint rules are the SDK's own. `bounded` wraps the HTTP client of all of them: no
//! response is read past 64 MiB. [`Pages`] ends listings whose tokens repeat, and those that have too many pages
//! together.
//!
//! A [`Bucket`] is used from several threads: its calls run on a runtime of two threads, and callers read and hash on
//! threads of their own. Every call checks the [`Interrupt`], and an upload in parts is aborted by its owner.
#![allow(clippy::disallowed_methods, reason = "network, clock and environment enter here")]

mod api_error;
mod aws_error;
mod bounded;
mod call_error;
mod clients;
mod cloud_formation;
mod configuration;
mod connection;
mod credentials;
mod endpoint;
mod facts;
mod foreign;
mod http_client;
mod json_api;
mod kinds;
mod lasting_credentials;
mod mfa;
mod objects;
mod operation;
mod paging;
mod plan;
mod profiles;
mod resolver;
mod runtime;
mod s3;
mod service;
mod session_credentials;
mod settings;
mod sign;
mod sign_in;
mod signals;
mod snapshot;
mod store;
#[cfg(test)]
mod tests;
mod trust;
mod unusable;
mod unverified;
mod xml_api;

pub use aws_error::{AwsError, AwsErrorKind, TRUST};
pub use call_error::{CallError, CallErrorKind};
pub use cloud_formation::CloudFormation;
pub use configuration::lasting_configuration;
pub use connection::{Connection, Fetched, fetch};
pub use json_api::{JsonClient, JsonRequest, JsonServices};
pub use kinds::{all_kinds, default_kinds};
pub use objects::{ObjectError, read_object};
pub use paging::{Pages, Paging};
pub use profiles::profile_names;
pub use runtime::runtime;
pub use service::Service;
pub use session_credentials::{SessionCredentials, session_credentials};
pub use settings::{AskCode, Settings, configured_region};
pub use sign_in::{know_profile, sign_in};
pub use signals::Signals;
pub use snapshot::{Attributes, Snapshot, StoredParameter, Values};
pub use store::{
    Bucket, EcrLogin, Holding, Interrupt, Upload, delete_objects, ecr_login, empty_bucket, managed_bucket,
    managed_repositories, managed_repository_path,
};
pub use xml_api::{Element, QueryRequest};
