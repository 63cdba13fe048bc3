//! Credentials of registries.

/// The credentials for a registry.
#[derive(Clone, PartialEq, Eq)]
pub enum Login {
    /// A user with a password.
    Password {
        /// The name.
        user: String,
        /// The password.
        password: String,
    },
    /// A token that the token service exchanges for others.
    Identity(String),
}

impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Login")
    }
}

pub(crate) fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}
