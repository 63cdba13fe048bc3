//! `formwork local` as people run it.
//!
//! Holds reference/local.md#invoke, reference/local.md#functions, reference/local.md#start-api,
//! reference/local.md#start-lambda, reference/local.md#function-urls.
#![cfg(feature = "local")]

mod credentials;
mod faults;
mod harness;
mod interrupts;

use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::processes::await_end;
use harness::{CODE, Folder, Server, TEMPLATE, get, invoke, request, text};
use serde_json::{Value, json};

#[test]
fn invoke_prints_the_result_alone() {
    let folder = Folder::new("invoke");
    folder.write("event.json", "{\"pathParameters\": {\"id\": \"7\"}}");
    let output = folder.run(&["local", "invoke", "UsersFunction", "-e", "event.json"]);
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((output.status.code(), &result["statusCode"]), (Some(0), &json!(200)));
    assert_eq!(text(&output.stdout).matches('\n').count(), 1);
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("REPORT RequestId: ") && stderr.matches("known only after deployment").count() == 1,
        "{stderr}"
    );

    let failed = folder.run(&["local", "invoke", "Bad"]);
    let error: Value = serde_json::from_slice(&failed.stdout).expect("JSON");
    assert_eq!((failed.status.code(), &error["errorType"]), (Some(1), &json!("ValueError")));

    for words in [&["local", "invoke", "UserFunction"][..], &["local", "invoke"]] {
        let unknown = folder.run(words);
        assert_eq!((unknown.status.code(), unknown.stdout.is_empty()), (Some(2), true));
        let stderr = text(&unknown.stderr);
        assert!(stderr.contains("    UsersFunction  (template.yaml:10)\n    OrdersFunction"), "{stderr}");
    }
    let unknown = text(&folder.run(&["local", "invoke", "UserFunction"]).stderr);
    assert!(unknown.contains("did you mean UsersFunction?"), "{unknown}");

    folder.write("wrong.json", "{");
    for event in ["wrong.json", "nosuch.json"] {
        let output = folder.run(&["local", "invoke", "Web", "-e", event]);
        assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true));
        assert!(!text(&output.stderr).contains("START"));
    }
}

/// What CloudFormation alone resolves reaches a function as text, and not without a word.
#[test]
fn dynamic_references_are_warned_about_once_for_each_variable() {
    let folder = Folder::new("unresolved");
    let template = "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Globals:
  Function: {Runtime: python3.11, CodeUri: src, Handler: app.show, Environment: {Variables: {TOKEN: '{{resolve:ssm:/token}}'}}}
Parameters:
  Secret: {Type: String, NoEcho: true, Default: '{{resolve:secretsmanager:hidden-name}}'}
Resources:
  Fn::ForEach::Functions:
    - Name
    - [Users, Orders]
    - ${Name}Function:
        Type: AWS::Serverless::Function
        Properties:
          Environment: {Variables: {KEY: !Sub '{{resolve:ssm:/${Name}/key:1}}', PLAIN: x}}
  Own:
    Type: AWS::Serverless::Function
    Properties:
      Environment:
        Variables:
          PASSWORD: !Ref Secret
";
    folder.write("template.yaml", template);
    folder.write(
        "src/app.py",
        "import os\ndef show(event, context):\n    return [os.environ[n] for n in ('TOKEN', 'KEY')]\n",
    );
    let output = folder.run(&["local", "invoke", "UsersFunction"]);
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(result, json!(["{{resolve:ssm:/token}}", "{{resolve:ssm:/Users/key:1}}"]));
    let stderr = text(&output.stderr);
    let warned = |name: &str, of: &str| {
        stderr.contains(&format!(
            "warning[FW0124]: variable {name} of {of} is a dynamic reference, which only CloudFormation"
        ))
    };
    assert!(warned("TOKEN", "UsersFunction") && warned("KEY", "UsersFunction"), "{stderr}");
    assert!(stderr.contains("template.yaml:3:") && stderr.contains("template.yaml:13:"), "{stderr}");
    assert_eq!(stderr.matches("FW0124]").count(), 2, "those of other functions: {stderr}");
    // A value for this machine takes its place.
    folder.write("env.json", "{\"Parameters\": {\"TOKEN\": \"t\"}, \"UsersFunction\": {\"KEY\": \"k\"}}");
    let output = folder.run(&["local", "invoke", "UsersFunction", "-n", "env.json"]);
    assert!(!text(&output.stderr).contains("FW0124"), "{}", text(&output.stderr));
    // A server has all functions: each place once, and no value of a NoEcho parameter.
    let server = Server::start(&folder, &["local", "start-lambda", "--port", "0"]);
    let said = server.until("Lambda is at");
    assert!(said.contains("variable TOKEN of UsersFunction and 2 more functions"), "{said}");
    assert!(said.contains("variable KEY of UsersFunction and 1 more function "), "{said}");
    assert!(said.contains("variable PASSWORD of Own") && !said.contains("hidden-name"), "{said}");
    assert_eq!(said.matches("FW0124]").count(), 3, "{said}");
    let strict = folder.run(&["local", "invoke", "UsersFunction", "--strict"]);
    assert_eq!((strict.status.code(), strict.stdout.is_empty()), (Some(1), true), "{}", text(&strict.stderr));
}

