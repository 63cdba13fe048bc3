//! The pages of commands in `docs/commands` show the help that the program prints.
//!
//! A page has two parts. The first one is generated: the long help, and below it the entry of [`PAGES`] for
//! environment, samconfig.toml, exit statuses and the reference. The second one, from `## Example` on, is written by hand, and the
//! test `documents` runs it. `FORMWORK_UPDATE=1 cargo test -p formwork-cli --test commands` writes the first part.
#![cfg(all(feature = "aws", feature = "local"))]
#![allow(clippy::disallowed_methods, reason = "a test of files on disk and of a program")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The entry of a command: what its page has besides the help.
struct Page {
    /// Words of the command.
    name: &'static str,
    environment: &'static [Environment],
    section: Section,
    statuses: Statuses,
    /// Page of the reference, below `docs`.
    reference: &'static str,
}

/// Variables that a command reads, by purpose.
#[derive(Clone, Copy, PartialEq)]
enum Environment {
    Aws,
    Cache,
    Images,
    Tools,
    Functions,
}

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

/// Exit statuses, by kind of command.
enum Statuses {
    /// 0 and 2.
    Plain,
    Template,
    Deploy,
    Sync,
    Function,
    Server,
}

use Environment::{Aws, Cache, Functions, Images, Tools};

const READS: &[Environment] = &[Cache, Aws];
const BUILDS: &[Environment] = &[Tools, Cache, Images, Aws];

#[rustfmt::skip]
const PAGES: &[Page] = &[
    page("account snapshot", &[Aws], Section::OrDeploy("account"), Statuses::Template, "reference/account-data.md"),
    page("build", &[Tools, Cache, Images], Section::Own("build"), Statuses::Template, "reference/build.md"),
    page("check", READS, Section::OrDeploy("check"), Statuses::Template, "reference/command-line.md"),
    page("completions", &[], Section::None, Statuses::Plain, "reference/command-line.md"),
    page("config show", &[], Section::Shown, Statuses::Plain, "reference/configuration.md"),
    page("delete", &[Aws], Section::OrDeploy("delete"), Statuses::Deploy, "reference/deploy.md"),
    page("deploy", BUILDS, Section::Own("deploy"), Statuses::Deploy, "reference/deploy.md"),
    page("expand", READS, Section::OrDeploy("expand"), Statuses::Template, "reference/values.md"),
    page("explain", READS, Section::OrDeploy("explain"), Statuses::Template, "reference/provenance.md"),
    page("init", &[], Section::None, Statuses::Plain, "reference/init.md"),
    page("local invoke", &[Tools, Functions], Section::Own("local_invoke"), Statuses::Function, "reference/local.md"),
    page("local start-api", &[Tools, Functions], Section::Own("local_start_api"), Statuses::Server, "reference/local.md"),
    page("local start-lambda", &[Tools, Functions], Section::Own("local_start_lambda"), Statuses::Server, "reference/local.md"),
    page("man", &[], Section::None, Statuses::Plain, "reference/command-line.md"),
    page("migrate rain", &[], Section::None, Statuses::Template, "reference/modules/README.md"),
    page("modules doc", &[], Section::None, Statuses::Template, "reference/command-line.md"),
    page("modules update", READS, Section::OrDeploy("modules"), Statuses::Template, "reference/modules/sources.md"),
    page("modules vendor", READS, Section::OrDeploy("modules"), Statuses::Template, "reference/modules/sources.md"),
    page("package", &[Cache, Images, Aws], Section::Own("package"), Statuses::Template, "reference/packaging.md"),
    page("resolve", READS, Section::OrDeploy("resolve"), Statuses::Template, "reference/values.md"),
    page("rules check", READS, Section::OrDeploy("rules"), Statuses::Template, "reference/rules.md"),
    page("rules solve", READS, Section::OrDeploy("rules"), Statuses::Template, "reference/rules.md"),
    page("rules table", READS, Section::OrDeploy("rules"), Statuses::Template, "reference/rules.md"),
    page("sync", BUILDS, Section::Own("sync"), Statuses::Sync, "reference/sync.md"),
    page("validate", READS, Section::OrDeploy("validate"), Statuses::Template, "reference/command-line.md"),
    page("version", &[], Section::None, Statuses::Plain, "reference/command-line.md"),
];

