//! What is said of remote sources (reference/modules/sources.md#remote).

use formwork_base::{Diagnostic, ReadError, codes};
use formwork_syntax::NodeId;
use formwork_syntax::document::shown;

use super::Linker;
use super::address::Address;
use super::instance::InstanceId;

impl Address {
    /// The remote file that this is, or that holds it.
    fn remote(&self) -> Option<&str> {
        match self {
            Address::Local(_) => None,
            Address::Entry { archive, .. } => archive.remote(),
            Address::Remote(address) => Some(address),
        }
    }
}

/// Why a remote source was not read; `None` when the reason has nothing to do with its being remote.
pub(super) fn unread(address: &Address, error: &ReadError) -> Option<Diagnostic> {
    let remote = address.remote()?;
    let path = shown(remote);
    let refused = |message: String| Diagnostic::new(codes::REMOTE_REFUSED, message);
    Some(match error {
        ReadError::NotFetched => {
            let host = path.split_once("://").map_or(path.as_str(), |(_, rest)| rest);
            let host = host.split('/').next().unwrap_or(host).to_owned();
            refused(format!("{path} is not fetched: no remote source is unless it is allowed")).help(format!(
                "allow it with `--allow-remote {host}`, or keep a copy of the module beside the template"
            ))
        }
        ReadError::Refused(why) => refused(format!("{path} is not fetched: {why}"))
            .note("a remote source is fetched by https or from S3, from public hosts and buckets that were allowed")
            .help("find out who asks for this address; keep a copy of the module beside the template otherwise"),
        ReadError::Changed(why) => Diagnostic::new(codes::PACKAGE, format!("{path} was changed: {why}"))
            .note("nothing of it was used")
            .help("find out why it changed; then `formwork modules update` pins what is there"),
        ReadError::Unreachable { why, help } => {
            Diagnostic::new(codes::MODULE_SOURCE, format!("{path} cannot be fetched: {}", shown(why))).help(shown(help))
        }
        _ => return None,
    })
}

/// Whether an address names one state of a file for good: a version of an object, or a commit.
fn is_fixed(address: &str) -> bool {
    const COMMIT: usize = 40;
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let has_version = query.split('&').any(|part| part.strip_prefix("versionId=").is_some_and(|id| !id.is_empty()));
    let is_commit = |part: &str| part.len() == COMMIT && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    (address.starts_with("s3://") && has_version) || path.split('/').any(is_commit)
}

impl Linker<'_> {
    /// Warns, once for each, of a remote source that nothing pins: its next state would be used unseen.
    pub(super) fn warn_not_pinned(&mut self, address: &Address, at: NodeId, scope: InstanceId) {
        let Some(remote) = address.remote() else { return };
        if is_fixed(remote) || self.reading.is_pinned(remote) {
            return;
        }
        let remote = remote.to_owned();
        if !self.pinned.insert(remote.clone()) {
            return;
        }
        let message = format!("nothing pins what is at {}", shown(&remote));
        let help = "commit `formwork.lock` with the template, or write `Hash: sha256:...` beside the Source";
        let diagnostic = self
            .fault(codes::REMOTE_NOT_PINNED, at, message, help)
            .note("`formwork.lock` pins it as soon as a run succeeds");
        self.report(scope, diagnostic);
    }

    /// Notes that a `Hash` in the template pins a source.
    pub(super) fn note_pinned(&mut self, address: &Address) {
        if let Some(remote) = address.remote() {
            self.pinned.insert(remote.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_commits_are_fixed() {
        let commit = "0123456789abcdef0123456789abcdef01234567";
        assert!(is_fixed("s3://b/m.yaml?versionId=v1"));
        assert!(is_fixed(&format!("https://raw.example.com/o/r/{commit}/m.yaml")));
        assert!(!is_fixed("s3://b/m.yaml?versionId="));
        assert!(!is_fixed("https://a.example/m.yaml?versionId=v1"));
        assert!(!is_fixed("https://a.example/main/m.yaml"));
        assert!(!is_fixed(&format!("https://a.example/m.yaml?of={commit}")));
    }
}
