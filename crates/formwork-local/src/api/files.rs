//! Static files that an API server serves besides its routes (reference/local.md#static-files).

use std::io::Read;
use std::path::{Component, Path, PathBuf};

use formwork::disk::open_regular;

use super::answer::Reply;
use formwork_base::percent;

const MOST_BYTES: u64 = 64 << 20;

const TYPES: [(&str, &str); 17] = [
    ("css", "text/css; charset=utf-8"),
    ("csv", "text/csv; charset=utf-8"),
    ("gif", "image/gif"),
    ("htm", "text/html; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("ico", "image/vnd.microsoft.icon"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
    ("webp", "image/webp"),
    ("woff2", "font/woff2"),
];

/// Returns the file below a directory at the path of a request. No path leads out of the directory, not even through a
/// link, and names that begin with a dot are not served.
pub(crate) fn find(directory: &Path, path: &str) -> Option<Reply> {
    let decoded = percent::decoded(path);
    let relative = PathBuf::from(decoded.strip_prefix('/')?);
    let is_plain = |part: Component<'_>| match part {
        Component::Normal(name) => !name.as_encoded_bytes().starts_with(b"."),
        _ => false,
    };
    if relative.as_os_str().is_empty() || !relative.components().all(is_plain) {
        return None;
    }
    let root = directory.canonicalize().ok()?;
    let file = root.join(&relative).canonicalize().ok().filter(|file| file.starts_with(&root))?;
    let (opened, _) = open_regular(&file).ok()?;
    let mut body = Vec::new();
    opened.take(MOST_BYTES + 1).read_to_end(&mut body).ok()?;
    let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let kind = TYPES.iter().find(|(known, _)| *known == extension).map_or("application/octet-stream", |(_, kind)| kind);
    let headers = vec![("Content-Type".to_owned(), kind.to_owned())];
    (body.len() as u64 <= MOST_BYTES).then_some(Reply { status: 200, headers, body })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_below_the_directory_are_found_and_no_others() {
        let directory = tempfile::tempdir().expect("a directory");
        let public = directory.path().join("public");
        std::fs::create_dir_all(public.join("css")).expect("a directory");
        let files = ["secret", "public/.env", "public/a b.html", "public/css/x.css", "public/data"];
        for name in files {
            std::fs::write(directory.path().join(name), name).expect("a file");
        }
        std::os::unix::fs::symlink(directory.path().join("secret"), public.join("link")).expect("a link");
        let found = |path: &str| {
            let reply = find(&public, path)?;
            Some((String::from_utf8(reply.body).ok()?, reply.headers[0].1.clone()))
        };
        let file = |text: &str, kind: &str| Some((text.to_owned(), kind.to_owned()));
        assert_eq!(found("/a%20b.html"), file("public/a b.html", "text/html; charset=utf-8"));
        assert_eq!(found("/css/x.css"), file("public/css/x.css", "text/css; charset=utf-8"));
        assert_eq!(found("/data"), file("public/data", "application/octet-stream"));
        let hidden = [
            "/",
            "/css",
            "/nosuch",
            "/.env",
            "/../secret",
            "/%2e%2e/secret",
            "/css/..%2f..%2fsecret",
            "/link",
            "//etc/passwd",
        ];
        for path in hidden {
            assert_eq!(found(path), None, "{path}");
        }
    }
}