const fn page(
    name: &'static str,
    environment: &'static [Environment],
    section: Section,
    statuses: Statuses,
    reference: &'static str,
) -> Page {
    Page { name, environment, section, statuses, reference }
}

impl Environment {
    fn rows(self) -> &'static str {
        match self {
            Aws => {
                "| `AWS_PROFILE`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_CONFIG_FILE`, `AWS_SHARED_CREDENTIALS_FILE` | credentials of calls to AWS |\n\
                 | `AWS_REGION`, `AWS_DEFAULT_REGION` | Region of calls to AWS; never the value of `AWS::Region` in `expand`, `resolve` and `check` |\n\
                 | `AWS_ENDPOINT_URL`, `AWS_ENDPOINT_URL_S3` and the like | where calls go instead |\n\
                 | `AWS_CA_BUNDLE`, `SSL_CERT_FILE`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`, `AWS_MAX_ATTEMPTS` | how calls are made |\n"
            }
            Cache => "| `FORMWORK_CACHE_DIR`, else `XDG_CACHE_HOME`, else `HOME` | cache of remote modules |\n",
            Images => {
                "| `DOCKER_HOST`, `DOCKER_CONFIG`, `XDG_RUNTIME_DIR` | container engine, and logins of registries |\n"
            }
            Tools => "| `PATH` | tools and interpreters that are run |\n",
            Functions => {
                "| `AWS_PROFILE`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_CONFIG_FILE`, `AWS_SHARED_CREDENTIALS_FILE` | credentials that functions get |\n"
            }
        }
    }
}

impl Section {
    fn text(&self) -> String {
        match self {
            Section::None => "Not read.\n".to_owned(),
            Section::Shown => "The section of the command whose options are shown.\n".to_owned(),
            Section::Own(name) => format!(
                "`[ENV.{name}.parameters]`, else `[ENV.global.parameters]`. `ENV` is `default` without `--config-env`.\n"
            ),
            Section::OrDeploy(name) => format!(
                "`[ENV.{name}.parameters]`, else `[ENV.deploy.parameters]`, else `[ENV.global.parameters]`.\n\
                 `ENV` is `default` without `--config-env`.\n"
            ),
        }
    }
}

impl Statuses {
    fn rows(&self) -> &'static str {
        match self {
            Statuses::Plain => "| 0 | done |\n| 2 | the command line is wrong, or a file cannot be written |\n",
            Statuses::Template => {
                "| 0 | done; warnings are allowed |\n\
                 | 1 | the template has errors, or a rule or value is rejected |\n\
                 | 2 | the command line is wrong, one of its files cannot be read or written, or AWS denies access |\n"
            }
            Statuses::Deploy => {
                "| 0 | done, or nothing to change |\n\
                 | 1 | the operation failed, or the stack cannot be changed |\n\
                 | 2 | the command line is wrong, or the template is rejected before anything is sent |\n\
                 | 3 | nothing to change, with `--fail-on-empty-changeset` |\n\
                 | 4 | an artifact cannot be packaged or uploaded |\n\
                 | 5 | access denied, or no credentials |\n\
                 | 6 | `--max-wait-duration` is over |\n\
                 | 130 | interrupted |\n"
            }
            Statuses::Sync => {
                "| 0 | done |\n\
                 | 1 | the template has errors, or code was not pushed |\n\
                 | 2 to 6 | those of [deploy](deploy.md#exit-status) |\n\
                 | 130 | interrupted, also with `--watch` |\n"
            }
            Statuses::Function => {
                "| 0 | the function returned |\n\
                 | 1 | the function failed, or the template has errors |\n\
                 | 2 | the command line is wrong, or the function does not exist |\n\
                 | 130 | interrupted |\n"
            }
            Statuses::Server => {
                "| 1 | the template has errors |\n\
                 | 2 | the command line is wrong, or the port is in use |\n\
                 | 130 | interrupted |\n"
            }
        }
    }
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands")
}

