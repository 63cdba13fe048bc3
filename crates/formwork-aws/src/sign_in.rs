//! The command that signs a person in.

use std::sync::OnceLock;

/// The profile that the run has chosen, so that advice about a call names it.
static PROFILE: OnceLock<String> = OnceLock::new();

/// Sets the profile that advice names, when an option, the environment or a file chose one. The first call counts.
pub fn know_profile(name: &str) {
    let _ = PROFILE.set(name.to_owned());
}

/// Returns the command that signs in: `aws sso login --profile work`.
pub fn sign_in() -> String {
    sign_in_with(PROFILE.get().map(String::as_str))
}

pub(crate) fn sign_in_with(profile: Option<&str>) -> String {
    match profile {
        Some(name) if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.@/".contains(&byte)) => {
            format!("aws sso login --profile {name}")
        }
        Some(name) => format!("aws sso login --profile '{name}'"),
        None => "aws sso login".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_names_the_profile() {
        assert_eq!(sign_in_with(None), "aws sso login");
        assert_eq!(sign_in_with(Some("work")), "aws sso login --profile work");
        assert_eq!(sign_in_with(Some("my work")), "aws sso login --profile 'my work'");
    }
}
