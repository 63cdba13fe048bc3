//! The serverless transform on small templates, `tests/serverless/examples`: pages for people, and laws.

mod examples;
mod laws;
mod made_from;
mod pages;
mod plans;
