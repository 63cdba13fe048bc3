//! A stranger's repository around `check --with`: nothing in it decides what the tools run.
//!
//! Holds reference/map-back.md#with.

use std::path::Path;

use super::{Folder, TEMPLATE, script};

/// A tool that prints where it runs, what is there and its arguments, and finds nothing.
const WITNESS: &str = "exec >>\"$SEEN\"\necho \"in $(pwd -P)\"\necho \"variable $PWD, ${OLDPWD-none}\"
for file in $(ls -A); do echo \"there $file\"; done
for word; do echo \"word $word\"; done
for word; do [ -f \"$word\" ] && echo \"file $word\" && ls -A \"$(dirname \"$word\")\" | sed 's/^/beside /'; done
true
";

/// Files that linters, Python, and what chooses their versions look for.
const CONFIGURATION: [&str; 9] = [
    ".cfnlintrc",
    ".cfnlintrc.yaml",
    ".checkov.yaml",
    ".checkov.yml",
    ".tool-versions",
    ".python-version",
    "json.py",
    "sitecustomize.py",
    "cloudformation_validate.py",
];

fn repository(name: &str) -> Folder {
    let folder = Folder::new("hostile-tools", name).with("template.yaml", TEMPLATE).with("rules.guard", "");
    let inner = folder.with("infra/template.yaml", TEMPLATE);
    CONFIGURATION.iter().fold(inner, |folder, file| folder.with(file, "").with(&format!("infra/{file}"), ""))
}

/// The lines that begin so, without that.
fn after<'a>(seen: &'a str, word: &str) -> Vec<&'a str> {
    seen.lines().filter_map(|line| line.strip_prefix(word)).collect()
}

#[test]
fn tools_run_in_an_empty_directory() {
    for (tool, program) in [
        ("cfn-lint", "cfn-lint"),
        ("checkov", "checkov"),
        ("cfn-guard", "cfn-guard"),
        ("cloudformation-validate", "python3"),
    ] {
        let folder = repository(tool);
        script(&folder, &format!("bin/{program}"), WITNESS);
        let path = format!("{}:/usr/bin:/bin", folder.path("bin").display());
        let look = |words: &[&str]| {
            let seen = folder.path("seen");
            let _ = std::fs::remove_file(&seen);
            let all = [&["check", "--no-schemas", "--with", tool, "--guard-rules", "rules.guard"], words].concat();
            let variables = [("PATH", path.as_str()), ("SEEN", seen.to_str().expect("a path")), ("OLDPWD", "/nowhere")];
            let run = folder.timed(&all, &variables);
            assert_eq!(run.status, 0, "{tool}: {}{}", run.out, run.err);
            (std::fs::read_to_string(&seen).expect("the tool ran"), run.err)
        };
        let repository = folder.path("").canonicalize().expect("a directory");
        for template in ["template.yaml", "infra/template.yaml"] {
            let (seen, _) = look(&[template]);
            let place = after(&seen, "in ")[0];
            assert!(!Path::new(place).starts_with(&repository), "{tool}: {seen}");
            assert!(!repository.starts_with(place), "{tool}: {seen}");
            assert!(!Path::new(place).exists(), "{tool}: {place} is left");
            assert_eq!(after(&seen, "there "), [""; 0], "{tool}");
            assert!(after(&seen, "variable ")[0].ends_with(", none"), "{tool}: {seen}");
            assert!(!after(&seen, "variable ")[0].contains(repository.to_str().expect("a path")), "{tool}: {seen}");
            // What it gets are absolute paths: of the expansion, which lies alone, and of rules that a person named.
            let files = after(&seen, "file ");
            assert!(files.iter().all(|file| Path::new(file).is_absolute()), "{tool}: {seen}");
            let ours: Vec<_> = files.iter().filter(|file| Path::new(file).starts_with(&repository)).collect();
            assert_eq!(ours.len(), usize::from(tool == "cfn-guard"), "{tool}: {seen}");
            assert!(files.iter().any(|file| file.ends_with("/template.yaml")), "{tool}: {seen}");
            assert!(tool == "cfn-guard" || after(&seen, "beside ") == ["template.yaml"], "{tool}: {seen}");
        }
        let (seen, errors) = look(&["template.yaml", "--with-config"]);
        assert_eq!(after(&seen, "in "), [repository.to_str().expect("a path")], "{tool}: {seen}");
        assert!(!errors.contains("is not read"), "{errors}");
    }
}

