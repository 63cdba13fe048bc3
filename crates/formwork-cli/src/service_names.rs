//! Names that CloudFormation and S3 accept. Others are refused before the network is used and before a file is written
//! (reference/command-line.md#refused).

use formwork::suggest::nearest;

/// Most characters of the name of a stack.
const LONGEST: usize = 128;

const CAPABILITIES: [&str; 3] = ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"];

/// Refuses what is neither a name nor an ID of a stack.
///
/// # Errors
/// The error in the name, and one that is accepted.
pub(crate) fn check_stack(name: &str) -> Result<(), String> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let why = if name.starts_with("arn:") {
        return Ok(());
    } else if name.is_empty() {
        "it is empty".to_owned()
    } else if let Some(wrong) = name.chars().find(|c| !is_allowed(*c)) {
        format!("it contains `{wrong}`")
    } else if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        "it does not begin with a letter".to_owned()
    } else if name.len() > LONGEST {
        format!("it has {} characters", name.len())
    } else {
        return Ok(());
    };
    let rule = format!("use letters, digits and hyphens, a letter first, at most {LONGEST}");
    let fixed: String = name.chars().map(|c| if is_allowed(c) { c } else { '-' }).take(LONGEST).collect();
    let fixed = fixed.trim_start_matches(|c: char| !c.is_ascii_alphabetic()).trim_end_matches('-');
    let help = if fixed.is_empty() { rule } else { format!("{rule}: `{fixed}`") };
    Err(format!("`{name}` cannot be the name of a stack: {why}\n  help: {help}"))
}

/// Refuses a word that is not a capability.
///
/// # Errors
/// The capabilities.
pub(crate) fn check_capability(word: &str) -> Result<(), String> {
    if CAPABILITIES.contains(&word) {
        return Ok(());
    }
    let upper = word.to_uppercase().replace('-', "_");
    let meant =
        if CAPABILITIES.contains(&upper.as_str()) { Some(upper.as_str()) } else { nearest(&upper, CAPABILITIES) };
    let help = match meant {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use {}", CAPABILITIES.map(|name| format!("`{name}`")).join(", ")),
    };
    Err(format!("`{word}` is not a capability\n  help: {help}"))
}

/// Refuses the URL of a bucket in place of its name. `option` names it.
///
/// # Errors
/// The options to write.
pub(crate) fn check_bucket(option: &str, name: &str) -> Result<(), String> {
    let Some((scheme, rest)) = name.split_once("://").filter(|_| !name.starts_with("file:")) else {
        return match name.split_once('/').filter(|_| !name.starts_with("arn:") && !name.starts_with("file:")) {
            Some((bucket, prefix)) => Err(with_prefix(option, name, "a path", bucket, prefix)),
            None => Ok(()),
        };
    };
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let what = if scheme == "s3" { "a URL" } else { "a URL of another kind" };
    Err(with_prefix(option, name, what, bucket, prefix))
}

fn with_prefix(option: &str, name: &str, what: &str, bucket: &str, prefix: &str) -> String {
    let bucket = if bucket.is_empty() { "NAME" } else { bucket };
    let prefix = prefix.trim_matches('/');
    let prefix = if prefix.is_empty() { String::new() } else { format!(" --s3-prefix {prefix}") };
    format!("`{name}` is {what}, not the name of a bucket\n  help: write `{option} {bucket}{prefix}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_have_names_or_ids() {
        let long = "a".repeat(129);
        for name in ["shop", "Shop-1", "arn:aws:cloudformation:eu-west-1:1:stack/shop/x", &long[1..]] {
            assert_eq!(check_stack(name), Ok(()));
        }
        for (name, want) in [
            (
                "my_shop",
                "`my_shop` cannot be the name of a stack: it contains `_`\n  help: use letters, digits and hyphens, a letter first, at most 128: `my-shop`",
            ),
            ("1shop", "it does not begin with a letter"),
            ("shop/", ": `shop`"),
            ("", "it is empty"),
            ("-", "begin with a letter"),
            (long.as_str(), "it has 129 characters"),
        ] {
            let why = check_stack(name).expect_err(name);
            assert!(why.contains(want), "{why}");
        }
    }

    #[test]
    fn capabilities_are_those_of_the_service() {
        assert_eq!(check_capability("CAPABILITY_IAM"), Ok(()));
        let near = |word| check_capability(word).expect_err(word);
        assert!(near("capability_iam").ends_with("did you mean `CAPABILITY_IAM`?"));
        assert!(near("CAPABILITY_AUTOEXPAND").ends_with("did you mean `CAPABILITY_AUTO_EXPAND`?"));
        assert!(near("x").contains("use `CAPABILITY_IAM`, "));
    }

    #[test]
    fn buckets_have_names() {
        for name in ["shop", "file:out", "file:///tmp/x", "arn:aws:s3:eu-west-1:1:accesspoint/a"] {
            assert_eq!(check_bucket("--s3-bucket", name), Ok(()), "{name}");
        }
        let help = |name| check_bucket("--s3-bucket", name).expect_err(name);
        assert!(help("s3://shop/a/b/").ends_with("write `--s3-bucket shop --s3-prefix a/b`"));
        assert!(help("shop/a").ends_with("write `--s3-bucket shop --s3-prefix a`"));
        assert!(help("s3://").ends_with("write `--s3-bucket NAME`"));
    }
}
