//! formwork.toml (reference/configuration.md).
//!
//! Holds reference/configuration.md#options, reference/configuration.md#template-root,
//! reference/configuration.md#parameter-sets, reference/configuration.md#show.

use crate::support::folder::{Folder, Run};

const TEMPLATE: &str = "Parameters:
  Stage: {Type: String, Default: dev}
  Zones: {Type: CommaDelimitedList, Default: ''}
Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties: {DisplayName: !Join ['-', [!Ref Stage, !Join ['+', !Ref Zones]]]}
";

/// A project with a configuration, the template in `infra/`, and a directory below that.
fn create(name: &str, configuration: &str) -> Folder {
    let project = Folder::new("configuration", name).with("formwork.toml", configuration);
    project.with("infra/template.yaml", TEMPLATE).with("infra/deep/empty", "")
}

fn run_in(project: &Folder, directory: &str, words: &[&str]) -> Run {
    project.below(directory).run(words)
}

#[test]
fn defaults_of_options_are_found_upward_and_the_command_line_wins() {
    let project = create("options", "[expand]\nformat = \"json\"\n");
    assert!(run_in(&project, "infra", &["expand"]).out.starts_with('{'));
    assert!(run_in(&project, "infra/deep", &["expand", "../template.yaml"]).out.starts_with('{'));
    assert!(run_in(&project, "infra", &["expand", "--format", "yaml"]).out.starts_with("Parameters:"));
    assert!(run_in(&project, "infra", &["expand", "--no-config"]).out.starts_with("Parameters:"));
    assert!(run_in(&project, "infra", &["resolve"]).out.starts_with("Parameters:"), "another command");
}

#[test]
fn a_default_that_contradicts_the_command_line_is_ignored() {
    let project = create("conflict", "[package]\nuse-json = true\n");
    assert!(run_in(&project, "infra", &["package"]).out.starts_with('{'));
    let run = run_in(&project, "infra", &["package", "--format", "yaml"]);
    assert!(run.status == 0 && run.out.starts_with("Parameters:"), "{run:?}");
}

#[test]
fn the_default_template_is_in_the_template_root() {
    let project = create("root", "template-root = \"infra\"\n");
    let run = run_in(&project, "", &["expand"]);
    assert!(run.status == 0 && run.err.contains("infra/template.yaml"), "{}", run.err);
    let project = create("no-root", "template-root = \"elsewhere\"\n");
    let run = run_in(&project, "", &["expand"]);
    assert!(run.status == 2 && run.err.contains("exists in elsewhere"), "{}", run.err);
}

#[test]
fn parameter_sets_are_below_the_command_line_and_above_samconfig() {
    let project = create("sets", "[parameters.prod]\nStage = \"prod\"\nZones = [\"a\", \"b\"]\nOther = 1\n");
    let config = "version = 0.1\n[default.global.parameters]\nparameter_overrides = \"Stage=sam\"\n";
    let project = project.with("infra/samconfig.toml", config);
    let run = run_in(&project, "infra", &["resolve", "--parameter-set", "prod"]);
    assert!(run.out.contains("DisplayName: prod-a+b"), "{}{}", run.out, run.err);
    let is_known =
        |line: &str| line.starts_with("template:") || line == "note: samconfig.toml sets parameter_overrides";
    assert!(run.err.lines().all(is_known), "an undeclared name is ignored: {}", run.err);
    let run = run_in(&project, "infra", &["resolve", "--parameter-set", "prod", "--parameter-overrides", "Stage=own"]);
    assert!(run.out.contains("DisplayName: own-a+b"), "{}", run.out);
    assert!(run_in(&project, "infra", &["resolve"]).out.contains("DisplayName: sam-"));
    let run = run_in(&project, "infra", &["resolve", "--parameter-set", "prd"]);
    assert!(run.status == 2 && run.err.contains("has no parameter set `prd`"), "{}", run.err);
    assert!(run.err.contains("did you mean `prod`?"), "{}", run.err);
}

#[test]
fn wrong_settings_name_their_line() {
    for (configuration, want) in [
        ("[expand]\n\nvalues = \"al\"\n", "formwork.toml:3: `al` is not a value of `--values`"),
        ("[expand]\nstrict = \"yes\"\n", "formwork.toml:2: `strict` takes true or false"),
        ("strict = true true\n", "formwork.toml:1: something is behind the value"),
    ] {
        let run = run_in(&create("wrong", configuration), "infra", &["expand"]);
        assert!(run.status == 2 && run.out.is_empty() && run.err.contains(want), "{configuration}: {}", run.err);
    }
    let run = run_in(&create("wrong", "# One.\n[check]\nstrict = 5\n"), "infra", &["check"]);
    assert!(run.err.contains("\n  3 | strict = 5\n"), "the line is shown: {}", run.err);
    let run = run_in(&create("wrong", "[expand]\nvalues = \"al\"\n"), "infra", &["expand"]);
    assert!(run.err.contains("\n  2 | values = \"al\"\n  help: did you mean `all`?\n"), "{}", run.err);
}

