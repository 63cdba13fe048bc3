"""APIs of the three kinds."""

from events import METHODS, PATHS, resource_policy

POOL = "arn:aws:cognito-idp:us-east-1:1:userpool/us-east-1_a"


def body(v):
    """An authored definition, in Swagger 2 or OpenAPI 3, of which some paths and methods are those of events."""
    version = v.one({"swagger": "2.0"}, {"openapi": "3.0.1"}, {"swagger": 2.0} if v.chance(0.1) else {"openapi": "3.0"})
    paths = {}
    for path in v.random.sample(PATHS, v.one(0, 1, 2)):
        method = {"responses": {}, **v.choose(0.2, security=[{"One": []}], parameters=[{"name": "a", "in": "query"}])}
        paths[path] = {v.one(*METHODS).lower(): method, **v.choose(0.1, options=dict(method))}
    extra = v.choose(0.15, info={"title": "t", "version": {"Ref": "Text"}}, tags=[{"name": "a"}], components={"securitySchemes": {"Old": {"type": "apiKey"}}}, securityDefinitions={"Old": {"type": "apiKey"}}, definitions={"M": {}})
    return {**version, "paths": paths, **extra}


def include(v):
    return {"Fn::Transform": {"Name": "AWS::Include", "Parameters": {"Location": "s3://bucket/api.yaml"}}}


def cors(v):
    return v.one("'*'", v.text("'a.b'"), {"AllowOrigin": v.text("'*'"), **v.choose(0.4, AllowHeaders=lambda: v.text("'A,B'"), AllowMethods=lambda: v.text("'GET'"), AllowCredentials=lambda: v.one(True, False), MaxAge=lambda: v.text("'600'"))})


def domain(v, name, websocket=False):
    made = {"DomainName": v.text("a.example.com", "b.example.com"), "CertificateArn": v.arn("acm")}
    made.update(v.choose(
        0.25, BasePath=lambda: v.any(v.one(["a", "b-c"], ["/"], ["/a_b"], ["v1", v.text("v2", share=0.05)])), EndpointConfiguration=lambda: v.text("REGIONAL", *(() if websocket else ("EDGE", "PRIVATE")), share=0.05),
        MutualTlsAuthentication=lambda: {"TruststoreUri": v.text("s3://a/b"), "TruststoreVersion": "1"}, OwnershipVerificationCertificateArn=lambda: v.arn("acm"), SecurityPolicy=lambda: v.text("TLS_1_2"),
        Route53=lambda: {**v.one({"HostedZoneId": v.text("Z1")}, {"HostedZoneName": v.text("example.com.")}), **v.choose(
            0.25, EvaluateTargetHealth=lambda: v.truth(0), IpV6=lambda: v.truth(0), DistributionDomainName=lambda: v.text("d.cloudfront.net"), Region=lambda: v.text("eu-west-1"), SetIdentifier=lambda: v.text("set"), VpcEndpointDomainName=lambda: v.text("a"), VpcEndpointHostedZoneId=lambda: v.text("b"), Separate=lambda: True)},
        NormalizeBasePath=lambda: v.truth(0), IpAddressType=lambda: v.text("ipv4"), AccessAssociation=lambda: {"VpcEndpointId": v.text("vpce-1")}, Policy=lambda: {"Statement": []}))
    return made


def identity(v):
    return v.choose(0.4, Header=lambda: v.text("Auth"), ReauthorizeEvery=lambda: v.number(0, 60), ValidationExpression=lambda: v.text("^a"), Headers=["A"], QueryStrings=["q"], StageVariables=["s"], Context=["c"])


def authorizer(v):
    if v.chance(0.4):
        return {"UserPoolArn": v.one(POOL, [POOL, v.arn("cognito-idp")], {"Fn::GetAtt": ["Pool", "Arn"]}), **v.choose(0.4, Identity=lambda: identity(v), AuthorizationScopes=["a.read"])}
    target = v.one({"Fn::GetAtt": [v.one(*(v.names or ["Queue"])), "Arn"]}, "arn:aws:lambda:us-east-1:1:function:f", v.text("arn:aws:lambda:us-east-1:1:function:g"))
    return {"FunctionArn": target, **v.choose(0.35, FunctionPayloadType=lambda: v.text("REQUEST", "TOKEN", share=0.03), FunctionInvokeRole=lambda: v.arn("iam"), Identity=lambda: identity(v), DisableFunctionDefaultPermissions=lambda: v.truth(0), AuthorizationScopes=["a"])}


