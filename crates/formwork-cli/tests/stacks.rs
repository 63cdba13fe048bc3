//! Stacks of a repository: those that files name, and what `check` and `plan --all` find between them.
//!
//! Holds reference/repository.md#stacks, reference/repository.md#findings, reference/plan.md#all,
//! reference/configuration.md#stack.
#![cfg(all(target_os = "linux", feature = "aws", feature = "local"))]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::host::repository::git;
use crate::support::folder::Folder;

/// The stages of a repository.
const STAGES: [&str; 2] = ["dev", "prod"];

/// A generated repository: `count` stacks, of which each imports from some of those before it.
struct Repository {
    /// The names that each stack exports.
    exports: Vec<Vec<String>>,
    /// The names that each stack imports.
    imports: Vec<Vec<String>>,
}

/// Numbers from a seed, such as those of other generators of the tests.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(limit).expect("a number")).expect("a number")
    }
}

/// Words that are far from each other.
const WORDS: [&str; 8] = ["network", "orders", "billing", "search", "archive", "identity", "metrics", "payments"];

impl Repository {
    fn generated(seed: u64) -> Repository {
        let mut numbers = Numbers(seed);
        let count = 3 + numbers.below(6);
        let exports: Vec<Vec<String>> = (0..count)
            .map(|at| vec![format!("${{Stage}}-{}-topic", WORDS[at]), format!("{}-target", WORDS[at])])
            .collect();
        let mut imports = vec![Vec::new(); count];
        for (at, own) in imports.iter_mut().enumerate().skip(1) {
            for _ in 0..=numbers.below(2) {
                own.push(exports[numbers.below(at)][0].clone());
            }
        }
        Repository { exports, imports }
    }

    fn template(&self, at: usize) -> String {
        let mut text =
            format!("Parameters:\n  Stage: {{Type: String}}\nResources:\n  Topic{at}: {{Type: AWS::SNS::Topic}}\n");
        for (number, name) in self.imports[at].iter().enumerate() {
            let _ = write!(
                text,
                "  Stored{at}{number}:\n    Type: AWS::SSM::Parameter\n    Properties:\n      Type: String\n      Value: !ImportValue\n        Fn::Sub: {name}\n"
            );
        }
        text += "Outputs:\n";
        for (number, name) in self.exports[at].iter().enumerate() {
            let _ = write!(
                text,
                "  Out{number}:\n    Value: !GetAtt Topic{at}.TopicName\n    Export:\n      Name: !Sub {name}-{at}x\n",
            );
        }
        text.replace(&format!("-{at}x\n"), "\n")
    }

    /// The line of an import.
    fn line(&self, at: usize, import: usize) -> usize {
        let text = self.template(at);
        let mut lines = text.lines().enumerate().filter(|(_, line)| line.contains("Fn::Sub:"));
        lines.nth(import).map(|(number, _)| number + 1).expect("an import")
    }

    fn configuration(&self, stages: &dyn Fn(usize) -> String) -> String {
        let mut text = String::new();
        for (at, word) in WORDS.iter().enumerate().take(self.exports.len()) {
            let _ = write!(
                text,
                "[[stack]]\nname = \"{0}-{{stage}}\"\ntemplate = \"{0}.yaml\"\nstages = {1}\nparameters = {{Stage = \"{{stage}}\"}}\n\n",
                word,
                stages(at)
            );
        }
        text
    }

    /// Writes all files. Of the names without a stage only the first stage has stacks that export them.
    fn written(&self, name: &str) -> Folder {
        let mut folder = Folder::new("stacks", name).with("formwork.toml", &self.configuration(&|_| list(&STAGES)));
        for (at, word) in WORDS.iter().enumerate().take(self.exports.len()) {
            folder = folder.with(&format!("{word}.yaml"), &self.template(at));
        }
        folder
    }
}

fn list(stages: &[&str]) -> String {
    format!("[{}]", stages.iter().map(|stage| format!("\"{stage}\"")).collect::<Vec<_>>().join(", "))
}

