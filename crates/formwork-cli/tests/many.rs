//! Commands on many templates, and reports for services.
//!
//! Holds reference/command-line.md#templates, reference/command-line.md#exclude, reference/command-line.md#output, reference/diagnostics.md#forms.

use std::path::Path;

use crate::support::folder::{Folder, Run};
use serde_json::Value;

const GOOD: &str = "Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Topics:
    - Name
    - [A, B]
    - Topic${Name}: {Type: AWS::SNS::Topic}
";
const BAD: &str = "Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Topics:
    - Name
    - [A, A]
    - Topic${Name}: {Type: AWS::SNS::Topic}
";

fn project(name: &str) -> Folder {
    Folder::new("many", name)
        .with("deep/good.yaml", GOOD)
        .with("deep/er/bad.yaml", BAD)
        .with("deep/values.json", "{\"Stage\": \"prod\"}")
        .with("deep/ignored.yaml", BAD)
        .with(".gitignore", "ignored.yaml\n")
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("an object per line")).collect()
}

#[test]
fn directories_and_patterns_are_checked_in_the_order_of_their_paths() {
    let folder = project("check");
    for words in [&["deep"][..], &["."], &["deep/good.yaml", "deep/er"]] {
        let run = folder.run(&[&["check", "--message-format", "json"][..], words].concat());
        assert_eq!((run.status, run.err.as_str()), (1, ""), "{words:?}: {run:?}");
        let found = objects(&run.out);
        assert_eq!(found.len(), 2, "{words:?}: {run:?}");
        assert_eq!((&found[0]["file"], &found[0]["code"]), (&"deep/er/bad.yaml".into(), &"FW0303".into()), "{words:?}");
        assert_eq!((&found[1]["summary"]["files"], &found[1]["summary"]["errors"]), (&2.into(), &1.into()));
    }
    // A pattern takes what the author ignores, too.
    let run = folder.run(&["check", "deep/**/*.yaml", "--message-format", "json"]);
    assert_eq!(objects(&run.out).last().expect("a summary")["summary"]["files"], 3);
}

#[test]
fn only_gitignore_excludes_templates() {
    let folder = project("machine")
        .with(".git/info/exclude", "good.yaml\n")
        .with(".ignore", "good.yaml\n")
        .with("home/.gitconfig", "[core]\nexcludesFile = ~/ignored\n")
        .with("home/ignored", "good.yaml\n")
        .with("home/.config/git/ignore", "bad.yaml\n");
    let home = folder.path("home").display().to_string();
    let run = folder.timed(&["check", "deep", "--message-format", "json"], &[("HOME", &home)]);
    assert_eq!(objects(&run.out).last().expect("a summary")["summary"]["files"], 2, "{run:?}");
}

/// The number of files that a check reports.
fn checked(folder: &Folder, words: &[&str]) -> u64 {
    let run = folder.run(&[&["check", "--message-format", "json"][..], words].concat());
    assert!(run.status < 2, "{words:?}: {run:?}");
    objects(&run.out).last().expect("a summary")["summary"]["files"].as_u64().expect("a number")
}

#[test]
fn what_is_excluded_is_passed_over_unless_it_is_named() {
    let folder = project("excluded");
    for (words, count) in [
        (&["."][..], 2),
        (&[".", "--exclude", "er"], 1),
        (&[".", "--exclude", "er/"], 1),
        (&[".", "--exclude", "deep/er"], 1),
        (&[".", "--exclude", "deep/**/bad.*"], 1),
        (&[".", "--exclude", "er,good.yaml"], 0),
        (&[".", "--exclude", "er", "--exclude", "*.{json,yaml}"], 0),
        (&["deep/**/*.yaml", "--exclude", "er"], 2),
        (&["deep/er/bad.yaml", "--exclude", "er"], 1),
        (&["deep/er", "--exclude", "er"], 1),
        (&["deep/er/bad.yaml", "--exclude", "er", "--only-templates"], 0),
    ] {
        assert_eq!(checked(&folder, words), count, "{words:?}");
    }
    for (command, out) in [("expand", "out"), ("resolve", "other")] {
        let run = folder.run(&[command, ".", "--exclude", "er,out", "-o", &format!("{out}/")]);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(folder.path(out).join("deep/good.yaml").exists() && !folder.path(out).join("deep/er").exists());
    }
    let run = folder.run(&["validate", ".", "--exclude", "er,out", "--exclude", "other"]);
    assert_eq!(run.status, 0, "{run:?}");
    let run = folder.run(&["check", ".", "--exclude", "["]);
    assert!(run.status == 2 && run.err.contains("--exclude: [ is not a pattern"), "{run:?}");
}

