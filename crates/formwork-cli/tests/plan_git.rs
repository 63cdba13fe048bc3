//! `plan --git` (reference/plan.md#git): a side is proved. Whatever a clone does not have, and whatever a repository, its settings
//! or the environment name, the old side is the right one, or the program ends with status 2.
#![cfg(all(target_os = "linux", feature = "aws", feature = "local"))]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::host::repository::{command, git};
use crate::support::folder::{Folder, Run};

const WORDS: [&str; 7] =
    ["t.yaml", "--parameters-file", "p.json", "--format", "json", "--fail-on", "replacement,destructive,data"];

/// The files of a template, with a word that each of them has at this revision.
fn files(folder: Folder, word: &str) -> Folder {
    let mut folder = folder;
    for (path, text) in [
        (
            "t.yaml",
            "Modules:\n  Box: {Source: ./mods/m.yaml, Properties: {Name: !Ref Stage}}\nParameters: {Stage: {Type: String}}\nResources:\n  Own: {Type: AWS::SNS::Topic, Properties: {TopicName: own-WORD}}\n  Child: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: ./child.yaml}}\n  Part:\n    Fn::Transform: {Name: AWS::Include, Parameters: {Location: ./parts/part.yaml}}\n",
        ),
        (
            "mods/m.yaml",
            "Parameters: {Name: {Type: String}}\nResources:\n  Queue: {Type: AWS::SQS::Queue, Properties: {QueueName: !Sub 'WORD-${Name}'}}\n",
        ),
        ("parts/part.yaml", "Type: AWS::SNS::Topic\nProperties: {TopicName: part-WORD}\n"),
        ("child.yaml", "Resources:\n  Topic: {Type: AWS::SNS::Topic, Properties: {TopicName: child-WORD}}\n"),
        ("p.json", "{\"Stage\": \"stage-WORD\"}"),
    ] {
        folder = folder.with(&format!("stacks/{path}"), &text.replace("WORD", word));
    }
    folder
}

/// A repository with the history `first`, `old`, `new`; the directory around it, and the commit `old`.
fn history(name: &str) -> (Folder, String) {
    let outer = Folder::new("plan-git", name);
    // It is a directory that has no `.git` of its own.
    fs::remove_dir(outer.path(".git")).expect("an empty directory");
    let origin = outer.below("origin");
    fs::create_dir(outer.path("origin")).expect("a directory");
    git(&origin.path("."), &["init", "--quiet", "--initial-branch=main"]);
    for setting in ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"] {
        git(&origin.path("."), &["config", setting, "true"]);
    }
    let mut commits = Vec::new();
    for word in ["first", "old", "new"] {
        let origin = files(outer.below("origin"), word);
        commits.push(commit(&origin.path(".")));
    }
    (outer, commits.swap_remove(1))
}

fn commit(directory: &Path) -> String {
    git(directory, &["add", "--all"]);
    git(directory, &["commit", "--quiet", "--message=state"]);
    git(directory, &["rev-parse", "HEAD"])
}

/// Clones the repository, with options; returns the directory of its templates.
fn clone(outer: &Folder, options: &[&str]) -> Folder {
    let _ = fs::remove_dir_all(outer.path("work"));
    let origin = format!("file://{}", outer.path("origin").display());
    // Nothing goes on in the background when the clone is removed.
    let quiet = ["clone", "--quiet", "--config=gc.auto=0", "--config=maintenance.auto=false"];
    git(&outer.path("."), &[&quiet[..], options, &[&origin, "work"]].concat());
    outer.below("work/stacks")
}

fn plan(folder: &Folder, revision: &str) -> Run {
    plan_with(folder, revision, &[])
}

fn plan_with(folder: &Folder, revision: &str, environment: &[(&str, &str)]) -> Run {
    folder.timed(&[&["plan", "--git", revision], &WORDS[..]].concat(), environment)
}

/// The changes of a plan whose gates are hit.
fn changes(run: &Run) -> Value {
    assert_eq!(run.status, 1, "{run:?}");
    let plan: Value = serde_json::from_str(&run.out).expect("JSON");
    plan["changes"].clone()
}

