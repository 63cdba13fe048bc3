"""Types with few properties, connectors, and GraphQL."""


def table(v, name):
    return v.choose(0.35, PrimaryKey=lambda: {"Name": v.text("id", share=0.02), "Type": v.text("String", "Number", "Binary", share=0.05)}, ProvisionedThroughput=lambda: v.any({"ReadCapacityUnits": v.number(5), "WriteCapacityUnits": v.number(5)}),
                    SSESpecification=lambda: {"SSEEnabled": v.truth()}, TableName=lambda: v.text("name"), Tags=lambda: v.tags(), PointInTimeRecoverySpecification=lambda: {"PointInTimeRecoveryEnabled": v.truth()})


def application(v, name):
    location = v.one("s3://bucket/template.yaml", {"ApplicationId": v.text("arn:aws:serverlessrepo:us-east-1:1:applications/a", share=0.05), "SemanticVersion": v.text("1.0.0", share=0.05)}, v.usual(["s3://bucket/b.yaml"], {"Ref": "Text"}))
    return {"Location": location, **v.choose(0.3, Parameters=lambda: {"A": v.text("b")}, NotificationARNs=lambda: [v.arn("sns")], Tags=lambda: v.tags(), TimeoutInMinutes=lambda: v.number(5))}


CONNECTED = ["AWS::Lambda::Function", "AWS::SQS::Queue", "AWS::SNS::Topic", "AWS::S3::Bucket", "AWS::DynamoDB::Table", "AWS::Events::Rule", "AWS::StepFunctions::StateMachine", "AWS::ApiGateway::RestApi", "AWS::ApiGatewayV2::Api",
             "AWS::Events::EventBus", "AWS::Serverless::Function", "AWS::Serverless::Api", "AWS::Serverless::HttpApi", "AWS::Serverless::SimpleTable", "AWS::Location::PlaceIndex", "AWS::AppSync::DataSource", "AWS::AppSync::GraphQLApi", "AWS::EC2::VPC"]


def end(v):
    if v.chance(0.7):
        return {"Id": v.one(*(v.names + v.plain)), **v.choose(0.1, Qualifier=lambda: v.text("Prod/*", "q"))}
    return {"Type": v.one(*CONNECTED), **v.choose(0.75, Arn=lambda: v.arn("x"), RoleName=lambda: v.text("role", {"Ref": "OtherRole"}), QueueUrl=lambda: {"Ref": "Queue"}, Name=lambda: v.text("name"), Qualifier=lambda: v.text("q"), ResourceId=lambda: v.text("id"))}


def connector(v, name):
    destination = [end(v) for _ in range(v.one(1, 2, 3))] if v.chance(0.2) else end(v)
    permissions = v.one(["Read", "Write"], ["Write"], ["Write"], ["Read"], ["Write", "Read"], [], ["Other"])
    return {"Source": end(v), "Destination": destination, "Permissions": permissions}


def authentication(v):
    kind = v.one("API_KEY", "AWS_IAM", "AWS_LAMBDA", "OPENID_CONNECT", "AMAZON_COGNITO_USER_POOLS")
    details = {
        "AWS_LAMBDA": lambda: {"LambdaAuthorizer": {"AuthorizerUri": v.arn("lambda"), **v.choose(0.4, AuthorizerResultTtlInSeconds=lambda: v.number(5), IdentityValidationExpression=lambda: v.text("a"))}},
        "OPENID_CONNECT": lambda: {"OpenIDConnect": {"Issuer": v.text("https://a"), **v.choose(0.4, ClientId=lambda: v.text("c"), AuthTTL=lambda: v.number(5), IatTTL=lambda: v.number(5))}},
        "AMAZON_COGNITO_USER_POOLS": lambda: {"UserPool": {"UserPoolId": v.text("pool", {"Ref": "Pool"}), **v.choose(0.4, AwsRegion=lambda: v.text("us-east-1"), DefaultAction=lambda: v.text("ALLOW"), AppIdClientRegex=lambda: v.text("a"))}},
    }.get(kind, dict)
    return {"Type": v.text(kind, share=0.02), **(details() if v.chance(0.95) else {})}


def sync(v):
    return {"ConflictDetection": v.text("VERSION"), **v.choose(0.5, ConflictHandler=lambda: v.text("LAMBDA"), LambdaConflictHandlerConfig=lambda: {"LambdaConflictHandlerArn": v.arn("lambda")})}