/// A pattern of the file begins in its directory, wherever the command runs, and a note names the key.
#[test]
fn formwork_toml_excludes_from_its_directory() {
    let folder =
        project("excluded-by-file").with("formwork.toml", "exclude = [\"deep/er/*.yaml\"]\n").with(".git/x", "");
    assert_eq!(checked(&folder, &["."]), 1);
    let mut inner = folder.formwork(&["check", "."]);
    let run = inner.current_dir(folder.path("deep")).output().expect("it runs");
    let out = String::from_utf8(run.stdout).expect("UTF-8");
    assert!(run.status.success() && out.contains("sets exclude"), "{out}");
    // The option of `build` of this name is about resources.
    let folder = folder.with("template.yaml", GOOD);
    let run = folder.run(&["build"]);
    assert_eq!(run.status, 0, "{run:?}");
}

#[test]
fn what_names_nothing_is_reported_beside_the_rest() {
    let folder = project("missing").with("empty/notes.txt", "");
    let run = folder.run(&["check", "empty", "*.nosuch", "deep/er/bad.yaml"]);
    assert_eq!(run.status, 2, "{run:?}");
    for want in ["empty holds no template", "no file matches *.nosuch", "FW0303"] {
        assert!(run.out.contains(want), "{want}: {}", run.out);
    }
    let run = folder.run(&["expand", "empty", "-o", "out"]);
    assert!(run.status == 2 && run.err.contains("holds no template") && !Path::new("out").exists(), "{run:?}");
}

/// What an earlier run wrote into the directory of the templates is not expanded again.
#[test]
fn a_second_run_does_the_same() {
    let folder = Folder::new("many", "second").with("a.yaml", GOOD).with("deep/b.yaml", GOOD);
    let run = || folder.run(&["expand", ".", "-o", "deep/../out", "--no-config"]);
    let first = (run(), folder.contents());
    assert_eq!((first.0.status, first.1.len()), (0, 4), "{first:?}");
    let second = (run(), folder.contents());
    assert_eq!((second.0.err, second.1), (first.0.err, first.1));
    // Who names it means it.
    let run = folder.run(&["expand", "out", "-o", "again", "--no-config"]);
    assert_eq!((run.status, folder.contents().len()), (0, 6), "{run:?}");
}