#[test]
fn configuration_that_is_not_read_is_named() {
    for (tool, files) in
        [("cfn-lint", [".cfnlintrc", ".cfnlintrc.yaml"]), ("checkov", [".checkov.yaml", ".checkov.yml"])]
    {
        let folder = repository("note");
        script(&folder, &format!("bin/{tool}"), "exit 0\n");
        let path = format!("{}:/usr/bin:/bin", folder.path("bin").display());
        let run = folder.timed(&["check", "--no-schemas", "--with", tool, "template.yaml"], &[("PATH", &path)]);
        let notes: Vec<_> = run.err.lines().filter(|line| line.contains("is not read")).collect();
        let want =
            files.map(|file| format!("note: {file} is not read; `--with-config` reads it, and runs what it names"));
        assert_eq!(notes, want, "{}", run.err);
        let words = ["check", "--quiet", "--no-schemas", "--with", tool, "template.yaml"];
        assert_eq!(folder.timed(&words, &[("PATH", &path)]).err, "");
        script(&folder, &format!("bin/{tool}"), "echo missing >&2; exit 3\n");
        let run = folder.timed(&["check", "--no-schemas", "--with", tool, "template.yaml"], &[("PATH", &path)]);
        assert!(
            run.status == 2 && run.err.contains("help: it ran in an empty directory; `--with-config`"),
            "{}",
            run.err
        );
    }
}

#[test]
fn a_relative_entry_of_the_path_leads_to_no_tool_of_the_repository() {
    let folder = repository("path");
    script(&folder, "bin/cfn-lint", "exit 0\n");
    script(&folder, "cfn-lint", "exit 0\n");
    for path in ["bin:/usr/bin:/bin", ".:/usr/bin:/bin", ":/usr/bin:/bin"] {
        let words = ["check", "--no-schemas", "--with", "cfn-lint", "template.yaml"];
        let run = folder.timed(&words, &[("PATH", path)]);
        assert!(run.status == 2 && run.err.contains("cfn-lint is not installed"), "{path}: {}", run.err);
        let run = folder.timed(&[&words[..], &["--with-config"]].concat(), &[("PATH", path)]);
        assert_eq!(run.status, 0, "{path}: {}", run.err);
    }
}

/// Python that leaves a file behind.
fn code(folder: &Folder) -> String {
    format!("open('{}', 'w').close()\n", folder.path("witness").display())
}

#[test]
fn no_python_of_the_repository_runs() {
    if !Path::new("/usr/bin/python3").exists() {
        eprintln!("skipped: there is no /usr/bin/python3");
        return;
    }
    let mut folder = Folder::new("hostile-tools", "python").with("template.yaml", TEMPLATE);
    let code = code(&folder);
    for name in ["json", "cloudformation_validate", "sitecustomize", "usercustomize", "encodings"] {
        folder = folder.with(&format!("{name}.py"), &code);
    }
    for config in [&[][..], &["--with-config"]] {
        let words = [&["check", "--no-schemas", "--with", "cloudformation-validate", "template.yaml"], config].concat();
        let run = folder.timed(&words, &[("PATH", "/usr/bin:/bin")]);
        assert!(run.status == 0 || run.err.contains("is not installed for python3"), "{}", run.err);
        assert!(!folder.path("witness").exists(), "{config:?}: code of the repository ran");
    }
    // The code would run.
    let mut python = folder.command("/usr/bin/python3");
    assert!(python.args(["-c", "import cloudformation_validate"]).status().expect("it runs").success());
    assert!(folder.path("witness").exists());
}

#[test]
fn rules_that_the_configuration_of_a_repository_names_do_not_run() {
    let Some((tools, path)) = super::seeded::tools() else {
        eprintln!("skipped: FORMWORK_TOOLS names no directory");
        return;
    };
    for (tool, file, key) in
        [("cfn-lint", ".cfnlintrc", "append_rules"), ("checkov", ".checkov.yaml", "external-checks-dir")]
    {
        if !tools.join(tool).exists() {
            eprintln!("skipped: {tool} is not in {}", tools.display());
            continue;
        }
        let metadata = format!("Metadata: {{cfn-lint: {{config: {{append_rules: [rules]}}}}}}\n{TEMPLATE}");
        let folder = Folder::new("hostile-tools", "rules").with(file, &format!("{key}: [rules]\n"));
        let code = code(&folder);
        let folder = folder.with("rules/__init__.py", &code).with("rules/Rule.py", &code);
        let folder = folder.with("template.yaml", &metadata);
        for config in [false, true] {
            let words = ["check", "--no-schemas", "--with", tool, "template.yaml", "--with-config"];
            let run = folder.timed(&words[..words.len() - usize::from(!config)], &[("PATH", &path)]);
            assert_eq!(folder.path("witness").exists(), config, "{tool}: {}{}", run.out, run.err);
        }
    }
}
