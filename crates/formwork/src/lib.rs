//! The whole CloudFormation template language as a library: loops, modules, includes, conditions, checks, rules,
//! packaging.
//!
//! A [`Session`] reads files through a [`Host`], each once. [`Session::analyze`] begins an [`Analysis`] of one
//! template with its [`Options`], and [`Analysis::compile`] returns a [`Compilation`] for a [`Goal`]: the result,
//! every [`Diagnostic`], and answers to questions about both. There is no global state, no printing and no network.
//!
//! # Expand a template
//!
//! ```
//! use formwork::{Goal, MemoryHost, Options, Session};
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
//! let result = Session::new(&host, Options::default()).compile("template.yaml", Goal::Expand);
//! assert!(!result.has_errors());
//! assert!(result.output().expect("no errors").render(None).contains("QueueOrders: {Type: AWS::SQS::Queue}"));
//! ```
//!
//! # Pass values, and resolve what they decide
//!
//! ```
//! use formwork::{Goal, MemoryHost, Options, PseudoParameter, Session};
//!
//! let host = MemoryHost::new().with(
//!     "template.yaml",
//!     "Parameters: {Stage: {Type: String}}
//! Resources: {Topic: {Type: AWS::SNS::Topic, Properties: {TopicName: !Sub '${Stage}-${AWS::Region}'}}}
//! ",
//! );
//! let options = Options::default().with_parameter("Stage", "prod").with_pseudo(PseudoParameter::Region, "eu-west-1");
//! let result = Session::new(&host, options).compile("template.yaml", Goal::Resolve);
//! assert!(result.output().expect("no errors").render(None).contains("TopicName: prod-eu-west-1"));
//! ```
//!
//! # Report errors
//!
//! A diagnostic names its place by a [`Span`]; the [`SourceMap`] of the compilation knows file, line and column.
//!
//! ```
//! use formwork::{Goal, MemoryHost, Options, Session, codes};
//!
//! let host = MemoryHost::new().with("template.yaml", "Resources: {Topic: {Type: AWS::SNS::Topic, Foo: 1}}\n");
//! let result = Session::new(&host, Options::default()).compile("template.yaml", Goal::Check);
//! let found = &result.diagnostics()[0];
//! let place = found.primary.as_ref().and_then(|label| result.sources().place(label.span)).expect("a place");
//! assert_eq!((found.code, place.line, place.column), (codes::UNKNOWN_ATTRIBUTE, 1, 44));
//! ```
//!
//! # Check again after an edit
//!
//! A file that is set is not read from the host, and the other files are neither read nor parsed again. A
//! compilation that was made before stays what it was.
//!
//! ```
//! use formwork::{Goal, MemoryHost, Options, Session, VirtualPath};
//!
//! let host = MemoryHost::new()
//!     .with("template.yaml", "Modules: {My: {Source: ./queue.yaml}}\n")
//!     .with("queue.yaml", "Resources: {Queue: {Type: AWS::SQS::Queue, Property: {}}}\n");
//! let session = Session::new(host, Options::default());
//! assert!(session.compile("template.yaml", Goal::Check).has_errors());
//!
//! let edited = "Resources: {Queue: {Type: AWS::SQS::Queue, Properties: {}}}\n";
//! session.set_file(&VirtualPath::new("queue.yaml"), edited.as_bytes());
//! assert!(!session.compile("template.yaml", Goal::Check).has_errors());
//! assert_eq!((session.reads(), session.parses()), (2, 3));
//! ```
//!
//! # Check nested templates
//!
//! What concerns several templates is added to a [`Report`] of each.
//!
//! ```
//! use formwork::nested::PathErrors;
//! use formwork::{Goal, MemoryHost, Options, Report, Session};
//!
//! let host = MemoryHost::new().with(
//!     "template.yaml",
//!     "Resources: {Child: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: child.yaml}}}\n",
//! );
//! let session = Session::new(&host, Options::default());
//! let mut report = Report::from(session.compile("template.yaml", Goal::Check));
//! let nested = session.compile_nested(report.compilation(), Goal::Check, PathErrors::Reported);
//! report.add(nested.found);
//! assert!(nested.reports.is_empty() && report.diagnostics()[0].message.contains("child.yaml"));
//! ```
//!
//! # Explain where something comes from
//!
//! ```
//! use formwork::{Goal, MemoryHost, Options, Session};
//!
//! let host = MemoryHost::new().with("template.yaml", "Resources: {Topic: {Type: AWS::SNS::Topic}}\n");
//! let result = Session::new(&host, Options::default()).compile("template.yaml", Goal::Expand);
//! assert!(result.explain("Resources.Topic.Type").is_ok());
//! assert!(result.explain("Resources.Tpic").is_err_and(|nearest| nearest.contains(&"Resources.Topic".to_owned())));
//! ```
//!
//! # Solve rules
//!
//! ```
//! use formwork::{Goal, MemoryHost, Options, Session};
//!
//! let host = MemoryHost::new().with(
//!     "template.yaml",
//!     "Parameters: {Stage: {Type: String, AllowedValues: [dev, prod]}}
//! Rules: {Known: {Assertions: [{Assert: !Equals [!Ref Stage, prod]}]}}
//! Resources: {Topic: {Type: AWS::SNS::Topic}}
//! ",
//! );
//! let result = Session::new(&host, Options::default()).compile("template.yaml", Goal::Solve);
//! assert_eq!(result.solve(None).expect("rules").expect("all of them").rules.len(), 1);
//! ```
//!
//! # Package a template
//!
//! [`Packaging`] finds the paths that have to be uploaded and, with their locations, rewrites the template.
//!
//! ```
//! use formwork::package::Target;
//! use formwork::{Goal, MemoryHost, Options, PackageOptions, Packaging, Session};
//!
//! let host = MemoryHost::new().with(
//!     "template.yaml",
//!     "Resources: {Lambda: {Type: AWS::Serverless::Function, Properties: {CodeUri: ./src}}}\n",
//! );
//! let compiled = Session::new(&host, Options::default()).compile("template.yaml", Goal::Package);
//! let mut packaging = Packaging::new(&compiled, PackageOptions::default());
//! assert_eq!(packaging.plan().needs[0].path, "./src");
//! let url = "https://s3.amazonaws.com/bucket/key".to_owned();
//! packaging.rewrite(&[Target::Object { bucket: "bucket".into(), key: "key".into(), url }]);
//! assert!(packaging.output().expect("no errors").render(None).contains("CodeUri: s3://bucket/key"));
//! ```
//!
//! # Find out account data
//!
//! A run returns the missing account data ([`Compilation::unanswered_queries`]). [`Questions`] asks an [`Account`]
//! for it and analyzes again.
//!
//! # Expand in memory, with diagnostics as JSON
//!
//! [`Diagnostic::resolve`] makes a [`Finding`], which is self-contained: one line with `Display`, an object with serde.
//!
//! ```
#![doc = include_str!("../examples/expand.rs")]
//! ```
//!
//! # Answer an editor
//!
//! [`Session::project`] indexes a template and its modules; the [`query::Project`] answers by file and offset: node,
//! symbol, definition, references, loops, imports, outline and completions. [`LineIndex`] converts offsets to
//! columns of UTF-8, UTF-16 or scalar values and back.
//!
//! ```
#![doc = include_str!("../examples/hover.rs")]
//! ```
//!
//! # A program that checks again and reads nothing again
//!
//! [`Session::set_file`] replaces one file. [`Analysis::compile_unless`] notifies [`Progress`] and ends early, with the
//! error [`Cancelled`], when somebody cancels.
//!
//! ```
#![doc = include_str!("../examples/recheck.rs")]
//! ```