/// The lines with a code of links.
fn found(folder: &Folder) -> Vec<String> {
    let run = folder.run(&["check", ".", "--no-schemas", "--message-format", "short"]);
    run.out.lines().filter(|line| line.contains("[FW15")).map(str::to_owned).collect()
}

/// Checks that exactly one finding is there, with its code and place.
fn expect_one(folder: &Folder, place: &str, code: &str, what: &str) {
    let found = found(folder);
    assert_eq!(found.len(), 1, "{what}: {found:#?}");
    assert!(found[0].starts_with(place) && found[0].contains(code), "{what}, {place} {code}: {found:#?}");
}

#[test]
fn seeded_mistakes_are_found_once_at_their_line_and_nothing_else() {
    for seed in 0..50 {
        let whole = Repository::generated(seed);
        assert!(found(&whole.written("whole")).is_empty(), "seed {seed}: {:#?}", found(&whole.written("whole")));
        let last = whole.imports.len() - 1;
        let (import, file) = (whole.imports[last][0].clone(), format!("{}.yaml", WORDS[last]));

        let mut near = Repository::generated(seed);
        near.imports[last] = vec![import.replace("-topic", "-topci")];
        let line = near.line(last, 0);
        expect_one(&near.written("near"), &format!("{file}:{line}:"), "[FW1510]", "a near name");

        let mut twice = Repository::generated(seed);
        twice.exports[last][1] = twice.exports[0][1].clone();
        let found_twice = found(&twice.written("twice"));
        assert!(
            found_twice.len() == 1 && found_twice[0].contains("[FW1512]"),
            "seed {seed}: a name of two stacks: {found_twice:#?}"
        );

        let mut cycle = Repository::generated(seed);
        cycle.imports = vec![Vec::new(); last + 1];
        cycle.imports[0] = vec![cycle.exports[last][0].clone()];
        cycle.imports[last] = vec![cycle.exports[0][0].clone()];
        let found_cycle = found(&cycle.written("cycle"));
        assert!(
            found_cycle.iter().all(|line| line.contains("[FW1511]")) && found_cycle.len() == 1,
            "seed {seed}: a cycle: {found_cycle:#?}"
        );

        // The stage `prod` is missing the stack that exports.
        let exporter = whole.exports.iter().position(|exports| exports[0] == import).expect("an exporter");
        let lacking = whole.written("lacking");
        let stages = |at: usize| {
            let needs_it = |other: usize| whole.imports[other].contains(&whole.exports[exporter][0]);
            let is_lacking = at == exporter || at != last && needs_it(at);
            list(if is_lacking { &STAGES[..1] } else { &STAGES })
        };
        // Of the other stacks none loses its own exporter.
        let only = Repository {
            exports: whole.exports.clone(),
            imports: whole
                .imports
                .iter()
                .enumerate()
                .map(|(at, own)| if at == last { vec![own[0].clone()] } else { Vec::new() })
                .collect(),
        };
        let mut lacking = lacking.with("formwork.toml", &only.configuration(&stages));
        for (at, word) in WORDS.iter().enumerate().take(last + 1) {
            lacking = lacking.with(&format!("{word}.yaml"), &only.template(at));
        }
        let line = only.line(last, 0);
        expect_one(&lacking, &format!("{file}:{line}:"), "[FW1516]", "a stage without an export");
    }
}

