//! Modules from a web server, as scripts use them: a server of the test on loopback, the lock file, the
//! cache, and everything that must not be fetched (spec modules.md, section 6.1).
#![cfg(feature = "aws")]
#![allow(clippy::disallowed_methods, reason = "a test of files on disk, of programs and of a network")]

mod project;
mod server;

use project::Project;
use server::{Page, Server};

const MODULE: &str = "Parameters:
  Label: {Type: String}
Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties: {DisplayName: !Ref Label}
";

fn template(source: &str) -> String {
    format!("Modules:\n  Orders:\n    Source: {source}\n    Properties: {{Label: orders}}\n")
}

/// A server with a module, and a project that uses it.
fn world(name: &str) -> (Server, Project) {
    let server = Server::start();
    server.text("/topic.yaml", MODULE);
    let project = Project::new(name, &server);
    project.write("t.yaml", &template(&server.url("/topic.yaml")));
    (server, project)
}

#[test]
fn nothing_is_fetched_unless_it_is_allowed() {
    let (server, project) = world("not-allowed");
    let run = project.run(&["expand", "t.yaml"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""), "{}", run.err);
    assert!(run.err.contains(&format!("error[FW0713]: {} is not fetched", server.url("/topic.yaml"))), "{}", run.err);
    assert!(run.err.contains(&format!("--allow-remote {}", server.host())), "{}", run.err);
    let run = project.run(&["expand", "t.yaml", "--allow-remote", "modules.example.com"]);
    assert!(run.status == 1 && run.err.contains("error[FW0713]"), "{}", run.err);
    assert!(server.asked().is_empty());
    assert!(!project.has("formwork.lock"));
}

#[test]
fn the_lock_pins_and_the_cache_repeats() {
    let (server, project) = world("lock");
    let first = project.run(&["expand", "t.yaml", "--allow-remote", &server.host()]);
    assert_eq!(first.status, 0, "{}", first.err);
    assert!(first.out.contains("OrdersTopic:") && first.err.contains("warning[FW0721]"), "{first:?}");
    assert_eq!(server.asked(), ["/topic.yaml"]);
    let lock = project.read("formwork.lock");
    assert!(lock.contains(&server.url("/topic.yaml")), "{lock}");
    // Pinned, stored: no network, no warning.
    for words in [&["expand", "t.yaml"][..], &["expand", "t.yaml", "--offline"]] {
        let again = project.run(words);
        assert_eq!((again.status, again.err.as_str(), again.out.as_str()), (0, "", first.out.as_str()));
    }
    // Somebody changes the file, and nothing is stored any more.
    server.text("/topic.yaml", &MODULE.replace("SNS::Topic", "SQS::Queue"));
    assert_eq!(project.run(&["expand", "t.yaml", "--allow-remote", &server.host()]).out, first.out);
    project.forget_cache();
    let tampered = project.run(&["expand", "t.yaml", "--allow-remote", &server.host()]);
    assert_eq!((tampered.status, tampered.out.as_str()), (1, ""), "{}", tampered.err);
    assert!(tampered.err.contains("error[FW0711]") && tampered.err.contains("hash mismatch"), "{}", tampered.err);
    assert_eq!(project.read("formwork.lock"), lock);
    let offline = project.run(&["expand", "t.yaml", "--offline"]);
    assert!(offline.status == 1 && offline.err.contains("`--offline` allows no network"), "{}", offline.err);
}

#[test]
fn update_pins_what_is_there_now() {
    let (server, project) = world("update");
    let words = ["modules", "update", "t.yaml", "--allow-remote", &server.host()];
    let added = project.run(&words);
    assert!(added.status == 0 && added.err.is_empty() && added.out.starts_with("added "), "{added:?}");
    assert!(project.run(&words).out.starts_with("unchanged "));
    server.text("/topic.yaml", &MODULE.replace("SNS::Topic", "SQS::Queue"));
    let updated = project.run(&words);
    assert!(updated.out.starts_with("updated ") && updated.out.contains(" -> sha256:"), "{updated:?}");
    let run = project.run(&["expand", "t.yaml", "--offline", "--strict"]);
    assert!(run.status == 0 && run.out.contains("AWS::SQS::Queue"), "{run:?}");
}

