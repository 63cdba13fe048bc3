"""Event sources of functions and state machines."""

PATHS = ["/", "/a", "/a/{id}", "/b/{proxy+}", "$default", "/a/{id}/c"]
METHODS = ["get", "POST", "any", "delete", "x-amazon-apigateway-any-method"]
AUTHORIZERS = ["NONE", "AWS_IAM"], ["One", "Two", "Missing"]


def referred(v, kind):
    """A reference to a resource of the kind, or by mistake to something else."""
    return v.text("abc", {"Ref": "Queue"}) if v.slip(0.1) else v.kind(kind)


def event_auth(v):
    return v.choose(0.35, Authorizer=lambda: v.usual(AUTHORIZERS[0], *AUTHORIZERS[1]), AuthorizationScopes=lambda: v.any(["a.read", "b"]),
                    ApiKeyRequired=lambda: v.truth(0.05), InvokeRole=lambda: v.text("CALLER_CREDENTIALS", "NONE", "arn:aws:iam::1:role/r"),
                    OverrideApiAuth=lambda: v.truth(0), ResourcePolicy=lambda: resource_policy(v))


def resource_policy(v):
    return v.choose(0.3, AwsAccountWhitelist=lambda: ["123456789012"], AwsAccountBlacklist=lambda: v.any(["123456789013"]),
                    IpRangeWhitelist=lambda: ["1.2.3.4"], IpRangeBlacklist=lambda: [v.text("1.2.3.0/24")],
                    SourceVpcWhitelist=lambda: ["vpc-1", "vpce-2"], SourceVpcBlacklist=lambda: ["vpc-3"],
                    IntrinsicVpcWhitelist=lambda: [{"Ref": "Text"}], IntrinsicVpceBlacklist=lambda: [v.text("vpce-1")],
                    CustomStatements=lambda: [{"Effect": "Allow", "Principal": "*", "Action": "execute-api:Invoke",
                                               "Resource": v.one("execute-api:/prod/GET/a", ["execute-api:/*"])}])


def api(v):
    properties = {"Path": v.one(*PATHS), "Method": v.one(*METHODS)}
    if v.chance(0.6) and (target := referred(v, "Api")):
        properties["RestApiId"] = target
    properties.update(v.choose(
        0.15, Auth=lambda: event_auth(v), RequestModel=lambda: {"Model": v.one("User", "Other"), **v.choose(0.4, Required=v.truth, ValidateBody=v.truth, ValidateParameters=v.truth)},
        RequestParameters=lambda: ["method.request.header.A", {"method.request.querystring.b": {"Required": v.truth(0), "Caching": True}}],
        TimeoutInMillis=lambda: v.number(5000), ResponseTransferMode=lambda: v.one("BUFFERED", "STREAM")))
    return properties


def http_api(v):
    properties = {}
    if v.chance(0.8):
        properties.update(Path=v.one(*PATHS), Method=v.one(*METHODS))
    if v.chance(0.5) and (target := referred(v, "HttpApi")):
        properties["ApiId"] = target
    properties.update(v.choose(
        0.15, Auth=lambda: event_auth(v), TimeoutInMillis=lambda: v.number(10000), PayloadFormatVersion=lambda: v.text("1.0", "2.0"),
        RouteSettings=lambda: {"ThrottlingBurstLimit": v.number(5)}))
    return properties


def polling(v, **own):
    properties = {key: value for key, value in own.items() if value is not None}
    properties.update(v.choose(
        0.12, BatchSize=lambda: v.number(10, 100), Enabled=v.truth, MaximumBatchingWindowInSeconds=lambda: v.number(5),
        StartingPosition=lambda: v.text("LATEST", "TRIM_HORIZON", "AT_TIMESTAMP"), StartingPositionTimestamp=lambda: v.number(1600000000),
        BisectBatchOnFunctionError=v.truth, MaximumRecordAgeInSeconds=lambda: v.number(60), MaximumRetryAttempts=lambda: v.number(3),
        ParallelizationFactor=lambda: v.number(2), TumblingWindowInSeconds=lambda: v.number(30),
        FunctionResponseTypes=lambda: v.any(["ReportBatchItemFailures"]), FilterCriteria=lambda: v.any({"Filters": [{"Pattern": "{}"}]}),
        DestinationConfig=lambda: v.any({"OnFailure": {"Destination": v.arn("sqs"), **v.choose(0.5, Type=lambda: v.usual(["SQS", "SNS", "S3"], v.text("Other")))}}),
        KmsKeyArn=lambda: v.arn("kms"), ScalingConfig=lambda: {"MaximumConcurrency": v.number(2)}, MetricsConfig=lambda: {"Metrics": ["EventCount"]},
        ProvisionedPollerConfig=lambda: {"MinimumPollers": v.number(1)}, LoggingConfig=lambda: {"SystemLogLevel": "DEBUG"}))
    return properties


