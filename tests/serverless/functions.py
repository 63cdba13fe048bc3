"""Functions, layers, state machines, and their policies."""

from events import EVENTS, STEP_EVENTS, dead_letters, events

TEMPLATES = [
    {"SQSPollerPolicy": {"QueueName": "q"}}, {"S3ReadPolicy": {"BucketName": {"Ref": "Bucket"}}}, {"DynamoDBCrudPolicy": {"TableName": {"Ref": "Table"}}},
    {"VPCAccessPolicy": {}}, {"AMIDescribePolicy": {}}, {"SNSPublishMessagePolicy": {"TopicName": {"Fn::GetAtt": ["Topic", "TopicName"]}}},
    {"LambdaInvokePolicy": {"FunctionName": {"Fn::Sub": "${Text}-f"}}}, {"StepFunctionsExecutionPolicy": {"StateMachineName": {"Ref": "Text"}}},
]
REFUSED = [{"S3ReadPolicy": {}}, {"NoSuchPolicy": {}}, {"KMSDecryptPolicy": {"KeyId": "k", "Other": "x"}}, {"Fn::If": ["IsOther", {"Statement": []}, {"VPCAccessPolicy": {}}]}]
STATEMENT = {"Effect": "Allow", "Action": ["s3:*"], "Resource": {"Fn::Sub": "arn:aws:s3:::${Text}/*"}}
NAMES = ["AmazonS3FullAccess", "AWSLambdaBasicExecutionRole", "AWSLambdaRole", "AWSXrayWriteOnlyAccess", "NoSuchManagedPolicy", "arn:aws:iam::aws:policy/AmazonS3FullAccess", "AWSLambdaENIManagementAccess"]


def policies(v):
    def policy():
        return v.one(v.one(*NAMES), v.one(*TEMPLATES), {"Statement": [STATEMENT]}, {"Version": "2012-10-17", "Statement": STATEMENT, "Id": "x"}, {"Ref": "Text"},
                     {"Fn::If": ["IsProd", v.one(*NAMES), {"Ref": "AWS::NoValue"}]}, {"Fn::If": ["IsProd", v.one(*TEMPLATES), v.one(*TEMPLATES)]},
                     v.usual([{"Ref": "Text"}], *REFUSED), {"Fn::Sub": "arn:${AWS::Partition}:iam::aws:policy/ReadOnlyAccess"})
    many = [policy() for _ in range(v.one(0, 1, 2, 4))]
    return v.any(v.usual([many, many, many, policy()], [STATEMENT]), share=0.03 if v.slip() else 0)


def role(v):
    return v.one(v.arn("iam", "role/r"), {"Fn::GetAtt": ["OtherRole", "Arn"]}, {"Fn::If": ["IsProd", {"Fn::GetAtt": ["OtherRole", "Arn"]}, {"Ref": "AWS::NoValue"}]}, v.text("arn:aws:iam::1:role/r"))


def destinations(v):
    def target():
        return {"Type": v.text("SQS", "SNS", "Lambda", "EventBridge", "S3Bucket", share=0.05), **v.choose(0.7, Destination=lambda: v.one(v.arn("sqs"), {"Fn::If": ["IsProd", v.arn("sqs"), {"Ref": "AWS::NoValue"}]}))}
    return {**v.choose(0.4, MaximumEventAgeInSeconds=lambda: v.number(70), MaximumRetryAttempts=lambda: v.number(1)),
            **v.choose(0.6, DestinationConfig=lambda: v.choose(0.6, OnSuccess=target, OnFailure=target))}


def deployment(v):
    return {**v.choose(0.9, Type=lambda: v.text("Canary10Percent5Minutes", "AllAtOnce", "Linear10PercentEvery1Minute", "MyOwnConfig")), **v.choose(
        0.25, Enabled=lambda: v.one(True, False, {"Ref": "Flag"}, v.truth()), Alarms=lambda: v.one(["a"], {"Fn::If": ["IsProd", ["a"], ["b", {"Ref": "Text"}]]}, v.any([{"Ref": "Text"}])),
        Hooks=lambda: v.choose(0.7, PreTraffic=lambda: v.text("hook"), PostTraffic=lambda: {"Ref": v.one(*v.names)}), Role=lambda: v.arn("iam"),
        PassthroughCondition=lambda: v.truth(), TriggerConfigurations=lambda: [{"TriggerName": v.text("t")}])}


def url(v):
    return {"AuthType": v.text("NONE", "AWS_IAM"), **v.choose(0.3, InvokeMode=lambda: v.text("BUFFERED"), Cors=lambda: v.any({"AllowOrigins": ["*"], "MaxAge": v.number(5)}))}