/// What is true: of a whole clone, in which each file differs.
fn truth(outer: &Folder, old: &str) -> Value {
    let truth = changes(&plan(&clone(outer, &[]), old));
    let text = truth.to_string();
    for part in ["own-old", "old-stage-old", "part-old", "child-old"] {
        assert!(text.contains(part), "{part}: {truth:#}");
    }
    truth
}

/// The plan is the right one, or the program reports what to do.
fn is_right(run: &Run, truth: &Value, what: &str) -> bool {
    if run.status == 2 {
        assert!(run.out.is_empty() && run.err.contains("help: "), "{what}: {run:?}");
        return false;
    }
    assert_eq!(&changes(run), truth, "{what}: {run:?}");
    true
}

#[test]
fn every_clone_has_the_right_side_or_none() {
    const REFETCH: &str = "run `git fetch --refetch --no-filter`";
    const UNSHALLOW: &str = "run `git fetch --unshallow`";
    let (outer, old) = history("clones");
    let truth = truth(&outer, &old);
    for (options, revision, help) in [
        (&["--no-local"][..], "main~1", None),
        (&["--depth=1"], &old, Some(UNSHALLOW)),
        (&["--depth=1"], "main~1", Some(UNSHALLOW)),
        (&["--depth=2"], &old, None),
        (&["--depth=2"], "main~1...", None),
        (&["--filter=blob:none"], &old, Some(REFETCH)),
        (&["--filter=blob:none"], "main~1...main", Some(REFETCH)),
        (&["--filter=blob:limit=60"], &old, Some(REFETCH)),
        (&["--filter=tree:0"], &old, Some(REFETCH)),
        (&["--filter=tree:0", "--depth=2"], &old, Some(REFETCH)),
    ] {
        let folder = clone(&outer, options);
        let run = plan(&folder, revision);
        assert_eq!(is_right(&run, &truth, revision), help.is_none(), "{options:?} {revision}: {run:?}");
        let Some(help) = help else { continue };
        assert!(run.err.contains(help), "{options:?}: {run:?}");
        // The advice helps.
        let words: &[&str] =
            if help == REFETCH { &["--refetch", "--no-filter", "--quiet"] } else { &["--unshallow", "--quiet"] };
        git(&folder.path("."), &[&["fetch"], words].concat());
        assert!(is_right(&plan(&folder, revision), &truth, revision), "{options:?}");
    }
}

/// The objects of a commit: itself, its trees and its files.
fn objects(directory: &Path, commit: &str) -> Vec<String> {
    let list = git(directory, &["ls-tree", "-r", "-t", "--format=%(objectname)", commit]);
    let tree = git(directory, &["rev-parse", &format!("{commit}^{{tree}}")]);
    list.lines().map(str::to_owned).chain([tree, commit.to_owned()]).collect()
}

/// A clone whose objects are a file each, and where.
fn loose(outer: &Folder) -> (Folder, impl Fn(&str) -> PathBuf) {
    let folder = clone(outer, &[]);
    let kept = outer.path("work/.git/objects/pack");
    fs::rename(&kept, outer.path("pack")).expect("moved");
    fs::create_dir(&kept).expect("a directory");
    for pack in fs::read_dir(outer.path("pack")).expect("packs").flatten() {
        if pack.path().extension().is_some_and(|extension| extension == "pack") {
            let mut unpack = command("git", &folder.path("."));
            let unpacked = unpack.args(["unpack-objects", "-q"]).stdin(fs::File::open(pack.path()).expect("a pack"));
            assert!(unpacked.status().expect("git runs").success());
        }
    }
    fs::remove_dir_all(outer.path("pack")).expect("removed");
    let directory = outer.path("work/.git/objects");
    (folder, move |id: &str| directory.join(&id[..2]).join(&id[2..]))
}

