//! The steps of `action.yml`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use super::repository::{commit, git, with_program};
use super::runner::{Job, run, run_as};
use crate::documents::published::{as_if, is_published};
use crate::support::folder::Folder;

const GOOD: &str = "Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Functions:
    - Name
    - [orders]
    - ${Name}Function:
        Type: AWS::Lambda::Function
        Properties: {Code: src, Handler: a.b, Role: 'arn:aws:iam::123456789012:role/r', Runtime: python3.13, FunctionName: !Ref Name}
";
const BAD: &str = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Propertis: {TopicName: a}\n";

/// A clone with a commit on top of its base, and the names of both.
fn pull_request(name: &str, base: &str, head: &str) -> (Folder, String) {
    let folder = Folder::new("action", name)
        .with("origin/stacks/template.yaml", base)
        .with("origin/stacks/src/a.py", "x = 1\n")
        .with("origin/stacks/same.yaml", "Resources: {Topic: {Type: AWS::SNS::Topic}}\n");
    let commit_of_base = commit(&folder.path("origin"));
    git(&folder.path("."), &["clone", "--quiet", "origin", "work"]);
    let folder = folder.with("work/stacks/template.yaml", head);
    commit(&folder.path("work"));
    (folder, commit_of_base)
}

/// Puts a program on the PATH that is a script.
fn script(folder: &Folder, name: &str, text: &str) {
    let path = folder.path("bin").join(name);
    fs::write(&path, format!("#!/bin/bash\n{text}")).expect("a script");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permissions");
}

/// What `gh api` does to the comments of pull request 7, which `comments.json` in the home directory has. The file
/// `forbidden` there takes the permission away.
const GH: &str = r#"
[ "$1" = api ] || exit 64
shift
method=GET
while [ $# -gt 0 ]; do
  case $1 in
    --method) method=$2; shift 2 ;;
    --jq) filter=$2; shift 2 ;;
    -F) body=${2#body=@}; shift 2 ;;
    --silent | --paginate) shift ;;
    *) path=$1; shift ;;
  esac
done
known=$HOME/comments.json
[ -f "$known" ] || echo '[]' >"$known"
changed() { jq --rawfile body "$body" "$@" "$known" >"$known.new" && mv "$known.new" "$known"; }
if [ "$method" != GET ] && [ -f "$HOME/forbidden" ]; then
  echo 'gh: Resource not accessible by integration (HTTP 403)' >&2
  exit 1
fi
echo "$method $path" >>"$HOME/calls"
case "$method $path" in
  'GET repos/own/project/issues/7/comments') jq -r "$filter" "$known" ;;
  'POST repos/own/project/issues/7/comments')
    changed '. + [{id: (length + 100), user: {login: "github-actions[bot]"}, body: $body}]' ;;
  'PATCH repos/own/project/issues/comments/'*)
    changed --arg id "${path##*/}" 'map(if (.id | tostring) == $id then .body = $body else . end)' ;;
  *) exit 64 ;;
esac
"#;

/// The comments of the pull request: name of the author, and text.
fn comments(folder: &Folder) -> Vec<(String, String)> {
    let text = fs::read_to_string(folder.path("comments.json")).unwrap_or_else(|_| "[]".to_owned());
    let list: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let word = |value: &Value| value.as_str().expect("a string").to_owned();
    list.iter().map(|one| (word(&one["user"]["login"]), word(&one["body"]))).collect()
}

fn run_with(folder: &Folder, values: &[(&str, &str)]) -> Job {
    let bin = with_program(folder);
    script(folder, "gh", GH);
    let all = [
        ("github.event_name", "push"),
        ("github.token", "secret"),
        ("inputs.templates", "stacks"),
        ("github.repository", "own/project"),
        ("github.event.pull_request.head.repo.full_name", "own/project"),
    ];
    run(folder, &format!("{bin}:/usr/bin:/bin"), &[&all, values].concat())
}