#[test]
fn vendored_modules_need_nothing_else() {
    let (server, project) = world("vendor");
    project.write("u.yaml", &template(&server.url("/other.yaml")));
    server.text("/other.yaml", MODULE);
    let run = project.run(&["modules", "vendor", "t.yaml", "u.yaml", "--allow-remote", &server.host()]);
    assert_eq!((run.status, run.err.as_str(), run.out.lines().count()), (0, "", 2), "{}", run.out);
    project.forget_cache();
    assert_eq!(project.run(&["expand", "t.yaml", "--offline"]).status, 0);
    assert_eq!(project.run(&["expand", "u.yaml", "--offline"]).status, 0);
    let run = project.run(&["modules", "vendor", "t.yaml", "--prune", "--offline"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(!project.read("formwork.lock").contains("/other.yaml"));
    assert_eq!(project.run(&["expand", "t.yaml", "--offline"]).status, 0);
    project.forget_cache();
    assert_eq!(project.run(&["expand", "u.yaml", "--offline"]).status, 1);
}

#[test]
fn redirects_stay_where_fetching_is_allowed() {
    let (server, project) = world("redirects");
    let other = Server::start();
    other.text("/secret", MODULE);
    let loopback = other.url("/secret").replace("localhost", "127.0.0.1");
    for to in [
        other.url("/secret"),
        loopback,
        "https://169.254.169.254/latest/meta-data".to_owned(),
        server.url("/topic.yaml").replace("https:", "http:"),
        "file:///etc/passwd".to_owned(),
    ] {
        server.put("/moved", Page::To(to.clone()));
        project.write("t.yaml", &template(&server.url("/moved")));
        let run = project.run(&["expand", "t.yaml", "--allow-remote", &server.host()]);
        assert!(run.status == 1 && run.out.is_empty(), "{to}: {run:?}");
        assert!(run.err.contains("error[FW0713]") && run.err.contains("a redirect is refused"), "{to}: {}", run.err);
        assert_eq!(server.asked(), ["/moved"]);
        assert!(other.asked().is_empty());
    }
    server.put("/moved", Page::To("/topic.yaml".to_owned()));
    assert_eq!(project.run(&["expand", "t.yaml", "--allow-remote", &server.host()]).status, 0);
    server.put("/moved", Page::To("/moved".to_owned()));
    project.forget_cache();
    std::fs::remove_file(project.path("formwork.lock")).expect("removed");
    let run = project.run(&["expand", "t.yaml", "--allow-remote", &server.host()]);
    assert!(run.status == 1 && run.err.contains("there are more than 5"), "{}", run.err);
}

#[test]
fn what_is_too_large_or_missing_is_an_error() {
    let (server, project) = world("large");
    server.put("/large.yaml", Page::Body(vec![b'#'; (1 << 20) + 1]));
    project.write("t.yaml", &template(&server.url("/large.yaml")));
    let run = project.run(&["expand", "t.yaml", "--allow-remote", &server.host()]);
    assert!(run.status == 1 && run.err.contains("larger than the limit of 1048576 bytes"), "{}", run.err);
    project.write("t.yaml", &template(&server.url("/none.yaml")));
    let run = project.run(&["expand", "t.yaml", "--allow-remote", &server.host()]);
    assert!(run.status == 1 && run.err.contains("the server answered 404"), "{}", run.err);
}

#[test]
fn remote_modules_read_nothing_of_the_project() {
    let (server, project) = world("own-space");
    let module =
        |path: &str| format!("Resources:\n  R:\n    Type: A::B::C\n    Properties: {{P: !InsertFile '{path}'}}\n");
    server.text("/dir/m.yaml", &module("note.txt"));
    server.text("/dir/note.txt", "from the web");
    server.text("/dir/absolute.yaml", &module("/etc/hostname"));
    server.text("/dir/outside.yaml", &module("../../../note.txt"));
    project.write("note.txt", "of the project");
    project.write("dir/note.txt", "of the project");
    project.write("t.yaml", &template(&server.url("/dir/m.yaml")));
    let run = project.run(&["expand", "t.yaml", "--allow-remote", &server.host()]);
    assert!(run.status == 0 && run.out.contains("from the web"), "{run:?}");
    assert_eq!(server.asked(), ["/dir/m.yaml", "/dir/note.txt"]);
    for name in ["absolute", "outside"] {
        project.write("t.yaml", &template(&server.url(&format!("/dir/{name}.yaml"))));
        let run = project.run(&["expand", "t.yaml", "--allow-remote", &server.host()]);
        assert!(run.status == 1 && run.out.is_empty() && !run.err.contains("of the project"), "{name}: {run:?}");
    }
}

#[test]
fn archives_from_the_web() {
    let (server, project) = world("archive");
    let archive = project::archive(&[("topic.yaml", MODULE)]);
    let hash = formwork_remote::sha256(&archive);
    server.put("/kit.zip", Page::Body(archive));
    let packaged = |hash: &str| {
        format!(
            "Packages:\n  kit:\n    Source: {}\n    Hash: sha256:{hash}\n{}",
            server.url("/kit.zip"),
            template("$kit/topic.yaml")
        )
    };
    project.write("t.yaml", &packaged(&hash));
    let run = project.run(&["expand", "t.yaml", "--allow-remote", &server.host()]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "a Hash pins: {run:?}");
    assert!(run.out.contains("OrdersTopic:"), "{}", run.out);
    assert_eq!(server.asked(), ["/kit.zip"], "the archive is fetched once");
    project.write("t.yaml", &packaged(&hash.replace(&hash[..1], "x").replace('x', "0")));
    let run = project.run(&["expand", "t.yaml", "--allow-remote", &server.host()]);
    assert!(run.status == 1 && run.err.contains("hash mismatch"), "{}", run.err);
}