#[test]
fn the_order_of_plans_is_that_of_the_links() {
    for seed in 0..50 {
        let (old, mut new) = (Repository::generated(seed), Repository::generated(seed));
        let mut numbers = Numbers(seed + 1_000);
        let folder = old.written("history");
        let directory = folder.path(".");
        std::fs::remove_dir_all(folder.path(".git")).expect("a directory");
        git(&directory, &["init", "--quiet", "--initial-branch=main"]);
        git(&directory, &["add", "--all"]);
        git(&directory, &["commit", "--quiet", "--message=old"]);
        // One stack ends an import, and all have another output.
        let at = 1 + numbers.below(new.imports.len() - 1);
        let ended = new.imports[at].pop().expect("an import");
        let gone = new.exports.iter().position(|exports| exports[0] == ended).expect("an exporter");
        let is_last_use = !new.imports.iter().flatten().any(|name| *name == ended);
        if is_last_use {
            new.exports[gone].remove(0);
        }
        new.exports.iter_mut().for_each(|exports| exports.push(format!("{}-more", exports.last().expect("a name"))));
        let mut folder = folder;
        for (at, word) in WORDS.iter().enumerate().take(new.exports.len()) {
            folder = folder.with(&format!("{word}.yaml"), &new.template(at));
        }
        let run = folder.run(&["plan", "--all", "--git", "HEAD", "--no-schemas", "--format", "json"]);
        assert_eq!(run.status, 0, "seed {seed}: {run:?}");
        let plan: Value = serde_json::from_str(&run.out).expect("JSON");
        let mut groups: BTreeMap<String, usize> = BTreeMap::new();
        for (number, group) in plan["order"].as_array().expect("groups").iter().enumerate() {
            for name in group.as_array().expect("names") {
                groups.insert(name.as_str().expect("a name").to_owned(), number);
            }
        }
        assert_eq!(groups.len(), 2 * new.exports.len(), "seed {seed}: every stack changes");
        for stage in STAGES {
            let group = |at: usize| groups[&format!("{}-{stage}", WORDS[at])];
            for (at, imports) in new.imports.iter().enumerate() {
                for name in imports {
                    let exporter = new.exports.iter().position(|exports| exports.contains(name)).expect("an exporter");
                    assert!(group(exporter) < group(at), "seed {seed}: {} needs {}", WORDS[at], WORDS[exporter]);
                }
            }
            if is_last_use && !new.imports[at].iter().any(|name| new.exports[gone].contains(name)) {
                assert!(group(at) < group(gone), "seed {seed}: the importer of {ended} comes first");
            }
        }
    }
}

#[test]
fn what_follows_an_export_is_what_the_plan_of_the_importer_has() {
    let network = |value: &str| {
        format!(
            "Parameters:\n  Stage: {{Type: String}}\nResources:\n  Topic: {{Type: AWS::SNS::Topic}}\nOutputs:\n  Topic:\n    Value: !{value}\n    Export: {{Name: !Sub '${{Stage}}-topic'}}\n"
        )
    };
    let orders = "Parameters:\n  Stage: {Type: String}\nResources:\n  Subscription:\n    Type: AWS::SNS::Subscription\n    Properties:\n      TopicArn: !ImportValue\n        Fn::Sub: ${Stage}-topic\n      Protocol: email\n      Endpoint: a@example.com\n";
    let folder = Folder::new("stacks", "follows")
        .with("formwork.toml", "[[stack]]\nname = \"net-{stage}\"\ntemplate = \"net.yaml\"\nstages = [\"dev\"]\nparameters = {Stage = \"{stage}\"}\n[[stack]]\nname = \"orders-{stage}\"\ntemplate = \"orders.yaml\"\nstages = [\"dev\"]\nparameters = {Stage = \"{stage}\"}\n")
        .with("net.yaml", &network("Ref Topic"))
        .with("orders.yaml", orders);
    let directory = folder.path(".");
    std::fs::remove_dir_all(folder.path(".git")).expect("a directory");
    git(&directory, &["init", "--quiet", "--initial-branch=main"]);
    git(&directory, &["add", "--all"]);
    git(&directory, &["commit", "--quiet", "--message=old"]);
    let folder = folder.with("net.yaml", &network("GetAtt Topic.TopicName"));
    let run = folder.run(&["plan", "--all", "--git", "HEAD", "--fail-on", "destructive"]);
    assert_eq!(run.status, 1, "{run:?}");
    insta::assert_snapshot!(run.out);
    let comment = folder.run(&["plan", "--all", "--git", "HEAD", "--format", "markdown"]).out;
    assert_eq!((comment.matches("<details>").count(), comment.matches("</details>").count()), (1, 1), "{comment}");
    assert!(
        comment.contains("orders.yaml:7: Subscription.Properties.TopicArn of orders-dev follows, replaces"),
        "{comment}"
    );
}

