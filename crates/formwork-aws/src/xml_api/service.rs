//! The services, by the names that requests and configuration have for them.

/// A service without an SDK crate here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Service {
    Ec2,
    Route53,
}

impl Service {
    /// Its name in signatures.
    pub(super) fn signing_name(self) -> &'static str {
        match self {
            Service::Ec2 => "ec2",
            Service::Route53 => "route53",
        }
    }

    /// Its name in configuration: `AWS_ENDPOINT_URL_EC2`.
    pub(super) fn id(self) -> &'static str {
        match self {
            Service::Ec2 => "EC2",
            Service::Route53 => "Route 53",
        }
    }
}