#[test]
fn results_are_never_written_over_inputs_of_others() {
    let module = "Resources:\n  R: {Type: AWS::SNS::Topic}\n";
    let user = "Modules:\n  M: {Source: out/m.yaml}\n";
    let folder = Folder::new("many", "inputs")
        .with("x.yaml", GOOD)
        .with("out/x.yaml", &GOOD.replace("SNS::Topic", "SQS::Queue"))
        .with("m.yaml", GOOD)
        .with("out/m.yaml", module)
        .with("z.yaml", user);
    let before = folder.contents();
    let run = folder.run(&["expand", "x.yaml", "out/x.yaml", "-o", "out"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.err.contains("-o out would overwrite an input, out/x.yaml: name another directory"), "{}", run.err);
    assert_eq!(folder.contents(), before);
    // A module is known when it is read.
    let run = folder.run(&["expand", "z.yaml", "m.yaml", "-o", "out"]);
    assert!(run.status == 2 && run.err.contains("out/m.yaml: name another directory"), "{run:?}");
    let run = folder.run(&["expand", "z.yaml", "x.yaml", "-o", "other"]);
    assert_eq!(run.status, 0, "{run:?}");
    let run = folder.run(&["expand", "z.yaml", "out/m.yaml", "-o", "out"]);
    assert!(run.status == 0 && folder.path("out/out/m.yaml").exists(), "{run:?}");
}

#[cfg(unix)]
#[test]
fn results_are_not_written_over_other_names_of_inputs() {
    type Link = fn(&std::path::Path, &std::path::Path) -> std::io::Result<()>;
    let links: [(&str, Link); 2] = [
        ("hard", |from, to| std::fs::hard_link(from, to)),
        ("symbolic", |from, to| std::os::unix::fs::symlink(from, to)),
    ];
    for (name, link) in links {
        // One that was read to find out what it is, and one that was named.
        for words in [["in", "other.yaml"], ["in/x.yaml", "other.yaml"]] {
            let folder =
                Folder::new("many", name).with("in/x.yaml", GOOD).with("other.yaml", GOOD).with("out/in/y.yaml", "");
            link(&folder.path("in/x.yaml"), &folder.path("out/in/x.yaml")).expect("a link");
            let run = folder.run(&["expand", words[0], words[1], "-o", "out"]);
            let why = match name {
                "hard" => "-o out/in/x.yaml would overwrite an input, out/in/x.yaml: name another file",
                _ => "out/in/x.yaml is a symbolic link, and nothing is written through one",
            };
            assert!(run.status == 2 && run.err.contains(why), "{name} {words:?}: {run:?}");
            assert_eq!(std::fs::read_to_string(folder.path("in/x.yaml")).expect("the template"), GOOD);
        }
    }
}

#[test]
fn a_nested_template_is_reported_once() {
    let parent = "Resources: {Child: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: child.yaml}}}\n";
    let folder = Folder::new("many", "nested").with("parent.yaml", parent).with("child.yaml", BAD);
    let run = folder.run(&["check", ".", "--message-format", "json"]);
    let found = objects(&run.out);
    assert_eq!(found.iter().filter(|found| found["code"] == "FW0303").count(), 1, "{}", run.out);
    // So is the file.
    assert_eq!(found.last().expect("a summary")["summary"]["files"], 2, "{}", run.out);
    let run = folder.run(&["check", ".", "--message-format", "junit"]);
    assert_eq!(run.out.matches("<testsuite ").count(), 2, "{}", run.out);
}

#[test]
fn a_file_that_a_template_of_the_run_imports_is_judged_as_a_module() {
    let module = "Parameters:
  Names: {Type: Array, Default: [a, b]}
Resources:
  Fn::ForEach::Loop: [Name, [A], {'Of${Name}': {Type: AWS::SNS::Topic}}]
  T: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Ref Main, TopicName: !Join ['', !Ref Names]}}
Outputs:
  List: {Value: [!Ref T, x]}
  Object: {Value: {A: !Ref T}}
";
    let root = "Transform: AWS::LanguageExtensions
Modules: {Net: {Source: ../modules/net.yaml}}
Resources:
  Main: {Type: AWS::SNS::Topic}
  Other: {Type: Custom::Other, Properties: {ServiceToken: a, Names: !GetAtt Net.List}}
";
    let folder = Folder::new("many", "modules").with("modules/net.yaml", module).with("stacks/root.yaml", root);
    for words in [&["check", "."][..], &["check", "modules/net.yaml", "stacks/root.yaml", "--strict"]] {
        let run = folder.run(words);
        assert_eq!((run.status, run.out.as_str()), (0, ""), "{}", run.err);
    }
    // Alone it is a template.
    let run = folder.run(&["check", "modules", "--message-format", "short"]);
    assert!(run.status == 1 && run.out.contains("the Value of output List is a list"), "{}", run.out);
    // Errors of the module itself are reported.
    let folder = folder.with("modules/net.yaml", &module.replace("Type: AWS::SNS::Topic", "Tipe: AWS::SNS::Topic"));
    let run = folder.run(&["check", ".", "--message-format", "short"]);
    assert!(run.status == 1 && run.out.contains("modules/net.yaml:5:"), "{}", run.out);
}

