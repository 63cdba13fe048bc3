//! Templates of several files: `merge`, `expand --merge`, and `[[template]]` of `formwork.toml`
//! (reference/merge.md, reference/configuration.md#template).

use crate::support::folder::Folder;

const PARENT: &str = "Parameters:\n  Stage: {Type: String, Default: dev}\n\nResources:\n  # Mails.\n  Topic:\n    Type: AWS::SNS::Topic\n    Properties:\n      TopicName: !Sub 'mails-${Stage}'\n";
const QUEUE: &str = "Resources:\n  Queue:\n    Type: AWS::SQS::Queue\n    Properties:\n      QueueName: !Sub 'queue-${Stage}'\n      Tags: [{Key: topic, Value: !Ref Topic}]\n";
const CONFIGURATION: &str = "[[template]]\nname = \"auth\"\nfiles = [\"auth/parent.yaml\", \"auth/**/*.yaml\"]\n";

fn project(name: &str) -> Folder {
    Folder::new("merge", name).with("auth/parent.yaml", PARENT).with("auth/more/queue.yaml", QUEUE)
}

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path(name)).expect("a file")
}

fn declared(name: &str) -> Folder {
    project(name).with("formwork.toml", CONFIGURATION)
}

fn merged() -> String {
    format!("{PARENT}{}", QUEUE.strip_prefix("Resources:\n").expect("a section"))
}