#[test]
fn no_object_that_is_lost_or_corrupt_makes_a_side_smaller() {
    let (outer, old) = history("objects");
    let truth = truth(&outer, &old);
    let (folder, file) = loose(&outer);
    let ids = objects(&folder.path("."), &old);
    assert!(ids.len() >= 10, "{ids:?}");
    let new = objects(&folder.path("."), &git(&folder.path("."), &["rev-parse", "HEAD"]));
    let mut refused = 0;
    for (id, other) in ids.iter().zip(&new) {
        let path = file(id);
        let content = fs::read(&path).expect("an object");
        fs::remove_file(&path).expect("removed");
        let half = &content[..content.len() / 2];
        let foreign = fs::read(file(other)).expect("an object");
        let noise: Vec<u8> = content.iter().map(|byte| byte ^ 0x55).collect();
        for (what, content) in [
            ("lost", None),
            ("half", Some(half)),
            ("another", Some(&foreign)),
            ("noise", Some(&noise)),
            ("empty", Some(&[])),
        ] {
            if let Some(content) = content {
                fs::write(&path, content).expect("written");
            }
            let revision = if refused % 2 == 0 { old.as_str() } else { "main~1..." };
            let run = plan(&folder, revision);
            refused += usize::from(!is_right(&run, &truth, &format!("{what} {id} {revision}")));
            let _ = fs::remove_file(&path);
        }
        fs::write(&path, content).expect("written");
    }
    assert_eq!(refused, ids.len() * 5, "each of them is part of the side");
    assert!(is_right(&plan(&folder, &old), &truth, "all of them are back"));
}

#[test]
fn replacements_and_grafts_change_no_side() {
    let (outer, old) = history("replaced");
    let truth = truth(&outer, &old);
    let folder = clone(&outer, &[]);
    let at = folder.path(".");
    for (id, other) in objects(&at, &old).iter().zip(objects(&at, "HEAD")) {
        git(&at, &["replace", "--force", id, &other]);
        assert!(is_right(&plan(&folder, &old), &truth, id));
        git(&at, &["replace", "--delete", id]);
    }
    let (first, head) = (git(&at, &["rev-parse", &format!("{old}~1")]), git(&at, &["rev-parse", "HEAD"]));
    fs::create_dir_all(outer.path("work/.git/info")).expect("a directory");
    for graft in [head.clone(), format!("{head} {first}"), format!("{old} {head}")] {
        fs::write(outer.path("work/.git/info/grafts"), graft).expect("written");
        for revision in ["main~1", "main~1...", &format!("{old}...main")] {
            assert!(is_right(&plan(&folder, revision), &truth, revision));
        }
    }
}

#[test]
fn a_bare_repository_beside_the_template_is_files() {
    let (outer, old) = history("bare");
    let truth = truth(&outer, &old);
    let folder = clone(&outer, &[]);
    // Its only commit has the files of the new side, under the same names.
    git(&outer.path("."), &["init", "--quiet", "--initial-branch=main", "hostile"]);
    let hostile = files(outer.below("hostile"), "new");
    fs::rename(hostile.path("stacks"), outer.path("moved")).expect("moved");
    for name in fs::read_dir(outer.path("moved")).expect("files").flatten() {
        fs::rename(name.path(), hostile.path(".").join(name.file_name())).expect("moved");
    }
    commit(&hostile.path("."));
    for name in ["HEAD", "config", "objects", "refs", "index"] {
        fs::rename(outer.path("hostile/.git").join(name), folder.path(name)).expect("moved");
    }
    for revision in [&old, "main~1", "HEAD~1"] {
        assert!(is_right(&plan(&folder, revision), &truth, revision));
    }
}

