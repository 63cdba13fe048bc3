//! What goes wrong on the way.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::logins::web;
use crate::support::archive::{docker, noise};
use crate::support::double::{Access, Double, Script, as_usual};
use crate::support::folder::{Folder, Run};
use crate::support::http::Response;

fn push(folder: &Folder, double: &Double) -> Run {
    let repository = double.repository("app");
    folder.run(&["package", "t.yaml", "--image-repository", &repository, "-o", "out.yaml"])
}

#[test]
fn calls_of_a_push_and_of_a_second() {
    let double = Double::start(Access::Open, as_usual);
    let folder = web("calls");
    assert_eq!(push(&folder, &double).status, 0);
    let first = double.asked();
    let count = |kind: &str| first.iter().filter(|asked| *asked == kind).count();
    let counts =
        ["GET manifests", "HEAD blobs", "POST uploads", "PATCH uploads", "PUT uploads", "PUT manifests"].map(count);
    assert_eq!(counts, [1, 2, 2, 0, 2, 1], "{first:?}");
    assert_eq!(first.last().map(String::as_str), Some("PUT manifests"), "the manifest makes it an image");
    assert_eq!(push(&folder, &double).status, 0);
    assert_eq!(double.asked()[first.len()..], ["GET manifests"]);
}

#[test]
fn a_large_layer_is_a_stream() {
    let double = Double::start(Access::Open, as_usual);
    let folder = web("stream");
    let (archive, _) = docker(None, &[&noise((8 << 20) + 1)]);
    std::fs::write(folder.path("web.tar"), archive).expect("written");
    assert_eq!(push(&folder, &double).status, 0);
    assert_eq!(double.asked().iter().filter(|asked| *asked == "PATCH uploads").count(), 1);
}

#[test]
fn what_passes_is_done_again() {
    let busy: Script = |request, before| {
        let is_first = before == 0 && ["PUT", "POST"].contains(&request.method.as_str());
        is_first.then(|| Response::new(503, "busy"))
    };
    let double = Double::start(Access::Open, busy);
    let run = push(&web("busy"), &double);
    assert_eq!(run.status, 0, "{}", run.err);
    let asked = double.asked();
    assert!(asked.contains(&"DELETE uploads".to_owned()), "an upload that failed is taken back: {asked:?}");
    assert_eq!(double.manifests().len(), 1);
}

#[test]
fn a_token_that_ends_on_the_way() {
    let ended: Script = |request, before| {
        (before == 0 && request.method == "PUT" && request.path.contains("/uploads/")).then(|| Response::new(401, ""))
    };
    let double = Double::start(Access::Open, ended);
    let run = push(&web("token-ends"), &double);
    assert_eq!((run.status, double.manifests().len()), (0, 1), "{}", run.err);
}

fn refused(name: &str, script: Script, words: &str) {
    let double = Double::start(Access::Open, script);
    let folder = web(name).with("out.yaml", "old\n");
    let run = push(&folder, &double);
    assert!(run.status == 1 && run.err.contains(words), "{}", run.err);
    assert!(run.err.contains("could not be pushed") && run.err.contains("no template was written"), "{}", run.err);
    assert_eq!(std::fs::read_to_string(folder.path("out.yaml")).expect("the old output"), "old\n");
    assert!(double.manifests().is_empty());
}

fn says(status: u16, code: &str) -> Response {
    Response::new(status, format!(r#"{{"errors": [{{"code": "{code}", "message": "because"}}]}}"#))
}

#[test]
fn refusals() {
    refused(
        "refused-manifest",
        |request, _| {
            (request.method == "PUT" && request.path.contains("/manifests/")).then(|| says(400, "MANIFEST_INVALID"))
        },
        "rejects the manifest: `MANIFEST_INVALID: because`",
    );
    refused(
        "refused-name",
        |request, _| (request.method == "POST").then(|| says(404, "NAME_UNKNOWN")),
        "correct the name of the repository, or create it",
    );
    refused(
        "refused-always",
        |request, _| (request.method == "POST").then(|| Response::new(500, "oh")),
        "rejects an upload: status 500",
    );
    refused(
        "no-location",
        |request, _| (request.method == "POST").then(|| Response::new(202, "")),
        "it does not name the address for the rest of the upload",
    );
    refused(
        "elsewhere",
        |request, _| (request.method == "POST").then(|| Response::new(202, "").with("Location", "http://r.example/x")),
        "the upload goes on without https",
    );
}

/// The program that is pushing.
static PUSHING: AtomicU32 = AtomicU32::new(0);

#[test]
fn whoever_ends_it_leaves_nothing_open() {
    let ending: Script = |request, before| {
        if request.method == "POST" && before == 0 {
            let id = PUSHING.load(Ordering::SeqCst).to_string();
            assert!(Command::new("kill").args(["-INT", &id]).status().is_ok_and(|status| status.success()));
            // Until the signal has arrived.
            std::thread::sleep(Duration::from_millis(500));
        }
        None
    };
    let double = Double::start(Access::Open, ending);
    let folder = web("ended");
    let repository = double.repository("app");
    let mut command = folder.formwork(&["package", "t.yaml", "--image-repository", &repository, "-o", "out.yaml"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    PUSHING.store(child.id(), Ordering::SeqCst);
    let output = child.wait_with_output().expect("the program ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.contains("interrupted; no template was written"), "{errors}");
    assert!(!folder.path("out.yaml").exists() && double.manifests().is_empty());
    assert_eq!(double.asked().last().map(String::as_str), Some("DELETE uploads"), "{:?}", double.asked());
}

#[test]
fn a_registry_that_is_not_there() {
    let folder = web("not-there");
    let run = folder.run(&["package", "t.yaml", "--image-repository", "127.0.0.1:1/app"]);
    assert!(run.status == 1 && run.err.contains("127.0.0.1 cannot be reached"), "{}", run.err);
}

#[test]
fn a_layer_that_is_not_what_the_image_says() {
    let double = Double::start(Access::Open, as_usual);
    let folder = web("changed");
    let (mut archive, _) = docker(None, &[b"a layer"]);
    let at = archive.windows(7).position(|part| part == b"a layer").expect("the layer");
    archive[at] = b'b';
    std::fs::write(folder.path("web.tar"), archive).expect("written");
    let run = push(&folder, &double);
    assert!(
        run.status == 1 && run.err.contains("its content does not match the configuration of the image"),
        "{}",
        run.err
    );
}
