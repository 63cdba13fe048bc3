//! Laws, limits and the rules of the house, a module for each.
#![allow(clippy::disallowed_methods, reason = "tests read files, the environment and the clock, and start programs")]
#![allow(clippy::print_stderr, reason = "a skipped test prints why")]

mod advice;
mod block_scalars;
mod circles;
mod citations;
mod contributing;
mod english;
mod fixes;
mod found_in_loops;
mod growth;
mod house;
mod limits;
mod linter_rules;
mod mistakes;
mod modules;
mod nested;
mod packaging;
mod patterns;
mod properties;
mod public_names;
mod readers;
mod reference;
mod refused;
mod security;
mod serverless;
mod slips;
mod test_modules;
