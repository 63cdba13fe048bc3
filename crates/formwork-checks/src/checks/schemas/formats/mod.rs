//! Formats of strings (reference/schemas.md#formats).

mod arn;
mod dates;
mod json;
mod names;
mod network;
mod schedule;
mod zones;

use formwork_base::{Diagnostic, codes};

use super::walk::{At, Walk};
use super::words;
use super::words::quoted;

/// A violated format: what the value is not, and what to write.
pub(super) struct Wrong {
    pub(super) is_not: &'static str,
    help: String,
}

impl Wrong {
    /// Returns the violation, as the checks do.
    #[allow(clippy::unnecessary_wraps, reason = "the checks return nothing for valid strings")]
    pub(super) fn new(is_not: &'static str, help: impl Into<String>) -> Option<Wrong> {
        Some(Wrong { is_not, help: help.into() })
    }
}

impl Walk<'_> {
    /// Checks the format of a literal string.
    pub(super) fn format(&mut self, format: &str, at: At, text: &str) {
        let Some(wrong) = wrong(format, text) else { return };
        let Some(severity) = self.severity_of(codes::PATTERN_OF_PROPERTY) else { return };
        let subject = words::subject(&self.path, self.tree.text(self.id));
        let title = format!("{} of {subject} is not {}", quoted(text), wrong.is_not);
        let diagnostic = Diagnostic::titled(codes::PATTERN_OF_PROPERTY, title)
            .at(self.tree.span(at.node))
            .help(self.advice(at.node, &wrong.help));
        self.push(diagnostic, severity, "");
    }
}

/// Returns the violation of a format; `None` for valid strings, and for formats that are not checked.
pub(super) fn wrong(format: &str, text: &str) -> Option<Wrong> {
    match format {
        "AWS::EC2::SecurityGroup.Id" => names::id(text, "sg", "the ID of a security group"),
        "AWS::EC2::Subnet.Id" => names::id(text, "subnet", "the ID of a subnet"),
        "AWS::EC2::VPC.Id" => names::id(text, "vpc", "the ID of a VPC"),
        "AWS::EC2::Image.Id" => names::id(text, "ami", "the ID of an image"),
        "AWS::S3::Bucket.Name" | "bucket-name" => names::bucket(text),
        "AWS::Logs::LogGroup.Name" => names::log_group(text),
        "email" => names::email(text),
        "AWS::IAM::Role.Arn" => arn::of(text, "iam", "role/", "the ARN of a role"),
        "AWS::ACM::Certificate.Arn" => arn::of(text, "acm", "certificate/", "the ARN of a certificate"),
        "AWS::KMS::Key.Arn" => arn::of(text, "kms", "", "the ARN of a KMS key"),
        "AWS::Lambda::Function.Arn" => arn::of(text, "lambda", "function:", "the ARN of a function"),
        "AWS::SNS::Topic.Arn" => arn::of(text, "sns", "", "the ARN of a topic"),
        "AWS::SQS::Queue.Arn" => arn::of(text, "sqs", "", "the ARN of a queue"),
        "ipv4-network" => network::cidr(text, true),
        "ipv6-network" => network::cidr(text, false),
        "cidr-vpc" => network::of_vpc(text),
        "ipv4" => network::address(text, true),
        "ipv6" => network::v6(text),
        "ip" => network::address(text, false),
        "availability-zone" => zones::availability_zone(text),
        "time-zone" => zones::time_zone(text),
        "schedule" => schedule::rule(text),
        "schedule-at" => schedule::scheduler(text),
        "cron" => schedule::five_fields(text),
        "date-time" => dates::date_time(text),
        "json" => json::document(text),
        _ => None,
    }
}

