//! What a CloudFormation template means without running it: its sections, the names in it, the
//! text of `Fn::Sub`, parameter types, pseudo parameters, artifact properties.
//!
//! Nothing here evaluates anything. Begin reading in [`template`].

pub mod absent_dependencies;
pub mod artifact;
pub mod attribute;
pub mod dependency_graph;
pub mod dynamic_reference;
pub mod ecr;
pub mod fill_in;
pub mod kind_of_file;
pub mod logical_id;
pub mod name_pattern;
pub mod no_echo;
pub mod parameter_type;
pub mod placeholder;
pub mod prune;
pub mod pseudo_parameter;
pub mod reference;
pub mod reserved_mapping;
pub mod serverless_globals;
pub mod serverless_ids;
pub mod sub_string;
pub mod sub_text;
pub mod supported;
pub mod template;
pub mod uses;
pub mod value_kinds;
pub mod without;

pub use name_pattern::NamePattern;
pub use parameter_type::ParameterType;
pub use pseudo_parameter::{PseudoParameter, parameter_option};
pub use template::{Section, Template};
