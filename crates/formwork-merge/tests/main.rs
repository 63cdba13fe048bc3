//! Unions of templates.

mod unions;
