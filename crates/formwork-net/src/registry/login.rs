//! Who asks a registry.

/// Who asks.
#[derive(Clone, PartialEq, Eq)]
pub enum Login {
    /// With a password.
    Password {
        /// The name.
        user: String,
        /// The password.
        password: String,
    },
    /// With a token that the token service exchanges for others.
    Identity(String),
}

impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Login")
    }
}

/// A host without its port.
pub(crate) fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}
