//! The meaning of a CloudFormation template without evaluating it: its sections, the names in it, the strings of
//! `Fn::Sub`, parameter types, pseudo parameters, artifact properties. All stages behind the parser use it.
//!
//! The input is a tree, the output plain data about it. Nothing here evaluates anything.
//!
//! Begin reading in [`template`], which splits a template into its sections. Then:
//!
//! - names: [`mod@reference`] finds the names that a piece of a template refers to, [`mod@attribute`] the attributes of
//!   resources, [`uses`] which declarations are used, [`mod@prune`] leaves out the others, [`dependency_graph`] finds
//!   cycles;
//! - plain data: [`value`] is a value with everything below it, [`side`] a template of such values, and [`value_uses`]
//!   finds the names in one, or in JSON;
//! - strings are read in two ways, each in one place: [`sub_string`] reads the string of `Fn::Sub` part by part, and
//!   [`sub_text`] joins one from known and unknown parts; [`placeholder`] finds `${Name}` and `&{Name}` in keys and
//!   strings of loops;
//! - files: [`artifact`] has the properties that may name a local file, [`mod@include`] those of `AWS::Include`, [`kind_of_file`] and [`other_files`] what a
//!   file is;
//! - other transforms: [`serverless_names`] and [`serverless_globals`] have the names and properties that
//!   `AWS::Serverless-2016-10-31` adds.

pub mod absent_dependencies;
pub mod artifact;
pub mod attribute;
pub mod dependency_graph;
pub mod dynamic_reference;
pub mod ecr;
pub mod fill_in;
pub mod include;
pub mod kind_of_file;
pub mod logical_id;
pub mod name_pattern;
pub mod no_echo;
pub mod other_files;
pub mod parameter_type;
pub mod placeholder;
pub mod prune;
pub mod pseudo_parameter;
pub mod reference;
pub mod reserved_mapping;
pub mod serverless_globals;
pub mod serverless_names;
pub mod side;
pub mod sub_string;
pub mod sub_text;
pub mod supported;
pub mod template;
pub mod uses;
pub mod value;
pub mod value_kinds;
pub mod value_uses;
pub mod without;

pub use name_pattern::{NamePattern, NamePatterns};
pub use parameter_type::ParameterType;
pub use pseudo_parameter::{PseudoParameter, parameter_option};
pub use template::{Section, Template};
