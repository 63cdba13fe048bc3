//! Formwork as a library: the whole CloudFormation template language, worked off on your machine.
//!
//! ```
//! use formwork::{Compiler, MemoryHost, Options, Stage};
//!
//! let host = MemoryHost::new().with(
//!     "template.yaml",
//!     "Transform: AWS::LanguageExtensions
//! Resources:
//!   Fn::ForEach::Queues:
//!     - Name
//!     - [Orders, Users]
//!     - Queue${Name}: {Type: AWS::SQS::Queue}
//! ",
//! );
//! let result = Compiler::new(&host, Options::default()).compile("template.yaml", Stage::Expand);
//! assert!(!result.has_errors());
//! assert!(result.to_string(None).contains("QueueOrders: {Type: AWS::SQS::Queue}"));
//! ```
//!
//! A [`Compiler`] reads through a [`Host`] and returns a [`Compilation`]: the result together with
//! every diagnostic. There is no global state, no printing, no network.

mod compilation;
mod compiler;
mod deployment;
#[cfg(feature = "disk")]
mod disk_host;
mod encoder;
pub mod migrate;
mod minify;
mod missing_facts;
mod module_reference;
pub mod nested;
mod options;
mod packaging;
mod reformat;
mod secrets;

pub use compilation::Compilation;
pub use compiler::{Compiler, Observer, Stage};
pub use deployment::{DeclaredParameter, NeededCapability, ResourcePlace, StackArguments};
#[cfg(feature = "disk")]
pub use disk_host::DiskHost;
pub use formwork_base::{
    Code, Diagnostic, FileBytes, Frame, FrameKind, Host, Label, Limits, MemoryHost, ReadError, Severity, SourceMap,
    Span, VirtualPath, codes, display,
};
#[cfg(feature = "disk")]
pub use formwork_disk as disk;
pub use formwork_evaluate::{Compat, FactQuery, Given, LeftLoops, Values};
pub use formwork_expand::modules::Choices;
pub use formwork_package as package;
pub use formwork_provenance::{Answer, Origin, Rule, Source, Step, explain};
pub use formwork_rules::rules::{
    AssertionReport, Reason, Reasons, RuleReport, RuleResult, RulesReport, ValueOfAll, solve,
};
pub use formwork_syntax::{Format, Value};
pub use formwork_template::PseudoParameter;
pub use minify::minify;
pub use options::{LanguageExtensions, Options, ParameterValue, SourceFile, UnknownRules};
pub use packaging::File;
pub use reformat::reformat;

/// The Rust code in the README is tested with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
