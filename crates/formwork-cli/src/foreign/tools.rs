//! Names of other programs before a command, as in a copied line: `terraform plan`.

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

/// Splits the names of other programs from the beginning of a line. Returns the remaining words and these names; `None`
/// when the line begins with another word.
pub(crate) fn without_tools<'a>(words: &'a [&'a str]) -> Option<(&'a [&'a str], &'a [&'a str])> {
    let count = words.iter().take_while(|word| TOOLS.contains(word)).count();
    (count > 0).then(|| words.split_at(count)).map(|(tools, rest)| (rest, tools))
}