#[test]
fn unknown_keys_are_warnings_with_their_line() {
    for (configuration, want) in [
        (
            "[chek]\nstrict = true\n",
            "formwork.toml:2: `chek` is not a command, and has no effect; did you mean `check`?",
        ),
        (
            "[check]\nstrct = true\n",
            "formwork.toml:2: `strct` is not an option of check, and has no effect; did you mean `strict`?",
        ),
        ("nothing = 1\n", "formwork.toml:1: `nothing` is not an option of any command, and has no effect"),
    ] {
        let run = run_in(&create("unknown-keys", configuration), "infra", &["expand"]);
        assert!(run.status == 0 && !run.out.is_empty(), "{configuration}: {}", run.err);
        assert_eq!(run.err.matches(want).count(), 1, "{configuration}: {}", run.err);
    }
    let section = "version = 0.1\n[default.deploy.parameters]\nparameter_overide = \"Stage=a\"\nuse_container = true\ntemplate_file = \"x\"\n";
    let project = create("unknown-keys", "").with("infra/samconfig.toml", section);
    let run = run_in(&project, "infra", &["expand"]);
    let want = "samconfig.toml:3: unknown key `parameter_overide` has no effect; did you mean `parameter_overrides`?";
    assert!(run.status == 0 && run.err.matches(want).count() == 1, "{}", run.err);
    assert_eq!(run.err.matches("unknown key").count(), 1, "keys of SAM CLI are known: {}", run.err);
    let note = run.err.lines().find(|line| line.contains("samconfig.toml: ") && line.ends_with(" have no effect"));
    assert!(note.is_some_and(|note| note.contains("use_container") && note.contains("template_file")), "{}", run.err);
    let run = run_in(&project, "infra", &["expand", "--config-env", "defaul"]);
    assert!(run.status == 2 && run.err.contains("did you mean `default`?"), "{}", run.err);
}

#[test]
fn verbose_runs_name_their_inputs() {
    let config = "version = 0.1\n[default.expand.parameters]\nregion = \"eu-west-1\"\n";
    let project = create("inputs", "[expand]\nstrict = true\n").with("infra/samconfig.toml", config);
    let run = run_in(&project, "infra", &["expand", "--verbose"]);
    let inputs: Vec<&str> = run.err.lines().filter_map(|line| line.strip_prefix("input: ")).collect();
    for want in ["samconfig.toml [default.expand.parameters]", "template.yaml"] {
        assert!(inputs.contains(&want), "{want}: {}", run.err);
    }
    assert!(inputs.iter().any(|input| input.ends_with("formwork.toml")), "{}", run.err);
    assert!(!run_in(&project, "infra", &["expand"]).err.contains("input: "));
}

