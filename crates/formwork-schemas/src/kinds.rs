//! Kinds of JSON values.

/// A kind of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A string.
    String,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// An object.
    Object,
    /// A list.
    Array,
}

impl Kind {
    /// All kinds, in the order of the table.
    pub const ALL: [Kind; 6] = [Kind::String, Kind::Integer, Kind::Number, Kind::Boolean, Kind::Object, Kind::Array];

    /// Returns the name of the kind in a registry schema.
    pub fn name(self) -> &'static str {
        match self {
            Kind::String => "string",
            Kind::Integer => "integer",
            Kind::Number => "number",
            Kind::Boolean => "boolean",
            Kind::Object => "object",
            Kind::Array => "array",
        }
    }

    /// Returns the kind of a name in a registry schema; `None` for `null`.
    pub fn of_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    fn bit(self) -> u8 {
        1 << (self as u8)
    }
}

/// Kinds that a value may have. An empty set allows every kind, or the table does not know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Kinds(u8);

impl Kinds {
    /// Every kind.
    pub const ANY: Kinds = Kinds(0);

    /// Returns `true` if every kind is allowed.
    pub fn is_any(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if `kind` is listed; `false` for all kinds of [`Kinds::ANY`].
    pub fn has(self, kind: Kind) -> bool {
        self.0 & kind.bit() != 0
    }

    /// Returns `true` if a value of `kind` is allowed: it is listed, or all are.
    pub fn allows(self, kind: Kind) -> bool {
        self.is_any() || self.has(kind)
    }

    /// Returns these kinds and `kind`.
    #[must_use]
    pub fn with(self, kind: Kind) -> Kinds {
        Kinds(self.0 | kind.bit())
    }

    /// Returns the listed kinds, in the order of [`Kind::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().filter(move |kind| self.has(*kind))
    }

    /// Returns `true` if a scalar of any kind is allowed.
    pub fn allows_scalar(self) -> bool {
        self.is_any()
            || [Kind::String, Kind::Integer, Kind::Number, Kind::Boolean].into_iter().any(|kind| self.has(kind))
    }

    #[cfg(feature = "write")]
    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    pub(crate) fn of_bits(bits: u8) -> Option<Kinds> {
        (bits < 64).then_some(Kinds(bits))
    }
}

impl std::fmt::Display for Kinds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_any() {
            return f.write_str("any");
        }
        for (number, kind) in self.iter().enumerate() {
            if number > 0 {
                f.write_str(" or ")?;
            }
            f.write_str(kind.name())?;
        }
        Ok(())
    }
}
