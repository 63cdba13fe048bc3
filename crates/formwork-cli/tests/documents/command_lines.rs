//! The calls of the program in a block of shell commands.

/// Returns the command lines of a block that call `formwork`, each on one line, without prompts, comments, variables in
/// front and what a pipe or a redirection adds.
pub(crate) fn of_program(block: &str) -> Vec<String> {
    let joined = block.replace("\\\n", " ");
    let commands = joined.lines().flat_map(|line| line.strip_prefix("$ ").unwrap_or(line).split("&&"));
    commands.filter_map(call).collect()
}

/// Returns a command up to its first comment, pipe or redirection, if it calls the program.
fn call(command: &str) -> Option<String> {
    let words = command.split_whitespace().skip_while(|word| word.contains('=') && !word.starts_with('-'));
    let words: Vec<&str> = words.take_while(|word| !word.starts_with(['#', '|', '>', ';', '&'])).collect();
    (words.first() == Some(&"formwork")).then(|| words.join(" "))
}

#[test]
fn calls_end_at_comments_and_pipes() {
    let block =
        "cd a && formwork check b \\\n  --strict | less\nA=b formwork expand  # all\n$ formwork version\nls formwork\n";
    assert_eq!(of_program(block), ["formwork check b --strict", "formwork expand", "formwork version"]);
}
