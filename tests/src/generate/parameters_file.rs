//! Files of parameter values at random: sound ones in which a few characters were lost or added.

use super::choices::Choices;
use super::template::CANARY;

/// Shapes of such files; `@` is a value.
const SHAPES: [&str; 9] = [
    "{\"Stage\": \"dev\", \"Secret\": \"@\"}",
    "[{\"ParameterKey\": \"Secret\", \"ParameterValue\": \"@\"}, {\"ParameterKey\": \"Stage\", \"ParameterValue\": \"dev\"}]",
    "[\"Secret=@\", \"Stage=dev\"]",
    "Parameters:\n  Secret: @\n  Stage: dev\n",
    "Secret: '@'\nSecret: \"@\"\nStage: [a, b]\n",
    "- Secret=@\n- Stage=dev\n",
    "Secret: |\n  @\n  @\nStage: dev\n",
    "Secret: {a: @, b: [@]}\n",
    "parameters: {Secret: @, Stage: dev}\n",
];

/// Characters that mean something to readers.
const MARKS: [char; 18] =
    ['"', '\'', '{', '}', '[', ']', ',', ':', '!', '*', '&', '#', '|', '%', '\t', ' ', '\n', '\\'];

/// A file of parameter values that contains the secret.
pub fn parameters_file(choices: &mut Choices<'_>) -> String {
    let mut parts: Vec<String> = choices.of(&SHAPES).chars().map(String::from).collect();
    for _ in 0..choices.below(4) {
        let at = choices.below(parts.len());
        if choices.one_in(3) {
            // Without the line break after it a value is the beginning of the next name.
            let ends_value = parts[at] == "\n" && at > 0 && parts[at - 1] == "@";
            if parts[at] != "@" && !ends_value {
                parts.remove(at);
            }
        } else {
            parts.insert(at, choices.of(&MARKS).to_string());
        }
    }
    parts.concat().replace('@', CANARY)
}
