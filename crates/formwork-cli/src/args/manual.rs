//! What the long help and the manual page of a command have behind its options: exit statuses, environment variables,
//! files, examples, and the page of the reference. One entry a command.

use std::fmt::Write as _;

/// The entry of a command.
pub(crate) struct Manual {
    /// Its words, such as `rules check`.
    name: &'static str,
    statuses: &'static [Row],
    /// Groups of variables that it reads.
    environment: &'static [&'static [Row]],
    section: Section,
    /// A page, below `docs`.
    page: &'static str,
    examples: &'static [&'static str],
}

/// A name, and what it means.
pub(crate) type Row = (&'static str, &'static str);

/// The section of samconfig.toml that a command reads.
enum Section {
    None,
    /// That of the command it is asked about.
    Shown,
    /// Its own, else `global`.
    Own(&'static str),
    /// Its own, else that of `deploy`, else `global`.
    OrDeploy(&'static str),
}

const SCHEMAS: &[Row] = &[
    ("0", "done"),
    ("1", "the resource type is not known"),
    ("2", "wrong command line, or a schema that cannot be read"),
];
const PLAIN: &[Row] = &[("0", "done"), ("2", "wrong command line, or a file that cannot be written")];
const TEMPLATE: &[Row] = &[
    ("0", "done; warnings are allowed"),
    ("1", "the template has errors, or a rule or value is rejected"),
    ("2", "wrong command line, a file that cannot be read or written, or access denied"),
];
const FMT: &[Row] = &[
    ("0", "done; with `--check` or `--diff`, all files are formatted"),
    ("1", "a file is not well-formed, or, with `--check` or `--diff`, would change"),
    ("2", "wrong command line, or a file that cannot be read or written"),
];
const LSP: &[Row] = &[
    ("0", "the editor shut the server down"),
    ("1", "the input ended without a shutdown, or a message is malformed; with `--replay`, an answer differs"),
    ("2", "wrong command line, or a log or recording that cannot be read or created"),
];
const PLAN: &[Row] = &[
    ("0", "done, whether or not something changes"),
    ("1", "the plan does what `--fail-on` names"),
    ("2", "wrong command line, a template has errors, or a file or revision cannot be read"),
];
const DIFF: &[Row] = &[
    ("0", "nothing changes; with `--fail-on`, the plan does not do what it names"),
    ("1", "something changes; with `--fail-on`, the plan does what it names"),
    ("2", "wrong command line, a template has errors, or a file or revision cannot be read"),
];
const DEPLOY: &[Row] = &[
    ("0", "done, or nothing to change"),
    ("1", "the operation failed, or the stack cannot be changed"),
    ("2", "wrong command line, or the template is rejected before it is sent"),
    ("3", "nothing to change, with `--fail-on-empty-changeset`"),
    ("4", "an artifact cannot be packaged or uploaded"),
    ("5", "access denied, or no credentials"),
    ("6", "`--max-wait-duration` is over"),
    ("130", "interrupted"),
];
#[cfg(feature = "aws")]
const LOOK: &[Row] = &[
    ("0", "done"),
    ("1", "the stack does not exist, or CloudFormation rejects a call"),
    ("2", "wrong command line"),
    ("5", "access denied, or no credentials"),
    ("130", "interrupted"),
];
#[cfg(feature = "aws")]
const DIAGNOSIS: &[Row] = &[
    ("0", "no failure was found"),
    ("1", "a failure was found, an operation is in progress, or the stack does not exist"),
    ("2", "wrong command line"),
    ("5", "access denied, or no credentials"),
    ("130", "interrupted"),
];
#[cfg(feature = "aws")]
const FOLLOW: &[Row] = &[
    ("0", "done; with `--follow`, the operation succeeded"),
    ("1", "the stack does not exist, CloudFormation rejects a call, or the followed operation failed"),
    ("2", "wrong command line"),
    ("5", "access denied, or no credentials"),
    ("6", "`--max-wait-duration` is over"),
    ("130", "interrupted"),
];
#[cfg(feature = "aws")]
const REFACTOR: &[Row] = &[
    ("0", "done, or nothing to refactor"),
    ("1", "the refactor is rejected or failed, a stack cannot be refactored, or nobody confirmed it"),
    ("2", "wrong command line, errors in a template, or renames that are not known for certain"),
    ("5", "access denied, or no credentials"),
    ("6", "`--max-wait-duration` is over"),
    ("130", "interrupted"),
];
#[cfg(feature = "aws")]
const SYNC: &[Row] = &[
    ("0", "done"),
    ("1", "the template has errors, or code was not pushed"),
    ("2 to 6", "those of `formwork deploy`"),
    ("130", "interrupted, also with `--watch`"),
];
#[cfg(feature = "local")]
const FUNCTION: &[Row] = &[
    ("0", "the function returned"),
    ("1", "the function failed, or the template has errors"),
    ("2", "wrong command line, or the function does not exist"),
    ("130", "interrupted"),
];
#[cfg(feature = "local")]
const SERVER: &[Row] =
    &[("1", "the template has errors"), ("2", "wrong command line, or the port is in use"), ("130", "interrupted")];

const CREDENTIALS: &str = "AWS_PROFILE, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE";
const AWS: &[Row] = &[
    (CREDENTIALS, "credentials of calls to AWS"),
    (
        "AWS_REGION, AWS_DEFAULT_REGION",
        "Region of calls to AWS; never the value of `AWS::Region` in `expand`, `resolve` and `check`",
    ),
    ("AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3 and the like", "where calls go instead"),
    ("AWS_CA_BUNDLE, SSL_CERT_FILE, HTTPS_PROXY, ALL_PROXY, NO_PROXY, AWS_MAX_ATTEMPTS", "how calls are made"),
];
const CACHE: &[Row] = &[("FORMWORK_CACHE_DIR, else XDG_CACHE_HOME, else HOME", "cache of remote modules")];
const IMAGES: &[Row] = &[("DOCKER_HOST, DOCKER_CONFIG, XDG_RUNTIME_DIR", "container engine, and logins of registries")];
const TOOLS: &[Row] = &[("PATH", "tools and interpreters that are run")];
#[cfg(feature = "local")]
const FUNCTIONS: &[Row] = &[(CREDENTIALS, "credentials that functions get")];
const COLOR: &[Row] = &[("NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM=dumb", "color, without `--color`")];

const READS: &[&[Row]] = &[CACHE, AWS, COLOR];
const BUILDS: &[&[Row]] = &[TOOLS, CACHE, IMAGES, AWS, COLOR];
const NOTHING: &[&[Row]] = &[COLOR];
#[cfg(feature = "local")]
const RUNS: &[&[Row]] = &[TOOLS, FUNCTIONS, COLOR];

macro_rules! manual {
    ($name:literal, $statuses:expr, $environment:expr, $section:expr, $page:literal, [$($example:literal),+ $(,)?]) => {
        Manual {
            name: $name,
            statuses: $statuses,
            environment: $environment,
            section: $section,
            page: $page,
            examples: &[$($example),+],
        }
    };
}

use Section::{None as NoSection, OrDeploy, Own, Shown};

#[rustfmt::skip]
const ALL: &[Manual] = &[
    manual!("init", PLAIN, NOTHING, NoSection, "reference/init.md", [
        "formwork init --template functions --name shop",
        "formwork init --list",
    ]),
    manual!("expand", TEMPLATE, READS, OrDeploy("expand"), "reference/values.md", [
        "formwork expand template.yaml",
        "formwork expand template.yaml --values all --parameter-overrides Stage=prod",
        "formwork expand templates/ -o expanded/",
    ]),
    manual!("resolve", TEMPLATE, READS, OrDeploy("resolve"), "reference/values.md", [
        "formwork resolve template.yaml --parameter-overrides Stage=prod --region eu-west-1",
        "formwork resolve template.yaml --parameters-file prod.json",
    ]),
    manual!("check", TEMPLATE, READS, OrDeploy("check"), "reference/diagnostics.md", [
        "formwork check",
        "formwork check templates/ --message-format sarif > report.sarif",
        "formwork check --explain FW0303",
    ]),
    manual!("fmt", FMT, &[COLOR], NoSection, "reference/formatting.md", [
        "formwork fmt",
        "formwork fmt --check templates/",
        "formwork fmt --diff template.yaml",
        "formwork fmt - --stdin-filename template.yaml < template.yaml",
    ]),
    manual!("lsp", LSP, &[CACHE], NoSection, "language-server.md", [
        "formwork lsp",
        "formwork lsp --trust --log formwork-lsp.log",
        "formwork lsp --record session.jsonl",
        "formwork lsp --replay session.jsonl --root templates/",
    ]),
    manual!("rules", &[], &[], NoSection, "rules.md", [
        "formwork rules check template.yaml --parameter-overrides Stage=prod",
        "formwork rules table template.yaml",
        "formwork rules solve template.yaml Production",
    ]),
    manual!("rules check", TEMPLATE, READS, OrDeploy("rules"), "reference/rules.md", [
        "formwork rules check template.yaml --parameter-overrides Stage=prod",
    ]),
    manual!("rules solve", TEMPLATE, READS, OrDeploy("rules"), "reference/rules.md", [
        "formwork rules solve template.yaml",
        "formwork rules solve template.yaml Production --format json",
    ]),
    manual!("rules table", TEMPLATE, READS, OrDeploy("rules"), "reference/rules.md", [
        "formwork rules table template.yaml Production",
    ]),
    manual!("explain", TEMPLATE, READS, OrDeploy("explain"), "reference/provenance.md", [
        "formwork explain template.yaml Resources.OrdersQueue.Properties.QueueName",
        "formwork explain template.yaml --at template.yaml:12",
        "formwork explain FW0303",
    ]),
    manual!("plan", PLAN, READS, OrDeploy("plan"), "reference/plan.md", [
        "formwork plan old.yaml new.yaml",
        "formwork plan template.yaml --git main... --fail-on destructive,data",
        "formwork plan template.yaml --stack-snapshot shop.json",
        "formwork plan template.yaml --against-parameter-overrides Stage=prod",
    ]),
    manual!("diff", DIFF, READS, OrDeploy("diff"), "reference/plan.md", [
        "formwork diff old.yaml new.yaml",
        "formwork diff template.yaml --git HEAD",
    ]),
    manual!("graph", TEMPLATE, READS, OrDeploy("graph"), "reference/graph.md", [
        "formwork graph template.yaml | dot -Tpng > graph.png",
        "formwork graph template.yaml -o graph.svg --with parameters,outputs",
        "formwork graph template.yaml --format mermaid --focus OrdersQueue --depth 2",
    ]),
    manual!("build", TEMPLATE, &[TOOLS, CACHE, IMAGES, COLOR], Own("build"), "reference/build.md", [
        "formwork build",
        "formwork build --resource OrdersFunction --no-cached",
    ]),
    manual!("package", TEMPLATE, &[CACHE, IMAGES, AWS, COLOR], Own("package"), "packaging.md", [
        "formwork package template.yaml --s3-bucket my-bucket -o packaged.yaml",
        "formwork package template.yaml --s3-bucket file:out --bucket-name my-bucket -o packaged.yaml",
        "formwork package template.yaml --plan",
    ]),
    manual!("deploy", DEPLOY, BUILDS, Own("deploy"), "deploy.md", [
        "formwork deploy --guided",
        "formwork deploy --stack-name shop --parameter-overrides Stage=prod --capabilities CAPABILITY_IAM",
        "formwork deploy template.yaml --stack-name shop --resolve-s3 --yes",
        "formwork deploy template.yaml --stack-name shop --no-execute",
    ]),
    manual!("delete", DEPLOY, &[AWS, COLOR], OrDeploy("delete"), "deploy.md", ["formwork delete --stack-name shop"]),
    #[cfg(feature = "aws")]
    manual!("diagnose", DIAGNOSIS, READS, OrDeploy("diagnose"), "reference/around.md", [
        "formwork diagnose shop",
        "formwork diagnose shop --format json",
    ]),
    #[cfg(feature = "aws")]
    manual!("events", FOLLOW, READS, OrDeploy("events"), "reference/around.md", [
        "formwork events shop",
        "formwork events shop --failed",
        "formwork events shop --since 2h --resource OrdersQueue",
        "formwork events shop --follow",
    ]),
    #[cfg(feature = "aws")]
    manual!("list", &[], &[], NoSection, "reference/around.md", [
        "formwork list stacks",
        "formwork list resources shop",
        "formwork list stack-outputs shop",
    ]),
    #[cfg(feature = "aws")]
    manual!("list stacks", LOOK, &[AWS, COLOR], OrDeploy("list_stacks"), "reference/around.md", [
        "formwork list stacks",
        "formwork list stacks --all --nested --format json",
    ]),
    #[cfg(feature = "aws")]
    manual!("list resources", LOOK, READS, OrDeploy("list_resources"), "reference/around.md", [
        "formwork list resources",
        "formwork list resources shop --format json",
    ]),
    #[cfg(all(feature = "aws", feature = "local"))]
    manual!("list endpoints", LOOK, READS, OrDeploy("list_endpoints"), "reference/around.md", [
        "formwork list endpoints shop",
    ]),
    #[cfg(feature = "aws")]
    manual!("list stack-outputs", LOOK, &[AWS, COLOR], OrDeploy("list_stack_outputs"), "reference/around.md", [
        "formwork list stack-outputs shop",
    ]),
    #[cfg(feature = "aws")]
    manual!("logs", LOOK, READS, OrDeploy("logs"), "reference/around.md", [
        "formwork logs shop",
        "formwork logs shop -n OrdersFunction --tail",
        "formwork logs shop --start-time '1h ago' --filter ERROR",
        "formwork logs --cw-log-group /aws/lambda/orders",
    ]),
    #[cfg(feature = "aws")]
    manual!("outputs", LOOK, &[AWS, COLOR], OrDeploy("outputs"), "reference/around.md", [
        "formwork outputs shop",
        "formwork outputs shop TopicName",
        "formwork outputs shop --format json > outputs.json",
    ]),
    #[cfg(feature = "aws")]
    manual!("stack", &[], &[], NoSection, "reference/plan.md", ["formwork stack snapshot shop -o shop.json"]),
    #[cfg(feature = "aws")]
    manual!("stack snapshot", LOOK, &[AWS, COLOR], OrDeploy("stack_snapshot"), "reference/plan.md", [
        "formwork stack snapshot shop -o shop.json",
        "formwork plan template.yaml --stack-snapshot shop.json",
    ]),
    #[cfg(feature = "aws")]
    manual!("refactor", REFACTOR, BUILDS, OrDeploy("refactor"), "reference/refactor.md", [
        "formwork refactor --stack-name shop --dry-run",
        "formwork refactor --stack-name shop --map QueueOrders=OrdersQueue",
        "formwork refactor --stack app=app.yaml --stack data=data.yaml --output-dir refactor",
    ]),
    #[cfg(feature = "aws")]
    manual!("sync", SYNC, BUILDS, Own("sync"), "reference/sync.md", [
        "formwork sync --stack-name dev --watch",
        "formwork sync --stack-name dev --code --resource-id OrdersFunction",
    ]),
    manual!("validate", TEMPLATE, READS, OrDeploy("validate"), "deploy.md", [
        "formwork validate template.yaml",
        "formwork validate template.yaml --live",
        "formwork validate template.yaml --change-set --stack-name shop",
    ]),
    #[cfg(feature = "local")]
    manual!("local", &[], &[], NoSection, "reference/local.md", [
        "formwork local invoke OrdersFunction -e event.json",
        "formwork local start-api --port 3000",
        "formwork local start-lambda",
    ]),
    #[cfg(feature = "local")]
    manual!("local invoke", FUNCTION, RUNS, Own("local_invoke"), "reference/local.md", [
        "formwork local invoke OrdersFunction -e event.json",
        "echo '{}' | formwork local invoke OrdersFunction -e -",
    ]),
    #[cfg(feature = "local")]
    manual!("local start-api", SERVER, RUNS, Own("local_start_api"), "reference/local.md", [
        "formwork local start-api --port 3000",
    ]),
    #[cfg(feature = "local")]
    manual!("local start-lambda", SERVER, RUNS, Own("local_start_lambda"), "reference/local.md", [
        "formwork local start-lambda --port 3001",
    ]),
    #[cfg(feature = "local")]
    manual!("local generate-event", PLAIN, NOTHING, NoSection, "reference/local.md", [
        "formwork local generate-event s3 put --bucket photos --key cat.png",
        "formwork local generate-event sqs receive-message | formwork local invoke OrdersFunction -e -",
    ]),
    manual!("account", &[], &[], NoSection, "account-data.md", [
        "formwork account snapshot template.yaml -o account.json",
        "formwork account snapshot --types AWS::EC2::VPC::Id --ssm /shop/dev/vpc",
    ]),
    manual!("account snapshot", TEMPLATE, &[AWS, COLOR], OrDeploy("account"), "account-data.md", [
        "formwork account snapshot template.yaml -o account.json",
        "formwork account snapshot --types AWS::EC2::VPC::Id --ssm /shop/dev/vpc",
    ]),
    manual!("modules", &[], &[], NoSection, "language/modules.md", [
        "formwork modules vendor template.yaml --allow-remote modules.example.com",
        "formwork modules doc modules/queue.yaml",
    ]),
    manual!("modules doc", TEMPLATE, NOTHING, NoSection, "reference/command-line.md", [
        "formwork modules doc modules/queue.yaml",
    ]),
    #[cfg(feature = "aws")]
    manual!("modules vendor", TEMPLATE, READS, OrDeploy("modules"), "reference/modules/sources.md", [
        "formwork modules vendor template.yaml --allow-remote modules.example.com",
    ]),
    #[cfg(feature = "aws")]
    manual!("modules update", TEMPLATE, READS, OrDeploy("modules"), "reference/modules/sources.md", [
        "formwork modules update template.yaml --allow-remote modules.example.com",
    ]),
    manual!("merge", TEMPLATE, NOTHING, NoSection, "reference/merge.md", [
        "formwork merge auth/parent.yaml auth/queue.yaml",
        "formwork merge auth/parent.yaml auth/queue.yaml -o auth.yaml",
    ]),
    manual!("migrate", &[], &[], NoSection, "reference/modules/README.md", ["formwork migrate rain rain.yaml -o template.yaml"]),
    manual!("migrate rain", TEMPLATE, NOTHING, NoSection, "reference/modules/README.md", [
        "formwork migrate rain rain.yaml -o template.yaml",
    ]),
    manual!("config", &[], &[], NoSection, "reference/configuration.md", [
        "formwork config show deploy",
        "formwork config show check --format json",
    ]),
    manual!("config show", PLAIN, NOTHING, Shown, "reference/configuration.md", [
        "formwork config show deploy",
        "formwork config show check --format json",
    ]),
    manual!("schemas", SCHEMAS, NOTHING, NoSection, "reference/schemas.md", [
        "formwork schemas",
        "formwork schemas AWS::SQS::Queue",
    ]),
    manual!("map-back", PLAIN, NOTHING, NoSection, "reference/map-back.md", [
        "cfn-lint --format json expanded.yaml | formwork map-back --source-map expanded.map.json",
        "formwork map-back --source-map expanded.map.json --message-format github < report.sarif",
    ]),
    manual!("completions", PLAIN, NOTHING, NoSection, "reference/command-line.md", [
        "formwork completions bash > ~/.local/share/bash-completion/completions/formwork",
        "formwork completions zsh > ~/.zfunc/_formwork",
        "formwork completions fish > ~/.config/fish/completions/formwork.fish",
    ]),
    manual!("man", PLAIN, NOTHING, NoSection, "reference/command-line.md", [
        "formwork man | man -l -",
        "formwork man -o ~/.local/share/man/man1",
    ]),
    manual!("version", PLAIN, NOTHING, NoSection, "reference/command-line.md", ["formwork version"]),
];

impl Manual {
    /// The entry of a command.
    pub(crate) fn of(name: &str) -> Option<&'static Manual> {
        ALL.iter().find(|manual| manual.name == name)
    }

    /// The sections behind the options, each with its name and rows.
    pub(crate) fn sections(&self) -> Vec<(&'static str, Vec<(String, String)>)> {
        let own = |rows: &[Row]| rows.iter().map(|(name, what)| ((*name).to_owned(), (*what).to_owned())).collect();
        let environment: Vec<Row> = self.environment.iter().flat_map(|group| group.iter().copied()).collect();
        let sections =
            [("Exit status", own(self.statuses)), ("Environment", own(&environment)), ("Files", self.files())];
        sections.into_iter().filter(|(_, rows)| !rows.is_empty()).collect()
    }

    fn files(&self) -> Vec<(String, String)> {
        let or_global =
            |sections: String| (format!("samconfig.toml: {sections}, else [ENV.global.parameters]"), ENV.to_owned());
        let sam = match self.section {
            Section::None => return Vec::new(),
            Section::Shown => {
                ("samconfig.toml".to_owned(), "the section of the command whose options are shown".to_owned())
            }
            Section::Own(name) => or_global(format!("[ENV.{name}.parameters]")),
            Section::OrDeploy(name) => or_global(format!("[ENV.{name}.parameters], else [ENV.deploy.parameters]")),
        };
        let own = format!("formwork.toml: [{}]", self.name.replace(' ', "."));
        vec![(own, "default values of options; comes before samconfig.toml".to_owned()), sam]
    }

    /// Examples, which a test runs.
    pub(crate) fn examples(&self) -> &'static [&'static str] {
        self.examples
    }

