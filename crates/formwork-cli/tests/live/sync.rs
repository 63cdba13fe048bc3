//! `sync` against moto, behind a proxy that keeps what is asked: one call for an edit, a change set for a change of the
//! template, and none as long as nothing changes.
//!
//! Holds reference/sync.md#decision, reference/sync.md#watching, reference/sync.md#exit-status.

use std::process::Stdio;
use std::thread;
use std::time::Duration;

use super::moto::Moto;
use super::program::Folder;
use super::watching::{Proxy, Watch, command, count};

const TEMPLATE: &str = "Resources:
  Role:
    Type: AWS::IAM::Role
    Properties: {AssumeRolePolicyDocument: {Version: '2012-10-17', Statement: []}}
  Orders:
    Type: AWS::Lambda::Function
    Properties: {Code: src/orders, Handler: app.handler, Runtime: python3.13, Role: !GetAtt Role.Arn}
  Users:
    Type: AWS::Lambda::Function
    Properties: {Code: src/users, Handler: app.handler, Runtime: python3.13, Role: !GetAtt Role.Arn}
";

fn project(name: &str) -> Folder {
    let folder = Folder::new(name).with("template.yaml", TEMPLATE);
    for function in ["orders", "users"] {
        std::fs::create_dir_all(folder.0.join("src").join(function)).expect("a directory");
        std::fs::write(folder.0.join("src").join(function).join("app.py"), "x = 1\n").expect("a file");
    }
    folder
}

/// So long nothing changes, and nothing is asked: 2 s, or `FORMWORK_IDLE_SECONDS`. With 60 nothing was asked on 22
/// November 2026, neither after the first deployment nor after a push.
fn idle() -> Duration {
    let named = std::env::var("FORMWORK_IDLE_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(named.unwrap_or(2))
}

pub(crate) fn changes_and_idle_time(moto: &Moto) {
    moto.boto3("import boto3; boto3.client('s3').create_bucket(Bucket='formwork-sync')");
    let (folder, proxy) = (project("sync"), Proxy::new(moto));
    let watch = Watch::start(&folder, &proxy, &["--watch"]);
    let said = watch.until("_COMPLETE       formwork-sync");
    assert!(said.contains("the stack is deployed as a whole"), "{said}");
    let calls = proxy.calls();
    assert_eq!((count(&calls, "CreateChangeSet"), count(&calls, "ListStackResources")), (1, 1), "{calls:?}");
    assert_eq!(count(&calls, "/code"), 0, "what was deployed is what there is: {calls:?}");
    thread::sleep(idle());
    assert_eq!(proxy.calls(), [""; 0], "an idle watch asks nothing");

    let folder = folder.with("src/orders/app.py", "x = 2\n");
    let said = watch.until("updated Orders");
    assert!(said.contains("changed: src/orders/app.py") && said.contains(": UpdateFunctionCode"), "{said}");
    let calls = proxy.calls();
    assert_eq!((count(&calls, "/code"), count(&calls, "ListStackResources")), (1, 0), "names are known: {calls:?}");
    assert_eq!(count(&calls, "ChangeSet"), 0, "an edit of code deploys nothing: {calls:?}");
    thread::sleep(idle());
    assert_eq!(proxy.calls(), [""; 0], "the build and the push wake nothing");

    // Files of editors and files that nobody packages wake nothing.
    let folder = folder.with("src/orders/.app.py.swp", "x").with("notes.txt", "x");
    thread::sleep(Duration::from_millis(700));
    assert!(!watch.said.lock().expect("the output").contains("changed:"));

    let more = format!("{TEMPLATE}  Topic: {{Type: AWS::SNS::Topic}}\n");
    let folder = folder.with("template.yaml", &more);
    let said = watch.until("_COMPLETE       formwork-sync");
    assert!(said.contains("the template or its values changed: the stack is deployed"), "{said}");
    let calls = proxy.calls();
    assert_eq!((count(&calls, "CreateChangeSet"), count(&calls, "/code")), (1, 0), "{calls:?}");

    let folder = folder.with("template.yaml", "Resources: [\n");
    let said = watch.until("nothing was synced");
    assert!(said.contains("error[FW"), "{said}");
    assert_eq!(proxy.calls(), [""; 0]);
    // The same template in another layout is not a change.
    let folder = folder.with("template.yaml", &format!("# the same\n{more}"));
    watch.until("nothing to sync");
    let folder = folder.with("src/users/app.py", "x = 3\n");
    watch.until("updated Users");
    let calls = proxy.calls();
    assert_eq!((count(&calls, "/code"), count(&calls, "ChangeSet")), (1, 0), "{calls:?}");
    assert_eq!(watch.interrupt(), Some(130));

    code_alone(&folder, &proxy, moto);
}

/// What `--code` pushes, and that it compares first.
fn code_alone(folder: &Folder, proxy: &Proxy, moto: &Moto) {
    let run = |words: &[&str]| {
        let output = command(folder, proxy, words).stderr(Stdio::piped()).output().expect("the program runs");
        (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
    };
    // There is what was built: it is synced again from its source.
    let (status, err) = run(&["--code"]);
    assert_eq!(status, Some(0), "{err}");
    assert!(err.contains("built template: .formwork/build/template.yaml, built from template.yaml\n"), "{err}");
    assert!(err.contains("Orders is up to date") && err.contains("Users is up to date"), "{err}");
    assert_eq!(count(&proxy.calls(), "/code"), 0);
    std::fs::write(folder.0.join("src/orders/app.py"), "x = 4\n").expect("a file");
    std::fs::write(folder.0.join("src/users/app.py"), "x = 4\n").expect("a file");
    let (status, err) = run(&["--code", "--resource-id", "Orders"]);
    assert_eq!(status, Some(0), "{err}");
    assert!(err.contains("updated Orders: UpdateFunctionCode") && !err.contains("Users"), "{err}");
    let hashes = moto.boto3(
        "import boto3
functions = boto3.client('lambda').list_functions()['Functions']
named = {one['FunctionName']: one['CodeSha256'] for one in functions if 'formwork-sync' in one['FunctionName']}
print(len(named), len(set(named.values())), end='')",
    );
    assert_eq!(hashes, "2 2");
    let (status, err) = run(&["--code", "--resource-id", "Order"]);
    assert_eq!(status, Some(2), "{err}");
    assert!(err.contains("Order is not a resource whose code can be pushed") && err.contains("Orders, Users"), "{err}");
}