/// Returns the long help of a command.
fn help(name: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_formwork"))
        .arg("help")
        .args(name.split_whitespace())
        .env_clear()
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "formwork help {name}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(str::trim_end).flat_map(|line| [line, "\n"]).collect()
}

/// Returns the subcommands that a help lists.
fn subcommands(help: &str) -> Vec<String> {
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = commands
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next().filter(|_| !line.starts_with("   ")));
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Returns all commands that have no subcommands.
fn all_commands() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for name in subcommands(&help("")) {
        let below = subcommands(&help(&name));
        found.extend(below.iter().map(|word| format!("{name} {word}")));
        if below.is_empty() {
            found.insert(name);
        }
    }
    found
}

fn file_name(name: &str) -> String {
    format!("{}.md", name.replace(' ', "-"))
}

/// Returns the generated part of a page.
fn generated(page: &Page) -> String {
    let (name, help) = (page.name, help(page.name));
    let mut text = format!("# formwork {name}\n\n```text\n{}\n```\n\n## Environment variables\n\n", help.trim_end());
    text.push_str("| variable | meaning |\n|---|---|\n");
    page.environment.iter().for_each(|group| text.push_str(group.rows()));
    text.push_str("| `NO_COLOR`, `CLICOLOR_FORCE`, `TERM=dumb` | color, without `--color` |\n");
    write!(text, "\n## samconfig.toml <a id=\"samconfig\"></a>\n\n{}", page.section.text()).expect("a string");
    if !matches!(page.section, Section::None) {
        text.push_str("\n[formwork.toml](../reference/configuration.md) comes before it.\n");
    }
    write!(
        text,
        "\n## Exit status <a id=\"exit-status\"></a>\n\n| status | when |\n|---|---|\n{}",
        page.statuses.rows()
    )
    .expect("a string");
    write!(text, "\nRules: [{0}](../{0})\n\n", page.reference).expect("a string");
    text
}

/// The first line of the part that is written by hand.
const BY_HAND: &str = "## Example\n";

fn index() -> String {
    let mut text =
        "# Commands\n\n`formwork help COMMAND` prints the same on a terminal. `formwork COMMAND -h` is shorter.\n\n\
                    | command | what it does |\n|---|---|\n"
            .to_owned();
    for page in PAGES {
        let help = help(page.name);
        let summary = help.lines().next().unwrap_or_default().trim_end_matches('.');
        writeln!(text, "| [formwork {}]({}) | {summary} |", page.name, file_name(page.name)).expect("a string");
    }
    text.push_str("\nOptions that many commands have: [The command line](../reference/command-line.md).\n");
    text
}

#[test]
fn every_command_has_a_page_with_its_help() {
    let named: BTreeSet<String> = PAGES.iter().map(|page| page.name.to_owned()).collect();
    assert_eq!(named, all_commands(), "PAGES and the commands of the program");
    let update = std::env::var_os("FORMWORK_UPDATE").is_some();
    let mut wrong = Vec::new();
    for page in PAGES {
        let path = directory().join(file_name(page.name));
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        let at = written.find(BY_HAND).unwrap_or(written.len());
        let (expected, by_hand) = (generated(page), &written[at..]);
        if update {
            std::fs::write(&path, format!("{expected}{by_hand}")).expect("the page is written");
        } else if written[..at] != expected || !by_hand.contains("```") {
            wrong.push(page.name);
        }
    }
    let path = directory().join("README.md");
    if update {
        std::fs::write(&path, index()).expect("the index is written");
    } else if std::fs::read_to_string(&path).unwrap_or_default() != index() {
        wrong.push("README");
    }
    let pages: BTreeSet<String> =
        PAGES.iter().map(|page| file_name(page.name)).chain(["README.md".to_owned()]).collect();
    let files =
        std::fs::read_dir(directory()).expect("the directory").map(|entry| entry.expect("an entry").file_name());
    assert_eq!(
        files.map(|name| name.to_string_lossy().into_owned()).collect::<BTreeSet<_>>(),
        pages,
        "files and pages"
    );
    assert!(wrong.is_empty(), "pages differ from the program, or have no example: {wrong:?}");
}