#[test]
fn the_template_of_the_working_directory_is_the_default() {
    let folder =
        Folder::new("many", "default").with("template.json", r#"{"Resources": {}}"#).with("template.yml", GOOD);
    for command in ["check", "expand", "resolve", "validate"] {
        let run = folder.run(&[command]);
        assert_eq!(run.status, 0, "{command}: {run:?}");
        assert!(run.err.contains("template: template.yml"), "{command}: {}", run.err);
    }
    let run = Folder::new("many", "none").run(&["check"]);
    let names = ["template.yaml", "template.yml", "template.json"];
    assert!(run.status == 2 && names.iter().all(|name| run.err.contains(name)), "{run:?}");
}

#[test]
fn many_templates_are_written_below_a_directory() {
    let folder = project("expand");
    let run = folder.run(&["expand", "deep"]);
    assert!(run.status == 2 && run.out.is_empty() && run.err.contains("`-o DIR`"), "{run:?}");
    let run = folder.run(&["expand", "deep", "-o", "out"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""), "{run:?}");
    assert!(run.err.contains("deep/er/bad.yaml:6:7"), "{}", run.err);
    let written = std::fs::read_to_string(folder.path("out/deep/good.yaml")).expect("the result");
    assert!(written.contains("TopicB:"), "{written}");
    assert!(!folder.path("out/deep/er/bad.yaml").exists());
    let run = folder.run(&["resolve", "deep/good.yaml", "deep/er", "-o", "deep/good.yaml"]);
    assert!(run.status == 2 && run.err.contains("not a directory"), "{run:?}");
    let run = folder.run(&["expand", "deep", "-o", "."]);
    assert!(run.status == 2 && run.err.contains("would overwrite an input"), "{run:?}");
}

#[test]
fn a_separator_at_its_end_makes_the_output_a_directory() {
    let folder = project("slash");
    let run = folder.run(&["expand", "deep/good.yaml", "-o", "out/"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{run:?}");
    let written = std::fs::read_to_string(folder.path("out/deep/good.yaml")).expect("the result");
    assert_eq!(written, folder.run(&["expand", "deep/good.yaml"]).out);
}

fn reported(format: &str) -> (Folder, Run) {
    let folder = project(format);
    let run = folder.run(&["check", "deep", "none.yaml", "--message-format", format]);
    assert_eq!((run.status, run.err.as_str()), (2, ""), "{run:?}");
    (folder, run)
}

#[test]
fn sarif_is_one_document() {
    let (_, run) = reported("sarif");
    let document: Value = serde_json::from_str(&run.out).expect("JSON");
    let results = document["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 2, "{}", run.out);
    let bad = results.iter().find(|result| result["ruleId"] == "FW0303").expect("the error");
    let uri = bad["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("a path");
    assert!(uri.ends_with("deep/er/bad.yaml"), "{uri}");
    assert_eq!(document["runs"][0]["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn junit_has_a_suite_for_each_template() {
    let (_, run) = reported("junit");
    assert!(run.out.starts_with("<?xml") && run.out.trim_end().ends_with("</testsuites>"), "{}", run.out);
    assert_eq!(run.out.matches("<testsuite ").count(), 3, "{}", run.out);
    assert!(run.out.contains("classname=\"deep/good.yaml\" name=\"check\"/>"), "{}", run.out);
}

#[test]
fn github_annotates_lines() {
    let (_, run) = reported("github");
    assert!(run.out.contains("deep/er/bad.yaml,line=6,endLine=6,col=7,"), "{}", run.out);
    assert!(run.out.ends_with("2 errors\n"), "{}", run.out);
}

#[test]
fn the_version_and_help_are_commands() {
    let folder = project("version");
    let run = folder.run(&["version"]);
    assert!(run.status == 0 && run.out == folder.run(&["--version"]).out, "{run:?}");
    let run = folder.run(&["help", "check"]);
    assert!(run.status == 0 && run.out.contains("Usage: formwork check"), "{run:?}");
}

#[test]
fn a_configuration_file_can_be_left_unread() {
    let config = "version = 0.1\n[default.global.parameters]\nparameter_overrides = \"Stage=prod\"\n";
    let template = "Parameters: {Stage: {Type: String, Default: dev}}\nResources: {T: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Ref Stage}}}\n";
    let folder = Folder::new("many", "config").with("samconfig.toml", config).with("t.yaml", template);
    assert!(folder.run(&["resolve", "t.yaml"]).out.contains("DisplayName: prod"));
    assert!(folder.run(&["resolve", "t.yaml", "--no-config"]).out.contains("DisplayName: dev"));
}

#[cfg(unix)]
#[test]
fn an_output_with_the_same_bytes_stays_and_becomes_new() {
    use std::os::unix::fs::MetadataExt;
    use std::time::SystemTime;
    let folder = Folder::new("many", "same").with("in/a.yaml", GOOD).with("in/b.yaml", GOOD);
    let expand = || folder.run(&["expand", "in", "-o", "out"]).status;
    let output = |name: &str| folder.path("out/in").join(name);
    let number = |name: &str| std::fs::metadata(output(name)).expect("an output").ino();
    assert_eq!(expand(), 0);
    let (a, b) = (number("a.yaml"), number("b.yaml"));
    let file = std::fs::File::open(output("a.yaml")).expect("an output");
    file.set_modified(SystemTime::UNIX_EPOCH).expect("set");
    let text = std::fs::read_to_string(output("b.yaml")).expect("an output");
    std::fs::write(output("b.yaml"), text.replace("TopicB", "TopicC")).expect("written");
    // Its number stays in use.
    std::fs::hard_link(output("b.yaml"), folder.path("other.yaml")).expect("a link");
    assert_eq!(expand(), 0);
    assert_eq!(number("a.yaml"), a);
    assert!(file.metadata().and_then(|found| found.modified()).expect("a time") > SystemTime::UNIX_EPOCH);
    assert_ne!(number("b.yaml"), b);
    assert_eq!(std::fs::read_to_string(output("b.yaml")).expect("an output"), text);
}

/// The names in a directory, hidden ones too.
fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("a directory").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_new_output_directory_appears_with_its_results_and_only_then() {
    let folder = Folder::new("many", "new").with("in/a.yaml", GOOD).with("in/b/c.yaml", GOOD).with("bad/d.yaml", BAD);
    let run = folder.run(&["expand", "bad", "-o", "made/out"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(names(&folder.path("")), [".git", "bad", "in"], "nothing is made without a result");

    let run = folder.run(&["expand", "in", "bad", "-o", "made/out"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(names(&folder.path("made")), ["out"], "no temporary name is left");
    assert_eq!(names(&folder.path("made/out")), ["in"]);
    let fresh = ["a.yaml", "b/c.yaml"].map(|name| std::fs::read(folder.path("made/out/in").join(name)).expect(name));
    assert_eq!(fresh[0], fresh[1]);

    // Into the directory that is there now: what else is in it stays.
    let folder = folder.with("made/out/other.txt", "kept").with("made/out/in/a.yaml", "old");
    let run = folder.run(&["expand", "in", "-o", "made/out"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(std::fs::read(folder.path("made/out/in/a.yaml")).expect("a result"), fresh[0]);
    assert_eq!(names(&folder.path("made/out")), ["in", "other.txt"]);
}

#[test]
#[cfg(unix)]
fn a_new_output_directory_has_the_mode_of_any_other() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("many", "mode").with("in/a.yaml", GOOD).with("in/b.yaml", GOOD);
    std::fs::create_dir(folder.path("usual")).expect("a directory");
    assert_eq!(folder.run(&["expand", "in", "-o", "out/"]).status, 0);
    let mode = |name: &str| std::fs::metadata(folder.path(name)).expect(name).permissions().mode();
    assert_eq!(mode("out"), mode("usual"));
    assert_eq!(mode("out/in/a.yaml"), mode("in/a.yaml"));
}

/// Two links to one directory: both templates have the same result.
#[test]
#[cfg(unix)]
fn results_of_the_same_name_replace_each_other() {
    let folder = Folder::new("many", "links").with("in/a.yaml", GOOD).with("in/b.yaml", GOOD);
    std::os::unix::fs::symlink("in", folder.path("link")).expect("a link");
    let run = folder.run(&["expand", "in/a.yaml", "link/a.yaml", "in/b.yaml", "-o", "out"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(names(&folder.path("out/in")), ["a.yaml", "b.yaml"]);
}