#[test]
fn a_good_repository_passes() {
    let (folder, _) = pull_request("good", GOOD, GOOD.replace("[orders]", "[orders, users]").as_str());
    let job = run_with(&folder, &[]);
    assert_eq!((job.failed.as_deref(), job.log.as_str()), (None, ""), "{job:?}");
    assert_eq!(job.ran, ["Check", "Result"]);
}

#[test]
fn errors_are_annotated_uploaded_and_fail_the_job() {
    let (folder, _) = pull_request("bad", GOOD, BAD);
    let job = run_with(&folder, &[("inputs.sarif", "true")]);
    assert!(job.failed.as_ref().is_some_and(|why| why.starts_with("Result:")), "{job:?}");
    assert_eq!(job.ran, ["Check", "Upload the report", "Result"]);
    assert!(
        job.log.starts_with("::error file=stacks/template.yaml,line=4,endLine=4,col=5,endColumn=14,"),
        "{}",
        job.log
    );
    let [(uses, with)] = job.used.as_slice() else { panic!("{job:?}") };
    assert!(uses.starts_with("github/codeql-action/upload-sarif@"), "{uses}");
    let report = fs::read_to_string(&with["sarif_file"]).expect("the report is where the upload looks for it");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["runs"][0]["results"][0]["ruleId"], "FW0105");
}

#[test]
fn arguments_reach_the_check() {
    let (folder, _) = pull_request(
        "arguments",
        GOOD,
        "Resources: {Topic: {Type: AWS::SNS::Topic, Properties: {TopicName: \"${AWS::Region}\"}}}\n",
    );
    assert_eq!(run_with(&folder, &[]).failed, None);
    let (folder, _) = pull_request(
        "strict",
        GOOD,
        "Resources: {Topic: {Type: AWS::SNS::Topic, Properties: {TopicName: \"${AWS::Region}\"}}}\n",
    );
    let job = run_with(&folder, &[("inputs.arguments", "--strict --ignore FW03")]);
    assert!(job.failed.is_some() && job.log.contains("title=FW0408"), "{job:?}");
}

