//! Modules from a web server, as scripts use them: a server of the test on loopback, the lock file, the
//! cache, and everything that must not be fetched (reference/modules/sources.md#remote).
//!
//! Holds reference/modules/sources.md#lock.
#![cfg(feature = "aws")]

mod project;
pub(crate) mod proxy;
pub(crate) mod server;

use project::Project;
use proxy::Proxy;
use server::{NAMED, Page, Server};

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
    assert!(offline.status == 1 && offline.err.contains("`--offline` forbids network access"), "{}", offline.err);
}

/// The templates of a run share the lock, also when threads read them.
#[test]
fn templates_of_a_run_pin_together() {
    const COUNT: usize = 60;
    let server = Server::start();
    let project = Project::new("many", &server);
    let fetched = |kind: &str| format!("/{kind}.yaml");
    server.text(&fetched("shared"), MODULE);
    let shared = template(&server.url(&fetched("shared")));
    for at in 0..COUNT {
        server.text(&fetched(&format!("own-{at}")), MODULE);
        // A project of many directories has one lock.
        let folder = format!("dir/{}", at % 3);
        std::fs::create_dir_all(project.path(&folder)).expect("a directory");
        let own = format!("  Own:\n    Source: {}\n", server.url(&fetched(&format!("own-{at}"))));
        project.write(&format!("{folder}/{at}.yaml"), &format!("{shared}{own}    Properties: {{Label: own}}\n"));
    }
    let run = project.run(&["check", "dir", "--allow-remote", &server.host()]);
    assert_eq!(run.status, 0, "{}", run.err);
    // Whichever thread was first: that is how it was before the run.
    assert_eq!(run.out.matches("warning[FW0721]").count(), 2 * COUNT, "{}", run.out);
    let mut asked = server.asked();
    asked.sort();
    asked.dedup();
    assert_eq!(asked.len(), COUNT + 1);
    assert_eq!(project.read("formwork.lock").matches("address =").count(), COUNT + 1);
    let again = project.run(&["check", "dir", "--offline"]);
    assert_eq!((again.status, again.out.contains("FW0721")), (0, false), "{}", again.out);
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

/// Nothing is changed where not everything can be: neither the lock of this project nor that of another one.
#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_the_stored_modules_changes_no_lock() {
    let (server, project) = world("vendor-link");
    project.write("plain.yaml", "Resources: {T: {Type: AWS::SNS::Topic}}\n");
    for directory in ["other", "elsewhere"] {
        std::fs::create_dir(project.path(directory)).expect("a directory");
    }
    project.write("other/.git", "");
    project.write("other/t.yaml", &template(&server.url("/topic.yaml")));
    assert_eq!(project.run(&["modules", "update", "t.yaml", "--allow-remote", &server.host()]).status, 0);
    let lock = project.read("formwork.lock");
    project.write("elsewhere/kept", "");
    let link = |at: &str| std::os::unix::fs::symlink("elsewhere", project.path(at)).expect("a link");
    link("formwork_modules");
    for words in [
        &["modules", "vendor", "plain.yaml", "--prune"][..],
        &["modules", "update", "plain.yaml", "--prune"],
        &["modules", "vendor", "other/t.yaml", "t.yaml", "--allow-remote", &server.host()],
    ] {
        let run = project.run(words);
        assert!(run.status == 2 && run.err.contains("formwork_modules is a symbolic link"), "{words:?}: {run:?}");
        assert_eq!(project.read("formwork.lock"), lock, "{words:?}");
        assert!(!project.path("other/formwork.lock").exists(), "{words:?}");
    }
    std::fs::remove_file(project.path("formwork_modules")).expect("removed");
    // What has the name of a source and is none.
    std::fs::create_dir_all(project.path("formwork_modules").join("0".repeat(64))).expect("a directory");
    let run = project.run(&["modules", "vendor", "plain.yaml", "--prune"]);
    assert!(run.status == 2 && run.err.contains("is a directory"), "{run:?}");
    assert_eq!(project.read("formwork.lock"), lock);
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
    // What is announced to be too large is not waited for.
    let begin = std::time::Instant::now();
    server.put("/huge.yaml", Page::Announced(1 << 30));
    project.write("t.yaml", &template(&server.url("/huge.yaml")));
    let run = project.run(&["expand", "t.yaml", "--allow-remote", &server.host()]);
    assert!(run.status == 1 && run.err.contains("larger than the limit"), "{}", run.err);
    assert!(begin.elapsed().as_secs() < 15, "{:?}", begin.elapsed());
    project.write("t.yaml", &template(&server.url("/none.yaml")));
    let run = project.run(&["expand", "t.yaml", "--allow-remote", &server.host()]);
    assert!(run.status == 1 && run.err.contains("the server responded with 404"), "{}", run.err);
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
    let hash = formwork_net::sha256(&archive);
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

/// The target is judged, never the proxy: that one is on a private address everywhere.
#[test]
fn a_proxy_leads_to_hosts_that_are_allowed() {
    let (server, project) = world("proxy");
    let proxy = Proxy::start(None);
    let certificate = project.path("certificate.pem").display().to_string();
    let variables = [("HTTPS_PROXY", &*proxy.url("")), ("SSL_CERT_FILE", &certificate)];
    // A name that the proxy alone can resolve.
    let there = format!("https://{NAMED}:{}/topic.yaml", server.port());
    project.write("named.yaml", &template(&there));
    let run = project.run_with(&variables, &["expand", "named.yaml", "--allow-remote", NAMED]);
    assert!(run.status == 0 && run.out.contains("OrdersTopic:"), "{run:?}");
    assert_eq!(proxy.asked(), [format!("{NAMED}:{}", server.port())]);
    assert_eq!(server.asked(), ["/topic.yaml"]);
    project.forget_cache();
    // What was not allowed is not asked of the proxy either.
    let run = project.run_with(&variables, &["expand", "named.yaml", "--allow-remote", "other.example"]);
    assert!(run.status == 1 && run.err.contains("error[FW0713]"), "{}", run.err);
    for (source, allowed) in [("https://10.0.0.1/m.yaml", "*.0.0.1"), ("https://169.254.169.254/m.yaml", "*.254")] {
        project.write("t.yaml", &template(source));
        let run = project.run_with(&variables, &["expand", "t.yaml", "--allow-remote", allowed]);
        assert!(run.status == 1 && run.err.contains("error[FW0713]"), "{source}: {}", run.err);
    }
    // A redirect is judged as the first address is.
    server.put("/moved", Page::To("https://169.254.169.254/latest/meta-data".to_owned()));
    project.write("t.yaml", &template(&format!("https://{NAMED}:{}/moved", server.port())));
    let run = project.run_with(&variables, &["expand", "t.yaml", "--allow-remote", NAMED]);
    assert!(run.status == 1 && run.err.contains("a redirect is refused"), "{}", run.err);
    assert_eq!(proxy.asked(), [format!("{NAMED}:{}", server.port())]);
    // A private address that was named may be asked for, through the proxy as well.
    project.write("t.yaml", &template(&format!("https://127.0.0.1:{}/topic.yaml", server.port())));
    let allowed = format!("127.0.0.1:{}", server.port());
    let run = project.run_with(&variables, &["expand", "t.yaml", "--allow-remote", &allowed]);
    assert_eq!((run.status, proxy.asked()), (0, vec![allowed]), "{}", run.err);
}

#[test]
fn hosts_of_no_proxy_are_reached_without_it() {
    let (server, project) = world("no-proxy");
    let proxy = Proxy::start(None);
    let certificate = project.path("certificate.pem").display().to_string();
    let variables =
        [("HTTPS_PROXY", &*proxy.url("")), ("NO_PROXY", "internal.example,localhost"), ("SSL_CERT_FILE", &certificate)];
    let run = project.run_with(&variables, &["expand", "t.yaml", "--allow-remote", &server.host()]);
    assert_eq!((run.status, proxy.asked()), (0, vec![]), "{}", run.err);
    // Without the proxy the address of a name is judged again.
    project.forget_cache();
    let variables = [("HTTPS_PROXY", &*proxy.url("")), ("NO_PROXY", "*"), ("SSL_CERT_FILE", &certificate)];
    let run = project.run_with(&variables, &["expand", "t.yaml", "--allow-remote", "*.example"]);
    assert!(run.status == 1 && run.err.contains("error[FW0713]"), "{}", run.err);
    assert!(proxy.asked().is_empty());
}

#[test]
fn a_proxy_that_refuses_is_named_without_its_password() {
    let (server, project) = world("proxy-password");
    // ann:s3cret
    let proxy = Proxy::start(Some("YW5uOnMzY3JldA=="));
    let certificate = project.path("certificate.pem").display().to_string();
    let words = ["expand", "t.yaml", "--allow-remote", &server.host()];
    let run = project.run_with(&[("https_proxy", &proxy.url("ann:s3cret@")), ("SSL_CERT_FILE", &certificate)], &words);
    assert_eq!(run.status, 0, "{}", run.err);
    project.forget_cache();
    let run = project.run_with(&[("HTTPS_PROXY", &proxy.url("ann:s3cret2@")), ("SSL_CERT_FILE", &certificate)], &words);
    assert!(run.status == 1 && run.err.contains("407") && !run.err.contains("s3cret"), "{}", run.err);
    assert!(run.err.contains("help: check HTTPS_PROXY"), "{}", run.err);
    let run =
        project.run_with(&[("ALL_PROXY", "socks5://ann:s3cret@127.0.0.1:1"), ("SSL_CERT_FILE", &certificate)], &words);
    assert!(run.status == 1 && run.err.contains("is not an HTTP proxy"), "{}", run.err);
    assert!(!run.err.contains("s3cret"), "{}", run.err);
}

#[test]
fn trust_and_network_have_their_own_help() {
    let (server, project) = world("network");
    let certificate = project.path("certificate.pem").display().to_string();
    let words = ["expand", "t.yaml", "--allow-remote", &server.host()];
    let file = "relative to the file";
    // Trust only what another server has.
    let other = Project::new("network-other", &Server::start());
    let foreign = other.path("certificate.pem").display().to_string();
    let run = project.run_with(&[("SSL_CERT_FILE", &foreign)], &words);
    assert!(run.status == 1 && run.err.contains("the certificate of localhost is not trusted"), "{}", run.err);
    assert!(run.err.contains("SSL_CERT_FILE or AWS_CA_BUNDLE") && !run.err.contains(file), "{}", run.err);
    // The advice works.
    let run = project.run_with(&[("SSL_CERT_FILE", &foreign), ("AWS_CA_BUNDLE", &certificate)], &words);
    assert_eq!(run.status, 0, "{}", run.err);
    project.forget_cache();
    let run = project.run_with(&[("AWS_CA_BUNDLE", "none.pem")], &words);
    assert!(run.status == 1 && run.err.contains("AWS_CA_BUNDLE names none.pem"), "{}", run.err);
    // A bundle that never ends is read up to the limit.
    let run = project.run_with(&[("AWS_CA_BUNDLE", "/dev/zero")], &words);
    assert!(run.status == 1 && run.err.contains("AWS_CA_BUNDLE names /dev/zero"), "{}", run.err);
    assert!(run.err.contains("larger than the limit"), "{}", run.err);
    // Nobody listens there, and nobody is there.
    project.write("t.yaml", &template("https://localhost:1/m.yaml"));
    let run = project.run(&["expand", "t.yaml", "--allow-remote", "localhost:1"]);
    assert!(run.status == 1 && run.err.contains("localhost cannot be reached"), "{}", run.err);
    assert!(run.err.contains("HTTPS_PROXY") && !run.err.contains(file), "{}", run.err);
    project.write("t.yaml", &template("https://none.invalid/m.yaml"));
    let run = project.run(&["expand", "t.yaml", "--allow-remote", "none.invalid"]);
    assert!(run.status == 1 && run.err.contains("none.invalid") && run.err.contains("HTTPS_PROXY"), "{}", run.err);
}

/// Calls to AWS accept any certificate with the option, with and without a proxy, and a warning is printed.
#[test]
fn certificates_of_aws_are_not_verified_on_request() {
    let (server, project) = world("s3-unverified");
    let proxy = Proxy::start(None);
    server.text("/bucket/m.yaml", MODULE);
    project.write("t.yaml", &template("s3://bucket/m.yaml"));
    let (named, local, way) =
        (format!("https://{NAMED}:{}", server.port()), format!("https://localhost:{}", server.port()), proxy.url(""));
    let words = ["expand", "t.yaml", "--allow-remote", "bucket"];
    for (endpoint, way) in [(&named, &*way), (&local, "")] {
        let account = [
            ("HTTPS_PROXY", way),
            ("AWS_ENDPOINT_URL", endpoint),
            ("AWS_ACCESS_KEY_ID", "AKIDOFTHETESTS"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("AWS_REGION", "eu-west-1"),
            ("AWS_MAX_ATTEMPTS", "1"),
        ];
        let run = project.run_with(&account, &words);
        assert!(run.status == 1 && run.err.contains("the certificate of S3 is not trusted"), "{}", run.err);
        let run = project.run_with(&account, &[&words[..], &["--no-verify-ssl"]].concat());
        assert!(run.status == 0 && run.out.contains("OrdersTopic:"), "{run:?}");
        assert!(run.err.starts_with("warning: --no-verify-ssl: certificates"), "{}", run.err);
        project.forget_cache();
        let bundle = project.path("certificate.pem").display().to_string();
        let run = project.run_with(&account, &[&words[..], &["--ca-bundle", &bundle]].concat());
        assert!(run.status == 0 && run.err.is_empty(), "{run:?}");
        project.forget_cache();
        // So does a profile.
        project.write("config", &format!("[default]\nca_bundle = {bundle}\n"));
        let config = project.path("config").display().to_string();
        let run = project.run_with(&[&account[..], &[("AWS_CONFIG_FILE", &*config)]].concat(), &words);
        assert!(run.status == 0 && run.err.is_empty(), "{run:?}");
        project.forget_cache();
    }
    assert_eq!(proxy.asked().len(), 4, "{:?}", proxy.asked());
}

/// Calls to AWS take the same way and trust the same authorities.
#[test]
fn objects_of_s3_come_through_the_proxy() {
    let (server, project) = world("s3-proxy");
    let proxy = Proxy::start(None);
    server.text("/bucket/m.yaml", MODULE);
    project.write("t.yaml", &template("s3://bucket/m.yaml"));
    let certificate = project.path("certificate.pem").display().to_string();
    let (endpoint, way) = (format!("https://{NAMED}:{}", server.port()), proxy.url(""));
    let account = [
        ("HTTPS_PROXY", &*way),
        ("AWS_ENDPOINT_URL", &endpoint),
        ("AWS_ACCESS_KEY_ID", "AKIDOFTHETESTS"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_REGION", "eu-west-1"),
        ("AWS_MAX_ATTEMPTS", "1"),
    ];
    let words = ["expand", "t.yaml", "--allow-remote", "bucket"];
    let run = project.run_with(&[&account[..], &[("AWS_CA_BUNDLE", &*certificate)]].concat(), &words);
    assert!(run.status == 0 && run.out.contains("OrdersTopic:"), "{run:?}");
    assert_eq!(proxy.asked(), [format!("{NAMED}:{}", server.port())]);
    project.forget_cache();
    let other = Project::new("s3-proxy-other", &Server::start());
    let foreign = other.path("certificate.pem").display().to_string();
    let run = project.run_with(&[&account[..], &[("AWS_CA_BUNDLE", &*foreign)]].concat(), &words);
    assert!(run.status == 1 && run.err.contains("the certificate of S3 is not trusted"), "{}", run.err);
    assert!(run.err.contains("AWS_CA_BUNDLE or SSL_CERT_FILE"), "{}", run.err);
}
