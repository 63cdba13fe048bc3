//! What a strange repository cannot make the server do.

use serde_json::{Value, json};

use crate::client::{Client, Folder, capabilities};

const IMPORT: &str = "Modules:\n  Net:\n    Source: ../net.yaml\n";
const MODULE: &str = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n";

/// A workspace directory below a repository, with a module outside of it.
fn workspace() -> Folder {
    Folder::new(&[("inner/t.yaml", IMPORT), ("net.yaml", MODULE), (".git/HEAD", "x")])
}

#[test]
fn without_trust_nothing_outside_of_the_folder_is_read() {
    let folder = workspace();
    let (inner, path) = (folder.path.join("inner"), folder.path.join("inner/t.yaml"));
    let mut client = Client::in_folder(&inner, "utf-8", false);
    client.open(&path, IMPORT);
    assert_eq!(client.diagnostics(&path)[0]["code"], "FW0701");
    // Nor is it when somebody has it open.
    client.open(&folder.path.join("net.yaml"), MODULE);
    client.replace(&path, &format!("{IMPORT}\n"));
    assert_eq!(client.diagnostics(&path)[0]["code"], "FW0701");
    // With trust it is.
    client.notify("formwork/trust", json!({"trusted": true}));
    client.wait_for("trust", |client| client.published.values().all(|(_, items)| items.is_empty()));
    client.shut_down();
}

#[test]
fn settings_do_not_replace_trust() {
    let folder = workspace();
    let (inner, path) = (folder.path.join("inner"), folder.path.join("inner/t.yaml"));
    let mut client = Client::with(&inner, &capabilities("utf-8", false), &json!({"projectRoot": ".."}));
    client.open(&path, IMPORT);
    assert_eq!(client.diagnostics(&path)[0]["code"], "FW0701");
    client.shut_down();
    let options = json!({"projectRoot": "..", "trusted": true});
    let mut client = Client::with(&inner, &capabilities("utf-8", false), &options);
    client.open(&path, IMPORT);
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    client.shut_down();
}

#[cfg(unix)]
#[test]
fn without_trust_links_lead_nowhere_else() {
    let folder = workspace();
    let inner = folder.path.join("inner");
    std::os::unix::fs::symlink(folder.path.join("net.yaml"), inner.join("linked.yaml")).unwrap();
    let text = "Modules:\n  Net:\n    Source: ./linked.yaml\n";
    let path = folder.write("inner/u.yaml", text);
    let mut client = Client::in_folder(&inner, "utf-8", false);
    client.open(&path, text);
    assert_eq!(client.diagnostics(&path)[0]["code"], "FW0701");
    client.shut_down();
}

#[test]
fn remote_modules_are_not_fetched_and_nothing_is_written() {
    let text =
        "Modules:\n  Net:\n    Source: https://127.0.0.1:9/net.yaml\nResources:\n  Topic:\n    Type: AWS::SNS::Topic\n";
    let folder = Folder::new(&[("t.yaml", text)]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::with(&folder.path, &capabilities("utf-8", false), &json!({"trusted": true}));
    client.open(&path, text);
    assert!(!client.diagnostics(&path).is_empty());
    client.shut_down();
    let names: Vec<_> = std::fs::read_dir(&folder.path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["t.yaml"]);
}

#[test]
fn the_source_has_no_way_to_a_network_a_program_or_a_file() {
    let mut pending = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for word in
                ["std::net", "TcpStream", "process::Command", "fs::write", "OpenOptions", "create_dir", "env::var"]
            {
                assert!(!text.contains(word), "{} has {word}", path.display());
            }
            // The log and the recording, which the command line names.
            let may_create = path.ends_with("src/log.rs") || path.ends_with("src/record.rs");
            assert!(!text.contains("File::create") || may_create, "{}", path.display());
        }
    }
}