#[test]
fn the_comment_shows_what_the_expanded_templates_change() {
    for templates in ["stacks", "stacks/template.yaml"] {
        let name = templates.replace(['/', '.'], "-");
        let (folder, base) = pull_request(&name, GOOD, GOOD.replace("[orders]", "[orders, users]").as_str());
        let job = run_with(
            &folder,
            &[
                ("inputs.templates", templates),
                ("inputs.comment", "true"),
                ("github.event_name", "pull_request"),
                ("github.event.pull_request.base.sha", &base),
                ("github.event.pull_request.number", "7"),
            ],
        );
        assert_eq!(job.failed, None, "{job:?}");
        assert_eq!(job.ran, ["Check", "Compare the expanded templates", "Result"]);
        let [(_, body)] = &comments(&folder)[..] else { panic!("{job:?}") };
        let changed: Vec<&str> = body
            .lines()
            .filter(|line| line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---"))
            .collect();
        assert_eq!(
            changed,
            [
                "+  usersFunction:",
                "+    Type: AWS::Lambda::Function",
                "+    Properties: {Code: ../../tree/stacks/src, Handler: a.b, Role: 'arn:aws:iam::123456789012:role/r', Runtime: python3.13, FunctionName: users}",
            ],
            "{body}"
        );
        let head = format!("<!-- formwork diff: {templates} -->\n### Expanded templates\n```diff\n");
        assert!(body.starts_with(&head) && body.ends_with("```\n"), "{body}");
        assert_eq!(git(&folder.path("work"), &["status", "--porcelain"]), "", "nothing is left in the workspace");
    }
}

/// The comment of a pull request from a repository, or why none was made.
fn commented(folder: &Folder, base: &str, head_repository: &str) -> (Job, Option<String>) {
    let job = run_with(
        folder,
        &[
            ("inputs.comment", "true"),
            ("github.event_name", "pull_request"),
            ("github.event.pull_request.base.sha", base),
            ("github.event.pull_request.number", "7"),
            ("github.event.pull_request.head.repo.full_name", head_repository),
        ],
    );
    (job, comments(folder).pop().map(|(_, body)| body))
}

/// Runs the steps for a pull request that is planned and compared.
fn planned(folder: &Folder, base: &str, more: &[(&str, &str)]) -> Job {
    let values = [
        ("inputs.comment", "true"),
        ("inputs.plan", "stacks/template.yaml stacks/same.yaml"),
        ("github.event_name", "pull_request"),
        ("github.event.pull_request.base.sha", base),
        ("github.event.pull_request.number", "7"),
    ];
    run_with(folder, &[&values, more].concat())
}

#[test]
fn each_report_is_one_comment_that_is_edited() {
    let head = GOOD.replace("FunctionName: !Ref Name", "FunctionName: !Sub 'shop-${Name}'");
    let (folder, base) = pull_request("plan", GOOD, &head);
    let others = serde_json::json!([
        {"id": 1, "user": {"login": "ann"}, "body": "<!-- formwork plan: stacks/template.yaml -->\nquoted"},
        {"id": 2, "user": {"login": "github-actions[bot]"}, "body": "of another workflow"},
    ]);
    let folder = folder.with("comments.json", &others.to_string());
    let job = planned(&folder, &base, &[]);
    assert_eq!(job.ran[1..], ["Compare the expanded templates", "Plan the change", "Result of the plan", "Result"]);
    assert_eq!(job.failed, None, "{job:?}");
    let first = comments(&folder);
    let heads: Vec<&str> = first[2..].iter().map(|(_, body)| body.lines().next().unwrap_or_default()).collect();
    assert_eq!(
        heads,
        [
            "<!-- formwork diff: stacks -->",
            "<!-- formwork plan: stacks/template.yaml -->",
            "<!-- formwork plan: stacks/same.yaml -->"
        ]
    );
    assert!(first[3].1.contains("ordersFunction") && first[3].1.contains("| replace | 1 |"), "{first:?}");
    // Another commit of the pull request.
    let folder = folder.with("work/stacks/template.yaml", &head.replace("[orders]", "[orders, users]"));
    commit(&folder.path("work"));
    let job = planned(&folder, &base, &[("inputs.fail-on", "replacement")]);
    assert!(job.failed.is_some_and(|why| why.starts_with("Result of the plan:")), "the gate is hit");
    let second = comments(&folder);
    assert_eq!((second.len(), &second[..2], &second[4]), (5, &first[..2], &first[4]));
    assert!(second[2].1.contains("+  usersFunction:"), "{second:?}");
    assert!(second[3].1.contains("usersFunction") && second[3].1.contains("| replace | 1 |"), "{second:?}");
}

/// The steps get what the clone of the job does not have.
#[test]
fn every_clone_is_planned_against_its_base() {
    let head = GOOD.replace("FunctionName: !Ref Name", "FunctionName: !Sub 'shop-${Name}'");
    for (name, options) in [
        ("clone-shallow", &["--depth=1"][..]),
        ("clone-blobless", &["--filter=blob:none"]),
        ("clone-treeless", &["--filter=tree:0"]),
        ("clone-shallow-blobless", &["--depth=1", "--filter=blob:none"]),
    ] {
        let (folder, base) = pull_request(name, GOOD, &head);
        // As GitHub has it, the base and the head of the pull request are on the server.
        let origin = folder.path("origin");
        for setting in ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"] {
            git(&origin, &["config", setting, "true"]);
        }
        git(&folder.path("work"), &["push", "--quiet", "origin", "HEAD:refs/heads/change"]);
        fs::remove_dir_all(folder.path("work")).expect("removed");
        let url = format!("file://{}", origin.display());
        git(&folder.path("."), &[&["clone", "--quiet", "--branch=change"], options, &[&url, "work"]].concat());
        let job = planned(&folder, &base, &[("inputs.fail-on", "replacement")]);
        assert!(job.failed.as_ref().is_some_and(|why| why.starts_with("Result of the plan:")), "{name}: {job:?}");
        let comments = comments(&folder);
        assert_eq!(comments.len(), 3, "{name}: {job:?}");
        assert!(comments[0].1.contains("+    Properties: {Code"), "{name}: {comments:?}");
        assert!(comments[1].1.contains("| replace | 1 |"), "{name}: {comments:?}");
    }
}

