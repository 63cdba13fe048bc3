//! The commands that a help lists.

const HEADINGS: [&str; 9] = [
    "Commands:",
    "Make a project:",
    "Write:",
    "Check:",
    "Review:",
    "Build and run:",
    "Deploy:",
    "Look at a stack:",
    "More:",
];

/// Returns the names of the commands that a help lists, but `help`.
pub(crate) fn commands_of(help: &str) -> Vec<String> {
    let (mut names, mut is_list) = (Vec::new(), false);
    for line in help.lines() {
        if !line.starts_with(' ') && !line.is_empty() {
            is_list = HEADINGS.contains(&line);
        } else if is_list && line.starts_with("  ") && !line.starts_with("   ") {
            names.extend(line.split_whitespace().next().filter(|name| *name != "help").map(str::to_owned));
        }
    }
    names
}
