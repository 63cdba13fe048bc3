//! Suites