def resolver_code(v):
    code = v.usual([{"InlineCode": v.text("code")}, {"CodeUri": v.one("s3://a/b", {"Bucket": "a", "Key": "b"}, v.text("s3://c/d"))}], {})
    return {**code, **v.choose(1 if v.is_careful else 0.8, Runtime=lambda: {"Name": v.text("APPSYNC_JS"), "Version": v.text("1.0.0")}), **v.choose(0.15, MaxBatchSize=lambda: v.number(5), Sync=lambda: sync(v))}


def graphql(v, name):
    functions = v.random.sample(["first", "second", "third"], v.one(0, 1, 2, 3))
    def data_source():
        return v.choose(0.25, Name=lambda: v.text("name"), Description=lambda: v.text("words"), ServiceRoleArn=lambda: v.arn("iam"))
    def dynamo():
        return {"TableName": v.text("t", {"Ref": "Table"}), **data_source(), **v.choose(0.3, TableArn=lambda: v.arn("dynamodb"), Permissions=lambda: v.one(["Read"], ["Write"], ["Read", "Write"], ["Other"], v.text("Read")), Region=lambda: v.text("us-east-1"), UseCallerCredentials=v.truth, Versioned=v.truth,
                DeltaSync=lambda: {"BaseTableTTL": v.number(5), "DeltaSyncTableName": v.text("d"), "DeltaSyncTableTTL": v.number(5)})}
    def resolver():
        return {**v.choose(1 if v.is_careful else 0.85, Pipeline=lambda: v.random.sample(functions, min(len(functions), v.one(1, 2))) + v.usual([[]], ["missing"])), **resolver_code(v), **v.choose(0.15, FieldName=lambda: v.text("field", share=0.02), Caching=lambda: {"Ttl": v.number(5), "CachingKeys": ["a"]})}
    p = {"Auth": {**authentication(v), **v.choose(0.25, Additional=lambda: [authentication(v) for _ in range(v.one(1, 2))])}}
    p.update(v.one({"SchemaInline": v.text("type Query { a: String }")}, {"SchemaUri": v.one("s3://a/b", v.text("s3://a/c"))}, {"SchemaInline": "x"}, {"SchemaInline": "x", "SchemaUri": "s3://a/b"} if v.chance(0.2) else {"SchemaUri": "s3://a/d"}))
    if v.chance(0.6):
        p["DataSources"] = v.choose(0.7, DynamoDb=lambda: {key: dynamo() for key in v.random.sample(["Src1", "Src2"], v.one(1, 2))}, Lambda=lambda: {"Fun1": {"FunctionArn": v.arn("lambda"), **data_source()}})
    if functions:
        p["Functions"] = {key: {**v.choose(1 if v.is_careful else 0.9, DataSource=lambda: v.usual(["NONE", "None"], "Src1", "Fun1", v.text("Src9"))), **resolver_code(v), **v.choose(0.15, Name=lambda: v.text("n", share=0.02), Description=lambda: v.text("words"), Id=lambda: v.text("id"))} for key in functions}
    if v.chance(0.5) and (functions or v.slip()):
        p["Resolvers"] = {kind: {field: resolver() for field in v.random.sample(["get", "put"], v.one(1, 2))} for kind in v.random.sample(["Query", "Mutation"], v.one(1, 2))}
    p.update(v.choose(
        0.15, Tags=lambda: v.tags(), Name=lambda: v.text("name"), XrayEnabled=lambda: v.truth(), Logging=lambda: v.one(True, False, v.choose(0.5, CloudWatchLogsRoleArn=lambda: v.arn("iam"), ExcludeVerboseContent=v.truth, FieldLogLevel=lambda: v.text("ALL"))),
        ApiKeys=lambda: {"Key1": v.choose(0.4, ApiKeyId=lambda: v.text("id"), Description=lambda: v.text("words"), ExpiresOn=lambda: v.number(5))}, DomainName=lambda: {"CertificateArn": v.arn("acm"), "DomainName": v.text("a.b"), **v.choose(0.4, Description=lambda: v.text("words"))},
        Cache=lambda: {"ApiCachingBehavior": v.text("FULL"), "Ttl": v.number(5), "Type": v.text("SMALL"), **v.choose(0.3, AtRestEncryptionEnabled=v.truth, TransitEncryptionEnabled=v.truth)}, Visibility=lambda: v.text("PRIVATE"), OwnerContact=lambda: v.text("me"),
        IntrospectionConfig=lambda: v.text("DISABLED"), QueryDepthLimit=lambda: v.number(5), ResolverCountLimit=lambda: v.number(5)))
    return p


