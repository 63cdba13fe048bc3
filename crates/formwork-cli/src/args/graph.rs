//! Arguments of `graph` (reference/graph.md).

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use formwork::graph::collapse::Collapse;
use formwork::graph::select::Direction;
use formwork_run::args::{InputArgs, words};
use formwork_run::console::ReportArgs;

use super::StageArg;

const DIRECTIONS: [(&[&str], Direction); 3] =
    [(&["in"], Direction::In), (&["out"], Direction::Out), (&["both"], Direction::Both)];

const COLLAPSED: [(&[&str], Collapse); 5] = [
    (&["none"], Collapse::None),
    (&["loops"], Collapse::Loops),
    (&["modules"], Collapse::Modules),
    (&["serverless"], Collapse::Serverless),
    (&["auto"], Collapse::Auto),
];

#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    /// The template; `-` for standard input [default: template.yaml, template.yml or template.json]. With --stacks a
    /// directory.
    pub(crate) template: Option<PathBuf>,
    /// Draw the templates of this directory, or of the working directory, as stacks with the names that they share.
    #[arg(long, conflicts_with_all = ["with", "nested", "focus", "types", "only", "hide", "collapse", "stage"])]
    pub(crate) stacks: bool,
    /// With --stacks, draw the stacks of these stages alone. Separated by commas.
    #[arg(long, value_name = "STAGES", value_delimiter = ',', requires = "stacks")]
    pub(crate) stages: Vec<String>,
    /// Also draw these: parameters, outputs, conditions, imports.
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    pub(crate) with: Vec<WithArg>,
    /// Also draw the resources of local nested stacks.
    #[arg(long)]
    pub(crate) nested: bool,
    /// Draw what is around this logical ID; repeatable.
    #[arg(long, value_name = "ID")]
    pub(crate) focus: Vec<String>,
    /// Follow this many edges from the focus [default: all].
    #[arg(long, value_name = "NUMBER", requires = "focus")]
    pub(crate) depth: Option<usize>,
    /// Follow edges to what uses the focus (`in`), to what it uses (`out`), or both.
    #[arg(long, value_name = "WHICH", default_value = "both", value_parser = words(&DIRECTIONS))]
    pub(crate) direction: Direction,
    /// Draw only resources of this type, such as `AWS::IAM::*`; repeatable.
    #[arg(long = "type", value_name = "GLOB")]
    pub(crate) types: Vec<String>,
    /// Draw only these IDs, such as `Orders*`; repeatable.
    #[arg(long, value_name = "GLOB")]
    pub(crate) only: Vec<String>,
    /// Leave out these IDs; repeatable.
    #[arg(long, value_name = "GLOB")]
    pub(crate) hide: Vec<String>,
    /// Draw loops, uses of modules, or what the serverless transform makes of a resource as one box; `auto`: loops and the
    /// latter above 60 boxes, modules above 150, services above 300.
    #[arg(long, value_name = "WHAT", default_value = "auto", value_parser = words(&COLLAPSED))]
    pub(crate) collapse: Collapse,
    /// Draw the output of this command.
    #[arg(long, value_name = "STAGE", default_value = "expand")]
    pub(crate) stage: StageArg,
    /// Print the graph in this format [default: that of the name of the output file, else dot].
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<GraphFormatArg>,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum WithArg {
    Parameters,
    Outputs,
    Conditions,
    Imports,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum GraphFormatArg {
    Svg,
    Dot,
    Mermaid,
    Json,
}

impl GraphFormatArg {
    /// The format that the name of a file means.
    pub(crate) fn of_file(path: &std::path::Path) -> Option<GraphFormatArg> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "svg" => Some(GraphFormatArg::Svg),
            "dot" | "gv" => Some(GraphFormatArg::Dot),
            "mmd" | "mermaid" => Some(GraphFormatArg::Mermaid),
            "json" => Some(GraphFormatArg::Json),
            _ => None,
        }
    }
}
