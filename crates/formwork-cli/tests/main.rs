//! Tests of the program, a module for each area: `cargo test -p formwork-cli --test it -- deploy::` runs one.
#![allow(clippy::disallowed_methods, reason = "tests of a program, of files on a disk and of a network")]
#![allow(clippy::print_stderr, reason = "a skipped test prints why")]

mod build;
mod check;
mod check_watch;
mod cli;
mod commands;
mod configuration;
mod deploy;
mod display;
mod documents;
mod explain;
mod files;
mod fmt;
mod foreign;
mod formats;
mod graph;
mod graph_readers;
mod help;
mod help_examples;
mod host;
mod hostile;
mod hostile_tree;
mod images;
mod init;
mod last_line;
mod live;
mod local;
mod many;
mod map_back;
mod nested;
mod package;
mod picture;
mod pipes;
mod plan;
mod plan_git;
mod program_file;
mod relocation;
mod remote;
mod resource_types;
mod schemas;
mod shell;
mod support;
mod sync;
mod trust;
mod upload;