#[test]
fn a_function_has_the_layer_that_a_nested_stack_outputs() {
    let folder = Folder::new("layers");
    let function = |runtime: &str| format!("Handler: app.handler, Runtime: {runtime}, CodeUri: src");
    let template = format!(
        "Transform: AWS::Serverless-2016-10-31\nResources:\n  Stack:\n    Type: AWS::CloudFormation::Stack\n    Properties: {{TemplateURL: layers/template.yaml}}\n  F:\n    Type: AWS::Serverless::Function\n    Properties: {{{}, Layers: [!GetAtt [Stack, Outputs.Packages]]}}\n",
        function("python3.12")
    );
    folder.write("built.yaml", &template);
    folder.write(
        "layers/template.yaml",
        "Resources:\n  Own: {Type: AWS::Lambda::LayerVersion, Properties: {Content: files}}\nOutputs:\n  Packages: {Value: !Ref Own}\n",
    );
    folder.write("layers/files/python/from_layer.py", "VALUE = 'of the layer'\n");
    folder.write(
        "src/app.py",
        "import os, sys\nimport from_layer\ndef handler(event, context):\n    machine = [p for p in sys.path if os.path.basename(p) in ('site-packages', 'dist-packages') and 'layers' not in p]\n    return [from_layer.VALUE, machine]\n",
    );
    let output = folder.run(&["local", "invoke", "F", "-t", "built.yaml"]);
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(result, json!(["of the layer", []]), "{}", text(&output.stderr));
}

/// Waits until `/web` answers with a key. Edited code is served within 2 seconds, and machines that run tests are slow.
fn await_key(port: u16, key: &str) {
    let until = Instant::now() + Duration::from_secs(7);
    while get(port, "/web").1.get(key).is_none() {
        assert!(Instant::now() < until, "{key} is not served");
        thread::sleep(Duration::from_millis(100));
    }
}