mod account;
mod analysis;
mod compilation;
mod declared_modules;
mod deletion_policies;
mod deployment;
mod deployment_file;
#[cfg(feature = "disk")]
mod disk_host;
mod editor;
mod encoder;
mod fixes;
pub mod graph;
mod import_records;
mod indexes;
mod links;
pub mod migrate;
mod minify;
mod module_reference;
pub mod nested;
mod option_builder;
mod options;
mod output;
mod packaged_collections;
mod packaging;
mod parameter_words;
mod parent;
pub mod planning;
mod progress;
mod provisional;
mod reformat;
mod relocation;
mod report;
mod revision;
mod run;
mod runs;
pub mod samconfig;
mod samconfig_tables;
mod secrets;
mod session;
mod shared;
mod snapshot;
mod stack_arguments;
mod stack_graph;
mod template_sections;
mod unanswered_queries;
mod united;
mod used_values;
mod written_places;

pub use account::{Account, Questions};
pub use analysis::Analysis;
pub use compilation::Compilation;
pub use declared_modules::declared_modules;
pub use deletion_policies::deletion_policies;
pub use deployment::{DeclaredParameter, NeededCapability, ParameterHint, PathPlace, ResourcePlace};
pub use deployment_file::deployed_template;
#[cfg(feature = "disk")]
pub use disk_host::DiskHost;
pub use editor::WrittenNode;
pub use fixes::{Fixed, RefusedFix};
pub use formwork_base::{
    Advice, Cancellation, Cancelled, Code, CodePattern, ColumnUnit, Diagnostic, Fact, FileBytes, FileId, FileRange,
    FileText, Finding, Fix, Frame, FrameKind, Goal, Host, Label, Limits, LineColumn, LineIndex, MemoryHost, OriginFile,
    OriginRow, Origins, OtherRule, PathStep, Place, ReadError, Selection, Severities, Severity, SourceMap, SourceText,
    Span, ValueAdvice, VirtualPath, codes, display, finding, json_pointer, percent, suggest, toml_slip,
};
pub use formwork_checks::suppressions::Suppressed;
#[cfg(feature = "disk")]
pub use formwork_disk as disk;
pub use formwork_evaluate::{AccountQuery, Compat, UnresolvedLoops, ValueSource, Values};
pub use formwork_modules::Choices;
pub use formwork_provenance::source_map::sha256;
pub use formwork_provenance::{Answer, LineAnswers, Origin, Rule, Source, Step, explain};
pub use formwork_query as query;
pub use formwork_rules::{AssertionReport, Reason, Reasons, RuleReport, RuleResult, RulesReport, ValueOfAll};
pub use formwork_schemas as schemas;
pub use formwork_syntax::json::why_not as why_not_json;
pub use formwork_syntax::write::Sink;
pub use formwork_syntax::{
    Dependencies, Document, Encoding, Format, NodeId, Parsed, SourceContent, Sources, Tree, Value,
};
pub use formwork_template::ecr::ecr_region;
pub use formwork_template::{PseudoParameter, Template};
pub use import_records::{ImportRecord, import_records};
pub use minify::minify;
pub use options::{Configuration, LanguageExtensions, Options, ParameterValue, Serverless, SourceFile, UnknownRules};
pub use output::{Failed, Output};
pub use packaging::{File, PackageOptions, Packaged, Packaging};
pub use parameter_words::{NotAParameter, ParameterWord, parameter_words};
pub use progress::Progress;
pub use reformat::reformat;
pub use relocation::Relocation;
pub use report::Report;
pub use revision::Change;
pub use run::Observer;
/// Re-exported since plans and schemas of resource types are JSON.
pub use serde_json;
pub use session::Session;
pub use snapshot::Snapshot;
pub use stack_arguments::StackArguments;
pub use stack_graph::stack_graph;
pub use template_sections::has_template_section;
pub use united::UnitedText;
pub use used_values::UsedValue;
pub use written_places::WrittenPlace;