#[test]
fn a_whole_clone_is_not_cut_off() {
    let (folder, base) = pull_request("clone-whole", GOOD, &GOOD.replace("[orders]", "[orders, users]"));
    let job = planned(&folder, &base, &[]);
    assert_eq!(job.failed, None, "{job:?}");
    assert_eq!(git(&folder.path("work"), &["rev-parse", "--is-shallow-repository"]), "false");
}

#[test]
fn without_the_permission_the_reports_are_in_the_summary_alone() {
    let head = GOOD.replace("FunctionName: !Ref Name", "FunctionName: !Sub 'shop-${Name}'");
    for (name, repository, line) in [
        (
            "plan-fork",
            "stranger/project",
            "A pull request from a fork may not be commented: the plan is in the summary",
        ),
        ("plan-forbidden", "own/project", "::warning::The pull request cannot be commented: does the job have"),
    ] {
        let (folder, base) = pull_request(name, GOOD, &head);
        let folder = folder.with("forbidden", "");
        let job = planned(&folder, &base, &[("github.event.pull_request.head.repo.full_name", repository)]);
        assert_eq!(job.failed, None, "{job:?}");
        assert_eq!(comments(&folder), [], "{job:?}");
        // One line for each report: a comparison and two plans.
        assert_eq!(job.log.lines().count(), 3, "{job:?}");
        assert!(job.log.contains(line), "{job:?}");
    }
}

#[test]
fn a_template_does_not_end_the_fence_of_the_comment() {
    let hostile = format!(
        "{GOOD}  Topic:\n    Type: AWS::SNS::Topic\n    Metadata:\n      Text: |\n        a\n        ```\n        # [link](https://example.com)\n        `````\n        b\n"
    );
    let (folder, base) = pull_request("fence", GOOD, &hostile);
    let (job, body) = commented(&folder, &base, "own/project");
    assert_eq!(job.failed, None, "{job:?}");
    let body = body.expect("a comment");
    let fences: Vec<&str> =
        body.lines().filter(|line| line.trim_start_matches(['+', ' ']).starts_with("``````")).collect();
    assert_eq!(fences, ["``````diff", "``````"], "{body}");
    assert!(body.contains("+        `````\n") && body.ends_with("\n``````\n"), "{body}");
    // What no fence could be longer than is left out.
    let (folder, base) = pull_request("fence-long", GOOD, &hostile.replace("`````", &"`".repeat(50_000)));
    let (job, body) = commented(&folder, &base, "own/project");
    assert_eq!(job.failed, None, "{job:?}");
    assert!(body.is_some_and(|body| body.len() < 200 && !body.contains('`')));
}

#[test]
fn a_pull_request_from_a_fork_is_not_commented_and_passes() {
    let (folder, base) = pull_request("fork", GOOD, GOOD.replace("[orders]", "[orders, users]").as_str());
    let (job, body) = commented(&folder, &base, "stranger/project");
    assert_eq!((job.failed.as_deref(), body), (None, None), "{job:?}");
    let summary = fs::read_to_string(folder.path("temporary/comment.md")).expect("the summary");
    assert!(summary.contains("+  usersFunction:") && job.log.contains("fork"), "{job:?}");
}

#[test]
fn the_configuration_of_a_pull_request_is_not_read_unless_it_is_asked_for() {
    for (name, values, is_read) in [("config", &[][..], false), ("config-read", &[("inputs.config", "true")][..], true)]
    {
        let (folder, _) = pull_request(name, GOOD, BAD);
        let folder = folder.with("work/formwork.toml", "ignore = [\"FW0105\"]\n");
        let job = run_with(&folder, values);
        assert_eq!(job.failed.is_none(), is_read, "{job:?}");
        assert_eq!(job.log.contains("title=FW0105"), !is_read, "{job:?}");
        assert_eq!(job.log.contains("note: formwork.toml sets ignore\n"), is_read, "{job:?}");
    }
}