fn await_status(port: u16, status: u16) {
    let until = Instant::now() + Duration::from_secs(7);
    while get(port, "/web").0 != status {
        assert!(Instant::now() < until, "{status} is not served");
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn start_api_serves_edits_and_survives_a_broken_template() {
    let folder = Folder::new("api");
    let server = Server::start(&folder, &["local", "start-api", "--port", "0"]);
    let rest = server.port("REST API ServerlessRestApi");
    let http = server.port("HTTP API ServerlessHttpApi");
    assert_eq!(get(rest, "/Users/a%2Fb"), (200, json!({"id": "a/b", "f": "UsersFunction"})));
    assert_eq!(get(rest, "/nosuch"), (403, json!({"message": "Missing Authentication Token"})));
    assert_eq!(get(http, "/nosuch"), (404, json!({"message": "Not Found"})));
    let (status, result) = get(http, "/web?n=5");
    assert_eq!((status, &result["n"], &result["table"]), (200, &json!("5"), &json!("Table")));
    let preflight = "OPTIONS /web HTTP/1.1\r\nHost: localhost\r\nOrigin: https://a.test\r\nAccess-Control-Request-Method: GET\r\nConnection: close\r\n\r\n";
    let (status, head, _) = request(http, preflight);
    assert!(status == 204 && head.contains("access-control-allow-origin: https://a.test"), "{head}");

    folder.write("src/app.py", &CODE.replace("'table'", "'edited'"));
    await_key(http, "edited");
    // Editors put another file in the place of the edited one.
    folder.write("src/app.py.tmp", &CODE.replace("'table'", "'renamed'"));
    std::fs::rename(folder.0.join("src/app.py.tmp"), folder.0.join("src/app.py")).expect("a rename");
    await_key(http, "renamed");
    folder.write("src/app.py", "def http(:");
    await_status(http, 502);
    folder.write("src/app.py", CODE);
    await_status(http, 200);
    folder.write("template.yaml", "Resources: [");
    server.line("are still served");
    assert_eq!(get(http, "/web").0, 200);
    folder.write("template.yaml", &TEMPLATE.replace("/web", "/other"));
    server.line("GET  /other");
    assert_eq!((get(http, "/web").0, get(http, "/other").0), (404, 200));
    let process = get(http, "/other").1["pid"].to_string();
    server.end();
    await_end(&process, Duration::from_secs(5));
}

#[test]
fn routes_of_a_document_in_a_file_follow_its_edits() {
    let template = "Transform: AWS::Serverless-2016-10-31
Globals: {Function: {Runtime: python3.11, CodeUri: src}}
Resources:
  Shop: {Type: AWS::Serverless::HttpApi, Properties: {DefinitionUri: openapi.yaml}}
  Web: {Type: AWS::Serverless::Function, Properties: {Handler: app.http}}
";
    let document = "openapi: 3.0.1
paths:
  /first:
    get:
      x-amazon-apigateway-integration:
        type: aws_proxy
        payloadFormatVersion: '2.0'
        uri: !Sub arn:aws:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${Web.Arn}/invocations
";
    let folder = Folder::new("document");
    folder.write("template.yaml", template);
    let output = folder.run(&["local", "start-api", "--port", "0"]);
    let printed = text(&output.stderr);
    let missing = "the routes in the DefinitionUri of Shop are not served: openapi.yaml: no such file";
    assert!(printed.contains(missing) && printed.contains("--> template.yaml:4"), "{printed}");
    assert_eq!(output.status.code(), Some(1));

    folder.write("openapi.yaml", document);
    let server = Server::start(&folder, &["local", "start-api", "--port", "0"]);
    let port = server.port("HTTP API Shop");
    assert_eq!(get(port, "/first").0, 200);
    folder.write("openapi.yaml", "paths: [");
    server.line("openapi.yaml: it is neither YAML nor JSON");
    assert_eq!(get(port, "/first").0, 200);
    folder.write("openapi.yaml", &document.replace("/first", "/second"));
    server.line("GET  /second");
    assert_eq!((get(port, "/first").0, get(port, "/second").0), (404, 200));
    server.end();
}

#[test]
fn an_event_of_a_service_runs_a_function() {
    let folder = Folder::new("generate");
    folder.write("src/app.py", "def http(event, context):\n    return event['Records'][0]['s3']['object']['key']\n");
    let printed = folder.run(&["local", "generate-event", "s3", "put", "--bucket", "photos", "--key", "cat.png"]);
    assert_eq!(printed.status.code(), Some(0), "{}", text(&printed.stderr));
    folder.write("event.json", &text(&printed.stdout));
    assert_eq!(text(&folder.run(&["local", "invoke", "Web", "-e", "event.json"]).stdout), "\"cat.png\"\n");
    let services = text(&folder.run(&["local", "generate-event"]).stdout);
    assert!(services.lines().any(|line| line == "apigateway") && services.lines().count() > 15, "{services}");
    assert_eq!(text(&folder.run(&["local", "generate-event", "s3"]).stdout), "put\ndelete\nbatch-invocation\n");
    let cases = [
        (&["s4", "put"][..], "unknown service `s4`"),
        (&["s3", "putt"], "did you mean `put`?"),
        (&["s3", "put", "--bukket", "x"], "did you mean `--bucket`?"),
    ];
    for (words, message) in cases {
        let output = folder.run(&[&["local", "generate-event"][..], words].concat());
        assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true), "{words:?}");
        assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
    }
}

