//! Facts of tests.

use crate::change::{Effect, ReplaceReason};
use crate::facts::{Facts, Stateful};
use formwork_template::value::Step;

pub(crate) struct TestFacts;

fn path(text: &str) -> Vec<String> {
    text.split('.').map(str::to_owned).collect()
}

impl Facts for TestFacts {
    fn date(&self) -> &'static str {
        "2026-10-20"
    }

    fn effect(&self, type_name: &str, path: &[Step<'_>], _: bool) -> Effect {
        let first = match path.first() {
            Some(Step::Name(name)) => *name,
            _ => "",
        };
        match (type_name, first) {
            ("AWS::SQS::Queue", "QueueName" | "FifoQueue")
            | ("AWS::DynamoDB::Table", "TableName")
            | ("AWS::S3::Bucket", "BucketName")
            | ("AWS::SNS::Subscription", "TopicArn")
            | ("AWS::SNS::Topic", "TopicName") => Effect::Replace(ReplaceReason::CreateOnly),
            ("AWS::RDS::DBInstance", "Engine") => Effect::MayReplace(ReplaceReason::Conditional),
            ("AWS::SQS::Queue", "Arn") => Effect::None,
            (name, _) if name.starts_with("AWS::") && name != "AWS::Not::Known" => Effect::Update,
            _ => Effect::Unknown,
        }
    }

    fn stateful(&self, type_name: &str) -> Option<Stateful> {
        match type_name {
            "AWS::DynamoDB::Table" | "AWS::SQS::Queue" => Some(Stateful::default()),
            "AWS::S3::Bucket" => Some(Stateful { only_when_empty: true, ..Stateful::default() }),
            "AWS::RDS::DBInstance" => Some(Stateful {
                can_snapshot: true,
                snapshot_by_default: true,
                unless_in_cluster: true,
                ..Stateful::default()
            }),
            _ => None,
        }
    }

    fn custom_name(&self, type_name: &str) -> Option<Vec<String>> {
        match type_name {
            "AWS::DynamoDB::Table" => Some(path("TableName")),
            "AWS::S3::Bucket" => Some(path("BucketName")),
            _ => None,
        }
    }

    fn policies(&self, type_name: &str) -> Vec<(Vec<String>, String)> {
        let one = |property: &str, class: &str| vec![(path(property), class.to_owned())];
        match type_name {
            "AWS::IAM::ManagedPolicy" => one("PolicyDocument", "identity"),
            "AWS::EC2::SecurityGroup" => one("SecurityGroupIngress", "ingress"),
            "AWS::RDS::DBInstance" => one("PubliclyAccessible", "public"),
            "AWS::S3::Bucket" => one("PublicAccessBlockConfiguration", "public-block"),
            _ => Vec::new(),
        }
    }

    fn refactorable(&self, type_name: &str) -> Result<(), &'static str> {
        match type_name {
            "AWS::SNS::Subscription" => Err("its type cannot be updated"),
            "AWS::Not::Known" => Err("its type is not known"),
            _ => Ok(()),
        }
    }
}