def function(v, name):
    p = {}
    package = v.random.random()
    if package < 0.1:
        p.update(PackageType="Image", ImageUri=v.text("1.dkr.ecr.us-east-1.amazonaws.com/a:b"), **v.choose(0.4, ImageConfig={"Command": ["a"]}))
    else:
        p.update(Handler=v.text("a.b", share=0.05), Runtime=v.text("python3.12", "nodejs22.x", share=0.05), **({"InlineCode": v.text("x = 1")} if package < 0.3 else {"CodeUri": v.code()}))
    p.update(v.choose(
        0.08, Architectures=lambda: v.any(["arm64"]), AssumeRolePolicyDocument=lambda: {"Statement": [STATEMENT]}, CodeSigningConfigArn=lambda: v.arn("lambda"), Description=lambda: v.text("words"),
        DeadLetterQueue=lambda: {"Type": v.text("SQS", "SNS", share=0.03), "TargetArn": v.arn("sqs")}, Environment=lambda: {"Variables": v.any({"A": v.text("b"), "F": {"Ref": v.one(*v.names) if v.names else "Text"}})},
        EphemeralStorage=lambda: {"Size": v.number(1024)}, EventInvokeConfig=lambda: destinations(v), FileSystemConfigs=lambda: [{"Arn": v.arn("elasticfilesystem"), "LocalMountPath": "/mnt/a"}],
        FunctionName=lambda: v.text("function-name"), FunctionUrlConfig=lambda: url(v), KmsKeyArn=lambda: v.arn("kms"), Layers=lambda: v.any([v.arn("lambda"), {"Ref": v.one(*v.names) if v.names else "Text"}]),
        LoggingConfig=lambda: {"LogFormat": v.text("JSON"), "LogGroup": v.text("g")}, MemorySize=lambda: v.number(128, 512), PermissionsBoundary=lambda: v.arn("iam"), PropagateTags=lambda: v.truth(0),
        ReservedConcurrentExecutions=lambda: v.number(5), RolePath=lambda: v.text("/a/"), RuntimeManagementConfig=lambda: {"UpdateRuntimeOn": v.text("Auto")}, SnapStart=lambda: {"ApplyOn": v.text("PublishedVersions")},
        Timeout=lambda: v.number(30), Tracing=lambda: v.text("Active", "PassThrough", "Disabled"), VpcConfig=lambda: v.any(v.subnets()), RecursiveLoop=lambda: v.text("Allow"),
        SourceKMSKeyArn=lambda: v.arn("kms"),
        DurableConfig=lambda: {"ExecutionTimeout": v.number(5)},  
        CapacityProviderConfig=lambda: {"Arn": v.arn("lambda"), **v.choose(0.5, PerExecutionEnvironmentMaxConcurrency=lambda: v.number(5), ExecutionEnvironmentMemoryGiBPerVCpu=lambda: v.number(2))}))
    p.update(v.choose(0.2, Tags=lambda: v.tags(), Role=lambda: role(v), Policies=lambda: policies(v)))
    if "CapacityProviderConfig" in p or v.slip(0.1):
        p.update(v.choose(0.3, FunctionScalingConfig=lambda: {"MinExecutionEnvironments": v.number(1)}, PublishToLatestPublished=lambda: v.truth()))
    if v.slip(0.1) or ("SnapStart" not in p and v.chance(0.05)):
        p["TenancyConfig"] = {"TenantIsolationMode": v.text("PER_TENANT")}
    if v.slip(0.1) or v.chance(0.35):
        p["AutoPublishAlias"] = v.usual(["live", {"Ref": "Stage"}], v.text("live"))
        p.update(v.choose(0.1, ProvisionedConcurrencyConfig=lambda: {"ProvisionedConcurrentExecutions": v.number(2)}))
        p.update(v.choose(0.15, AutoPublishAliasAllProperties=lambda: v.truth(0), AutoPublishCodeSha256=lambda: v.text("6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"),
                          VersionDescription=lambda: v.text("words"), VersionDeletionPolicy=lambda: v.text("Delete", "Retain", share=0.1), DeploymentPreference=lambda: deployment(v)))
    elif v.slip(0.05):
        p["DeploymentPreference"] = deployment(v)
    if v.chance(0.6):
        p["Events"] = events(v, EVENTS)
    return p


def layer(v, name):
    return {"ContentUri": v.code(), **v.choose(
        0.3, CompatibleArchitectures=lambda: v.any([v.text("arm64")]), CompatibleRuntimes=lambda: v.any(["python3.12", v.text("nodejs22.x")]), Description=lambda: v.text("words"), LayerName=lambda: v.text("name"),
        LicenseInfo=lambda: v.text("MIT"), RetentionPolicy=lambda: v.text("Retain", "Delete", "retain"), PublishLambdaVersion=lambda: v.truth(0))}


DEFINITION = {"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": {"Fn::GetAtt": ["Queue", "Arn"]}, "Next": "B"}, "B": {"Type": "Pass", "Result": {"Ref": "Text"}, "End": True}}}


def state_machine(v, name):
    p = {"Definition": v.one(DEFINITION, {"StartAt": "A", "States": {}})} if v.chance(0.5) else {"DefinitionUri": v.code()}
    p.update(v.choose(
        0.12, DefinitionSubstitutions=lambda: v.any({"a": v.text("b"), "f": {"Fn::GetAtt": [v.one(*v.names) if v.names else "Queue", "Arn"]}}), Logging=lambda: {"Level": v.text("ALL"), "Destinations": []}, Name=lambda: v.text("name"),
        PermissionsBoundary=lambda: v.arn("iam"), PropagateTags=lambda: v.truth(0), RolePath=lambda: v.text("/a/"), Tracing=lambda: v.any({"Enabled": v.truth()}), Type=lambda: v.text("EXPRESS", "STANDARD")
        ))
    if v.slip(0.1) or v.chance(0.2):
        p.update(AutoPublishAlias=v.usual(["live"], v.text("live")))
    if v.slip(0.1) or ("AutoPublishAlias" in p and v.chance(0.6)):
        p.update(v.choose(0.5, UseAliasAsEventTarget=lambda: v.truth(0), DeploymentPreference=lambda: {"Type": v.text("ALL_AT_ONCE", "CANARY"), "Interval": v.number(5), "Percentage": v.number(10)}))
    p.update(v.choose(0.25, Tags=lambda: v.tags()))
    choice = v.one("Role", "Policies", "", "" if v.is_careful else "both")
    p.update({"Role": role(v)} if choice in ("Role", "both") else {}, **({"Policies": policies(v)} if choice in ("Policies", "both") else {}))
    if v.chance(0.5):
        p["Events"] = events(v, STEP_EVENTS)
    return p
