//! Arguments of `check`, and those that `validate` shares.

use std::path::PathBuf;

use crate::args::{InputArgs, SchemaArgs, words};
use crate::console::ReportArgs;
use clap::Args;
use formwork::{CodePattern, Selection};
use formwork_map_back::report::Tool;

const TOOLS: [(&[&str], Tool); 4] = [
    (&["cfn-lint"], Tool::CfnLint),
    (&["cloudformation-validate"], Tool::Validate),
    (&["checkov"], Tool::Checkov),
    (&["cfn-guard"], Tool::Guard),
];

/// The arguments of `check`.
#[derive(Clone, Debug, Args)]
pub struct CheckArgs {
    /// Templates, directories and glob patterns, or `-` for standard input [default: template.yaml, template.yml or
    /// template.json].
    pub template: Vec<PathBuf>,
    /// Print the documentation of a diagnostic code, such as FW0303.
    #[arg(long, value_name = "CODE", conflicts_with = "template")]
    pub explain: Option<String>,
    /// List all diagnostic codes with their titles.
    #[arg(long, conflicts_with_all = ["template", "explain"])]
    pub list_codes: bool,
    /// Check again whenever a file that has a part in the check changes, until Ctrl-C.
    #[cfg(feature = "watch")]
    #[arg(long, conflicts_with_all = ["explain", "list_codes", "fix", "diff", "write_baseline"])]
    pub watch: bool,
    /// Pass over files that are not templates, as in a directory. For hooks, which pass every file of a commit.
    #[arg(long)]
    pub only_templates: bool,
    /// Pass over files and directories of these names or paths, unless they are named. Separated by commas; repeatable.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Take the templates for all there are: an import of a name that none of them exports is an error.
    #[arg(long, conflicts_with_all = ["explain", "list_codes"])]
    pub stacks_closed: bool,
    /// Look at these stages alone of the stacks that share names. Separated by commas.
    #[arg(long, value_name = "STAGES", value_delimiter = ',', conflicts_with_all = ["explain", "list_codes"])]
    pub stages: Vec<String>,
    /// Options of fixes.
    #[command(flatten)]
    pub fixes: FixArgs,
    /// Tools that look at the expansion.
    #[command(flatten)]
    pub tools: OtherToolsArgs,
    /// Findings that are known.
    #[command(flatten)]
    pub baseline: crate::check::baseline_args::BaselineArgs,
    /// Which diagnostics are reported.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Options of the schemas of resource types.
    #[command(flatten)]
    pub schemas: SchemaArgs,
    /// Options of compilation.
    #[command(flatten)]
    pub inputs: InputArgs,
    /// Options of the report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Other tools that look at the expansion.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Other tools")]
pub struct OtherToolsArgs {
    /// Run these installed tools on the expansion, and report what they find on the authored lines. Separated by commas.
    #[arg(long, value_name = "TOOLS", value_delimiter = ',', value_parser = words(&TOOLS),
        conflicts_with_all = ["explain", "list_codes"])]
    pub with: Vec<Tool>,
    /// Run these tools in the working directory, so that they read its configuration, such as `.cfnlintrc`. That may run
    /// code of the repository.
    #[arg(long, requires = "with")]
    pub with_config: bool,
    /// Pass this file or directory of rules to cfn-guard; repeatable.
    #[arg(long, value_name = "PATH", requires = "with")]
    pub guard_rules: Vec<PathBuf>,
}

impl CheckArgs {
    /// Returns whether templates are checked again when files change.
    #[cfg_attr(not(feature = "watch"), allow(clippy::unused_self, reason = "nothing watches files"))]
    pub fn is_watched(&self) -> bool {
        #[cfg(feature = "watch")]
        return self.watch;
        #[cfg(not(feature = "watch"))]
        false
    }
}

/// Options of fixes.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Fixes")]
pub struct FixArgs {
    /// Apply the safe fixes to the templates. Each is verified by checking the template again.
    ///
    /// With `-` as the template, the fixed template is printed to standard output and the report to standard error.
    #[arg(long)]
    pub fix: bool,
    /// Print the fixes as a unified diff, and write nothing.
    #[arg(long)]
    pub diff: bool,
    /// Also apply fixes that may not be what the author means, such as the name nearest to a misspelled one.
    #[arg(long)]
    pub unsafe_fixes: bool,
}

/// Which diagnostics are reported, and what they do to the exit status.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Diagnostics")]
pub struct SelectionArgs {
    /// Report only these codes: FW0307, or FW03 for all that begin so. Separated by commas; repeatable.
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = pattern)]
    pub select: Vec<CodePattern>,
    /// Do not report these codes. Errors of FW00 to FW08 are left out only if they are named in full, such as FW0201.
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = pattern)]
    pub ignore: Vec<CodePattern>,
    /// Also report what comments and Metadata of the templates suppress.
    #[arg(long)]
    pub no_suppress: bool,
    /// Exit with status 0 whatever is found.
    #[arg(long)]
    pub exit_zero: bool,
}

impl SelectionArgs {
    /// Sets what is reported.
    pub fn apply_to(&self, options: &mut formwork::Options) {
        options.selection = Selection { select: self.select.clone(), ignore: self.ignore.clone() };
        options.heeds_suppressions = !self.no_suppress;
        options.leaves_out_errors = true;
    }
}

fn pattern(text: &str) -> Result<CodePattern, String> {
    CodePattern::parse(text.trim()).ok_or_else(|| match tool_of_code(text.trim()) {
        Some(tool) => {
            format!("it is a code of {tool}\n`formwork check --list-codes` lists those of Formwork; {COMPARISON}")
        }
        None => CodePattern::explain(text),
    })
}

/// The page with a table of cfn-lint's rules and the codes of Formwork.
pub const COMPARISON: &str = "https://github.com/formwork-cfn/formwork/blob/main/docs/comparison.md";

/// The tool that a code such as `E3002` or `CKV_AWS_18` is of.
pub fn tool_of_code(text: &str) -> Option<&'static str> {
    let is_number = |text: &str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    if text.strip_prefix(['E', 'W', 'I']).is_some_and(is_number) {
        return Some("cfn-lint");
    }
    text.starts_with("CKV_").then_some("checkov")
}