def usage_plan(v):
    return {"CreateUsagePlan": v.one("PER_API", "SHARED", "NONE"), **v.choose(0.3, Description=lambda: v.text("words"), Quota=lambda: {"Limit": v.number(5), "Period": "DAY"}, Tags=[{"Key": "a", "Value": "b"}], Throttle=lambda: {"RateLimit": v.number(1)}, UsagePlanName=lambda: v.text("plan"))}


def rest_auth(v):
    return v.choose(
        0.3, Authorizers=lambda: {name: authorizer(v) for name in v.random.sample(["One", "Two"], v.one(1, 2))}, DefaultAuthorizer=lambda: v.usual(["AWS_IAM"], "One", "Two", v.text("Missing")), AddDefaultAuthorizerToCorsPreflight=lambda: v.truth(0),
        ApiKeyRequired=lambda: v.truth(0), InvokeRole=lambda: v.text("CALLER_CREDENTIALS", "NONE", "arn:aws:iam::1:role/r"), ResourcePolicy=lambda: resource_policy(v), UsagePlan=lambda: usage_plan(v), AddApiKeyRequiredToCorsPreflight=lambda: v.truth(0))


def rest(v, name):
    p = {"StageName": v.text("Prod", "dev", "a-b", "Stage", share=0.15)}
    source = v.random.random()
    if source < 0.35:
        p["DefinitionBody"] = include(v) if v.chance(0.1) else body(v)
    elif source < 0.45:
        p["DefinitionUri"] = v.code()
    p.update(v.choose(0.25, Auth=lambda: rest_auth(v), Cors=lambda: cors(v), Tags=lambda: v.tags(), EndpointConfiguration=lambda: v.one(v.text("REGIONAL", "PRIVATE"), {"Type": v.text("PRIVATE"), "VPCEndpointIds": v.any(["vpce-1"])})))
    if "Auth" in p and "Authorizers" in p["Auth"] and v.chance(0.5):
        p["Auth"]["DefaultAuthorizer"] = v.one(*p["Auth"]["Authorizers"])
    p.update(v.choose(
        0.09, AccessLogSetting=lambda: {"DestinationArn": v.arn("logs"), "Format": v.text("f")}, ApiKeySourceType=lambda: v.text("HEADER", "AUTHORIZER"), BinaryMediaTypes=lambda: v.any(["image~1gif", v.text("a/b", "*~1*")]), CacheClusterEnabled=v.truth,
        CacheClusterSize=lambda: v.text("0.5"), CanarySetting=lambda: {"PercentTraffic": v.number(5)}, Description=lambda: v.text("words"), DisableExecuteApiEndpoint=v.truth, Domain=lambda: domain(v, name), FailOnWarnings=v.truth,
        GatewayResponses=lambda: {v.one("UNAUTHORIZED", "DEFAULT_4XX"): v.choose(0.7, StatusCode=lambda: v.usual(["401", 403], v.text("401")), ResponseParameters=lambda: {"Headers": {"A": v.text("'*'")}, **v.choose(0.3, Paths={"p": "'a'"}, QueryStrings={"q": "'a'"})}, ResponseTemplates=lambda: {"application/json": v.text("{}")})},
        MergeDefinitions=lambda: v.truth(0), MethodSettings=lambda: v.any([{"HttpMethod": "*", "ResourcePath": "/*", "LoggingLevel": v.text("INFO")}]), MinimumCompressionSize=lambda: v.number(5), Mode=lambda: v.text("overwrite"),
        Models=lambda: {"User": {"type": "object", "properties": {"a": {"type": "string"}}}}, Name=lambda: v.text("name"), OpenApiVersion=lambda: v.usual(["3.0.1", "3.0.3", "2.0"], v.text("4")), PropagateTags=lambda: v.truth(0), TracingEnabled=v.truth,
        Variables=lambda: v.any({"A": v.text("b")}), Policy=lambda: {"Statement": []}, SecurityPolicy=lambda: v.text("TLS_1_2"), EndpointAccessMode=lambda: v.text("STRICT")))
    return p


def http_authorizer(v):
    kind = v.random.random()
    if kind < 0.5:
        return {"JwtConfiguration": v.any({"issuer": v.text("https://a"), "audience": ["a", v.text("b")]}), **v.choose(0.7, IdentitySource=lambda: v.text("$request.header.A"), AuthorizationScopes=["a"])}
    return {"FunctionArn": v.one({"Fn::GetAtt": [v.one(*(v.names or ["Queue"])), "Arn"]}, v.arn("lambda")), "AuthorizerPayloadFormatVersion": v.one("2.0", "1.0", 2.0, v.text("2.0")), **v.choose(
        0.35, EnableSimpleResponses=lambda: v.truth(0), FunctionInvokeRole=lambda: v.arn("iam"), EnableFunctionDefaultPermissions=lambda: v.truth(0), Identity=lambda: identity(v))}