def stream(service):
    return lambda v: polling(v, Stream=v.arn(service), StartingPosition=v.text("LATEST", "TRIM_HORIZON", share=0.05))


def access(v, *kinds):
    return [{"Type": v.one(*kinds), "URI": v.text("arn:aws:secretsmanager:us-east-1:1:secret:a", "subnet:subnet-1", "security_group:sg-1")} for _ in range(v.one(1, 2, 3))]


def kafka(v):
    return polling(v, Topics=["topic"], KafkaBootstrapServers=v.any(["a:9092", "b:9092"]), **v.choose(
        0.8, SourceAccessConfigurations=lambda: access(v, "SASL_SCRAM_512_AUTH", "VPC_SUBNET", "VPC_SECURITY_GROUP", "BASIC_AUTH", "CLIENT_CERTIFICATE_TLS_AUTH"),
        ConsumerGroupId=lambda: v.text("group")))


def queue_broker(v):
    return polling(v, Broker=v.arn("mq"), Queues=v.any(["queue"]), **v.choose(
        0.85, SourceAccessConfigurations=lambda: access(v, "BASIC_AUTH", "BASIC_AUTH", "VIRTUAL_HOST")),
        **v.choose(0.1, SecretsManagerKmsKeyId=lambda: v.text("key"), DynamicPolicyName=lambda: v.truth(0)))


def documents(v):
    return polling(v, Cluster=v.arn("rds"), DatabaseName=v.text("db"), StartingPosition="LATEST", **v.choose(
        0.85, SourceAccessConfigurations=lambda: access(v, "BASIC_AUTH")), **v.choose(0.2, CollectionName=lambda: v.text("c"), FullDocument=lambda: v.text("UpdateLookup"), SecretsManagerKmsKeyId=lambda: v.text("key")))


def bucket(v):
    return {"Bucket": v.usual([{"Ref": "Bucket"}], v.text("name")), "Events": v.one("s3:ObjectCreated:*", ["s3:ObjectCreated:*", "s3:ObjectRemoved:*"]),
            **v.choose(0.3, Filter=lambda: {"S3Key": {"Rules": [{"Name": "suffix", "Value": v.text(".jpg")}]}})}


def topic(v):
    subscription = lambda: v.one(True, False, {"BatchSize": v.number(5), "QueuePolicyLogicalId": "MyPolicy", "QueueArn": v.arn("sqs"), "QueueUrl": {"Ref": "Queue"}, "Enabled": v.truth(0)})
    return {"Topic": v.one({"Ref": "Topic"}, v.arn("sns")), **v.choose(
        0.2, SqsSubscription=subscription, FilterPolicy=lambda: {"store": ["a", {"prefix": v.text("b")}]}, FilterPolicyScope=lambda: v.text("MessageBody"),
        Region=lambda: v.text("eu-west-1"), RedrivePolicy=lambda: {"deadLetterTargetArn": v.arn("sqs")})}


def dead_letters(v):
    return v.usual([{"Arn": v.arn("sqs")}, {"Type": "SQS"}, {"Type": "SQS", "QueueLogicalId": "Mine"}], {"Type": v.text("SQS", "SNS"), "QueueLogicalId": v.text("Other")}, {"Arn": v.arn("sqs"), "Type": "SQS"})


def scheduled(v):
    return {"Schedule": v.text("rate(1 minute)", "cron(0 12 * * ? *)"), **v.choose(
        0.15, Name=lambda: v.text("name"), RuleName=lambda: v.text("rule"), Description=lambda: v.text("words"), Enabled=v.truth, State=lambda: v.text("ENABLED", "DISABLED"),
        Input=lambda: v.text('{"a": 1}'), DeadLetterConfig=lambda: dead_letters(v), RetryPolicy=lambda: {"MaximumRetryAttempts": v.number(3)}, RoleArn=lambda: v.arn("iam"))}


