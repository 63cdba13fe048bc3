//! Artifacts are the same on two machines: with other interpreters, other directories, another umask.
//!
//! Holds reference/build.md#same, reference/build.md#npm-files.

use std::os::unix::fs::PermissionsExt;

use super::project::{Project, errors};

/// A stand-in for pip that installs a package with a script, as pip does with this interpreter.
fn pip(interpreter: &str) -> String {
    format!(
        "for word; do
    case \"$before\" in --target) out=$word;; esac
    before=$word
done
if test -n \"$out\"; then
    mkdir -p \"$out/bin\" \"$out/own\" \"$out/own-1.dist-info\"
    printf '#!{interpreter}\\nimport own\\n' >\"$out/bin/own\"
    chmod +x \"$out/bin/own\"
    echo 1 >\"$out/own/__init__.py\"
    printf '../../bin/own,sha256={interpreter},7\\nown-1.dist-info/RECORD,,\\n' >\"$out/own-1.dist-info/RECORD\"
fi"
    )
}

/// Every file of the build with its mode and text.
fn built(project: &Project) -> Vec<(String, u32, String)> {
    let root = project.folder().join(".formwork/build");
    let mode = |name: &str| root.join(name).metadata().expect("it exists").permissions().mode() & 0o7777;
    project.products().into_iter().map(|(name, text)| (name.clone(), mode(&name), text)).collect()
}

/// Builds with a umask.
fn build(project: &Project, umask: &str) {
    let inner = project.command(&["build"]);
    let mut command = std::process::Command::new("/bin/sh");
    command.args(["-c", &format!("umask {umask}; exec \"$0\" build")]).arg(env!("CARGO_BIN_EXE_formwork"));
    let environment = inner.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())));
    let output = command.envs(environment).current_dir(project.folder()).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
}

#[test]
fn interpreters_and_umasks_make_no_difference() {
    let machine = |name: &str, interpreter: &str, umask: &str| {
        let project = Project::new(&format!("same-{name}"));
        project.write(
            "template.yaml",
            "Resources:
  F:
    Type: AWS::Lambda::Function
    Properties: {Handler: app.handler, Runtime: python3.13, Code: src}
  Web:
    Type: AWS::Lambda::Function
    Properties: {Handler: app.handler, Runtime: nodejs22.x, Code: web}
",
        );
        project.write("src/app.py", "import own\n");
        project.write("src/requirements.txt", "own\n");
        project.write("web/package.json", "{}\n");
        project.tool("python3.13", &pip(interpreter));
        project.tool("npm", "mkdir -p node_modules/a; echo x >node_modules/a/x; pwd >node_modules/.modules.yaml");
        build(&project, umask);
        built(&project).into_iter().filter(|(name, ..)| name.contains('/')).collect::<Vec<_>>()
    };
    let first = machine("first", "/usr/bin/python3", "022");
    let script = first.iter().find(|(name, ..)| name == "F/bin/own").expect("a script");
    assert_eq!((script.1, script.2.as_str()), (0o755, "#!/usr/bin/env python3\nimport own\n"));
    assert!(first.iter().all(|(_, mode, _)| [0o644, 0o755].contains(mode)), "{first:?}");
    assert_eq!(machine("second", "/home/a/.pyenv/versions/3.13.1/bin/python3.13", "077"), first);
    assert_eq!(machine("third", "/opt/python/bin/python", "002"), first);
}

#[test]
fn npm_decides_what_of_a_source_is_in_the_artifact() {
    let project = Project::new("same-npm");
    project.write(
        "template.yaml",
        "Resources:
  F:
    Type: AWS::Lambda::Function
    Properties: {Handler: dist/app.handler, Runtime: nodejs22.x, Code: src}
",
    );
    for name in ["dist/app.js", "dist/app.js.map", "test/app.test.js", "tsconfig.json", "package-lock.json", ".env"] {
        project.write(&format!("src/{name}"), "{}\n");
    }
    project.tool("npm", "mkdir -p node_modules/a; echo x >node_modules/a/x");
    let files = || {
        project.build(&[]);
        let names = project.products().into_iter().filter_map(|(name, _)| Some(name.strip_prefix("F/")?.to_owned()));
        names.collect::<Vec<_>>().join(" ")
    };
    project.write("src/package.json", "{\"files\": [\"dist\", \"!dist/*.map\"]}\n");
    assert_eq!(files(), "dist/app.js node_modules/a/x package-lock.json package.json");
    project.write("src/package.json", "{}\n");
    project.write("src/.npmignore", "# not for Lambda\ntest\n*.map\n.env\n.npmignore\n");
    assert_eq!(files(), "dist/app.js node_modules/a/x package-lock.json package.json tsconfig.json");
    // What a package leaves out does not build it again.
    project.write("src/test/app.test.js", "changed\n");
    assert!(project.build(&[]).contains("built 0 of 1"));
    project.write("src/.npmignore", &"x\n".repeat(10_001));
    let output = project.run(&["build"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains(".npmignore cannot be used: it has more than 10000 lines"), "{}", errors(&output));
}