    /// The address of the page in the repository.
    pub(crate) fn link(&self) -> String {
        format!("https://github.com/formwork-cfn/formwork/blob/main/docs/{}", self.page)
    }

    /// The end of the long help.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (name, rows) in self.sections() {
            let _ = writeln!(text, "{name}:");
            for (name, what) in rows {
                if name.len() < 7 {
                    let _ = writeln!(text, "  {name:<8}{what}");
                } else {
                    let _ = writeln!(text, "  {name}\n          {what}");
                }
            }
            text.push('\n');
        }
        text.push_str("Examples:\n");
        for example in self.examples {
            let _ = writeln!(text, "  {example}");
        }
        let _ = write!(text, "\nSee {}", self.link());
        text
    }
}

/// What `ENV` is.
const ENV: &str = "parameter values and options; ENV is `default` without `--config-env`";

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;

    fn names(command: &Command, name: &str) -> Vec<String> {
        let below = command.get_subcommands().filter(|below| below.get_name() != "help");
        below
            .flat_map(|below| {
                let name = format!("{name} {}", below.get_name()).trim().to_owned();
                [vec![name.clone()], names(below, &name)].concat()
            })
            .collect()
    }

    #[test]
    fn every_command_has_an_entry_and_no_other() {
        let mut all = names(&crate::args::program(), "");
        let mut entries: Vec<String> = ALL.iter().map(|manual| manual.name.to_owned()).collect();
        all.sort();
        entries.sort();
        assert_eq!(all, entries);
    }

    #[test]
    fn every_page_exists() {
        let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        assert!(ALL.iter().all(|manual| docs.join(manual.page).is_file()));
    }
}