#[test]
fn a_link_in_place_of_an_output_is_not_followed() {
    let (folder, base) = pull_request("link", GOOD, GOOD.replace("[orders]", "[orders, users]").as_str());
    let folder = folder.with("outside/kept", "");
    for name in [".formwork-expanded", "expanded"] {
        std::os::unix::fs::symlink(folder.path("outside"), folder.path("work").join(name)).expect("a link");
    }
    commit(&folder.path("work"));
    let (job, body) = commented(&folder, &base, "own/project");
    assert!(job.failed.is_none() && body.is_some_and(|body| body.contains("+  usersFunction:")), "{job:?}");
    assert_eq!(fs::read_dir(folder.path("outside")).expect("a directory").count(), 1);
}

#[test]
fn names_of_files_are_no_options_of_the_hooks() {
    let text = as_if(".pre-commit-hooks.yaml", true);
    let hooks = formwork::reformat(&text, formwork::Format::Json, &formwork::Limits::default()).expect("YAML");
    let hooks: Vec<Value> = serde_json::from_str(&hooks).expect("JSON");
    assert_eq!(hooks.len(), 3);
    for hook in hooks {
        // The formatter reads its style.
        let words: &[&str] = if hook["id"] == "formwork-fmt" { &["--"] } else { &["--no-config", "--"] };
        assert_eq!(hook["args"], serde_json::json!(words));
        let folder = Folder::new("action", "names")
            .with("--output=written.template", GOOD)
            .with("queue.yaml", GOOD)
            .with("values.yaml", "a: [");
        let words: Vec<&str> = hook["entry"].as_str().expect("words").split(' ').skip(1).collect();
        let run = folder.run(
            &[&words[..], &["--no-config", "--", "--output=written.template", "queue.yaml", "values.yaml"]].concat(),
        );
        assert_eq!(run.status, 0, "{run:?}");
        assert!(!folder.path("written.template").exists(), "{run:?}");
    }
}

#[test]
fn a_release_is_installed_after_its_sum_is_compared() {
    for (name, is_genuine) in [("genuine", true), ("changed", false)] {
        let (folder, _) = pull_request(name, GOOD, BAD);
        let release = "formwork-9.9.9-x86_64-unknown-linux-gnu";
        let folder = folder.with(&format!("release/{release}/formwork"), "");
        let wrapper = format!("#!/bin/bash\nexec {} \"$@\"\n", env!("CARGO_BIN_EXE_formwork"));
        let program = folder.path(&format!("release/{release}/formwork"));
        fs::write(&program, wrapper).expect("a program");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
        let pack =
            format!("cd release && tar czf {release}.tar.gz {release} && sha256sum {release}.tar.gz other >SHA256SUMS");
        let folder = folder.with("release/other", "");
        let status = folder.command("bash").args(["-c", &pack]).status().expect("bash runs");
        assert!(status.success());
        if !is_genuine {
            fs::write(folder.path(&format!("release/{release}.tar.gz")), "another").expect("written");
        }
        fs::create_dir_all(folder.path("bin")).expect("a directory");
        // Downloads come from the directory; only addresses of the release are known.
        let curl = "for word; do case $word in\n  https://github.com/formwork-cfn/formwork/releases/download/v9.9.9/*) cp \"$HOME/release/${word##*/}\" . ;;\n  -*) ;;\n  *) exit 9 ;;\nesac; done\n";
        script(&folder, "curl", curl);
        let path = format!("{}:/usr/bin:/bin", folder.path("bin").display());
        let values = [("inputs.version", "9.9.9"), ("inputs.templates", "stacks"), ("github.event_name", "push")];
        let job = run(&folder, &path, &values);
        if is_genuine {
            assert_eq!(job.ran, ["Install", "Check", "Result"], "{job:?}");
            assert!(job.log.contains("::error file=stacks/template.yaml"), "{job:?}");
        } else {
            assert_eq!(job.ran, ["Install"], "{job:?}");
            assert!(job.failed.is_some());
        }
    }
}

