//! The functions, one per file. Each has `reduce(evaluator, call, argument)`: the outcome of the call with the visible
//! values, its shape checked.

pub(crate) mod base64;
pub(crate) mod cidr;
pub(crate) mod empty_defaults;
pub(crate) mod find_in_map;
pub(crate) mod get_att;
pub(crate) mod get_azs;
pub(crate) mod get_stack_output;
pub(crate) mod r#if;
pub(crate) mod import_value;
pub(crate) mod join;
pub(crate) mod length;
pub(crate) mod other;
pub(crate) mod possible_keys;
pub(crate) mod range;
pub(crate) mod reference;
pub(crate) mod select;
pub(crate) mod split;
pub(crate) mod sub;
pub(crate) mod to_json_string;
pub(crate) mod zip;
