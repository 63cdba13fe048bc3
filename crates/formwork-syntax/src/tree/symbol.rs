//! Interned names.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// An interned string: a key or a name. Equal symbols are equal strings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub(crate) u32);

impl Symbol {
    /// Returns the number of the symbol: symbols are numbered as they are added, so side tables are vectors.
    pub(crate) fn number(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Symbol({})", self.0)
    }
}

macro_rules! well_known {
    ($($name:ident $text:literal,)*) => {
        well_known!(@count 0u32; $($name $text,)*);
        const TEXTS: &[&str] = &[$($text,)*];
    };
    (@count $n:expr; $name:ident $text:literal, $($rest:tt)*) => {
        #[doc = concat!("`", $text, "`")]
        pub const $name: Symbol = Symbol($n);
        well_known!(@count $n + 1; $($rest)*);
    };
    (@count $n:expr;) => {};
}

well_known! {
    REF "Ref",
    CONDITION "Condition",
    FORMAT_VERSION "AWSTemplateFormatVersion",
    DESCRIPTION "Description",
    METADATA "Metadata",
    PARAMETERS "Parameters",
    MAPPINGS "Mappings",
    CONDITIONS "Conditions",
    RULES "Rules",
    HOOKS "Hooks",
    TRANSFORM "Transform",
    GLOBALS "Globals",
    RESOURCES "Resources",
    OUTPUTS "Outputs",
    TYPE "Type",
    PROPERTIES "Properties",
    DEPENDS_ON "DependsOn",
    DELETION_POLICY "DeletionPolicy",
    UPDATE_REPLACE_POLICY "UpdateReplacePolicy",
    UPDATE_POLICY "UpdatePolicy",
    CREATION_POLICY "CreationPolicy",
    VALUE "Value",
    EXPORT "Export",
    NAME "Name",
    DEFAULT "Default",
    NO_ECHO "NoEcho",
    ALLOWED_VALUES "AllowedValues",
    ALLOWED_PATTERN "AllowedPattern",
    MIN_LENGTH "MinLength",
    MAX_LENGTH "MaxLength",
    MIN_VALUE "MinValue",
    MAX_VALUE "MaxValue",
    CONSTRAINT_DESCRIPTION "ConstraintDescription",
    DEFAULT_VALUE "DefaultValue",
    LOCATION "Location",
    FN_TRANSFORM "Fn::Transform",
    FN_MAP "Fn::Map",
    FN_MERGE "Fn::Merge",
    FN_REF "Fn::Ref",
    INDEX "Index",
    COLLECTION "Collection",
    FRAGMENT "Fragment",
    KEY "Key",
    WHEN "When",
    MERGE_KEY "<<",
}

const TEXT: usize = 2048;
const NAMES: usize = 256;

/// The table of interned strings of a tree.
#[derive(Clone, Debug)]
pub struct Interner {
    text: String,
    /// End of each string in `text`; it begins at the end of the one before.
    ends: Vec<u32>,
    table: HashTable<u32>,
    hasher: FixedState,
}

impl Default for Interner {
    fn default() -> Interner {
        Interner::new()
    }
}

impl Interner {
    /// Returns a table with the well-known names.
    pub fn new() -> Interner {
        static WELL_KNOWN: LazyLock<Interner> = LazyLock::new(Interner::of_well_known);
        // A clone of a string or a vector has no room for more.
        let (mut text, mut ends) = (String::with_capacity(TEXT), Vec::with_capacity(NAMES));
        text.push_str(&WELL_KNOWN.text);
        ends.extend_from_slice(&WELL_KNOWN.ends);
        Interner { text, ends, table: WELL_KNOWN.table.clone(), hasher: WELL_KNOWN.hasher.clone() }
    }

    fn of_well_known() -> Interner {
        let mut interner = Interner {
            text: String::with_capacity(TEXT),
            ends: Vec::with_capacity(NAMES),
            table: HashTable::with_capacity(NAMES),
            hasher: FixedState::with_seed(0x000f_0a37_000c_f017),
        };
        for text in TEXTS {
            interner.intern(text);
        }
        interner
    }

    pub(super) fn reserve(&mut self, count: usize) {
        self.text.reserve(16 * count);
        self.ends.reserve(count);
    }

    /// Returns the symbol of `text`, which is added when it is new.
    pub fn intern(&mut self, text: &str) -> Symbol {
        let hash = self.hasher.hash_one(text.as_bytes());
        if let Some(&at) = self.table.find(hash, |&at| slice(&self.text, &self.ends, at) == text) {
            return Symbol(at);
        }
        let at = self.ends.len() as u32;
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        let (buffer, ends, hasher) = (&self.text, &self.ends, &self.hasher);
        self.table.insert_unique(hash, at, |&at| hasher.hash_one(slice(buffer, ends, at).as_bytes()));
        Symbol(at)
    }

    /// Returns the symbol of `text`, if it is interned.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        let hash = self.hasher.hash_one(text.as_bytes());
        self.table.find(hash, |&at| slice(&self.text, &self.ends, at) == text).map(|&at| Symbol(at))
    }

    pub(super) fn truncate(&mut self, count: usize) {
        for at in count..self.ends.len() {
            let hash = self.hasher.hash_one(slice(&self.text, &self.ends, at as u32).as_bytes());
            if let Ok(entry) = self.table.find_entry(hash, |&found| found as usize == at) {
                entry.remove();
            }
        }
        self.ends.truncate(count);
        self.text.truncate(self.ends.last().map_or(0, |&end| end as usize));
    }

    pub(super) fn is_identical(&self, other: &Interner) -> bool {
        self.text == other.text && self.ends == other.ends
    }

    /// Returns `true` when the strings, one behind the other, have a match: in one of them or across two.
    pub(super) fn may_hold(&self, finder: &memchr::memmem::Finder<'_>) -> bool {
        finder.find(self.text.as_bytes()).is_some()
    }

    pub(crate) fn count(&self) -> usize {
        self.ends.len()
    }

    /// Returns the bytes of the string of a symbol.
    #[inline]
    pub fn len(&self, symbol: Symbol) -> u64 {
        let at = symbol.0 as usize;
        u64::from(self.ends[at] - at.checked_sub(1).map_or(0, |before| self.ends[before]))
    }

    /// Returns the string of a symbol.
    #[inline]
    pub fn text(&self, symbol: Symbol) -> &str {
        slice(&self.text, &self.ends, symbol.0)
    }
}

#[inline]
fn slice<'t>(text: &'t str, ends: &[u32], at: u32) -> &'t str {
    let at = at as usize;
    let start = if at == 0 { 0 } else { ends[at - 1] as usize };
    &text[start..ends[at] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_known_names_have_their_numbers() {
        let mut interner = Interner::new();
        assert_eq!(interner.text(RESOURCES), "Resources");
        assert_eq!(interner.intern("Ref"), REF);
        assert_eq!(interner.intern("<<"), MERGE_KEY);
        let other = interner.intern("Other");
        assert_eq!(interner.intern("Other"), other);
        assert_eq!(interner.get("Other"), Some(other));
        assert_eq!(interner.get("Missing"), None);
        assert_eq!(interner.text(other), "Other");
    }
}