#[test]
fn stacks_are_those_that_files_name() {
    let template = "Parameters:\n  Stage: {Type: String, Default: x}\nResources:\n  Topic: {Type: AWS::SNS::Topic}\n";
    let folder = Folder::new("stacks", "sources")
        .with("app/template.yaml", template)
        .with("app/samconfig.toml", "[default.deploy.parameters]\nstack_name = \"app\"\n[prod.deploy.parameters]\nstack_name = \"app-prod\"\nregion = \"eu-west-1\"\n[local.build.parameters]\nuse_container = true\n")
        .with("net.yaml", template)
        .with("deployments/net-prod.yaml", "template-file-path: net.yaml\nparameters: {Stage: prod}\n")
        .with("alone.yaml", template);
    let list = |folder: &Folder| folder.run(&["list", "stacks", "--local"]).out;
    let found = list(&folder);
    insta::assert_snapshot!(found);
    let folder = folder.with("formwork.toml", "[[stack]]\nname = \"own\"\ntemplate = \"net.yaml\"\n");
    let found = list(&folder);
    assert!(found.contains("formwork.toml:2") && !found.contains("samconfig.toml"), "{found}");
    let folder = folder.with("formwork.toml", "[[stack]]\nname = \"own\"\ntemplate = \"nett.yaml\"\n");
    let run = folder.run(&["check", "."]);
    assert!(
        run.status == 2 && run.err.contains("formwork.toml:3: template `nett.yaml` of stack `own` does not exist"),
        "{run:?}"
    );
}

#[test]
fn values_of_a_stack_are_those_of_its_template() {
    let template = "Parameters:\n  Stage: {Type: String}\nResources:\n  Topic: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Ref Stage}}\n";
    let stack = |values: &str| format!("[[stack]]\nname = \"s\"\ntemplate = \"a.yaml\"\nparameters = {{{values}}}\n");
    let of = |values: &str, more: &str| {
        let folder = Folder::new("stacks", "values")
            .with("a.yaml", template)
            .with("b.yaml", "Resources: {Queue: {Type: AWS::SQS::Queue}}\n")
            .with("formwork.toml", &(stack(values) + more));
        found(&folder)
    };
    assert!(of("Stage = \"dev\"", "").is_empty());
    let missing = of("", "");
    assert!(missing.len() == 1 && missing[0].starts_with("a.yaml:2:3: error[FW1514]"), "{missing:?}");
    let unknown = of("Stage = \"dev\", Satge = \"x\"", "");
    assert!(unknown.len() == 1 && unknown[0].contains("passes `Satge`"), "{unknown:?}");
    assert!(of("", "stages = [\"dev\"]\n[parameters.dev]\nStage = \"dev\"\n").is_empty(), "of the parameter set");
}

#[test]
fn a_joined_list_is_no_item_and_unused_exports_are_reported_on_request() {
    let exports = "Resources:\n  A: {Type: AWS::SNS::Topic}\n  B: {Type: AWS::SNS::Topic}\nOutputs:\n  Both:\n    Value: !Join [',', [!Ref A, !Ref B]]\n    Export: {Name: both}\n  One:\n    Value: !Ref A\n    Export: {Name: one}\n";
    let imports = |value: &str| {
        format!(
            "Resources:\n  Alarm:\n    Type: AWS::CloudWatch::CompositeAlarm\n    Properties:\n      AlarmRule: x\n      AlarmActions: {value}\n"
        )
    };
    let of = |value: &str, words: &[&str]| {
        let folder = Folder::new("stacks", "kinds").with("a.yaml", exports).with("b.yaml", &imports(value));
        let run = folder.run(&[&["check", ".", "--no-schemas", "--message-format", "short"], words].concat());
        run.out.lines().filter(|line| line.contains("[FW15")).map(str::to_owned).collect::<Vec<_>>()
    };
    let joined = of("[!ImportValue both]", &[]);
    assert!(
        joined.len() == 1 && joined[0].starts_with("b.yaml:6:") && joined[0].contains("warning[FW1513]"),
        "{joined:?}"
    );
    assert!(of("!Split [',', !ImportValue both]", &[]).is_empty() && of("[!ImportValue one]", &[]).is_empty());
    let unused = of("[!ImportValue one]", &["--select", "FW1515"]);
    assert!(unused.len() == 1 && unused[0].contains("imports `both`"), "{unused:?}");
}

