//! Values that no message needs: credentials of addresses, values of parameters, words of arguments.

use super::project::Project;

const CANARY: &str = "canary-7d1e";

/// Runs commands and asserts that none shows the canary, and that each prints something.
fn hunt(project: &Project, runs: &[&[&str]]) {
    for words in runs {
        for format in ["human", "short", "json"] {
            let words = [*words, &["--message-format", format]].concat();
            let words: Vec<String> = words.iter().map(|word| word.replace('@', CANARY)).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let run = project.run(&words);
            let said = run.out + &run.err;
            assert!(!said.contains(CANARY), "{words:?}\n{said}");
            assert!(!said.is_empty(), "{words:?} prints nothing");
        }
    }
}

#[test]
fn addresses_have_no_credentials() {
    for (name, source) in [
        ("user", "https://user:@@host.example/m.yaml"),
        ("token", "https://@@host.example/m.yaml"),
        ("http", "http://user:@@host.example/m.yaml"),
        ("signed", "https://host.example/m.yaml?X-Amz-Credential=@%2F2026&X-Amz-Signature=@&X-Amz-Security-Token=@"),
        ("s3", "s3://bucket/m.yaml?token=@"),
        ("zip", "https://host.example/kit.zip?sig=@/in/m.yaml"),
    ] {
        let source = source.replacen('@', CANARY, 1).replace("=@", &format!("={CANARY}"));
        let template = format!(
            "Packages: {{kit: {{Source: '{source}'}}}}\nModules:\n  A: {{Source: \"{source}\"}}\n  B: {{Source: $kit/x.yaml}}\nResources:\n  R: {{Type: AWS::SNS::Topic, Properties: {{A: {{Fn::InsertFile: '{source}'}}, B: !Ref '{source}'}}}}\n"
        );
        let project = Project::new(&format!("address-{name}")).with("template.yaml", &template);
        hunt(
            &project,
            &[
                &["check", "template.yaml"],
                &["expand", "template.yaml"],
                &["check", "template.yaml", "--offline", "--allow-remote", "host.example", "--allow-remote", "bucket"],
                &["check", "template.yaml", "--allow-remote", "https://user:@@host.example"],
                &["package", "template.yaml", "--plan"],
            ],
        );
    }
}

const SECRET: &str = "Parameters:
  Secret: {Type: String, NoEcho: true}
  Plain: {Type: String, Default: a}
Resources:
  R: {Type: AWS::SNS::Topic}
";

#[test]
fn lines_of_parameter_files_are_not_quoted() {
    for (name, text) in [
        ("a.json", "{\"Secret\": \"@\n"),
        ("b.json", "{\"Secret\": \"@\" \"Plain\": 1}"),
        ("c.json", "{\"Secret\": \"@\", \"Secret\": \"b\"}"),
        ("d.json", "{\"Secret\": {\"a\": \"@\"}}"),
        ("e.json", "[\"Secret @\"]"),
        ("g.json", "\"@\""),
        ("h.yaml", "Secret: *@\n"),
        ("i.yaml", "Secret: !@ x\n"),
        ("j.yaml", "Secret: a: @\n"),
        ("k.yaml", "Secret: \"@\n"),
        ("l.yaml", "Secret: @\n Plain: [\n"),
        ("m.yaml", "Secret: !Sub !@ x\n"),
        ("n.yaml", "Secret: &@ [*@]\n"),
        ("o.yaml", "Parameters: [Secret, @]\n"),
    ] {
        let project = Project::new(&format!("parameters-{name}"))
            .with("template.yaml", SECRET)
            .with(name, &text.replace('@', CANARY));
        hunt(
            &project,
            &[
                &["check", "template.yaml", "--parameters-file", name],
                &["resolve", "template.yaml", "--parameters-file", name],
                &["rules", "check", "template.yaml", "--parameter-overrides", &format!("file://{name}")],
            ],
        );
    }
}

#[test]
fn words_of_arguments_are_not_repeated() {
    let config = "[default.deploy.parameters]\nparameter_overrides = \"Secret=a @\"\n";
    let broken = "[default.deploy.parameters]\nparameter_overrides = \"Secret=@\n";
    let project = Project::new("words")
        .with("template.yaml", SECRET)
        .with("config.toml", &config.replace('@', CANARY))
        .with("broken.toml", &broken.replace('@', CANARY));
    hunt(
        &project,
        &[
            &["check", "template.yaml", "--parameter-overrides", "Secret=first", "@"],
            &["check", "template.yaml", "--parameter-overrides", "=@"],
            &["check", "template.yaml", "--pseudo", "@"],
            &["check", "template.yaml", "--config-file", "config.toml"],
            &["check", "template.yaml", "--config-file", "broken.toml"],
        ],
    );
}

#[test]
fn lost_twins_of_secrets_are_masked() {
    for (name, text) in [
        ("default", "Parameters:\n  Secret:\n    NoEcho: true\n    Type: String\n    Default: @\n    Default: b\n"),
        ("flow", "Parameters:\n  Secret: {NoEcho: true, Default: @, Type: String, Default: b}\n"),
        ("flag", "Parameters:\n  Secret: {NoEcho: true, Type: String, Default: @, Default: @2, NoEcho: false}\n"),
        ("declaration", "Parameters:\n  Secret: {Type: String, Default: @}\n  Secret: {Type: String, NoEcho: true}\n"),
        (
            "declared-before",
            "Parameters:\n  Secret: {NoEcho: true, Type: String}\n  Secret: {Type: String, Default: @, Default: @2}\n",
        ),
        (
            "section",
            "Parameters: {Secret: {NoEcho: true, Default: @, Type: String}}\nParameters: {Secret: {Type: String}}\n",
        ),
        ("broken", "Parameters:\n  Secret: {NoEcho: true, Type: String, Default: \"@}\n"),
        ("broken-block", "Parameters:\n  Secret:\n    NoEcho: true\n    Default: a: @\n"),
        (
            "json",
            "{\"Parameters\": {\"Secret\": {\"NoEcho\": true, \"Default\": \"@\", \"Default\": \"b\", \"Type\": \"String\"}},\"Resources\": {\"R\": {\"Type\": \"AWS::SNS::Topic\"}}}",
        ),
    ] {
        let text = text.replace('@', CANARY);
        let text = if name == "json" { text } else { text + "Resources:\n  R: {Type: AWS::SNS::Topic}\n" };
        let project = Project::new(&format!("twins-{name}")).with("template.yaml", &text);
        hunt(&project, &[&["check", "template.yaml"], &["expand", "template.yaml", "-o", "out.yaml"]]);
    }
}
