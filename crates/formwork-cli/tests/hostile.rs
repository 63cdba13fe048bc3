//! Hostile projects under hard limits: a stack of 256 KB, 32 descriptors, one thread, little memory and time
//! (reference/reading.md#limits).
#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::os::unix::process::ExitStatusExt;
use std::process::Output;

use crate::support::folder::Folder;

/// What a run may use: kilobytes of stack, descriptors, seconds of processor time, kilobytes of memory. A program without
/// optimization takes some times longer than one that is released.
const LIMITS: &str = "ulimit -s 256 && ulimit -n 32 && ulimit -t 20 && ulimit -v 2000000";

/// Runs a command line of the program under the limits. It ends by itself, with a status of its own.
fn run(folder: &Folder, words: &str) -> Output {
    let mut shell = folder.command("bash");
    shell.args(["-c", &format!("{LIMITS} && exec {} {words}", env!("CARGO_BIN_EXE_formwork"))]);
    let output = shell.output().expect("bash runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let status = output.status;
    assert!(status.signal().is_none(), "{words}: {status}: {said}");
    assert!(matches!(status.code(), Some(0..=2)), "{words}: {status}: {said}");
    assert!(!said.contains("panicked"), "{words}: {said}");
    output
}

fn runs(folder: &Folder, commands: &[&str]) {
    for words in commands {
        run(folder, words);
    }
}

const ALL: &[&str] = &[
    "check template.yaml",
    "expand template.yaml",
    "resolve template.yaml",
    "package --s3-bucket bucket --plan template.yaml",
    "build template.yaml",
];

/// A template with a nested stack of another one.
fn stack(below: &str) -> String {
    format!("Resources:\n  S:\n    Type: AWS::CloudFormation::Stack\n    Properties: {{TemplateURL: {below}}}\n")
}

const TOPIC: &str = "Resources:\n  T: {Type: AWS::SNS::Topic}\n";

#[test]
fn nested_stacks_are_a_list() {
    const LEVELS: usize = 1000;
    let mut folder = Folder::new("hostile", "nested").with("template.yaml", &stack("t1.yaml"));
    for level in 1..LEVELS {
        folder = folder.with(&format!("t{level}.yaml"), &stack(&format!("t{}.yaml", level + 1)));
    }
    let folder = folder.with(&format!("t{LEVELS}.yaml"), TOPIC);
    let folder = folder.with("old.yaml", TOPIC);
    let others = [
        "check .",
        "plan old.yaml template.yaml",
        "plan template.yaml old.yaml",
        "graph template.yaml",
        "list resources -t template.yaml",
    ];
    for words in ALL[..4].iter().chain(&others) {
        assert!(run(&folder, words).status.success(), "{words}");
    }
}

#[test]
fn builds_of_nested_stacks_look_at_each_directory_once() {
    const LEVELS: usize = 400;
    let mut folder = Folder::new("hostile", "nested-build").with("template.yaml", &stack("t1.yaml"));
    for level in 1..LEVELS {
        folder = folder.with(&format!("t{level}.yaml"), &stack(&format!("t{}.yaml", level + 1)));
    }
    let folder = folder.with(&format!("t{LEVELS}.yaml"), TOPIC);
    // The second run compares with what is there.
    for words in ["build template.yaml", "build template.yaml"] {
        assert!(run(&folder, words).status.success(), "{words}");
    }
}

#[test]
fn sets_of_values_of_nested_stacks_are_counted() {
    let uses = |below: usize| {
        let mut text = "Parameters: {P: {Type: String, Default: x}}\nResources:\n".to_owned();
        for side in ["a", "b"] {
            let _ = writeln!(
                text,
                "  S{side}:\n    Type: AWS::CloudFormation::Stack\n    Properties: {{TemplateURL: t{below}.yaml, Parameters: {{P: !Sub '${{P}}{side}'}}}}"
            );
        }
        text
    };
    let mut folder = Folder::new("hostile", "values").with("template.yaml", &uses(1));
    for level in 1..30 {
        folder = folder.with(&format!("t{level}.yaml"), &uses(level + 1));
    }
    let folder = folder.with("t30.yaml", &format!("Parameters: {{P: {{Type: String}}}}\n{TOPIC}"));
    for words in ["check template.yaml", "package --s3-bucket bucket --plan template.yaml", "build template.yaml"] {
        let output = run(&folder, words);
        let said = [output.stdout, output.stderr].concat();
        assert!(String::from_utf8_lossy(&said).contains("too many nested templates"), "{words}");
        assert_eq!(output.status.code(), Some(1), "{words}");
    }
}

#[test]
fn modules_that_use_modules_are_counted() {
    let module = |below: usize| {
        format!("Modules:\n  A: {{Source: m{below}.yaml}}\n  B: {{Source: m{below}.yaml}}\nResources: {{}}\n")
    };
    let mut folder = Folder::new("hostile", "modules").with("template.yaml", &module(1));
    for level in 1..600 {
        folder = folder.with(&format!("m{level}.yaml"), &module(level + 1));
    }
    runs(&folder.with("m600.yaml", TOPIC), ALL);
    let one = |below: usize| format!("Modules:\n  A: {{Source: m{below}.yaml}}\nResources: {{}}\n");
    let mut folder = Folder::new("hostile", "deep-modules").with("template.yaml", &one(1));
    for level in 1..600 {
        folder = folder.with(&format!("m{level}.yaml"), &one(level + 1));
    }
    runs(&folder.with("m600.yaml", TOPIC), ALL);
}

#[test]
fn directories_are_a_list() {
    let function = "Resources:\n  F:\n    Type: AWS::Lambda::Function\n    Properties: {Code: ./src, Handler: a.b, Runtime: provided.al2023, Role: r}\n";
    // As deep as the path of a file can be here.
    let folder = Folder::new("hostile", "directories").with("template.yaml", function);
    let room = 4000 - folder.path("src").as_os_str().len();
    let folder = folder.with(&format!("src/{}x", "d/".repeat(room / 2)), "x");
    runs(&folder, &["check .", "package --s3-bucket bucket --plan template.yaml", "build template.yaml"]);
    let store = "package --s3-bucket file:store --bucket-name bucket -o packaged.yaml template.yaml";
    assert!(run(&folder, store).status.success());
}

#[test]
fn many_templates_take_few_descriptors() {
    let mut folder = Folder::new("hostile", "many");
    for number in 0..200 {
        folder = folder.with(&format!("d{number}/template.yaml"), TOPIC);
    }
    assert!(run(&folder, "check .").status.success());
    assert!(run(&folder, "expand . -o out").status.success());
}

#[test]
fn side_files_are_read_in_linear_time() {
    const ENTRIES: usize = 40_000;
    let mut lock = String::from("version = 1\n");
    for number in (0..ENTRIES).rev() {
        let _ = writeln!(lock, "[[source]]\naddress = \"https://a.example/{number:08}\"\nsha256 = \"{number:064}\"");
    }
    let (mut keys, mut values) = (String::from("[parameters.a]\n"), String::from("{"));
    for number in 0..ENTRIES {
        let _ = writeln!(keys, "K{number} = \"x\"");
        let _ = write!(values, "\"K{number}\": \"x\",");
    }
    values += "\"T\": \"x\"}";
    let folder = Folder::new("hostile", "side-files")
        .with("template.yaml", "Modules: {M: {Source: 'https://a.example/00000001'}}\nResources: {}\n")
        .with("formwork.lock", &lock)
        .with("formwork.toml", &keys)
        .with("values.json", &values);
    runs(&folder, &["check --offline template.yaml", "check --parameters-file values.json template.yaml"]);
    let folder = folder.with("formwork.toml", &keys.replace("[parameters.a]\n", ""));
    runs(&folder, &["check template.yaml"]);
    let folder = folder.with("formwork.toml", &keys.replace("= \"x\"", "= [[]]"));
    runs(&folder, &["check template.yaml"]);
}

#[test]
fn directives_of_rain_are_found_in_linear_time() {
    const MANY: usize = 40_000;
    let mut text = String::from("Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Metadata:\n");
    for number in 0..MANY {
        let _ = writeln!(text, "      - !Rain::Env X{number}");
    }
    let one_line = format!(
        "Resources: {{B: {{Type: 'AWS::S3::Bucket', Metadata: ['{}', {}]}}}}\n",
        "${a}[].".repeat(MANY),
        "!Rain::Embed x, ".repeat(MANY)
    );
    let mut modules = String::from("Resources:\n");
    for number in 0..MANY {
        let _ = writeln!(modules, "  M{number}: {{Type: !Rain::Module m.yaml}}");
    }
    let flow = modules.replace("Resources:\n", "Resources: {A: {Type: 'AWS::SNS::Topic'},").replace('\n', ",") + "}\n";
    for (name, text) in [("directives", text), ("line", one_line), ("modules", modules), ("flow", flow)] {
        let folder = Folder::new("hostile", &format!("rain-{name}")).with("rain.yaml", &text).with("x", "x");
        runs(&folder, &["migrate rain rain.yaml"]);
    }
}

/// How the program is run as a user who may have no further thread: root is not limited, and becomes somebody else.
fn without_threads(folder: &Folder) -> Option<String> {
    let id = folder.command("id").arg("-u").output().ok()?;
    let root = id.stdout == b"0\n";
    let other = if root { "setpriv --reuid=65534 --regid=65534 --clear-groups " } else { "" };
    let line = format!("{other}prlimit --nproc=1 env HOME=/nonexistent {}", env!("CARGO_BIN_EXE_formwork"));
    let works = folder.command("bash").args(["-c", &format!("exec {line} version")]).output().ok()?.status.success();
    works.then_some(line)
}

#[test]
fn without_threads_the_work_is_done_on_one() {
    let function = "Resources:\n  F:\n    Type: AWS::Lambda::Function\n    Properties: {Code: ./src, Handler: a.b, Runtime: provided.al2023, Role: r}\n";
    let mut folder = Folder::new("hostile", "threads").with("template.yaml", function).with("other.yaml", function);
    for number in 0..50 {
        folder = folder.with(&format!("src/{number}"), "x");
    }
    let all = folder.command("chmod").args(["-R", "a+rwX", "."]).status().expect("chmod runs");
    let Some(program) = without_threads(&folder).filter(|_| all.success()) else {
        return eprintln!("skipped: nobody without threads can run the program here");
    };
    let aws = "AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b AWS_REGION=eu-west-1 AWS_MAX_ATTEMPTS=1";
    for (words, status) in [
        ("check .", 0),
        ("expand template.yaml other.yaml -o out", 0),
        ("package --s3-bucket bucket --plan template.yaml", 0),
        ("package --s3-bucket file:store --bucket-name bucket -o packaged.yaml template.yaml", 0),
        ("build template.yaml", 0),
        ("package --s3-bucket bucket --endpoint-url http://127.0.0.1:9 other.yaml", 1),
        ("package --s3-bucket bucket --endpoint-url http://localhost:9 other.yaml", 1),
        ("local invoke F -t other.yaml", 1),
    ] {
        let line = format!("{aws} exec {program} {words}");
        let output = folder.command("bash").args(["-c", &line]).output().expect("bash runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("panicked"), "{words}: {said}");
        assert_eq!(output.status.code(), Some(status), "{words}: {said}");
    }
}

/// Directories and files of another user: what cannot be read is reported, and nothing waits or is guessed.
#[test]
fn what_cannot_be_read_is_reported() {
    let folder = Folder::new("hostile", "unreadable")
        .with("template.yaml", TOPIC)
        .with("closed/other.yaml", TOPIC)
        .with("open/secret.yaml", "Resources: {hunter2: {Type: x}}")
        .with(".gitignore", "x\n");
    let modes = "chmod -R a+rX . && chmod 000 closed open/secret.yaml .gitignore";
    assert!(folder.command("bash").args(["-c", modes]).status().expect("bash runs").success());
    let Some(program) = without_threads(&folder) else {
        return eprintln!("skipped: nobody without threads can run the program here");
    };
    let runs = [
        ("check .", 2, "closed"),
        ("check template.yaml", 0, ""),
        ("check open/secret.yaml", 2, "secret.yaml"),
        ("check closed", 2, "closed"),
        ("check open", 2, "secret.yaml"),
    ];
    let runs = runs.map(|(words, status, name)| {
        let output =
            folder.command("bash").args(["-c", &format!("exec {program} {words}")]).output().expect("bash runs");
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        (words, status, name, output.status.code(), said)
    });
    assert!(folder.command("chmod").args(["-R", "u+rwX", "."]).status().expect("chmod runs").success());
    for (words, status, name, found, said) in runs {
        assert!(!said.contains("panicked") && !said.contains("hunter2"), "{words}: {said}");
        assert!(found == Some(status) && said.contains(name), "{words}: {found:?} {said}");
    }
}

/// Ends a run with a signal at many moments, and looks for what it left.
#[test]
fn signals_leave_no_temporary_file() {
    let mut large = String::from("Resources:\n");
    for number in 0..400 {
        let _ = writeln!(large, "  T{number}: {{Type: AWS::SNS::Topic, Metadata: {{X: {}}}}}", "x".repeat(2000));
    }
    let mut folder = Folder::new("hostile", "signals").with("template.yaml", &large);
    for number in 0..20 {
        folder = folder.with(&format!("all/{number}.yaml"), &large);
    }
    let program = env!("CARGO_BIN_EXE_formwork");
    let mut ended = 0;
    for signal in ["INT", "TERM", "HUP"] {
        for words in ["expand template.yaml -o out/one.yaml", "expand all -o out/many"] {
            for pause in 0..25 {
                let line = format!(
                    "rm -rf out; mkdir out; set -m; {program} {words} & sleep 0.{:03}; kill -{signal} $!; wait $!",
                    pause * 4
                );
                let output = folder.command("bash").args(["-c", &line]).output().expect("bash runs");
                ended += usize::from(output.status.code().is_some_and(|code| code > 128));
                let left = folder.command("bash").args(["-c", "ls -A out"]).output().expect("ls runs");
                let left = String::from_utf8_lossy(&left.stdout).into_owned();
                let is_whole = left.lines().all(|name| matches!(name, "one.yaml" | "many"));
                assert!(is_whole, "{signal} {words} after {pause}: {left}");
            }
        }
    }
    assert!(ended > 10, "{ended} runs were ended");
}
