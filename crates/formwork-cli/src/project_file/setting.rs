//! The default value of an option.

/// A default value of an option, for one command or for all that have the option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Setting {
    /// The command, as its names: `["local", "invoke"]`; none for all commands.
    pub(crate) command: Vec<String>,
    /// The long name of the option.
    pub(crate) option: String,
    pub(crate) value: SettingValue,
    /// The line of the setting in its file.
    pub(crate) line: usize,
}

/// The value of a setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SettingValue {
    /// A flag.
    Flag(bool),
    /// The values of an option, in order.
    Words(Vec<String>),
}

impl Setting {
    /// Whether it is for a command.
    pub(super) fn is_for(&self, command: &[&str]) -> bool {
        self.command.is_empty() || self.command.iter().map(String::as_str).eq(command.iter().copied())
    }

    /// How messages name it.
    pub(super) fn name(&self) -> String {
        format!("`{}`", self.option)
    }
}