#[test]
fn files_are_printed_as_one_template() {
    let folder = project("printed");
    let run = folder.run(&["merge", "auth/parent.yaml", "auth/more/queue.yaml"]);
    assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, merged().as_str(), ""));
    let run = folder.run(&["merge", "auth/parent.yaml", "auth/more/queue.yaml", "-o", "all.yaml"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(read(&folder, "all.yaml"), merged());
    let run = folder.run(&["expand", "auth/parent.yaml", "auth/more/queue.yaml", "--merge"]);
    assert_eq!((run.status, run.out.as_str()), (0, merged().as_str()), "{}", run.err);
}

#[test]
fn a_conflict_has_both_places_and_nothing_is_written() {
    let folder = project("conflict").with("other.yaml", "Resources:\n  Topic: {Type: AWS::SQS::Queue}\n");
    let run = folder.run(&["merge", "auth/parent.yaml", "other.yaml", "-o", "all.yaml"]);
    assert_eq!(run.status, 1, "{}", run.err);
    for part in ["error[FW1501]", "other.yaml:2:3", "auth/parent.yaml:6:3", "no template was written"] {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
    assert!(!folder.path("all.yaml").exists());
    let run = folder.run(&["expand", "auth/parent.yaml", "other.yaml", "--merge"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert!(run.err.contains("FW1501"), "{}", run.err);
}

#[test]
fn a_file_that_is_not_there_or_is_the_output_is_refused() {
    let folder = project("refused");
    let run = folder.run(&["merge", "auth/parent.yaml", "nothing.yaml"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("nothing.yaml: no such file"), "{}", run.err);
    let run = folder.run(&["merge", "auth/parent.yaml", "auth/more/queue.yaml", "-o", "auth/parent.yaml"]);
    assert_eq!(run.status, 2, "{}", run.err);
    assert_eq!(read(&folder, "auth/parent.yaml"), PARENT);
}

#[test]
fn relative_paths_are_rewritten_for_the_output() {
    let function = "Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      CodeUri: ./src # code\n      Handler: index.handler\n      Runtime: nodejs22.x\n";
    let folder = project("paths")
        .with("auth/more/function.yaml", function)
        .with("auth/more/src/index.js", "")
        .with("auth/transform.yaml", "Transform: AWS::Serverless-2016-10-31\n")
        .with("build/.keep", "");
    let files = ["auth/transform.yaml", "auth/more/function.yaml"];
    let run = folder.run(&["merge", files[0], files[1]]);
    assert!(run.out.contains("CodeUri: ./auth/more/src # code\n"), "{}{}", run.out, run.err);
    let run = folder.run(&["merge", files[0], files[1], "-o", "build/all.yaml"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(read(&folder, "build/all.yaml").contains("CodeUri: ../auth/more/src # code\n"));
    let run = folder.run(&["merge", files[0], files[1], "-o", "auth/more/all.yaml"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(read(&folder, "auth/more/all.yaml").contains("CodeUri: ./src # code\n"));
}

#[test]
fn a_name_is_a_template_for_every_command() {
    let folder = declared("name");
    let run = folder.run(&["merge", "auth"]);
    assert_eq!((run.status, run.out.as_str()), (0, merged().as_str()), "{}", run.err);
    let run = folder.run(&["check", "auth"]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    // A directory of that name is written as one.
    let run = folder.run(&["check", "./auth", "--no-config"]);
    assert_eq!(run.status, 1, "{}{}", run.out, run.err);
    let run = folder.run(&["resolve", "auth", "--parameter-overrides", "Stage=prod"]);
    assert!(run.out.contains("mails-prod") && run.out.contains("queue-prod"), "{}{}", run.out, run.err);
    for command in
        [&["expand", "auth"][..], &["graph", "auth"], &["package", "auth", "--plan"], &["rules", "check", "auth"]]
    {
        let run = folder.run(command);
        assert_eq!(run.status, 0, "{command:?}: {}{}", run.out, run.err);
    }
    let run = folder.run(&["build", "auth"]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    let run = folder.run(&["explain", "auth", "Resources.Queue.Properties.QueueName"]);
    assert!(run.out.contains("auth/more/queue.yaml"), "{}{}", run.out, run.err);
}

#[test]
fn a_walk_takes_the_files_as_one_template() {
    let folder = declared("walk").with("other.yaml", "Resources:\n  Q: {Type: AWS::SQS::Queue}\n");
    let run = folder.run(&["check", ".", "--message-format", "json"]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    // Without the configuration each is a template with references that it does not declare.
    let run = folder.run(&["check", ".", "--no-config"]);
    assert_eq!(run.status, 1, "{}{}", run.out, run.err);
    let run = folder.run(&["check", "auth/**/*.yaml"]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    let run = folder.run(&["expand", ".", "-o", "out/"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(read(&folder, "out/auth.yaml"), merged());
    // Each file is formatted.
    let run = folder.run(&["fmt", ".", "--check"]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
}

#[test]
fn a_file_alone_is_a_part_of_its_template() {
    let folder = declared("alone").with(
        "auth/wrong.yaml",
        "Resources:\n  Wrong:\n    Type: AWS::SQS::Queue\n    Properties:\n      QueueName: !Ref Nowhere\n",
    );
    let run = folder.run(&["check", "auth/more/queue.yaml"]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    let run = folder.run(&["check", "auth/wrong.yaml"]);
    assert_eq!(run.status, 1);
    assert!(run.out.contains("auth/wrong.yaml:5:23") && run.out.contains("Nowhere"), "{}", run.out);
    let run = folder.run(&["check", "auth"]);
    assert_eq!(run.out.matches("error[").count(), 1, "{}", run.out);
}

#[test]
fn mistakes_of_the_configuration_have_their_lines() {
    for (configuration, parts) in [
        (
            "[[template]]\nname = \"auth\"\nfiles = [\"auth/parent.yaml\",\n  \"auth/nothing/*.yaml\"]\n",
            &["4", "no file matches `auth/nothing/*.yaml`"][..],
        ),
        ("[[template]]\nname = \"auth\"\nfiles = [\"../*.yaml\"]\n", &["3", "is not below the directory"]),
        (
            "[[template]]\nname = \"auth\"\nfiles = [\"auth/*.yaml\"]\n[[template]]\nname = \"b\"\nfiles = [\"auth/parent.yaml\"]\n",
            &["6", "line 3", "`auth`", "`b`", "parent.yaml"],
        ),
    ] {
        let folder = project("mistakes").with("formwork.toml", configuration);
        let run = folder.run(&["check", "."]);
        assert_eq!(run.status, 2, "{configuration}{}", run.out);
        for part in parts {
            assert!(run.err.contains(part), "{part}: {}", run.err);
        }
    }
}

#[test]
fn a_broken_file_does_not_hide_the_others() {
    let folder = declared("broken").with("auth/broken.yaml", "Resources:\n  B: {Type: AWS::SQS::Queue\n  C: x: y\n");
    let run = folder.run(&["check", "auth"]);
    assert_eq!(run.status, 1);
    assert!(run.out.contains("auth/broken.yaml:"), "{}", run.out);
    let run = folder.run(&["check", "auth/parent.yaml"]);
    assert_eq!(run.status, 0, "{}", run.out);
}
