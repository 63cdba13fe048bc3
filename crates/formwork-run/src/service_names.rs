//! Checks names that CloudFormation and S3 accept. Others are rejected before the network is used and before a file is
//! written (reference/command-line.md#refused).

use std::fmt;

use formwork::suggest::nearest;
use formwork_project::Failure;

/// A value that a service would reject, with the value to write on the second line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidName(String);

impl fmt::Display for InvalidName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidName {}

impl From<InvalidName> for String {
    fn from(invalid: InvalidName) -> String {
        invalid.0
    }
}

impl From<InvalidName> for Failure {
    fn from(invalid: InvalidName) -> Failure {
        Failure::Usage(invalid.0)
    }
}

fn invalid(words: String) -> Result<(), InvalidName> {
    Err(InvalidName(words))
}

/// Maximum length of a stack name, in characters.
const LONGEST: usize = 128;

const CAPABILITIES: [&str; 3] = ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"];

const LONGEST_DESCRIPTION: usize = 1024;

/// Maximum number of tags of a stack, and maximum length of their keys and values.
const TAGS: usize = 50;
const LONGEST_KEY: usize = 128;
const LONGEST_VALUE: usize = 256;

const TOPICS: usize = 5;

/// Length of the ARN of a role, in characters.
const ROLE_ARN: std::ops::RangeInclusive<usize> = 20..=2048;

const STACK_ARN: &str = "write its name, or `arn:aws:cloudformation:REGION:ACCOUNT:stack/NAME/ID`";

struct Arn<'a> {
    service: &'a str,
    region: &'a str,
    account: &'a str,
    rest: &'a str,
}

impl Arn<'_> {
    fn of(word: &str) -> Option<Arn<'_>> {
        let mut parts = word.splitn(6, ':');
        let mut next = || parts.next();
        let (scheme, partition) = (next()?, next()?);
        let (service, region, account, rest) = (next()?, next()?, next()?, next()?);
        let is_arn = scheme == "arn" && (partition == "aws" || partition.starts_with("aws-")) && !rest.is_empty();
        is_arn.then_some(Arn { service, region, account, rest })
    }

    fn has_account(&self) -> bool {
        self.account.len() == 12 && self.account.bytes().all(|byte| byte.is_ascii_digit())
    }
}

/// Checks a value of `--resource-types`: a type, or `AWS::*`, `AWS::SQS::*`, `Custom::*`.
///
/// # Errors
/// When CloudFormation would reject it.
pub fn check_type(name: &str) -> Result<(), InvalidName> {
    let parts: Vec<&str> = name.split("::").collect();
    let is_word = |part: &str| {
        part == "*"
            || !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"@_-".contains(&byte))
    };
    let is_type = name.len() <= 256 && parts.len() >= 2 && parts.iter().all(|part| is_word(part));
    if is_type {
        return Ok(());
    }
    invalid(format!(
        "`{name}` is not the type of a resource\n  help: write `AWS::SQS::Queue`, `AWS::SQS::*` or `Custom::*`"
    ))
}

/// Returns `true` for a name with the shape of a Region: `us-gov-west-1`. Regions are added every year.
pub fn is_region(name: &str) -> bool {
    let parts: Vec<&str> = name.split('-').collect();
    let is_word = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase());
    match parts.as_slice() {
        [words @ .., number] if words.len() >= 2 => {
            words.iter().all(is_word) && (1..=2).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit())
        }
        _ => false,
    }
}

/// Rejects a name without the shape of a Region.
///
/// # Errors
///
/// The expected shape.
pub fn check_region(name: &str) -> Result<(), InvalidName> {
    if is_region(name) {
        Ok(())
    } else {
        invalid(format!("`{name}` is not a Region\n  help: write one such as `eu-west-1`"))
    }
}

/// Rejects a string that is not the ARN of a role.
///
/// # Errors
///
/// The expected shape.
pub fn check_role(arn: &str) -> Result<(), InvalidName> {
    let is_role = |arn: &Arn<'_>| arn.service == "iam" && arn.has_account() && arn.rest.starts_with("role/");
    if Arn::of(arn).is_some_and(|arn| is_role(&arn)) && ROLE_ARN.contains(&arn.len()) {
        return Ok(());
    }
    invalid(format!("`{arn}` is not the ARN of a role\n  help: write `arn:aws:iam::ACCOUNT:role/NAME`"))
}