/// Returns a pattern with the characters of a format; `None` for formats of which single characters decide nothing.
pub(super) fn characters(format: &str) -> Option<&'static str> {
    match format {
        "AWS::S3::Bucket.Name" | "bucket-name" => Some("^[a-z0-9.-]*$"),
        "AWS::Logs::LogGroup.Name" => Some("^[A-Za-z0-9._/#:*-]*$"),
        "AWS::EC2::SecurityGroup.Id" => Some("^sg-[0-9a-f]*$"),
        "AWS::EC2::Subnet.Id" => Some("^subnet-[0-9a-f]*$"),
        "AWS::EC2::VPC.Id" => Some("^vpc-[0-9a-f]*$"),
        "cidr-vpc" | "ipv4-network" => Some("^[0-9./]*$"),
        "ipv6-network" => Some("^[0-9A-Fa-f:./]*$"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::wrong;

    #[test]
    fn valid_strings_are_silent_and_others_are_not() {
        let cases: &[(&str, &[&str], &[&str])] = &[
            (
                "AWS::EC2::SecurityGroup.Id",
                &["sg-12345678", "sg-0123456789abcdef0"],
                &["sg-123", "subnet-12345678", "web"],
            ),
            ("AWS::EC2::Image.Id", &["ami-0ff8a91507f77f867", "resolve:ssm:/x"], &["ami-xyz", "0ff8a915"]),
            ("bucket-name", &["my-bucket.example", "abc"], &["My-Bucket", "ab", "a_b", "-abc", "a..b", "192.168.0.1"]),
            ("email", &["a@b.example", "a+b@c.d.example"], &["ab.example", "a@b", "a b@c.example", "@b.example"]),
            (
                "AWS::IAM::Role.Arn",
                &["arn:aws:iam::111122223333:role/x"],
                &["x", "arn:aws:iam::1111:role/x", "arn:aws:iam::111122223333:user/x"],
            ),
            ("ipv4-network", &["10.0.0.0/16", "0.0.0.0/0"], &["10.0.0.0", "10.0.0.0/33", "10.0.0.256/8", "10.0.0/8"]),
            ("ipv6-network", &["::/0", "2001:db8::/32"], &["::", "::/129", "10.0.0.0/8"]),
            ("cidr-vpc", &["10.0.0.0/16", "10.0.0.0/28"], &["10.0.0.0/8", "10.0.0.0/29"]),
            ("availability-zone", &["eu-west-1a", "us-west-2-lax-1a", "use1-az1"], &["eu-west-1", "eu-west-1-a", "a"]),
            (
                "time-zone",
                &["UTC", "Europe/Berlin", "America/Argentina/Ushuaia", "Etc/GMT+5"],
                &["Europe/Berln", "CEST", "berlin"],
            ),
            (
                "schedule",
                &["rate(1 minute)", "rate(5 minutes)", "cron(0 12 * * ? *)", "cron(0/15 8-17 ? * MON-FRI *)"],
                &[
                    "rate(1 minutes)",
                    "rate(5 minute)",
                    "cron(0 12 * * *)",
                    "0 12 * * ? *",
                    "cron(0 12 * * * *)",
                    "rate(0 minutes)",
                    "rate(5 seconds)",
                    "cron(0 25 * * ? *)",
                ],
            ),
            (
                "schedule-at",
                &["at(2026-01-01T00:00:00)", "rate(2 hours)", "rate(1 hours)"],
                &["at(tomorrow)", "every day"],
            ),
            ("cron", &["0 12 * * *"], &["cron(0 12 * * ? *)", "0 12 * *"]),
            ("date-time", &["2026-01-01T00:00:00Z", "2026-01-01"], &["tomorrow", "2026-13-01T00:00:00Z", "01.01.2026"]),
            ("json", &["{\"a\": [1, true, null, \"x\\n\"]}", "[]"], &["{a: 1}", "{\"a\": 1,}", "{\"a\": 1"]),
        ];
        for (format, valid, invalid) in cases {
            for text in *valid {
                assert!(wrong(format, text).is_none(), "{format} {text}");
            }
            for text in *invalid {
                assert!(wrong(format, text).is_some(), "{format} {text}");
            }
        }
    }
}