#[test]
fn the_environment_names_no_other_repository() {
    let (outer, old) = history("environment");
    let truth = truth(&outer, &old);
    let folder = clone(&outer, &[]);
    let elsewhere = outer.path("elsewhere");
    git(&outer.path("."), &["init", "--quiet", "--bare", "elsewhere"]);
    let elsewhere = elsewhere.display().to_string();
    for environment in [
        &[("GIT_DIR", elsewhere.as_str())][..],
        &[("GIT_DIR", "nowhere"), ("GIT_WORK_TREE", "/")],
        &[("GIT_WORK_TREE", &elsewhere)],
        &[("GIT_COMMON_DIR", &elsewhere)],
        &[("GIT_OBJECT_DIRECTORY", &elsewhere)],
        &[("GIT_INDEX_FILE", "/nowhere")],
        &[("GIT_CEILING_DIRECTORIES", "/")],
        &[("GIT_NAMESPACE", "other"), ("GIT_REPLACE_REF_BASE", "refs/heads/")],
        &[("GIT_SHALLOW_FILE", "/nowhere"), ("GIT_GRAFT_FILE", "/nowhere")],
        &[("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "core.worktree"), ("GIT_CONFIG_VALUE_0", "/")],
        &[("GIT_CONFIG_PARAMETERS", "'core.worktree=/'")],
    ] {
        assert!(is_right(&plan_with(&folder, &old, environment), &truth, &format!("{environment:?}")));
    }
}

#[test]
fn settings_choose_no_side_run_nothing_and_fetch_nothing() {
    let (outer, old) = history("settings");
    let truth = truth(&outer, &old);
    let folder = clone(&outer, &[]);
    let at = folder.path(".");
    let top = outer.path("work").display().to_string();
    for (worktree, is_used) in [(top.as_str(), true), ("..", true), ("/", false), ("../..", false), ("nowhere", false)]
    {
        git(&at, &["config", "--file", &format!("{top}/.git/config"), "core.worktree", worktree]);
        let run = plan(&folder, &old);
        assert_eq!(is_right(&run, &truth, worktree), is_used, "{worktree}: {run:?}");
    }
    let folder = clone(&outer, &["--filter=blob:none"]);
    git(&at, &["config", "core.bare", "true"]);
    let mark = outer.path("mark").display().to_string();
    let script = format!("touch {mark}; exit 1");
    for (name, value) in [
        ("core.fsmonitor", script.as_str()),
        ("core.pager", &script),
        ("core.sshCommand", &script),
        ("core.hooksPath", "/nowhere"),
        ("alias.cat-file", &format!("!{script}")),
        ("diff.external", &script),
        ("credential.helper", &format!("!{script}")),
        ("remote.origin.url", &format!("ext::sh -c '{script}'")),
        ("remote.origin.uploadpack", &script),
        ("protocol.allow", "always"),
        ("protocol.ext.allow", "always"),
    ] {
        git(&outer.path("work"), &["config", name, value]);
    }
    let run = plan(&folder, &old);
    assert!(!is_right(&run, &truth, "partial"), "{run:?}");
    assert!(!Path::new(&mark).exists(), "{run:?}");
}

#[test]
fn linked_worktrees_and_submodules_are_their_own_repositories() {
    let (outer, old) = history("linked");
    let truth = truth(&outer, &old);
    clone(&outer, &[]);
    git(&outer.path("work"), &["worktree", "add", "--quiet", "../linked", "main", "--force"]);
    let linked = outer.below("linked/stacks");
    for revision in [&old, "main~1", "HEAD~1..."] {
        assert!(is_right(&plan(&linked, revision), &truth, revision));
    }
    git(&outer.path("."), &["init", "--quiet", "--initial-branch=main", "super"]);
    let origin = format!("file://{}", outer.path("origin").display());
    let words = ["-c", "protocol.file.allow=always", "submodule", "add", "--quiet", &origin, "inner"];
    git(&outer.path("super"), &words);
    assert!(is_right(&plan(&outer.below("super/inner/stacks"), &old), &truth, "a submodule"));
    // What was a submodule is a directory now.
    let commit_of_submodule = commit(&outer.path("super"));
    git(&outer.path("super"), &["rm", "--quiet", "--cached", "inner"]);
    fs::remove_dir_all(outer.path("super/inner")).expect("removed");
    files(outer.below("super"), "new");
    fs::create_dir(outer.path("super/inner")).expect("a directory");
    fs::rename(outer.path("super/stacks"), outer.path("super/inner/stacks")).expect("moved");
    let run = plan(&outer.below("super/inner/stacks"), &commit_of_submodule);
    assert!(run.status == 2 && run.err.contains("inner is a submodule"), "{run:?}");
    // A file that names a directory of Git which does not name it.
    let folder = files(outer.below("claim"), "new").with(".git", "gitdir: ../work/.git\n");
    let run = plan(&folder.below("stacks"), &old);
    assert!(run.status == 2 && run.err.contains("names none that names it"), "{run:?}");
}

#[test]
fn links_are_those_of_the_revision() {
    let outer = Folder::new("plan-git", "links");
    let template =
        |name: &str| format!("Resources:\n  Topic: {{Type: AWS::SNS::Topic, Properties: {{TopicName: {name}}}}}\n");
    let outer = outer.with("prod/t.yaml", &template("prod")).with("dev/t.yaml", &template("dev"));
    let link = |target: &str, path: &str| {
        let path = outer.path(path);
        let _ = fs::remove_file(&path);
        std::os::unix::fs::symlink(target, path).expect("a link");
    };
    for (target, path) in [
        ("prod/t.yaml", "link.yaml"),
        ("../prod", "dev/way"),
        ("nowhere.yaml", "dangling.yaml"),
        ("/etc/hostname", "absolute.yaml"),
        ("../outside.yaml", "outside.yaml"),
        ("round.yaml", "round.yaml"),
    ] {
        link(target, path);
    }
    git(&outer.path("."), &["init", "--quiet", "--initial-branch=main"]);
    let base = commit(&outer.path("."));
    // Each of the links is a file now.
    for name in ["link", "dangling", "absolute", "outside", "round", "fresh"] {
        let path = outer.path(&format!("{name}.yaml"));
        let _ = fs::remove_file(&path);
        fs::write(path, template("new")).expect("written");
    }
    // The directory is a link now: its old side is what was at its path.
    fs::remove_dir_all(outer.path("prod")).expect("removed");
    link("dev", "prod");
    let of = |path: &str| {
        let run = outer.run(&["plan", path, "--git", &base, "--format", "json"]);
        let plan: Value = serde_json::from_str(&run.out).unwrap_or_default();
        let change = &plan["changes"][0];
        (run.status, change["action"].clone(), change["properties"][0]["old"].clone(), run.err)
    };
    for (path, old) in [("link.yaml", "prod"), ("prod/t.yaml", "prod")] {
        let (status, action, found, err) = of(path);
        assert_eq!((status, action, found), (0, json!("replace"), json!(old)), "{path}: {err}");
    }
    let (status, action, ..) = of("fresh.yaml");
    assert_eq!((status, action), (0, json!("create")));
    for (path, why) in [
        ("dangling.yaml", "it is a link that leads to nothing"),
        ("absolute.yaml", "it is a link that leads out of the repository"),
        ("outside.yaml", "it is a link that leads out of the repository"),
        ("round.yaml", "it is a link that leads back to itself"),
    ] {
        let (status, _, _, err) = of(path);
        assert!(status == 2 && err.contains(why), "{path}: {err}");
    }
    // A link to a directory of another repository does not choose that.
    let other = Folder::new("plan-git", "links-other").with("t.yaml", &template("new"));
    git(&other.path("."), &["init", "--quiet", "--initial-branch=main"]);
    commit(&other.path("."));
    link(&other.path(".").display().to_string(), "way");
    let (status, _, _, err) = of("way/t.yaml");
    assert!(status == 2 && err.contains("leads out of its Git repository"), "{err}");
}

#[test]
fn named_files_of_a_revision_are_found_by_any_path_to_them() {
    let (outer, old) = history("named");
    let truth = truth(&outer, &old);
    let folder = clone(&outer, &[]);
    let absolute = folder.path("p.json").display().to_string();
    std::os::unix::fs::symlink("stacks", outer.path("work/same")).expect("a link");
    commit(&outer.path("work"));
    for path in ["./p.json", "../stacks/p.json", &absolute] {
        let words: Vec<&str> = WORDS.iter().map(|word| if *word == "p.json" { path } else { word }).collect();
        let run = folder.run(&[&["plan", "--git", &old], &words[..]].concat());
        assert!(is_right(&run, &truth, path), "{run:?}");
    }
    // One that is nowhere in the repository has no revisions.
    let outside = outer.path("outside.json").display().to_string();
    fs::write(&outside, "{\"Stage\": \"stage-new\"}").expect("written");
    let words: Vec<&str> = WORDS.iter().map(|word| if *word == "p.json" { outside.as_str() } else { word }).collect();
    let text = changes(&folder.run(&[&["plan", "--git", &old], &words[..]].concat())).to_string();
    assert!(text.contains("old-stage-new"), "{text}");
}
