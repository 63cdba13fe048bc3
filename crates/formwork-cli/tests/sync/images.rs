//! Images of functions: what is pushed to Debian's `docker-registry`, and what Lambda receives of it.
//!
//! Holds reference/sync.md#code.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::services::{Services, sync};
use crate::support::archive::docker;
use crate::support::folder::Folder;
use crate::support::registry::Registry;

const TEMPLATE: &str = "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Resources:
  Fn::ForEach::Services:
    - Name
    - [orders, users]
    - ${Name}Function:
        Type: AWS::Serverless::Function
        Properties: {PackageType: Image, ImageUri: './${Name}.tar', AutoPublishAlias: live}
  Plain:
    Type: AWS::Lambda::Function
    Properties: {PackageType: Image, Code: {ImageUri: plain.tar}, Role: 'arn:aws:iam::111122223333:role/r'}
";

/// A project with three images, and the ids of these.
fn project(name: &str) -> (Folder, Vec<String>) {
    let folder = Folder::new("sync", name).with("template.yaml", TEMPLATE);
    let ids = ["orders", "users", "plain"].map(|name| archive(&folder, name, name));
    (folder, ids.to_vec())
}

/// Writes an archive whose image has one layer of this content.
fn archive(folder: &Folder, name: &str, content: &str) -> String {
    let (bytes, id) = docker(None, &[content.as_bytes()]);
    std::fs::write(folder.path(&format!("{name}.tar")), bytes).expect("written");
    id
}

/// Lambda as far as it keeps which image each function runs.
fn lambda() -> Services {
    let images: Arc<Mutex<BTreeMap<String, Value>>> = Arc::default();
    Services::start(move |call, body| {
        let mut images = images.lock().expect("the images");
        let (method, path) = call.split_once(" /2015-03-31/functions/")?;
        let (function, what) = path.split_once('/').unwrap_or((path, ""));
        match (method, what) {
            ("PUT", "code") => {
                images.insert(function.to_owned(), body["ImageUri"].clone());
                None
            }
            ("GET", "") => Some((200, json!({"Code": {"ImageUri": images.get(function)}}))),
            ("POST", "versions") => Some((200, json!({"Version": "7"}))),
            _ => None,
        }
    })
}

#[test]
fn a_changed_image_is_pushed_and_its_function_is_told() {
    let Some(registry) = Registry::start("sync") else { return };
    let (folder, ids) = project("images");
    let services = lambda();
    let repository = format!("{}/apps", registry.host);
    let words = ["--code", "--stack-name", "pictures", "--image-repository", &repository];
    let run = sync(&folder, &services, &words);
    assert_eq!(run.status, 0, "{}", run.err);
    let of = |name: &str, id: &str| json!({"ImageUri": format!("{repository}:{name}-{id}-latest")});
    let code = |function: &str| services.body(&format!("PUT /2015-03-31/functions/pictures-{function}/code"));
    assert_eq!(code("orders"), of("ordersFunction", &ids[0]));
    assert_eq!(code("users"), of("usersFunction", &ids[1]));
    assert_eq!(code("plain"), of("Plain", &ids[2]));
    for (name, id) in [("ordersFunction", &ids[0]), ("usersFunction", &ids[1]), ("Plain", &ids[2])] {
        let manifest = registry.json(&format!("apps/manifests/{name}-{id}-latest"));
        assert_eq!(manifest["layers"].as_array().map(Vec::len), Some(1), "{manifest}");
    }
    assert!(
        run.err.contains("updated usersFunction: UpdateFunctionCode, UpdateAlias live to version 7\n"),
        "{}",
        run.err
    );
    assert!(run.err.contains("updated Plain: UpdateFunctionCode\n"), "{}", run.err);

    // What runs already is neither pushed nor updated again.
    let before = services.pushes().len();
    let run = sync(&folder, &services, &words);
    assert_eq!((run.status, services.pushes().len()), (0, before), "{}", run.err);
    assert_eq!(run.err.matches(" is up to date\n").count(), 3, "{}", run.err);

    // One item of the loop is one push.
    let id = archive(&folder, "users", "other users");
    let run = sync(&folder, &services, &words);
    assert_eq!(run.status, 0, "{}", run.err);
    let told = services.pushes().split_off(before);
    assert_eq!(told.first().map(String::as_str), Some("PUT /2015-03-31/functions/pictures-users/code"), "{told:?}");
    assert_eq!(told.iter().filter(|call| call.ends_with("/code")).count(), 1, "{told:?}");
    assert!(run.err.contains("ordersFunction is up to date\n"), "{}", run.err);
    let calls = services.calls.lock().expect("the calls");
    let (_, last) = calls.iter().rfind(|(call, _)| call.ends_with("/pictures-users/code")).expect("a push");
    assert_eq!(*last, of("usersFunction", &id));
}

/// The tag of an image is a part of its name: the same image under another one is another image of the function.
#[test]
fn a_changed_tag_is_told() {
    let Some(registry) = Registry::start("sync-tags") else { return };
    let (folder, _) = project("image-tags");
    let services = lambda();
    let repository = format!("{}/apps", registry.host);
    let words = ["--code", "--stack-name", "pictures", "--resource-id", "Plain", "--image-repository", &repository];
    for tag in ["web:v1", "web:v2"] {
        let (bytes, id) = docker(Some(tag), &[b"plain"]);
        std::fs::write(folder.path("plain.tar"), bytes).expect("written");
        let run = sync(&folder, &services, &words);
        assert_eq!(run.status, 0, "{}", run.err);
        let calls = services.calls.lock().expect("the calls");
        let (_, last) = calls.iter().rfind(|(call, _)| call.ends_with("/pictures-plain/code")).expect("a push");
        let version = tag.trim_start_matches("web:");
        assert_eq!(*last, json!({"ImageUri": format!("{repository}:web-{id}-{version}")}));
    }
    assert_eq!(services.pushes().len(), 2, "the other functions are left alone");
}

#[test]
fn without_a_repository_nothing_is_built_or_asked() {
    let (folder, _) = project("image-nowhere");
    let services = lambda();
    let run = sync(&folder, &services, &["--code", "--stack-name", "pictures"]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.err.contains("3 images are to be pushed, and no repository is named"), "{}", run.err);
    assert!(services.calls.lock().expect("the calls").is_empty());
}

/// A registry that does not answer does not keep other code from being pushed.
#[test]
fn an_image_that_no_registry_takes_leaves_the_other_code() {
    let (folder, _) = project("image-refused");
    let more = "  Zip:
    Type: AWS::Lambda::Function
    Properties: {Code: src, Handler: app.handler, Runtime: python3.13, Role: 'arn:aws:iam::111122223333:role/r'}
";
    let folder = folder.with("template.yaml", &format!("{TEMPLATE}{more}")).with("src/app.py", "x = 1\n");
    let services = lambda();
    // Nothing listens on the first port.
    let words = ["--code", "--stack-name", "pictures", "--image-repository", "127.0.0.1:1/apps"];
    let run = sync(&folder, &services, &words);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.err.contains("Plain was not updated: the image could not be pushed: "), "{}", run.err);
    assert!(run.err.contains("updated Zip: UpdateFunctionCode\n"), "{}", run.err);
    assert_eq!(services.pushes(), ["PUT /2015-03-31/functions/pictures-zip/code"]);
}
