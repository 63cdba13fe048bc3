//! AWS services, all of them called without their SDK crates.

/// An AWS service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Service {
    /// CloudFormation, in the query protocol.
    CloudFormation,
    /// EC2, in its query protocol.
    Ec2,
    /// ECR, in JSON.
    Ecr,
    /// Route 53, in XML.
    Route53,
    /// Lambda, in JSON.
    Lambda,
    /// Step Functions, in JSON.
    StepFunctions,
    /// API Gateway: REST and HTTP APIs, in JSON.
    ApiGateway,
    /// `CloudWatch` Logs, in JSON.
    Logs,
    /// SSM's parameters, in JSON.
    Ssm,
    /// S3, in XML.
    S3,
    /// STS, in the query protocol.
    Sts,
}

impl Service {
    pub(crate) fn signing_name(self) -> &'static str {
        match self {
            Service::CloudFormation => "cloudformation",
            Service::Ec2 => "ec2",
            Service::Ecr => "ecr",
            Service::Route53 => "route53",
            Service::Lambda => "lambda",
            Service::StepFunctions => "states",
            Service::ApiGateway => "apigateway",
            Service::Logs => "logs",
            Service::Ssm => "ssm",
            Service::S3 => "s3",
            Service::Sts => "sts",
        }
    }

    /// Returns the name in configuration: `AWS_ENDPOINT_URL_EC2`.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Service::CloudFormation => "CloudFormation",
            Service::Ec2 => "EC2",
            Service::Ecr => "ECR",
            Service::Route53 => "Route 53",
            Service::Lambda => "Lambda",
            Service::StepFunctions => "SFN",
            Service::ApiGateway => "API Gateway",
            Service::Logs => "CloudWatch Logs",
            Service::Ssm => "SSM",
            Service::S3 => "S3",
            Service::Sts => "STS",
        }
    }

    /// Returns the API version in the query protocol; empty for other protocols.
    pub(crate) fn query_version(self) -> &'static str {
        match self {
            Service::CloudFormation => "2010-05-15",
            Service::Ec2 => "2016-11-15",
            Service::Sts => "2011-06-15",
            Service::Ecr
            | Service::Route53
            | Service::Lambda
            | Service::StepFunctions
            | Service::ApiGateway
            | Service::Logs
            | Service::Ssm
            | Service::S3 => "",
        }
    }
}