/// Returns the strings that are not ARNs of topics, each with the reason.
pub fn check_topics(arns: &[String]) -> Vec<String> {
    let is_topic = |arn: &Arn<'_>| arn.service == "sns" && is_region(arn.region) && arn.has_account();
    let is_wrong = |word: &&String| !word.is_empty() && !Arn::of(word).is_some_and(|arn| is_topic(&arn));
    let help = "write `arn:aws:sns:REGION:ACCOUNT:NAME`";
    let mut found: Vec<String> =
        arns.iter().filter(is_wrong).map(|arn| format!("`{arn}` is not the ARN of a topic\n  help: {help}")).collect();
    if arns.len() > TOPICS {
        found.push(format!("{} topics are named\n  help: CloudFormation notifies at most {TOPICS}", arns.len()));
    }
    found
}

/// Rejects a description that is empty or too long.
///
/// # Errors
///
/// The rule.
pub fn check_description(words: &str) -> Result<(), InvalidName> {
    let length = words.chars().count();
    if (1..=LONGEST_DESCRIPTION).contains(&length) {
        return Ok(());
    }
    invalid(format!("--description has {length} characters\n  help: write 1 to {LONGEST_DESCRIPTION} characters"))
}

/// Returns the tags that a stack cannot have, each with the reason.
pub fn check_tags(words: &[String]) -> Vec<String> {
    let (mut found, mut keys) = (Vec::new(), Vec::new());
    for word in words {
        let Some((key, value)) = word.split_once('=').filter(|(key, _)| !key.is_empty()) else {
            found.push(format!("`{word} value passed to --tags must be of format Key=Value`"));
            continue;
        };
        let why = if key.to_ascii_lowercase().starts_with("aws:") {
            Some("keys that begin with `aws:` are those of AWS".to_owned())
        } else if keys.contains(&key) {
            Some("the key is a duplicate".to_owned())
        } else if key.chars().count() > LONGEST_KEY {
            Some(format!("a key has at most {LONGEST_KEY} characters"))
        } else if value.is_empty() || value.chars().count() > LONGEST_VALUE {
            Some(format!("a value has 1 to {LONGEST_VALUE} characters"))
        } else {
            None
        };
        found.extend(why.map(|why| format!("tag `{key}` cannot be set\n  help: {why}")));
        keys.push(key);
    }
    if words.len() > TAGS {
        found.push(format!("{} tags are passed\n  help: a stack has at most {TAGS}", words.len()));
    }
    found
}

/// Rejects a string that is neither a name nor an ID of a stack.
///
/// # Errors
///
/// The error in the name, and one that is accepted.
pub fn check_stack(name: &str) -> Result<(), InvalidName> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let why = if let Some(arn) = Arn::of(name) {
        let is_stack = arn.service == "cloudformation" && arn.rest.starts_with("stack/");
        return if is_stack {
            Ok(())
        } else {
            invalid(format!("`{name}` is not the ARN of a stack\n  help: {STACK_ARN}"))
        };
    } else if name.starts_with("arn:") {
        return invalid(format!("`{name}` is not the ARN of a stack\n  help: {STACK_ARN}"));
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
    let sentence = format!(
        "1 validation error detected: Value '{name}' at 'stackName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*"
    );
    invalid(format!(
        "`{name}` cannot be the name of a stack: {why}\n  help: {help}; CloudFormation reports `{sentence}`"
    ))
}

/// Rejects an invalid name of a change set, the value of `option`.
///
/// # Errors
///
/// The rule.
pub fn check_change_set(option: &str, name: &str) -> Result<(), InvalidName> {
    let is_right = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.len() <= LONGEST
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if is_right {
        return Ok(());
    }
    let rule = format!("use letters, digits and hyphens, a letter first, at most {LONGEST}");
    invalid(format!("`{name}` of {option} cannot be the name of a change set\n  help: {rule}"))
}

/// Rejects a word that is not a capability.
///
/// # Errors
///
/// The list of capabilities.
pub fn check_capability(word: &str) -> Result<(), InvalidName> {
    if CAPABILITIES.contains(&word) {
        return Ok(());
    }
    let upper = word.to_uppercase().replace('-', "_");
    let long = format!("CAPABILITY_{upper}");
    let upper = if CAPABILITIES.contains(&long.as_str()) { long } else { upper };
    let meant =
        if CAPABILITIES.contains(&upper.as_str()) { Some(upper.as_str()) } else { nearest(&upper, CAPABILITIES) };
    let help = match meant {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use {}", CAPABILITIES.map(|name| format!("`{name}`")).join(", ")),
    };
    invalid(format!("`{word}` is not a capability\n  help: {help}"))
}

