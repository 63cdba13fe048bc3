//! Warnings about what is in artifacts, and functions of two architectures.
//!
//! Holds reference/build.md#warnings, reference/build.md#runtimes, reference/packaging.md#contents.

use super::project::{Project, errors};

fn functions(name: &str, properties: &str) -> Project {
    let project = Project::new(&format!("warnings-{name}"));
    project.write(
        "template.yaml",
        &format!(
            "Resources:
  F:
    Type: AWS::Lambda::Function
    Properties: {{Handler: app.handler, Runtime: python3.13, Code: src{properties}}}
  L:
    Type: AWS::Lambda::LayerVersion
    Properties: {{Content: layer, CompatibleArchitectures: [x86_64, arm64]}}
"
        ),
    );
    project.write("src/app.py", "");
    project.write("layer/x", "");
    project
}

#[test]
fn likely_secrets_are_named_once_per_artifact() {
    let project = functions("secrets", "");
    assert!(!project.build(&[]).contains("warning"));
    // Of a source of Python it is left out.
    project.write("src/.env", "TOKEN=1\n");
    assert!(!project.build(&[]).contains("warning"));
    project.write("src/id_rsa", "");
    let named = "warning: src (Code of F) has a likely secret: id_rsa; leave out with";
    assert!(project.build(&[]).contains(named));
    project.write("src/certificates/global-bundle.pem", "-----BEGIN CERTIFICATE-----\n");
    project.write("layer/keys/own.pem", "-----BEGIN PRIVATE KEY-----\n");
    project.write("layer/.npmrc", "//registry.example/:_authToken=npm_x\n");
    let of_layer = "warning: layer (Content of L) has likely secrets: .npmrc, keys/own.pem; leave out with";
    for _ in 0..2 {
        let said = project.build(&[]);
        assert!(said.contains(named) && said.contains(of_layer) && said.matches("warning").count() == 2, "{said}");
    }
    project.write("src/.formworkignore", "/id_rsa\n");
    project.write("layer/.formworkignore", "*.pem\n.npmrc\n");
    assert!(!project.build(&[]).contains("warning"));
    for number in 0..7 {
        project.write(&format!("src/{number}/id_rsa"), "");
    }
    let said = project.build(&[]);
    assert!(said.contains("0/id_rsa, 1/id_rsa, 2/id_rsa, 3/id_rsa, 4/id_rsa and 2 more; "), "{said}");
}

/// What was not built is warned about in the same words when it is packaged, and what was built is not once more.
#[test]
fn packaging_warns_of_what_was_not_built() {
    let project = functions("packaged", "");
    project.write("src/.env", "TOKEN=1\n");
    project.write("src/node_modules/tls/test/key.pem", "-----BEGIN PRIVATE KEY-----\n");
    project.write("layer/large", "");
    let file = std::fs::File::options().write(true).open(project.folder().join("layer/large")).expect("a file");
    file.set_len(262_144_001).expect("a size");
    let package = |template: &str| {
        let output = project.run(&["package", template, "--plan", "-o", "plan.json"]);
        let said = errors(&output);
        assert!(output.status.success(), "{said}");
        said
    };
    let said = package("template.yaml");
    assert!(said.contains("warning: src (Code of F) has a likely secret: .env; leave out with"), "{said}");
    assert!(said.contains("warning: layer (Content of L) has 262144001 bytes unzipped: Lambda rejects"), "{said}");
    assert_eq!(said.matches("warning: ").count(), 2, "{said}");
    std::fs::remove_file(project.folder().join("layer/large")).expect("removed");
    let built = project.build(&[]);
    // A build leaves it out.
    assert_eq!(built.matches("warning: ").count(), 0, "{built}");
    let said = package(".formwork/build/template.yaml");
    assert!(!said.contains("warning"), "{said}");
}

#[test]
fn more_than_lambda_takes_is_named() {
    let project = functions("large", "");
    project.write("layer/large", "");
    let file = std::fs::File::options().write(true).open(project.folder().join("layer/large")).expect("a file");
    file.set_len(262_144_000).expect("a size");
    assert!(!project.build(&[]).contains("warning"));
    project.write("layer/x", "1");
    let said = project.build(&[]);
    assert!(said.contains("warning: layer (Content of L) has 262144001 bytes unzipped"), "{said}");
    assert_eq!(said.matches("warning").count(), 1, "{said}");
    let _ = std::fs::remove_dir_all(project.folder());
}

#[test]
fn a_function_has_one_architecture() {
    for (name, properties) in [
        ("two", ", Architectures: [arm64, x86_64]"),
        ("skipped", ", Architectures: [arm64, x86_64]}\n    Metadata: {SkipBuild: true"),
    ] {
        let project = functions(name, properties);
        let output = project.run(&["build"]);
        let said = errors(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("F has 2 Architectures, and a function has one"), "{said}");
        assert!(said.contains("write `Architectures: [arm64]`"), "{said}");
    }
    // A layer may be for both.
    functions("one", ", Architectures: [arm64]").build(&[]);
}
