//! The transform `AWS::Serverless-2016-10-31`: a template with serverless resources becomes plain CloudFormation, as the
//! service would make it.
//!
//! Input is a tree behind the language extensions, with the values of its parameters ([`Settings`]); output is another
//! root in the same tree ([`translate`]). Unchanged subtrees are shared; a new node has the origin of the authored node
//! that led to it.
//!
//! # Parts
//!
//! `translation` has the order of the steps. `value` is the data that they change, with its origins, `make` makes new
//! data, `nodes` is between it and the tree. `kinds` names the serverless types, each with its `properties` and the
//! function that translates it. `globals`, `references` and `parameters` are what all types share; `hash` and `facts`
//! have the digests and the data of AWS's translator.

pub mod facts;
#[allow(dead_code, reason = "some digests are used by types that are added one by one")]
mod hash;

mod api;
mod application;
mod artifact;
mod attributes;
mod budget;
mod capacity;
mod clashes;
mod conditions;
mod connector;
mod context;
mod deployments;
mod events;
mod function;
mod globals;
mod graphql;
mod history;
mod http_api;
mod iam;
mod image;
mod kinds;
mod layer_version;
mod make;
mod model;
mod network;
mod nodes;
mod openapi;
mod operator;
mod parameters;
mod policies;
mod properties;
mod references;
mod refusal;
mod report;
mod resource;
mod settings;
mod shape;
mod shown;
mod simple_table;
mod state_machine;
mod tags;
mod translation;
mod value;
mod web;
mod web_socket;

pub use settings::Settings;
pub use translation::{Owners, Translation, translate, with_globals};
