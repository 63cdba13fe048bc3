//! The policy templates of the serverless transform: names in `Policies`, each with its parameters, all required
//! (reference/schemas.md#serverless-policies). As of SAM translator 1.115.

/// The templates by name.
const TEMPLATES: [(&str, &[&str]); 81] = [
    ("AMIDescribePolicy", &[]),
    ("AWSSecretsManagerGetSecretValuePolicy", &["SecretArn"]),
    ("AWSSecretsManagerRotationPolicy", &["FunctionName"]),
    ("AcmGetCertificatePolicy", &["CertificateArn"]),
    ("AthenaQueryPolicy", &["WorkGroupName"]),
    ("CloudFormationDescribeStacksPolicy", &[]),
    ("CloudWatchDashboardPolicy", &[]),
    ("CloudWatchDescribeAlarmHistoryPolicy", &[]),
    ("CloudWatchPutMetricPolicy", &[]),
    ("CodeCommitCrudPolicy", &["RepositoryName"]),
    ("CodeCommitReadPolicy", &["RepositoryName"]),
    ("CodePipelineLambdaExecutionPolicy", &[]),
    ("CodePipelineReadOnlyPolicy", &["PipelineName"]),
    ("ComprehendBasicAccessPolicy", &[]),
    ("CostExplorerReadOnlyPolicy", &[]),
    ("DynamoDBBackupFullAccessPolicy", &["TableName"]),
    ("DynamoDBCrudPolicy", &["TableName"]),
    ("DynamoDBReadPolicy", &["TableName"]),
    ("DynamoDBReconfigurePolicy", &["TableName"]),
    ("DynamoDBRestoreFromBackupPolicy", &["TableName"]),
    ("DynamoDBStreamReadPolicy", &["StreamName", "TableName"]),
    ("DynamoDBWritePolicy", &["TableName"]),
    ("EC2CopyImagePolicy", &["ImageId"]),
    ("EC2DescribePolicy", &[]),
    ("EFSWriteAccessPolicy", &["AccessPoint", "FileSystem"]),
    ("EKSDescribePolicy", &[]),
    ("EcsRunTaskPolicy", &["TaskDefinition"]),
    ("ElasticMapReduceAddJobFlowStepsPolicy", &["ClusterId"]),
    ("ElasticMapReduceCancelStepsPolicy", &["ClusterId"]),
    ("ElasticMapReduceModifyInstanceFleetPolicy", &["ClusterId"]),
    ("ElasticMapReduceModifyInstanceGroupsPolicy", &["ClusterId"]),
    ("ElasticMapReduceSetTerminationProtectionPolicy", &["ClusterId"]),
    ("ElasticMapReduceTerminateJobFlowsPolicy", &["ClusterId"]),
    ("ElasticsearchHttpPostPolicy", &["DomainName"]),
    ("EventBridgePutEventsPolicy", &["EventBusName"]),
    ("FilterLogEventsPolicy", &["LogGroupName"]),
    ("FirehoseCrudPolicy", &["DeliveryStreamName"]),
    ("FirehoseWritePolicy", &["DeliveryStreamName"]),
    ("KMSDecryptPolicy", &["KeyId"]),
    ("KMSEncryptPolicy", &["KeyId"]),
    ("KMSEncryptPolicy_v2", &["KeyId"]),
    ("KinesisCrudPolicy", &["StreamName"]),
    ("KinesisStreamReadPolicy", &["StreamName"]),
    ("LambdaInvokePolicy", &["FunctionName"]),
    ("MobileAnalyticsWriteOnlyAccessPolicy", &[]),
    ("OrganizationsListAccountsPolicy", &[]),
    ("PinpointEndpointAccessPolicy", &["PinpointApplicationId"]),
    ("PollyFullAccessPolicy", &["LexiconName"]),
    ("RekognitionDetectOnlyPolicy", &[]),
    ("RekognitionFacesManagementPolicy", &["CollectionId"]),
    ("RekognitionFacesPolicy", &[]),
    ("RekognitionLabelsPolicy", &[]),
    ("RekognitionNoDataAccessPolicy", &["CollectionId"]),
    ("RekognitionReadPolicy", &["CollectionId"]),
    ("RekognitionWriteOnlyAccessPolicy", &["CollectionId"]),
    ("Route53ChangeResourceRecordSetsPolicy", &["HostedZoneId"]),
    ("S3CrudPolicy", &["BucketName"]),
    ("S3FullAccessPolicy", &["BucketName"]),
    ("S3ReadPolicy", &["BucketName"]),
    ("S3WritePolicy", &["BucketName"]),
    ("SESBulkTemplatedCrudPolicy", &["IdentityName"]),
    ("SESBulkTemplatedCrudPolicy_v2", &["IdentityName", "TemplateName"]),
    ("SESCrudPolicy", &["IdentityName"]),
    ("SESEmailTemplateCrudPolicy", &[]),
    ("SESSendBouncePolicy", &["IdentityName"]),
    ("SNSCrudPolicy", &["TopicName"]),
    ("SNSPublishMessagePolicy", &["TopicName"]),
    ("SQSPollerPolicy", &["QueueName"]),
    ("SQSSendMessagePolicy", &["QueueName"]),
    ("SSMParameterReadPolicy", &["ParameterName"]),
    ("SSMParameterWithSlashPrefixReadPolicy", &["ParameterName"]),
    ("SageMakerCreateEndpointConfigPolicy", &["EndpointConfigName"]),
    ("SageMakerCreateEndpointPolicy", &["EndpointName"]),
    ("ServerlessRepoReadWriteAccessPolicy", &[]),
    ("StepFunctionsCallbackPolicy", &["StateMachineName"]),
    ("StepFunctionsExecutionPolicy", &["StateMachineName"]),
    ("StepFunctionsExecutionPolicy_v2", &["StateMachineName"]),
    ("TextractDetectAnalyzePolicy", &[]),
    ("TextractGetResultPolicy", &[]),
    ("TextractPolicy", &[]),
    ("VPCAccessPolicy", &[]),
];

/// The names of all templates.
pub fn names() -> impl Iterator<Item = &'static str> {
    TEMPLATES.iter().map(|(name, _)| *name)
}

/// The names of a template's parameters; none when there is no such template.
pub fn parameters(template: &str) -> Option<&'static [&'static str]> {
    TEMPLATES.iter().find(|(name, _)| *name == template).map(|(_, parameters)| *parameters)
}

#[cfg(test)]
mod tests {
    use super::{names, parameters};

    #[test]
    fn templates_are_in_order() {
        assert!(names().is_sorted());
        assert_eq!(parameters("SQSPollerPolicy"), Some(&["QueueName"][..]));
        assert_eq!(parameters("SQSPoller"), None);
    }
}