/// Until releases are published nothing is downloaded: whoever takes the name of the repository would be run.
#[test]
fn without_a_release_the_action_downloads_nothing() {
    let (folder, _) = pull_request("unpublished", GOOD, BAD);
    fs::create_dir_all(folder.path("bin")).expect("a directory");
    script(&folder, "curl", "touch \"$HOME/downloaded\"\n");
    let path = format!("{}:/usr/bin:/bin", folder.path("bin").display());
    let values = [("inputs.version", "9.9.9"), ("inputs.templates", "stacks"), ("github.event_name", "push")];
    let job = run_as(&as_if("action.yml", false), &folder, &path, &values);
    assert!(job.ran == ["Install"] && job.failed.is_some(), "{job:?}");
    assert!(job.log.contains("::error::no release is published"), "{job:?}");
    assert!(!folder.path("downloaded").exists() && !folder.path("temporary/downloaded").exists());
}

/// Returns the steps of all jobs of a workflow that use the action.
fn own_steps(workflow: &str) -> Vec<Value> {
    let workflow = read(workflow);
    let jobs = workflow["jobs"].as_object().expect("jobs").values();
    let steps = jobs.flat_map(|job| job["steps"].as_array().expect("steps").clone());
    let is_own = |uses: &str| uses.starts_with("formwork-cfn/") || uses == "./formwork";
    steps.filter(|step| step["uses"].as_str().is_some_and(is_own)).collect()
}

fn read(text: &str) -> Value {
    let json = formwork::reformat(text, formwork::Format::Json, &formwork::Limits::default()).expect("YAML");
    serde_json::from_str(&json).expect("JSON")
}

/// The workflows of the guide and of the project `pipeline` use the action of this version, with inputs that it has; until it
/// is published, one that lies beside them.
#[test]
fn workflows_use_inputs_that_the_action_has() {
    const PIPELINE: &str = "crates/formwork-cli/projects/pipeline/.github/workflows/deploy.yaml";
    let version = env!("CARGO_PKG_VERSION");
    let folder = Folder::new("action", "pipeline");
    assert_eq!(folder.run(&["init", "--template", "pipeline", "--name", "shop"]).status, 0);
    let made = fs::read_to_string(folder.path("shop/.github/workflows/deploy.yaml")).expect("a workflow");
    let pipeline = |is_published| as_if(PIPELINE, is_published).replace("FORMWORK-VERSION", version);
    assert_eq!(made, pipeline(is_published()));
    let action = read(&as_if("action.yml", true));
    for (is_published, uses, count) in
        [(true, format!("formwork-cfn/formwork@v{version}"), 4), (false, "./formwork".to_owned(), 2)]
    {
        let guide = as_if("docs/guides/ci.md", is_published);
        let (_, workflow) = guide.split_once("```yaml file=.github/workflows/templates.yml\n").expect("a workflow");
        let (workflow, _) = workflow.split_once("```").expect("an end");
        let pipeline = pipeline(is_published);
        let steps: Vec<Value> = [workflow, &pipeline].into_iter().flat_map(own_steps).collect();
        assert_eq!(steps.len(), count, "{steps:?}");
        for step in steps {
            assert_eq!(step["uses"], *uses);
            let with = step["with"].as_object().expect("inputs").clone();
            assert_eq!(with.get("version").and_then(Value::as_str), is_published.then_some(version));
            for (name, value) in with {
                assert!(action["inputs"].get(&name).is_some(), "the action has no input {name}");
                assert!(value.is_string(), "{name}: GitHub passes strings");
            }
        }
    }
}

#[test]
fn without_a_check_the_program_is_only_installed() {
    let (folder, _) = pull_request("install", GOOD, BAD);
    let values = [("inputs.check", "false"), ("inputs.sarif", "true"), ("inputs.comment", "true")];
    let job = run_with(&folder, &[&values[..], &[("github.event_name", "pull_request")]].concat());
    assert!(job.ran.is_empty() && job.used.is_empty() && job.failed.is_none(), "{job:?}");
}
