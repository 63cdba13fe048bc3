//! Names of other programs before a command, as in a line that somebody copied: `terraform plan`.

/// Names of programs, and of their parts, that a line begins with.
const TOOLS: [&str; 20] = [
    "aws",
    "cargo",
    "cdk",
    "cfn",
    "cloudformation",
    "formwork",
    "formwork-cfn",
    "helm",
    "kubectl",
    "npx",
    "pulumi",
    "rain",
    "ruff",
    "sam",
    "samlocal",
    "serverless",
    "sls",
    "terraform",
    "tofu",
    "uvx",
];

/// The words of a line behind the names of programs that it begins with, and these names; `None` when it begins with
/// another word.
pub(crate) fn without_tools<'a>(words: &'a [&'a str]) -> Option<(&'a [&'a str], &'a [&'a str])> {
    let count = words.iter().take_while(|word| TOOLS.contains(word)).count();
    (count > 0).then(|| words.split_at(count)).map(|(tools, rest)| (rest, tools))
}
