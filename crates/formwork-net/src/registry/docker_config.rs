//! Logins of Docker: `config.json`, and its credential helpers.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use super::error::RegistryError;
use super::login::Login;

const LIMIT: u64 = 4 << 20;
/// The name under which Docker keeps the login of its own registry.
const DOCKER_HUB: &str = "https://index.docker.io/v1/";

/// Returns the login of a registry in the file of `DOCKER_CONFIG` or of the home directory; `None` without a login.
///
/// # Errors
/// When the file cannot be read, or its credential helper fails.
pub fn docker_login(host: &str) -> Result<Option<Login>, RegistryError> {
    let Some(path) = path() else { return Ok(None) };
    let unusable = |why: String| {
        let message = format!("{} {why}", path.display());
        RegistryError::new(message, format!("correct the file, or write it again with `docker login {host}`"))
    };
    let bytes = match formwork_disk::read_named(&path, LIMIT) {
        Ok(bytes) => bytes,
        Err(_) if !path.exists() => return Ok(None),
        Err(error) => return Err(unusable(format!("cannot be read: {error}"))),
    };
    // The message of the parser may quote the file.
    let config: Value = serde_json::from_slice(&bytes).map_err(|_| unusable("is not JSON".to_owned()))?;
    let server =
        if ["docker.io", "registry-1.docker.io", "index.docker.io"].contains(&host) { DOCKER_HUB } else { host };
    let own = config["credHelpers"][server].as_str();
    if let Some(helper) = own.or(config["credsStore"].as_str()).filter(|helper| !helper.is_empty())
        && let Some(login) = ask(helper, server)?
    {
        return Ok(Some(login));
    }
    let entries = config["auths"].as_object().into_iter().flatten();
    let mut entries = entries.filter(|(name, _)| *name == server || host_of(name) == host_of(server));
    let Some((_, entry)) = entries.next() else { return Ok(None) };
    // Helpers leave empty entries.
    if entry.as_object().is_some_and(serde_json::Map::is_empty) {
        return Ok(None);
    }
    login(entry).map(Some).ok_or_else(|| unusable(format!("has a login of {host} that cannot be read")))
}

fn path() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder =
        named("DOCKER_CONFIG").or_else(|| Some(named("HOME").or_else(|| named("USERPROFILE"))?.join(".docker")));
    Some(folder?.join("config.json"))
}

/// Returns the host of an entry, which may be a URL.
fn host_of(name: &str) -> &str {
    let rest = name.split_once("://").map_or(name, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default()
}

fn login(entry: &Value) -> Option<Login> {
    let text = |name: &str| entry[name].as_str().filter(|text| !text.is_empty());
    if let Some(token) = text("identitytoken") {
        return Some(Login::Identity(token.to_owned()));
    }
    if let Some(auth) = text("auth") {
        let decoded = String::from_utf8(BASE64_STANDARD.decode(auth).ok()?).ok()?;
        let (user, password) = decoded.split_once(':')?;
        let password = password.trim_end_matches('\0').to_owned();
        return Some(Login::Password { user: user.to_owned(), password });
    }
    let (user, password) = text("username").zip(text("password"))?;
    Some(Login::Password { user: user.to_owned(), password: password.to_owned() })
}

/// Runs `docker-credential-HELPER`, like Docker.
fn ask(helper: &str, server: &str) -> Result<Option<Login>, RegistryError> {
    let failed = |why: String| {
        let help = format!("correct the helper, or log in with `docker login {server}`");
        RegistryError::new(format!("docker-credential-{helper} returned no login: {why}"), help)
    };
    if !helper.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c)) {
        return Err(failed("its name is not that of a program".to_owned()));
    }
    let spawned = Command::new(format!("docker-credential-{helper}"))
        .arg("get")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = spawned.map_err(|error| failed(error.to_string()))?;
    if let Some(mut input) = child.stdin.take() {
        // A helper that does not read its input responds all the same.
        let _ = input.write_all(server.as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let is_unknown = said.contains("credentials not found");
        return if is_unknown { Ok(None) } else { Err(failed(said)) };
    }
    // The output contains a secret.
    let answer: Value = serde_json::from_slice(&output.stdout).map_err(|_| failed("it prints no JSON".to_owned()))?;
    let text = |name: &str| answer[name].as_str().map(str::to_owned);
    let (user, secret) = text("Username").zip(text("Secret")).ok_or_else(|| failed("it prints no login".to_owned()))?;
    Ok(Some(if user == "<token>" { Login::Identity(secret) } else { Login::Password { user, password: secret } }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn entries() {
        let password =
            |user: &str, password: &str| Some(Login::Password { user: user.to_owned(), password: password.to_owned() });
        assert_eq!(login(&json!({"auth": BASE64_STANDARD.encode("ann:a:b")})), password("ann", "a:b"));
        assert_eq!(login(&json!({"username": "ann", "password": "p"})), password("ann", "p"));
        assert_eq!(login(&json!({"identitytoken": "t"})), Some(Login::Identity("t".to_owned())));
        assert_eq!(login(&json!({})), None);
        assert_eq!(login(&json!({"auth": "no base64!"})), None);
    }

    #[test]
    fn names_of_entries() {
        assert_eq!(host_of("https://r.example:5000/v2/"), "r.example:5000");
        assert_eq!(host_of("r.example"), "r.example");
        assert_eq!(host_of(DOCKER_HUB), "index.docker.io");
    }
}