/// Rejects the URL of a bucket as the value of `option`, which takes a name.
///
/// # Errors
///
/// The options to write.
pub fn check_bucket(option: &str, name: &str) -> Result<(), InvalidName> {
    let Some((scheme, rest)) = name.split_once("://").filter(|_| !name.starts_with("file:")) else {
        return match name.split_once('/').filter(|_| !name.starts_with("arn:") && !name.starts_with("file:")) {
            Some((bucket, prefix)) => invalid(with_prefix(option, name, "a path", bucket, prefix)),
            None if name.starts_with("file:") || name.starts_with("arn:") || is_bucket(name) => Ok(()),
            None => invalid(format!("`{name}` cannot be the name of a bucket\n  help: {BUCKET}")),
        };
    };
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let what = if scheme == "s3" { "a URL" } else { "a URL of another kind" };
    invalid(with_prefix(option, name, what, bucket, prefix))
}

const BUCKET: &str = "use 3 to 63 of `a-z`, `0-9`, `.` and `-`, a letter or digit at both ends";

fn is_bucket(name: &str) -> bool {
    let is_end = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    (3..=63).contains(&name.len())
        && name.chars().all(|c| is_end(c) || matches!(c, '.' | '-'))
        && name.starts_with(is_end)
        && name.ends_with(is_end)
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
            let why = String::from(check_stack(name).expect_err(name));
            assert!(why.contains(want), "{why}");
        }
    }

    #[test]
    fn values_have_their_shapes() {
        assert_eq!(check_role("arn:aws-cn:iam::111122223333:role/a/b"), Ok(()));
        for arn in ["arn:given", "arn:aws:iam::1111:role/a", "arn:aws:iam::111122223333:user/a", "role/a"] {
            assert!(check_role(arn).is_err(), "{arn}");
        }
        let topic = |name: &str| vec![format!("arn:aws:sns:eu-west-1:111122223333:{name}")];
        assert!(check_topics(&topic("news")).is_empty());
        assert_eq!((check_topics(&topic("")).len(), check_topics(&vec![topic("a").remove(0); 6]).len()), (1, 1));
        let tags = |words: &[&str]| check_tags(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        assert!(tags(&["a=b", "b=c=d"]).is_empty());
        assert_eq!(tags(&["a", "=b", "aws:x=y", "a=b", "a=c", "c="]).len(), 5);
        assert!(check_region("eu-west-1").is_ok() && check_region("Ireland").is_err());
        assert!(check_description("").is_err() && check_description("x").is_ok());
        assert!(check_change_set("--x", "a-1").is_ok() && check_change_set("--x", "1a").is_err());
        assert!(check_stack("arn:aws:s3:::a").is_err());
        assert!(check_bucket("--s3-bucket", "UPPER").is_err() && check_bucket("--s3-bucket", "a-").is_err());
    }

    #[test]
    fn capabilities_are_those_of_the_service() {
        assert_eq!(check_capability("CAPABILITY_IAM"), Ok(()));
        let near = |word| String::from(check_capability(word).expect_err(word));
        assert!(near("capability_iam").ends_with("did you mean `CAPABILITY_IAM`?"));
        assert!(near("CAPABILITY_AUTOEXPAND").ends_with("did you mean `CAPABILITY_AUTO_EXPAND`?"));
        assert!(near("x").contains("use `CAPABILITY_IAM`, "));
    }

    #[test]
    fn buckets_have_names() {
        for name in ["shop", "file:out", "file:///tmp/x", "arn:aws:s3:eu-west-1:1:accesspoint/a"] {
            assert_eq!(check_bucket("--s3-bucket", name), Ok(()), "{name}");
        }
        let help = |name| String::from(check_bucket("--s3-bucket", name).expect_err(name));
        assert!(help("s3://shop/a/b/").ends_with("write `--s3-bucket shop --s3-prefix a/b`"));
        assert!(help("shop/a").ends_with("write `--s3-bucket shop --s3-prefix a`"));
        assert!(help("s3://").ends_with("write `--s3-bucket NAME`"));
    }
}
