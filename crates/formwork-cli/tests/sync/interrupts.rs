//! Ctrl-C at each step of `sync`: nothing is left running, nothing is half there, and the exit status is 130.
//!
//! Holds reference/sync.md#exit-status.

use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::services::{Services, words_of};
use crate::support::archive::docker;
use crate::support::double::{Access, Double, Script};
use crate::support::folder::Folder;

const TEMPLATE: &str = "Resources:
  Orders:
    Type: AWS::Lambda::Function
    Properties: {Code: src, Handler: app.handler, Runtime: python3.13, Role: 'arn:aws:iam::111122223333:role/r'}
";

/// Sends Ctrl-C to a process, and leaves it the time to notice.
fn interrupt(process: u32) {
    let killed = Command::new("kill").args(["-INT", &process.to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    std::thread::sleep(Duration::from_millis(300));
}

fn begin(folder: &Folder, services: &Services, words: &[&str]) -> Child {
    let (words, environment) = words_of(services, words);
    let mut command = folder.formwork(&words);
    command.envs(environment).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Waits for the end, which has to be soon; returns status and standard error.
fn ended(mut child: Child) -> (Option<i32>, String) {
    let begin = Instant::now();
    while child.try_wait().expect("a status").is_none() {
        if begin.elapsed() > Duration::from_secs(20) {
            let _ = child.kill();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output().expect("it ended");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Runs `sync --code`, and interrupts it when a call is made that ends like this. The call is answered.
fn interrupted_at(call: &'static str) -> (Option<i32>, String, Services) {
    let name = call.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let folder = Folder::new("sync-ctrl-c", &name).with("template.yaml", TEMPLATE);
    let folder = folder.with("src/app.py", "x = 1\n");
    let process: Arc<AtomicU32> = Arc::default();
    let known = Arc::clone(&process);
    let services = Services::start(move |made, _| {
        if made.ends_with(call) {
            interrupt(known.load(Ordering::SeqCst));
        }
        // An update that never ends is one that somebody has to end waiting for.
        made.ends_with("/code").then(|| (200, json!({"CodeSha256": "x", "LastUpdateStatus": "InProgress"})))
    });
    let child = begin(&folder, &services, &["--code", "--stack-name", "shop"]);
    process.store(child.id(), Ordering::SeqCst);
    let (status, errors) = ended(child);
    (status, errors, services)
}

#[test]
fn while_code_is_pushed() {
    for call in ["ListStackResources shop", "/shop-Orders/configuration", "/shop-Orders/code"] {
        let (status, errors, services) = interrupted_at(call);
        assert_eq!(status, Some(130), "{call}: {errors}");
        assert!(errors.contains("interrupted"), "{call}: {errors}");
        let pushes = services.pushes();
        assert_eq!(pushes.len(), usize::from(call.ends_with("/code")), "{call}: {pushes:?}");
    }
}

/// The tool of a build and what it started end, and nothing is asked of AWS.
#[test]
fn while_a_source_is_built() {
    let template = TEMPLATE.replace("    Properties", "    Metadata: {BuildMethod: makefile}\n    Properties");
    let folder = Folder::new("sync-ctrl-c", "build").with("template.yaml", &template);
    let folder = folder.with("src/Makefile", "build-Orders:\n\ttrue\n");
    let folder = folder
        .with("tools/make", "#!/bin/sh\necho $$ >\"$STARTED.part\"\nmv \"$STARTED.part\" \"$STARTED\"\nsleep 60\n");
    std::fs::set_permissions(folder.path("tools/make"), PermissionsExt::from_mode(0o755)).expect("a mode");
    let services = Services::start(|_, _| None);
    let (words, environment) = words_of(&services, &["--stack-name", "shop"]);
    let started = folder.path("started");
    let mut command = folder.formwork(&words);
    command.envs(environment).env("PATH", format!("{}:/usr/bin:/bin", folder.path("tools").display()));
    command.env("STARTED", &started).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    let begin = Instant::now();
    while !started.exists() {
        assert!(begin.elapsed() < Duration::from_secs(20), "the tool is not started");
        std::thread::sleep(Duration::from_millis(10));
    }
    interrupt(child.id());
    let (status, errors) = ended(child);
    assert_eq!(status, Some(130), "{errors}");
    assert!(errors.contains("interrupted; nothing was synced"), "{errors}");
    assert!(services.calls.lock().expect("the calls").is_empty());
    let tool = std::fs::read_to_string(&started).expect("a process");
    let is_there = Command::new("kill").args(["-0", tool.trim()]).stderr(Stdio::null()).status();
    assert!(!is_there.expect("kill runs").success(), "the tool runs on");
    assert!(!folder.path(".formwork/build/template.yaml").exists());
}

/// The program that pushes an image.
static PUSHING: AtomicU32 = AtomicU32::new(0);

/// What was begun at the registry is taken back, and Lambda receives no image that is not there.
#[test]
fn while_an_image_is_pushed() {
    let ending: Script = |request, before| {
        if request.method == "POST" && before == 0 {
            interrupt(PUSHING.load(Ordering::SeqCst));
        }
        None
    };
    let double = Double::start(Access::Open, ending);
    let template = "Resources:
  Plain:
    Type: AWS::Lambda::Function
    Properties: {PackageType: Image, Code: {ImageUri: plain.tar}, Role: 'arn:aws:iam::111122223333:role/r'}
";
    let folder = Folder::new("sync-ctrl-c", "image").with("template.yaml", template);
    let (archive, _) = docker(None, &[b"a layer"]);
    std::fs::write(folder.path("plain.tar"), archive).expect("written");
    let services = Services::start(|_, _| None);
    let repository = double.repository("app");
    let child = begin(&folder, &services, &["--code", "--stack-name", "pictures", "--image-repository", &repository]);
    PUSHING.store(child.id(), Ordering::SeqCst);
    let (status, errors) = ended(child);
    assert_eq!(status, Some(130), "{errors}");
    assert!(errors.contains("interrupted: Plain was not updated"), "{errors}");
    assert!(double.manifests().is_empty() && services.pushes().is_empty());
    assert_eq!(double.asked().last().map(String::as_str), Some("DELETE uploads"), "{:?}", double.asked());
}