#[test]
fn outputs_and_stored_parameters_are_links_between_stacks() {
    let folder = Folder::new("stacks", "outputs")
        .with("formwork.toml", "[[stack]]\nname = \"net\"\ntemplate = \"a.yaml\"\n[[stack]]\nname = \"app\"\ntemplate = \"b.yaml\"\n")
        .with("a.yaml", "Resources:\n  A: {Type: AWS::SNS::Topic}\n  S: {Type: AWS::SSM::Parameter, Properties: {Type: String, Name: /net/topic, Value: x}}\nOutputs:\n  TopicArn: {Value: !Ref A}\n")
        .with("b.yaml", "Parameters:\n  Topic: {Type: 'AWS::SSM::Parameter::Value<String>', Default: /net/topci}\nResources:\n  B:\n    Type: AWS::SNS::Topic\n    Properties:\n      DisplayName:\n        Fn::GetStackOutput: {StackName: net, OutputName: TopicAnr}\n      TopicName: !Ref Topic\n");
    let found = found(&folder);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("b.yaml:2:") && found[0].contains("`/net/topci`"), "{found:?}");
    assert!(found[1].starts_with("b.yaml:8:") && found[1].contains("`net.TopicAnr`"), "{found:?}");
}

#[test]
fn what_a_template_with_errors_may_export_is_not_missing() {
    let network = "Parameters:\n  Stage: {Type: String, AllowedValues: [dev]}\nResources:\n  Topic: {Type: AWS::SNS::Topic}\nOutputs:\n  Topic:\n    Value: !Ref Topic\n    Export: {Name: !Sub '${Stage}-topic'}\n";
    let orders = "Parameters:\n  Stage: {Type: String}\nResources:\n  Stored:\n    Type: AWS::SSM::Parameter\n    Properties:\n      Type: String\n      Value: !ImportValue\n        Fn::Sub: ${Stage}-topic\n";
    let stack = |name: &str| {
        format!(
            "[[stack]]\nname = \"{name}-{{stage}}\"\ntemplate = \"{name}.yaml\"\nstages = [\"dev\", \"prod\"]\nparameters = {{Stage = \"{{stage}}\"}}\n"
        )
    };
    let folder = Folder::new("stacks", "broken")
        .with("formwork.toml", &(stack("network") + &stack("orders")))
        .with("network.yaml", network)
        .with("orders.yaml", orders);
    assert!(found(&folder).is_empty(), "{:?}", found(&folder));
    let run = folder.run(&["check", "."]);
    assert!(run.err.contains("network.yaml has errors with the values of stack network-prod (prod)"), "{}", run.err);
    // With a value that is allowed the export is there, and without it, it is missing.
    let folder = folder.with("network.yaml", &network.replace("[dev]", "[dev, prod]"));
    assert!(found(&folder).is_empty(), "{:?}", found(&folder));
    let folder =
        folder.with("network.yaml", &network.replace("[dev]", "[dev, prod]").replace("${Stage}-topic", "dev-topic"));
    assert!(found(&folder).iter().any(|line| line.contains("[FW1516]")), "{:?}", found(&folder));

    let folder = Folder::new("stacks", "closed")
        .with("a.yaml", "Resources: {A: {Type: !Nope x}}\n")
        .with("b.yaml", &orders.replace("Fn::Sub: ${Stage}-topic", "Fn::Sub: shop-topic"));
    let run = folder.run(&["check", ".", "--stacks-closed", "--message-format", "short"]);
    assert!(!run.out.contains("[FW15"), "{}", run.out);
}
