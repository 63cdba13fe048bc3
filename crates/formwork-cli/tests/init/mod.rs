//! `formwork init` as people use it, and its projects with the commands that they begin with.
//!
//! Holds reference/init.md#options, reference/init.md#directory, reference/init.md#templates.
#![cfg(all(feature = "aws", feature = "local", unix))]

use std::process::Command;

use crate::support::folder::{Folder, Run};
use crate::upload::server::Server;

const TEMPLATES: [&str; 3] = ["functions", "modules", "pipeline"];

fn created(name: &str, words: &[&str]) -> (Folder, Run) {
    let folder = Folder::new("init", name);
    let run = folder.run(&[&["init"], words].concat());
    (folder, run)
}

/// Runs the program in the project `shop` below a directory, where it must succeed.
fn succeed(folder: &Folder, words: &[&str], environment: &[(&str, &str)]) -> String {
    let output = folder
        .formwork(words)
        .current_dir(folder.path("shop"))
        .envs(environment.iter().copied())
        .output()
        .expect("the program");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn has_python() -> bool {
    let answered = Command::new("/usr/bin/env").args(["python3", "-V"]).env("PATH", "/usr/bin:/bin").output();
    let has = answered.is_ok_and(|output| output.status.success());
    if !has {
        eprintln!("skipped: python3 does not answer, and no function is run");
    }
    has
}

#[test]
fn the_list_has_every_template() {
    let (_, run) = created("list", &["--list"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let names: Vec<&str> = run.out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, TEMPLATES);
}

#[test]
fn projects_have_the_name_of_their_directory() {
    let (folder, run) = created("name", &["--template", "functions", "--name", "sub/My_Shop"]);
    assert_eq!((run.status, run.out.as_str()), (0, ""));
    assert_eq!(
        run.err,
        "created 7 files in sub/My_Shop; next:\n  cd sub/My_Shop\n  formwork expand template.yaml\n  formwork local \
         invoke ordersFunction -e events/get.json\n  formwork deploy\n"
    );
    let contents = folder.contents();
    let text = |name: &str| String::from_utf8_lossy(&contents[name]).into_owned();
    assert!(text("sub/My_Shop/samconfig.toml").contains("stack_name = \"My-Shop\"\n"));
    assert!(text("sub/My_Shop/template.yaml").contains("Description: My-Shop\n"));
    assert!(contents.contains_key("sub/My_Shop/.gitignore"));
    assert!(contents.values().all(|bytes| !String::from_utf8_lossy(bytes).contains("PROJECT")));
    // Without a name it is that of the template.
    let (folder, run) = created("own-name", &["-t", "pipeline"]);
    assert_eq!(run.status, 0);
    assert!(folder.path("pipeline/.github/workflows/deploy.yaml").is_file());
}

#[test]
fn a_directory_with_files_is_refused() {
    let folder = Folder::new("init", "full").with("shop/notes.txt", "mine");
    for (name, why) in [("shop", "is not empty"), ("shop/notes.txt", "is not a directory")] {
        let run = folder.run(&["init", "--template", "functions", "--name", name]);
        assert_eq!((run.status, run.out.as_str()), (2, ""));
        assert_eq!(
            run.err,
            format!("error: {name} {why}\n  help: name another one with `--name DIR`\n")
                .replace("is not empty\n  help: name another one", "is not empty\n  help: name another directory",)
        );
    }
    assert_eq!(folder.contents().len(), 1, "nothing is written");
    // A new repository is as good as nothing.
    let folder = Folder::new("init", "repository").with(".git/config", "");
    let run = folder.run(&["init", "--template", "functions", "--name", "."]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.starts_with("created 7 files in .; next:\n  formwork expand"), "{}", run.err);
    assert!(folder.path("template.yaml").is_file());
}

#[test]
fn what_is_not_named_is_an_error_where_nobody_can_be_asked() {
    let help = "  help: write `--template functions` or `--template modules` or `--template pipeline`\n";
    let (folder, run) = created("unnamed", &[]);
    assert_eq!((run.status, run.err), (2, format!("error: no project template is named\n{help}")));
    let run = folder.run(&["init", "--template", "function"]);
    assert_eq!((run.status, run.err), (2, format!("error: unknown project template function\n{help}")));
    assert!(folder.contents().is_empty());
}

#[test]
fn somebody_on_a_terminal_is_asked() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("init", "terminal");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/terminal.py");
    let run = |answers: &str| {
        let mut command = folder.command("/usr/bin/env");
        let output = command.args(["python3", script, answers, env!("CARGO_BIN_EXE_formwork"), "init"]).output();
        let output = output.expect("python3");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (status, shown) = run("module\\n2\\nwork shop\\n");
    assert_eq!(status, Some(0), "{shown}");
    assert!(shown.starts_with("  1  functions "), "{shown}");
    assert!(shown.contains("module is not a name or number of the list\n"), "{shown}");
    assert!(shown.contains("Directory [modules]: work shop\n"), "{shown}");
    assert!(shown.contains("\n  cd 'work shop'\n"), "{shown}");
    assert!(folder.path("work shop/modules/worker.yaml").is_file());
    let (status, shown) = run("\\n\\n");
    assert_eq!(status, Some(0), "{shown}");
    assert!(folder.path("functions/template.yaml").is_file());
}

/// A template from `init` to `package`, as the commands that are printed go on.
fn begin(template: &str, function: &str, event: &str, answer: &str, objects: usize) {
    let (folder, run) = created(&format!("begin-{template}"), &["--template", template, "--name", "shop"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let checked = folder.formwork(&["check", "template.yaml", "--strict"]).current_dir(folder.path("shop")).output();
    let checked = checked.expect("the program");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    assert!(checked.stderr.is_empty(), "{}", String::from_utf8_lossy(&checked.stderr));
    // Modules are judged as parts of the template that imports them.
    let all = folder.formwork(&["check", ".", "--strict"]).current_dir(folder.path("shop")).output();
    let all = all.expect("the program");
    assert!(all.status.success(), "{}", String::from_utf8_lossy(&all.stdout));
    let expanded = succeed(&folder, &["expand", "template.yaml"], &[]);
    assert!(expanded.contains(&format!("  {function}:\n")), "{expanded}");
    assert!(!expanded.contains("Fn::ForEach") && !expanded.contains("Modules:"), "{expanded}");
    if has_python() {
        let ran = succeed(&folder, &["local", "invoke", function, "-e", event], &[]);
        assert_eq!(ran, format!("{answer}\n"));
    }
    let server = Server::usual();
    let environment = [
        ("AWS_ACCESS_KEY_ID", "AKIDOFTHETESTS"),
        ("AWS_SECRET_ACCESS_KEY", "a-secret-of-the-tests"),
        ("AWS_REGION", "eu-west-1"),
        ("AWS_ENDPOINT_URL_S3", server.url.as_str()),
        ("AWS_EC2_METADATA_DISABLED", "true"),
    ];
    let words = ["package", "--s3-bucket", "bucket", "-o", "packaged.yaml"];
    succeed(&folder, &words, &environment);
    assert_eq!(server.count("PUT"), objects);
    let packaged = String::from_utf8_lossy(&folder.contents()["shop/packaged.yaml"]).into_owned();
    for path in server.state().objects.keys() {
        assert!(packaged.contains(&format!("s3:/{path}")), "{path}: {packaged}");
    }
}

#[test]
fn functions_from_init_to_package() {
    let body = r#"{\"service\": \"orders\", \"stage\": \"dev\"}"#;
    let headers = r#"{"content-type": "application/json"}"#;
    let answer = format!(r#"{{"statusCode": 200, "headers": {headers}, "body": "{body}"}}"#);
    begin("functions", "ordersFunction", "events/get.json", &answer, 2);
}

#[test]
fn modules_from_init_to_package() {
    begin("modules", "MailFunction", "events/order.json", r#"{"batchItemFailures": []}"#, 2);
}

#[test]
fn pipeline_from_init_to_package() {
    begin("pipeline", "ReportJob", "events/clock.json", r#"{"job": "report", "stage": "dev"}"#, 1);
}
