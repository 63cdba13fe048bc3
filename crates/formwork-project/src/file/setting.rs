//! The default value of an option.

/// A default value of an option, for one command or for all that have the option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The command and its subcommands: `["local", "invoke"]`; empty for all commands.
    pub command: Vec<String>,
    /// The long name of the option.
    pub option: String,
    /// The value.
    pub value: SettingValue,
    /// The line of the setting in its file.
    pub line: usize,
}

/// The value of a setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SettingValue {
    /// The value of a flag.
    Flag(bool),
    /// The values of an option, in order.
    Words(Vec<String>),
}

impl Setting {
    /// Returns `true` if the setting applies to a command.
    pub fn is_for(&self, command: &[&str]) -> bool {
        self.command.is_empty() || self.command.iter().map(String::as_str).eq(command.iter().copied())
    }

    /// Returns the value as words: the elements of a list, a string split at its commas; `true` or `false` for a flag.
    pub fn words(&self) -> Vec<String> {
        match &self.value {
            SettingValue::Flag(flag) => vec![flag.to_string()],
            SettingValue::Words(words) => words.iter().flat_map(|word| word.split(',').map(str::to_owned)).collect(),
        }
    }

    /// Returns the value as a flag; `None` for anything else.
    pub fn flag(&self) -> Option<bool> {
        match &self.value {
            SettingValue::Flag(flag) => Some(*flag),
            SettingValue::Words(_) => None,
        }
    }

    /// The name of the setting in messages.
    pub fn name(&self) -> String {
        format!("`{}`", self.option)
    }
}