def http_cors(v):
    return v.one(True, False, v.choose(0.5, AllowOrigins=lambda: v.any(["https://a"]), AllowMethods=lambda: v.any(["GET"]), AllowHeaders=["A"], ExposeHeaders=["B"], MaxAge=lambda: v.number(6), AllowCredentials=lambda: v.truth(0)))


def http(v, name):
    p = {}
    if v.chance(0.3):
        p["DefinitionBody"] = {**body(v), "openapi": "3.0.1"}
    elif v.chance(0.1):
        p["DefinitionUri"] = v.code()
    p.update(v.choose(0.25, Auth=lambda: v.choose(0.6, Authorizers=lambda: {key: http_authorizer(v) for key in v.random.sample(["One", "Two"], v.one(1, 2))}, DefaultAuthorizer=lambda: v.usual(["NONE"], v.text("One", "AWS_IAM", "Missing")), EnableIamAuthorizer=lambda: v.truth(0.05)),
                      CorsConfiguration=lambda: http_cors(v), StageName=lambda: v.text("prod", "$default", "a-b"), Tags=lambda: v.tags()))
    if "Auth" in p and "Authorizers" in p["Auth"] and v.chance(0.5):
        p["Auth"]["DefaultAuthorizer"] = v.one(*p["Auth"]["Authorizers"])
    p.update(stage(v))
    p.update(v.choose(0.1, Description=lambda: v.text("words"), Domain=lambda: domain(v, name), Name=lambda: v.text("name"), FailOnWarnings=v.truth))
    return p


def stage(v):
    return v.choose(0.12, AccessLogSettings=lambda: v.any({"DestinationArn": v.arn("logs"), "Format": "f"}), DefaultRouteSettings=lambda: v.any({"ThrottlingBurstLimit": v.number(5)}), DisableExecuteApiEndpoint=v.truth, PropagateTags=lambda: v.truth(0),
                    RouteSettings=lambda: v.any({v.one("GET /a", "$default", "$connect"): {"ThrottlingBurstLimit": v.number(5)}}), StageVariables=lambda: v.any({"A": v.text("b")}))


def websocket(v, name):
    def route():
        return {"FunctionArn": v.one({"Fn::GetAtt": [v.one(*(v.names or ["Queue"])), "Arn"]}, v.arn("lambda"), {"Fn::Sub": "arn:aws:lambda:${AWS::Region}:1:function:f"}), **v.choose(
            0.12, ApiKeyRequired=lambda: v.truth(), IntegrationTimeout=lambda: v.number(100, 29000, 10), ModelSelectionExpression=lambda: v.text("$m"), OperationName=lambda: v.text("op"), RequestModels=lambda: {"a": v.text("b")}, RequestParameters=lambda: {"a": {"Required": v.truth()}}, RouteResponseSelectionExpression=lambda: v.text("$default"))}
    routes = v.random.sample(["$connect", "$disconnect", "$default", "send", "getIt", v.usual(["more"], "a_b")], v.one(1, 2, 3, 4))
    p = {"RouteSelectionExpression": v.text("$request.body.action"), "Routes": {key: route() for key in routes}}
    auth = lambda: {"AuthType": v.text("NONE", "AWS_IAM", "CUSTOM", "CUSTOM", share=0.03), **v.choose(0.6, AuthArn=lambda: v.one({"Fn::GetAtt": [v.one(*(v.names or ["Queue"])), "Arn"]}, v.arn("lambda")), InvokeRole=lambda: v.arn("iam"), IdentitySource=lambda: v.any(["route.request.header.A"]), Name=lambda: v.text("auth"))}
    p.update(stage(v))
    p.update(v.choose(0.12, ApiKeySelectionExpression=lambda: v.text("$request.header.k"), Description=lambda: v.text("words"), DisableSchemaValidation=v.truth, Domain=lambda: domain(v, name, True), IpAddressType=lambda: v.text("ipv4"), Name=lambda: v.text("name"), FailOnWarnings=v.truth))
    p.update(v.choose(0.6 if "$connect" in routes or v.slip(0.2) else 0, Auth=auth))
    p.update(v.choose(0.3, StageName=lambda: v.text("prod", "a-b"), Tags=lambda: v.tags()))
    return p
