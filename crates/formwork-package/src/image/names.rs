//! Names of images and repositories.

/// A repository: a registry, and a path in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Repository {
    /// The registry, with its port if it has one.
    pub host: String,
    /// The path in the registry.
    pub path: String,
}

/// The error of a string that is not a repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidRepository {
    /// The string.
    pub text: String,
    /// The advice.
    pub why: &'static str,
}

impl std::fmt::Display for InvalidRepository {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is not an image repository: {}", self.text, self.why)
    }
}

impl std::error::Error for InvalidRepository {}

impl Repository {
    /// Reads `HOST[:PORT]/PATH`.
    ///
    /// # Errors
    /// Describes the error.
    pub fn parse(text: &str) -> Result<Repository, InvalidRepository> {
        let wrong = |why: &'static str| InvalidRepository { text: text.to_owned(), why };
        let shape = "write HOST/PATH, such as 111122223333.dkr.ecr.eu-west-1.amazonaws.com/app";
        if text.contains("://") {
            return Err(wrong("remove the scheme"));
        }
        let (host, path) = text.split_once('/').ok_or_else(|| wrong(shape))?;
        let is_host_char = |c: char| c.is_ascii_alphanumeric() || ".-:[]_".contains(c);
        let is_host = host == "localhost" || host.contains(['.', ':']);
        if !is_host || !host.chars().all(is_host_char) {
            return Err(wrong(shape));
        }
        if path.contains([':', '@']) {
            return Err(wrong("remove the tag, which is generated for each image"));
        }
        let is_part = |part: &str| {
            let is_char = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c);
            part.chars().all(is_char)
                && part.starts_with(|c: char| c.is_ascii_alphanumeric())
                && part.ends_with(|c: char| c.is_ascii_alphanumeric())
        };
        if !path.split('/').all(is_part) {
            return Err(wrong("its path consists of lowercase letters, digits, `.`, `_`, `-` and `/`"));
        }
        Ok(Repository { host: host.to_owned(), path: path.to_owned() })
    }
}

impl std::fmt::Display for Repository {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.host, self.path)
    }
}

/// Number of digits of an image's id in its tag.
const DIGITS: usize = 12;
/// Maximum length of a tag, in characters.
const LONGEST: usize = 128;

/// Returns the tag of an image as SAM CLI computes it: its name, the first digits of its id, and its own tag or
/// `latest`.
pub fn tag(name: &str, id: &str, own: Option<&str>) -> String {
    let digits = &id[..id.len().min(DIGITS)];
    let clean = |text: &str| -> String {
        let fit = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
        text.chars().map(fit).collect()
    };
    let own = clean(own.unwrap_or("latest"));
    let room = LONGEST.saturating_sub(digits.len() + 2 + own.len());
    // A tag begins with a letter, a digit or an underscore.
    let name = clean(name);
    let name = name.trim_start_matches(['.', '-']);
    let mut tag = format!("{}-{digits}-{own}", &name[..name.len().min(room)]);
    tag.truncate(LONGEST);
    tag.trim_start_matches('-').to_owned()
}

/// Returns the name and tag of a reference such as `registry:5000/org/app:1`: the last part of its path, and the part
/// behind the colon.
pub(super) fn name_and_tag(reference: &str) -> Option<(String, Option<String>)> {
    let reference = reference.split('@').next().unwrap_or_default();
    let last = reference.rsplit('/').next().unwrap_or_default();
    let (name, tag) = last.split_once(':').map_or((last, None), |(name, tag)| (name, Some(tag.to_owned())));
    (!name.is_empty()).then(|| (name.to_owned(), tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories() {
        for text in [
            "111122223333.dkr.ecr.eu-west-1.amazonaws.com/org/app",
            "localhost:5000/app",
            "127.0.0.1:5000/a_b/c.d-e",
            "registry.example/app",
            "[::1]:5000/app",
        ] {
            assert_eq!(Repository::parse(text).map(|repository| repository.to_string()), Ok(text.to_owned()));
        }
        for (text, why) in [
            ("app", "write HOST/PATH"),
            ("org/app", "write HOST/PATH"),
            ("https://r.example/app", "remove the scheme"),
            ("r.example/app:1", "remove the tag"),
            ("r.example/App", "lowercase letters"),
            ("r.example/", "lowercase letters"),
            ("r.example/../v2", "lowercase letters"),
            ("a b.example/app", "write HOST/PATH"),
        ] {
            let found = Repository::parse(text).expect_err(text).to_string();
            assert!(found.contains(why), "{found}");
        }
    }

    #[test]
    fn tags() {
        let id = "0123456789abcdef";
        assert_eq!(tag("web", id, Some("v1")), "web-0123456789ab-v1");
        assert_eq!(tag("OrdersFunction", id, None), "OrdersFunction-0123456789ab-latest");
        assert_eq!(tag("-a b", id, None), "a-b-0123456789ab-latest");
        let long = tag(&"x".repeat(300), id, Some("v1"));
        assert_eq!((long.len(), long.ends_with("-0123456789ab-v1")), (128, true));
    }

    #[test]
    fn references() {
        let of = |text| name_and_tag(text).expect("a name");
        assert_eq!(of("web:v1"), ("web".to_owned(), Some("v1".to_owned())));
        assert_eq!(of("localhost:5000/org/app"), ("app".to_owned(), None));
        assert_eq!(of("r.example/app:1@sha256:00"), ("app".to_owned(), Some("1".to_owned())));
        assert_eq!(name_and_tag(""), None);
    }
}