/// Names that the templates of a repository share ([`Compilation::links`]).
pub mod repository {
    pub use formwork_repository::{
        Asked, Certainty, Export, Import, Kind, Link, Links, Name, Order, Part, Template, WrongValue, check,
        check::Checked, check::Found, order_of_changes,
    };
}

/// The files to upload and their locations ([`Packaging`]); archives and names of uploads.
pub mod package {
    pub use formwork_package::{
        ArtifactRef, BuildFacts, DependencyLayers, Fact, NestedParameter, OpenParameters, Output, Passing, Plan,
        Purpose, Target, Treatment, archive, asset_key,
    };
}

/// The solutions of rules ([`Compilation::solve`], [`Compilation::tabulate`]).
pub mod solve {
    pub use formwork_rules::solve::{Domain, Found, Row, RuleSolution, Solution, Table};
}

/// The parsed sections of a template ([`Compilation::template`]).
pub mod template {
    pub use formwork_template::ParameterType;
    pub use formwork_template::parameter_type::Base;
    pub use formwork_template::template::{Parameter, Section, Transform};
}

/// The nodes of a tree ([`Compilation::tree`]).
pub mod tree {
    pub use formwork_syntax::function::{Function, Known};
    pub use formwork_syntax::tree::{
        Entry, Extent, FrameId, FrameRecord, Frames, Interner, Kind, Origin, Pattern, Size, Style, Symbol, View, flags,
        symbol,
    };
}

/// The Rust code in the README is tested with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct Readme;
