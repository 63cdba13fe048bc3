//! Running Cargo from a program that Cargo runs.

use std::process::Command;

/// Cargo, as it is outside of this program. What Cargo sets for a program that it runs is left out: build scripts that look
/// at it would run again, and what depends on their crates would be built again.
#[must_use]
#[allow(clippy::disallowed_methods, reason = "a program for developers: cargo sets its environment")]
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PKG_") || name == "CARGO_MANIFEST_DIR" {
            cargo.env_remove(name);
        }
    }
    cargo
}