def capacity_provider(v, name):
    return {"VpcConfig": v.subnets() if v.chance(0.7) else {"SubnetIds": v.any(["s-1"])}, **v.choose(
        0.3, CapacityProviderName=lambda: v.text("name"), OperatorRole=lambda: v.arn("iam"), Tags=lambda: v.tags(), PropagateTags=lambda: v.truth(0.05), KmsKeyArn=lambda: v.arn("kms"), LoggingConfig=lambda: v.any({"LogGroup": v.text("g")}), ManagedResourceTags=lambda: {"Tags": v.tags()},
        InstanceRequirements=lambda: v.choose(0.5, Architectures=lambda: v.any(["arm64"]), AllowedTypes=lambda: v.any(["m5.large"]), ExcludedTypes=lambda: [v.text("t2.*")]), ScalingConfig=lambda: v.choose(0.6, MaxVCpuCount=lambda: v.number(5), AverageCPUUtilization=lambda: v.number(50.0, 70)))}


def network_connector(v, name):
    vpc = {"SubnetIds": ["s-1", v.text("s-2")], "SecurityGroupIds": ["g-1"], "NetworkProtocol": v.usual(["IPv4", "DualStack"], v.text("IPv6"))}
    return {"VpcConfig": vpc, **v.choose(0.3, Name=lambda: v.text("name"), ComputeTypes=lambda: v.usual([["MicroVm"], ["WebFunction"]], [v.text("x")]), OperatorRole=lambda: v.arn("iam"), Tags=lambda: v.tags(), PropagateTags=lambda: v.truth(0) if v.slip() else True)}


def image(v, name):
    hooks = lambda: v.choose(0.5, Port=lambda: v.number(80), MicrovmHooks=lambda: {"Run": v.usual(["ENABLED", "DISABLED"], v.text("x")), "RunTimeoutInSeconds": v.number(5)}, MicrovmImageHooks=lambda: {"Ready": "ENABLED"})
    return {"Name": v.text("name"), "CodeUri": v.text("s3://bucket/key", "s3://other/a/b.zip"), "BaseImageArn": v.arn("lambda"), "BaseImageVersion": v.text("1"), **v.choose(
        0.25, BuildRoleArn=lambda: v.arn("iam"), Description=lambda: v.text("words"), Tags=lambda: v.tags(), PropagateTags=lambda: True, Logging=lambda: v.choose(0.6, Disabled=lambda: v.one(True, False), CloudWatch=lambda: {"LogGroup": v.text("g")}), EgressNetworkConnectors=lambda: [v.text("a")],
        CpuConfigurations=lambda: [{"Architecture": v.usual(["ARM_64"], v.text("x"))}], Resources=lambda: [{"MinimumMemoryInMiB": v.number(512)}], AdditionalOsCapabilities=lambda: [v.usual(["ALL"], v.text("x"))], Hooks=hooks, EnvironmentVariables=lambda: {"A": v.text("b"), "B": 5})}


def regions(v):
    names = lambda: [v.text("eu-west-1", "us-east-1", "us", "EU", "sa", share=0.1) for _ in range(v.one(1, 2, 3))]
    return v.usual([names(), {"IncludeRegions": names()}, {"IncludeRegions": ["us", "eu"], "ExcludeRegions": ["eu", "us-east-1"]}], {"IncludeRegions": names(), "ExcludeRegions": names()}, {"ExcludeRegions": names()}, ["mars"], {"Other": 1})


def web_function(v, name):
    return {"Runtime": v.text("nodejs22.x"), "AuthType": v.text("NONE", "AWS_IAM"), **v.usual([{"CodeUri": v.code()}], {"InlineCode": v.text("x")}), **v.choose(
        0.2, FunctionName=lambda: v.text("name"), Timeout=lambda: v.number(5), EnvironmentVariables=lambda: v.any({"A": v.text("b")}), ExecutionRoleArn=lambda: v.arn("iam"), EndpointName=lambda: v.text("e"), EndpointType=lambda: v.text("HomeRegion", "MultiRegion"), EndpointDescription=lambda: v.text("words"), AutoDeploymentMode=lambda: v.usual(["LatestRevision", "Disabled"], v.text("a")),
        RevisionWeights=lambda: v.any(v.usual([{"a": 100}, {"a": 40, "b": 60}, {"a": {"Ref": "Number"}}], {"a": 1}, {"a": "b"})), ReplicaRegions=lambda: v.any(regions(v)), RevisionDescription=lambda: v.text("words"), KmsKeyArn=lambda: v.arn("kms"), LoggingConfig=lambda: {"LogGroup": v.text("g")}, ScalingConfig=lambda: {"Max": v.number(5)}, ThrottleConfig=lambda: {"Rate": v.number(5)},
        MaxConcurrencyPerEnvironment=lambda: v.number(5), EgressNetworkConnectorArn=lambda: v.arn("x"), EntryPoint=lambda: v.text("run.sh"), Tags=lambda: v.tags())}
