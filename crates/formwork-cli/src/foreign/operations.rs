//! Operations of CloudFormation without a row of their own: the AWS CLI calls them.

/// Names as the AWS CLI writes them.
#[rustfmt::skip]
const OPERATIONS: &[&str] = &[
    "activate-organizations-access", "activate-type", "batch-describe-type-configurations", "create-generated-template",
    "create-stack-instances", "create-stack-set", "deactivate-organizations-access", "deactivate-type",
    "delete-generated-template", "delete-stack-instances", "delete-stack-set", "deregister-type",
    "describe-account-limits", "describe-change-set-hooks", "describe-generated-template",
    "describe-organizations-access", "describe-publisher", "describe-resource-scan",
    "describe-stack-drift-detection-status", "describe-stack-instance", "describe-stack-refactor",
    "describe-stack-resource-drifts", "describe-stack-set", "describe-stack-set-operation",
    "describe-type-registration", "detect-stack-resource-drift", "detect-stack-set-drift", "get-generated-template",
    "get-hook-result", "get-stack-policy", "get-template-summary", "import-stacks-to-stack-set", "list-change-sets",
    "list-generated-templates", "list-hook-results", "list-resource-scan-related-resources",
    "list-resource-scan-resources", "list-resource-scans", "list-stack-instance-resource-drifts",
    "list-stack-instances", "list-stack-refactor-actions", "list-stack-refactors",
    "list-stack-set-auto-deployment-targets", "list-stack-set-operation-results", "list-stack-set-operations",
    "list-stack-sets", "list-type-registrations", "list-type-versions", "publish-type", "record-handler-progress",
    "register-publisher", "register-type", "set-type-configuration", "set-type-default-version", "signal-resource",
    "start-resource-scan", "stop-stack-set-operation", "test-type", "update-generated-template",
    "update-stack-instances", "update-stack-set", "update-termination-protection",
];

/// Services whose commands people type behind `aws`.
const SERVICES: [&str; 20] = [
    "s3",
    "s3api",
    "lambda",
    "sts",
    "iam",
    "ec2",
    "ecr",
    "ecs",
    "ssm",
    "sqs",
    "sns",
    "dynamodb",
    "apigateway",
    "apigatewayv2",
    "cloudcontrol",
    "organizations",
    "secretsmanager",
    "stepfunctions",
    "codeartifact",
    "cloudwatch",
];

/// The help for the name of an operation or a service of the AWS CLI.
pub(super) fn help(word: &str) -> Option<String> {
    if OPERATIONS.contains(&word) {
        return Some(format!("Formwork has no command for this operation; `aws cloudformation {word}` calls it"));
    }
    SERVICES.contains(&word).then(|| format!("`{word}` is a command of the AWS CLI: `aws {word}`"))
}
