//! `sync --code`, as scripts run it: against services of a script, and for images against Debian's `docker-registry`.
#![cfg(all(feature = "aws", unix))]

mod code;
mod images;
mod interrupts;
mod services;
mod unreachable;
mod watch;
