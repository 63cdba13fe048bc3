//! Instruction sets of Lambda functions.

/// An instruction set, by the names that its users know it by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Architecture {
    /// `x86_64`, the default.
    #[default]
    X86,
    /// `arm64`
    Arm,
}

impl Architecture {
    /// Parses a value of `Architectures`.
    pub fn from_name(name: &str) -> Option<Architecture> {
        match name {
            "x86_64" => Some(Architecture::X86),
            "arm64" => Some(Architecture::Arm),
            _ => None,
        }
    }

    /// Returns the value of `Architectures`.
    pub fn name(self) -> &'static str {
        self.pick("x86_64", "arm64")
    }

    /// Returns the name that compilers use.
    pub(crate) fn machine(self) -> &'static str {
        self.pick("x86_64", "aarch64")
    }

    pub(crate) fn pick<T>(self, x86: T, arm: T) -> T {
        match self {
            Architecture::X86 => x86,
            Architecture::Arm => arm,
        }
    }
}