#[test]
fn verbose_runs_name_their_values() {
    let template = "Parameters:
  Stage: {Type: String, Default: dev}
  Kept: {Type: CommaDelimitedList, Default: \"a, b\"}
  Passed: {Type: String}
  Unset: {Type: String}
  Secret: {Type: String, NoEcho: true, Default: hidden}
Resources:
  T: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Sub \"${Stage}${Kept}${Passed}${Unset}${Secret}\"}}
";
    let config =
        "version = 0.1\n[default.global.parameters]\nparameter_overrides = \"Stage=prod\"\nregion = \"eu-west-1\"\n";
    let project = create("values", "").with("infra/samconfig.toml", config).with("infra/template.yaml", template);
    for command in ["check", "expand"] {
        let run = run_in(&project, "infra", &[command, "--verbose", "--parameter-overrides", "Passed=p"]);
        let all = format!("{}{}", run.out, run.err);
        let values: Vec<&str> = all.lines().filter_map(|line| line.strip_prefix("value: ")).collect();
        let wanted = [
            "Kept = a,b, its Default, template.yaml:3:45",
            "Passed = p, passed on the command line",
            "Unset is not known",
            "Secret = ****, its Default",
        ];
        for want in wanted {
            assert!(values.contains(&want), "{want}: {all}");
        }
        assert!(values.contains(&"AWS::Region = eu-west-1, from an option"), "{all}");
        assert!(!run.err.contains("hidden"), "{all}");
    }
    // The option on the command line takes the place of the one in the file.
    let run = run_in(&project, "infra", &["expand", "--verbose"]);
    assert!(run.err.contains("value: Stage = prod, from samconfig.toml:3:23\n"), "{}", run.err);
    assert!(!run_in(&project, "infra", &["expand"]).err.contains("value: "));
}

#[test]
fn variables_of_aws_have_no_part_in_a_run_that_sends_nothing() {
    let project =
        create("offline-variables", "").with("infra/template.yaml", "Resources: {T: {Type: AWS::SNS::Topic}}\n");
    for words in [["check", "--verbose"], ["expand", "--verbose"], ["resolve", "--verbose"]] {
        let variables = [("AWS_CA_BUNDLE", "none.pem"), ("SSL_CERT_FILE", "none.pem"), ("AWS_PROFILE", "none")];
        let run = project.below("infra").timed(&words, &variables);
        assert!(run.status == 0 && !run.err.contains("AWS_") && !run.err.contains("SSL_"), "{}", run.err);
    }
}

#[test]
fn all_wrong_settings_are_reported_in_the_form_that_is_asked_for() {
    let wrong = "[check]\nlive = true\noutput = \"x\"\n[expand]\noutput = \"y\"\n";
    let project = create("all-wrong", wrong);
    let run = run_in(&project, "infra", &["check"]);
    let lines: Vec<&str> = run.err.lines().filter(|line| line.starts_with("error: ")).collect();
    let names = ["formwork.toml:2: `live`", "formwork.toml:3: `output`", "formwork.toml:5: `output`"];
    assert!(run.status == 2 && lines.len() == 3, "{}", run.err);
    assert!(lines.iter().zip(names).all(|(line, name)| line.contains(name)), "{}", run.err);
    let run = run_in(&project, "infra", &["check", "--message-format", "json"]);
    let found: Vec<serde_json::Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
    let lines: Vec<&serde_json::Value> =
        found.iter().filter(|one| one["code"] == "FW0010").map(|one| &one["line"]).collect();
    assert_eq!((run.status, lines), (2, vec![&2.into(), &3.into(), &5.into()]), "{}{}", run.out, run.err);
    let run = run_in(&project, "infra", &["check", "--message-format", "sarif"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("one document");
    assert_eq!(document["runs"][0]["results"].as_array().map(Vec::len), Some(3), "{}", run.out);
    let run = run_in(&project, "infra", &["expand", "--message-format", "json"]);
    assert!(run.status == 2 && run.out.is_empty() && run.err.starts_with('{'), "{}{}", run.out, run.err);
    for words in
        [&["version"][..], &["--version"], &["help"], &["help", "check"], &["check", "--help"], &["check", "-h"]]
    {
        let run = run_in(&project, "infra", words);
        assert!(run.status == 0 && run.err.is_empty() && run.out.contains("formwork"), "{words:?}: {}", run.err);
    }
}

#[test]
fn the_configuration_is_shown_with_its_sources() {
    let project = create("show", "strict = true\n[deploy]\ncompat = \"sam\"\n[expand]\nvalues = \"pin\"\n");
    let config = "version = 0.1\n[default.deploy.parameters]\nstack_name = \"shop\"\ncapabilities = \"CAPABILITY_IAM\"\nparameter_overrides = \"Password=hunter2\"\n";
    let project = project.with("samconfig.toml", config);
    let run = run_in(&project, "", &["config", "show", "deploy", "--set"]);
    let lines: Vec<String> =
        run.out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for want in [
        "# formwork deploy",
        "strict = true # formwork.toml:1",
        "compat = \"sam\" # formwork.toml:3",
        "capabilities = \"CAPABILITY_IAM\" # samconfig.toml",
        "stack-name = \"shop\" # samconfig.toml",
        "parameter-overrides = [\"Password=****\"] # samconfig.toml",
    ] {
        assert!(lines.iter().any(|line| line == want), "{want}: {}", run.out);
    }
    assert_eq!(lines.len(), 6, "{}", run.out);
    let run = run_in(&project, "", &["config", "show", "expand", "--format", "json"]);
    let shown: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(shown["values"], serde_json::json!({"value": "pin", "source": "formwork.toml:5"}));
    assert_eq!(shown["format"], serde_json::json!({"value": null, "source": "default"}));
    let run = run_in(&project, "", &["config", "show", "expand", "--set"]);
    assert!(!run.out.contains("capabilities"), "what a command does not read is not shown: {}", run.out);
    let run = run_in(&project, "", &["config", "show", "deploy", "--set", "--no-config"]);
    assert_eq!((run.status, run.out.as_str()), (0, "# formwork deploy\n"));
    let run = run_in(&project, "", &["config", "show", "expnd"]);
    assert!(run.status == 2 && run.err.contains("`expnd` is not a command"), "{}", run.err);
}

#[test]
fn a_value_from_a_file_is_reported_with_its_place() {
    let template =
        "Parameters:\n  Stage: {Type: String, AllowedValues: [dev]}\nResources:\n  Topic: {Type: AWS::SNS::Topic}\n";
    let project = create("places", "\n[parameters.prod]\nStage = \"hunter2\"\n");
    let project = project.with("infra/template.yaml", template);
    let config = "version = 0.1\n\n[default.global.parameters]\nparameter_overrides = \"Stage=hunter3 Other=1\"\n";
    let project = project.with("infra/samconfig.toml", config);
    let run = run_in(&project, "infra", &["check", "--message-format", "short"]);
    assert!(run.status == 1 && run.out.contains("samconfig.toml:4:23: error[FW0603]"), "{}", run.out);
    assert!(!run.out.contains("FW0602"), "an undeclared name is ignored: {}", run.out);
    let run = run_in(&project, "infra", &["check", "--message-format", "short", "--parameter-set", "prod"]);
    assert!(run.out.contains("formwork.toml:3:9: error[FW0603]"), "{}", run.out);
}

#[test]
fn without_configuration_nothing_of_it_is_read() {
    let project = create("none", "template-root = \"infra\"\n[parameters.prod]\nStage = \"prod\"\n");
    let run = run_in(&project, "", &["expand", "--no-config"]);
    assert!(run.status == 2 && run.out.is_empty(), "{}", run.err);
    let run = run_in(&project, "infra", &["resolve", "--no-config", "--parameter-set", "prod"]);
    assert!(run.status == 2 && run.err.contains("no formwork.toml with a parameter set `prod`"), "{}", run.err);
}

/// What `check` reports: codes and status.
fn checked(project: &Folder, words: &[&str]) -> (Vec<String>, i32) {
    let run = run_in(project, "infra", &[&["check", "--message-format", "json"], words].concat());
    let lines = run.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let codes = lines.filter_map(|line| line["code"].as_str().map(str::to_owned)).collect();
    (codes, run.status)
}

/// A template with the warnings FW0208, of the parameter, and FW0408.
fn create_with_warnings(name: &str, configuration: &str) -> Folder {
    let template = "Parameters:\n  Unused: {Type: String}\nResources:\n  Topic: {Type: AWS::SNS::Topic, Properties: {DisplayName: \"a ${AWS::Region}\"}}\n";
    create(name, configuration).with("infra/template.yaml", template)
}

#[test]
fn check_selects_and_ignores_what_the_file_names() {
    let cases: [(&str, &str, &[&str]); 7] = [
        ("plain", "", &["FW0208", "FW0408"]),
        ("select", "[check]\nselect = [\"FW0408\"]\n", &["FW0408"]),
        ("select-range", "[check]\nselect = \"FW02xx,FW03\"\n", &["FW0208"]),
        ("ignore", "[check]\nignore = [\"FW0208\"]\n", &["FW0408"]),
        ("ignore-all", "[check]\nignore = [\"FW02\", \"FW04xx\"]\n", &[]),
        ("both", "[check]\nselect = [\"FW02\", \"FW04\"]\nignore = [\"FW0408\"]\n", &["FW0208"]),
        ("other-command", "[validate]\nignore = [\"FW02\"]\n", &["FW0208", "FW0408"]),
    ];
    for (name, configuration, codes) in cases {
        let project = create_with_warnings(name, configuration);
        let (found, status) = checked(&project, &[]);
        assert_eq!((found.iter().map(String::as_str).collect::<Vec<_>>(), status), (codes.to_vec(), 0), "{name}");
    }
    let project = create_with_warnings("replaced", "[check]\nignore = [\"FW02\"]\n");
    assert_eq!(checked(&project, &["--ignore", "FW04"]).0, ["FW0208"], "the command line replaces the list");
    assert_eq!(checked(&project, &["--no-config"]).0, ["FW0208", "FW0408"]);
    let project = create_with_warnings("unknown", "[check]\nignore = [\"FW0498\"]\n");
    let run = run_in(&project, "infra", &["check"]);
    assert!(run.status == 2 && run.out.is_empty() && run.err.contains("FW0498"), "{run:?}");
}

#[test]
fn top_level_defaults_are_of_every_command_that_has_the_option() {
    let project = create_with_warnings("top", "ignore = [\"FW0408\"]\nstrict = true\nmessage-format = \"json\"\n");
    assert_eq!(checked(&project, &[]), (vec!["FW0208".to_owned()], 1));
    let run = run_in(&project, "infra", &["validate"]);
    assert!(run.status == 1 && run.out.contains("FW0208") && !run.out.contains("FW0408"), "{run:?}");
    // `expand` has no `--ignore`, and nothing is reported of that.
    assert_eq!(run_in(&project, "infra", &["expand"]).status, 0);
    let project = create_with_warnings("nearer", "ignore = [\"FW0408\"]\n[check]\nignore = [\"FW0208\"]\n");
    assert_eq!(checked(&project, &[]).0, ["FW0408"], "the table of the command is nearer");
    let run = run_in(&project, "infra", &["validate", "--message-format", "short"]);
    assert!(run.out.contains("FW0208") && !run.out.contains("FW0408"), "{run:?}");
}