def scheduler(v):
    return {"ScheduleExpression": v.text("rate(1 minute)"), **v.choose(
        0.15, Name=lambda: v.text("name"), OmitName=lambda: v.one(True, False), Description=lambda: v.text("words"), EndDate=lambda: v.text("2030-01-01T00:00:00.000Z"), StartDate=lambda: v.text("2029-01-01T00:00:00.000Z"),
        FlexibleTimeWindow=lambda: {"Mode": v.text("FLEXIBLE", "OFF"), "MaximumWindowInMinutes": v.number(5)}, GroupName=lambda: v.text("group"), Input=lambda: v.text("{}"),
        KmsKeyArn=lambda: v.arn("kms"), PermissionsBoundary=lambda: v.arn("iam"), RoleArn=lambda: v.arn("iam"), State=lambda: v.text("ENABLED", "DISABLED"),
        RetryPolicy=lambda: {"MaximumEventAgeInSeconds": v.number(60)}, DeadLetterConfig=lambda: dead_letters(v), ScheduleExpressionTimezone=lambda: v.text("UTC"))}


def rule(v):
    return {"Pattern": v.any({"source": ["aws.ec2"], "detail": {"state": [v.text("running")]}}), **v.choose(
        0.15, EventBusName=lambda: v.text("bus", {"Ref": "Bus"}), Input=lambda: v.text("{}"), InputPath=lambda: v.text("$.detail"), RuleName=lambda: v.text("rule"),
        InputTransformer=lambda: {"InputTemplate": v.text("<a>"), "InputPathsMap": {"a": "$.a"}}, State=lambda: v.text("ENABLED"), Enabled=v.truth,
        DeadLetterConfig=lambda: dead_letters(v), RetryPolicy=lambda: {"MaximumRetryAttempts": v.number(3)}, Target=lambda: {"Id": v.text("target")})}


def step_api(v):
    return {"Path": v.one(*PATHS), "Method": v.one("get", "post"), **v.choose(0.3, RestApiId=lambda: referred(v, "Api") or {"Ref": "ServerlessRestApi"}, Auth=lambda: event_auth(v), UnescapeMappingTemplate=lambda: v.truth(0))}


EVENTS = {
    "Api": api, "HttpApi": http_api, "SQS": lambda v: polling(v, Queue=v.arn("sqs")), "Kinesis": stream("kinesis"), "DynamoDB": stream("dynamodb"), "MSK": lambda v: {**stream("kafka")(v), "Topics": ["t"]},
    "MQ": queue_broker, "SelfManagedKafka": kafka, "DocumentDB": documents, "S3": bucket, "SNS": topic, "Schedule": scheduled, "ScheduleV2": scheduler,
    "CloudWatchEvent": rule, "EventBridgeRule": rule, "CloudWatchLogs": lambda v: {"LogGroupName": v.text("group"), "FilterPattern": v.text("pattern", "")},
    "IoTRule": lambda v: {"Sql": v.text("SELECT * FROM 'a'"), **v.choose(0.4, AwsIotSqlVersion=lambda: v.text("beta"))},
    "AlexaSkill": lambda v: v.choose(0.5, SkillId=lambda: v.text("amzn1.ask")),
    "Cognito": lambda v: {"UserPool": v.usual([{"Ref": "Pool"}], v.text("pool")), "Trigger": v.one("PreSignUp", ["PreSignUp", "Custom"], "PreSignUp")},
}
STEP_EVENTS = {"Api": step_api, "Schedule": scheduled, "ScheduleV2": scheduler, "CloudWatchEvent": rule, "EventBridgeRule": rule}
EVENT_WEIGHTS = {"Api": 6, "HttpApi": 5, "S3": 2, "SNS": 2}


def events(v, sources):
    names = sorted(sources)
    chosen = v.random.choices(names, [EVENT_WEIGHTS.get(name, 1) for name in names], k=v.one(1, 1, 2, 3, 5))
    made = {}
    for number, name in enumerate(chosen):
        made["%s%d%s" % (v.one("E", "A", "Z", "b"), number, v.one("", name))] = {"Type": name, "Properties": sources[name](v)}
    return made
