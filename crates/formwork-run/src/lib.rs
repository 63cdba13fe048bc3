//! A run over templates (reference/command-line.md#templates): which files are templates ([`templates`]), what each is
//! compiled with ([`inputs`]), how it is built ([`build`]), where its files come from ([`host`], and for another
//! revision [`git`]), what AWS is asked for it ([`live`]), and where its results ([`output`], [`output_directory`]) and
//! artifacts ([`upload`]) go.
//!
//! What commands have in common of their arguments is in [`args`]. [`terminal`] is the only place of the program that
//! prints: lines for people on standard error, output on standard output. It escapes what acts on a terminal once more;
//! clippy refuses `println!` and its like elsewhere.
//!
//! # Many templates
//!
//! [`templates::Templates::find`] walks directories and looks into each candidate. [`many::on_all`] does the work for
//! all paths on the threads of rayon, or on one where none can be started, and returns the results in the order of the
//! paths. [`surroundings::Surroundings`] has what templates share: a [`host::Project`] for each root, with the lock,
//! and a [`surroundings::Directory`] with its configuration, each looked up once. Each directory that a template is in
//! has a session of its own, as paths are relative to it; all of them share their sources, and a file that several
//! templates name is opened once.
//!
//! Nothing else that one template does may show in the result of another one: the lock adds pins and compares with the
//! state before the run, and [`output_directory::OutputDirectory`] rejects results that would be written over inputs.
//!
//! # What is seen, and checks
//!
//! [`console`] prints the reports of commands and asks people. [`check`] checks many templates, and again after each
//! change: `watch`, a feature, reports changes of files.
//!
//! # The account
//!
//! With `--live`, [`live`] hands the questions of a run to `formwork-aws`; the answers can be written to a file that
//! answers them offline. [`upload`] joins `formwork-upload` with buckets and registries, [`relocation`] computes the
//! paths of `expand -o` in another directory.
#![allow(clippy::disallowed_methods, reason = "files, standard input, the environment and threads enter here")]

pub mod args;
#[cfg(feature = "aws")]
pub mod aws;
pub mod build;
pub mod check;
pub mod console;
pub mod declared_templates;
pub mod default_template;
pub mod excluded;
mod folder;
pub mod git;
pub mod host;
pub mod inputs;
pub mod joined_values;
pub mod links;
pub mod live;
pub mod many;
pub mod many_files;
#[cfg(feature = "aws")]
mod mfa;
pub mod nested;
mod no_network;
pub mod output;
pub mod output_directory;
pub mod recorded_stack;
pub mod relocation;
#[cfg(feature = "aws")]
mod remote_sources;
pub mod repository;
pub mod schemas;
pub mod service_names;
pub mod stacks;
mod status;
pub mod surroundings;
pub mod templates;
pub mod terminal;
pub mod upload;
pub mod walk;
#[cfg(feature = "watch")]
pub mod watch;
pub mod working;

pub use status::Status;

/// The number of links that Linux follows in a path.
const LINKS: usize = 40;