#[test]
fn authorizers_are_off_and_files_are_served_on_request() {
    let template = "Transform: AWS::Serverless-2016-10-31
Globals: {Function: {Runtime: python3.11, CodeUri: src}}
Resources:
  Shop:
    Type: AWS::Serverless::Api
    Properties: {StageName: dev, Auth: {DefaultAuthorizer: Own, Authorizers: {Own: {FunctionArn: !GetAtt Bad.Arn}}}}
  Bad: {Type: AWS::Serverless::Function, Properties: {Handler: app.bad}}
  Users:
    Type: AWS::Serverless::Function
    Properties:
      Handler: app.rest
      Events: {Get: {Type: Api, Properties: {RestApiId: !Ref Shop, Path: '/users/{id}', Method: get}}}
";
    let folder = Folder::new("options");
    folder.write("template.yaml", template);
    folder.write("public/page.html", "<p>");
    folder.write("assets/page.html", "<b>");
    let server = Server::start(&folder, &["local", "start-api", "--port", "0"]);
    server.line("note: files of");
    let port = server.port("REST API Shop");
    assert_eq!((get(port, "/users/1").0, get(port, "/page.html")), (401, (200, json!("<p>"))));
    assert_eq!(get(port, "/../src/app.py").0, 403);
    server.end();
    let words = ["local", "start-api", "--port", "0", "--disable-authorizer", "-s", "assets"];
    let server = Server::start(&folder, &words);
    server.line("warning: no authorizer runs (--disable-authorizer)");
    let port = server.port("REST API Shop");
    assert_eq!((get(port, "/users/1").0, get(port, "/page.html")), (200, (200, json!("<b>"))));
    server.end();
    let output = folder.run(&["local", "start-api", "--static-dir", "nosuch"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--static-dir nosuch is not a directory"));
}

#[test]
fn a_server_debugs_one_function() {
    let folder = Folder::new("debugged");
    let function = |id: &str| {
        format!(
            "  {id}: {{Type: AWS::Serverless::Function, Properties: {{Runtime: python3.11, Handler: app.rest, CodeUri: src}}}}\n"
        )
    };
    let template = format!("Transform: AWS::Serverless-2016-10-31\nResources:\n{}{}", function("One"), function("Two"));
    folder.write("template.yaml", &template);
    let words = ["local", "start-lambda", "--port", "0", "-d", "5999"];
    let output = folder.run(&words);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("help: name the function: `--debug-function One`"),
        "{}",
        text(&output.stderr)
    );
    let output = folder.run(&[&words[..], &["--debug-function", "Tow"]].concat());
    assert!(text(&output.stderr).contains("did you mean Two?"), "{}", text(&output.stderr));
    let server = Server::start(&folder, &[&words[..], &["--debug-function", "Two"]].concat());
    server.line("note: Two waits for a debugger at 127.0.0.1:5999");
    server.line("Lambda is at http://");
    server.end();
}

#[test]
fn function_urls_are_served_and_what_is_not_is_named() {
    let template = "Transform: AWS::Serverless-2016-10-31
Globals: {Function: {Runtime: python3.11, CodeUri: src}}
Resources:
  Chat: {Type: AWS::ApiGatewayV2::Api, Properties: {ProtocolType: WEBSOCKET, RouteSelectionExpression: $request.body.a}}
  Web:
    Type: AWS::Serverless::Function
    Properties:
      Handler: app.http
      FunctionUrlConfig: {AuthType: AWS_IAM}
  Steps: {Type: AWS::Serverless::Function, Properties: {Handler: app.http, DurableConfig: {ExecutionTimeout: 60}}}
";
    let folder = Folder::new("urls");
    folder.write("template.yaml", template);
    let server = Server::start(&folder, &["local", "start-api", "--port", "0"]);
    server.line("warning: the WebSocket API Chat is not served");
    server.line("warning: 1 route is open in Web without AWS_IAM");
    server.line("warning: Steps is a durable function");
    let port = server.port("function URL Web is at");
    assert_eq!(get(port, "/any/path?n=5").1["n"], json!("5"));
    server.end();
    let output = folder.run(&["local", "invoke", "Steps"]);
    assert!(text(&output.stderr).contains("warning: Steps is a durable function"));
    assert!(!text(&folder.run(&["local", "invoke", "Web"]).stderr).contains("durable"));
}

#[test]
fn a_thousand_requests_get_their_own_answers() {
    let folder = Folder::new("thousand");
    let server = Server::start(&folder, &["local", "start-api", "--port", "0", "--concurrency", "4"]);
    let port = server.port("HTTP API ServerlessHttpApi");
    // A client that sends nothing keeps nobody from being answered.
    let _slow = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    let clients = (0..16).map(|client| {
        thread::spawn(move || {
            for n in (client..1000).step_by(16) {
                let (status, result) = get(port, &format!("/web?n={n}"));
                assert_eq!((status, &result["n"]), (200, &json!(n.to_string())));
            }
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.join().expect("answers");
    }
    server.end();
}

#[test]
fn start_lambda_answers_as_lambda_does() {
    let folder = Folder::new("lambda");
    let server = Server::start(&folder, &["local", "start-lambda", "--port", "0"]);
    let port = server.port("Lambda is at");
    let invoke = |name: &str, headers: &str, body: &str| invoke(port, name, headers, body);
    let (status, head, body) = invoke("Web", "X-Amz-Log-Type: Tail\r\n", "{}");
    assert!(status == 200 && head.contains("x-amz-log-result: ") && !head.contains("function-error"), "{head}");
    assert!(body.contains("\"n\": null"), "{body}");
    let (status, head, body) = invoke("arn:aws:lambda:us-east-1:123456789012:function:Bad", "", "");
    assert!(
        status == 200 && head.contains("x-amz-function-error: unhandled") && body.contains("ValueError"),
        "{head}{body}"
    );
    assert_eq!(invoke("Web", "X-Amz-Invocation-Type: Event\r\n", "{}").0, 202);
    assert_eq!(invoke("Web", "X-Amz-Invocation-Type: DryRun\r\n", "{}").0, 204);
    assert_eq!((invoke("Nosuch", "", "{}").0, invoke("Web", "", "{").0), (404, 400));
    let event = |bytes: usize| format!("\"{}\"", "x".repeat(bytes - 2));
    for (kind, limit, status) in [("Event", 1 << 20, 202), ("DryRun", 6 << 20, 204)] {
        let header = format!("X-Amz-Invocation-Type: {kind}\r\n");
        assert_eq!(invoke("Web", &header, &event(limit)).0, status, "{kind}");
        let (status, _, body) = invoke("Web", &header, &event(limit + 1));
        let message =
            format!("{} byte payload is too large for the {kind} invocation type (limit {limit} bytes)", limit + 1);
        assert!(status == 413 && body.contains(&message), "{body}");
    }
    server.end();

    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let output = folder.run(&["local", "start-lambda", "--port", &port]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains(&format!("port {port} is taken")));
}

#[test]
fn pages_of_other_sites_and_foreign_hosts_are_refused() {
    let folder = Folder::new("pages");
    let arguments = ["--port", "0", "--allowed-host", "dev.test"];
    let server = Server::start(&folder, &[&["local", "start-api"][..], &arguments].concat());
    let http = server.port("HTTP API ServerlessHttpApi");
    let lambda = Server::start(&folder, &[&["local", "start-lambda"][..], &arguments].concat());
    let functions = lambda.port("Lambda is at");
    let cases = [
        ("Host: localhost", 200, 200),
        ("Host: DEV.test:3000", 200, 200),
        ("Host: evil.example", 403, 403),
        ("Host: 127.0.0.1.evil.example:3000", 403, 403),
        ("Host: 0.0.0.0", 403, 403),
        ("Host: localhost\r\nOrigin: http://localhost:5173", 200, 200),
        ("Host: localhost\r\nOrigin: https://dev.test\r\nSec-Fetch-Site: cross-site", 200, 200),
        ("Host: localhost\r\nOrigin: https://a.test\r\nSec-Fetch-Site: cross-site", 200, 403),
        ("Host: localhost\r\nOrigin: https://evil.example", 403, 403),
        ("Host: localhost\r\nOrigin: null", 403, 403),
        ("Host: localhost\r\nSec-Fetch-Site: cross-site", 403, 403),
        ("Host: localhost\r\nSec-Fetch-Site: same-origin", 200, 200),
    ];
    for (head, of_api, of_lambda) in cases {
        let (status, _, body) = request(http, &format!("GET /web HTTP/1.1\r\n{head}\r\nConnection: close\r\n\r\n"));
        assert_eq!(status, of_api, "{head}: {body}");
        let path = "/2015-03-31/functions/Web/invocations";
        let post = format!("POST {path} HTTP/1.1\r\n{head}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{{}}");
        let (status, _, body) = request(functions, &post);
        assert_eq!(status, of_lambda, "{head}: {body}");
    }
    // Each host and page is reported once, with what admits it.
    for server in [&server, &lambda] {
        let line = server.line("Host evil.example is foreign");
        assert!(line.starts_with("warning: ") && line.contains("`--allowed-host evil.example` admits it"), "{line}");
        server.line("Origin https://evil.example is foreign; `--allowed-host evil.example`");
    }
    for (value, help) in
        [("https://dev.test:3000/x", "pass the host alone: `--allowed-host dev.test`"), ("a b", "pass a host name")]
    {
        let output = folder.run(&["local", "start-api", "--allowed-host", value]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(help), "{}", text(&output.stderr));
    }
}
