//! Names of intrinsic functions.

use crate::tree::Symbol;

/// An intrinsic function in any spelling: `!Sub`, `Fn::Sub` and `{"Fn::Sub": ...}` are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// A function that Formwork knows.
    Known(Known),
    /// Any other key that begins with `Fn::`, as a sole key.
    Other(Symbol),
}

macro_rules! functions {
    ($($variant:ident $long:literal $short:literal,)*) => {
        /// A function that Formwork knows.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum Known {
            $(#[doc = concat!("`", $long, "`")] $variant,)*
        }

        impl Known {
            /// Every function.
            pub const ALL: &'static [Known] = &[$(Known::$variant,)*];

            /// Returns the name in the long spelling.
            pub fn long(self) -> &'static str {
                match self { $(Known::$variant => $long,)* }
            }

            fn from_exact(name: &str) -> Option<Known> {
                match name {
                    $($long => Some(Known::$variant),)*
                    _ => None,
                }
            }

            /// Returns the function with this short tag, without `!`.
            pub fn from_short(tag: &str) -> Option<Known> {
                match tag {
                    $($short => Some(Known::$variant),)*
                    _ => None,
                }
            }

            /// Returns the tag of the short spelling without `!`; empty for a function without one.
            pub fn short(self) -> &'static str {
                match self { $(Known::$variant => $short,)* }
            }
        }
    };
}

functions! {
    Ref "Ref" "Ref",
    Condition "Condition" "Condition",
    GetAtt "Fn::GetAtt" "GetAtt",
    Sub "Fn::Sub" "Sub",
    Join "Fn::Join" "Join",
    Split "Fn::Split" "Split",
    Select "Fn::Select" "Select",
    FindInMap "Fn::FindInMap" "FindInMap",
    If "Fn::If" "If",
    And "Fn::And" "And",
    Or "Fn::Or" "Or",
    Not "Fn::Not" "Not",
    Equals "Fn::Equals" "Equals",
    Base64 "Fn::Base64" "Base64",
    Cidr "Fn::Cidr" "Cidr",
    GetAZs "Fn::GetAZs" "GetAZs",
    ImportValue "Fn::ImportValue" "ImportValue",
    Transform "Fn::Transform" "Transform",
    Length "Fn::Length" "Length",
    ToJsonString "Fn::ToJsonString" "ToJsonString",
    Map "Fn::Map" "Map",
    Merge "Fn::Merge" "Merge",
    Range "Fn::Range" "Range",
    Zip "Fn::Zip" "Zip",
    Contains "Fn::Contains" "Contains",
    EachMemberEquals "Fn::EachMemberEquals" "EachMemberEquals",
    EachMemberIn "Fn::EachMemberIn" "EachMemberIn",
    RefAll "Fn::RefAll" "RefAll",
    ValueOf "Fn::ValueOf" "ValueOf",
    ValueOfAll "Fn::ValueOfAll" "ValueOfAll",
    Flatten "Fn::Flatten" "Flatten",
    InsertFile "Fn::InsertFile" "InsertFile",
    Invoke "Fn::Invoke" "Invoke",
    GetStackOutput "Fn::GetStackOutput" "GetStackOutput",
}

impl Known {
    /// Returns the function with this long name, such as `Fn::Sub` or `Ref`. The looping RFC also writes `Fn::Ref`
    /// (reference/map-and-merge.md#map-references).
    pub fn from_long(name: &str) -> Option<Known> {
        Known::from_exact(name).or((name == FN_REF).then_some(Known::Ref))
    }

    /// Returns the function with this number, the inverse of `as u8`.
    #[inline]
    pub(crate) fn from_number(number: u32) -> Known {
        Known::ALL[number as usize]
    }

    /// Returns `true` for a function of `AWS::LanguageExtensions`, where its short tag is not documented
    /// (reference/transform.md#declare).
    pub fn is_language_extension(self) -> bool {
        matches!(self, Known::Length | Known::ToJsonString)
    }

    /// Returns `true` for a function that is expanded before any evaluation, so that it never occurs in an output
    /// (reference/map-and-merge.md).
    pub fn is_local(self) -> bool {
        matches!(self, Known::Map | Known::Merge | Known::Range | Known::Zip)
    }

    /// Returns `true` for a function of the module language, which is evaluated while modules are inlined
    /// (reference/modules/functions.md).
    pub fn is_of_modules(self) -> bool {
        matches!(self, Known::Flatten | Known::InsertFile | Known::Invoke)
    }

    /// Returns `true` for a function that returns a Boolean.
    pub fn is_condition(self) -> bool {
        matches!(self, Known::And | Known::Or | Known::Not | Known::Equals | Known::Condition)
    }
}

/// The looping RFC's other spelling of `Ref`.
pub const FN_REF: &str = "Fn::Ref";

/// The beginning of the key of a loop.
pub const FOR_EACH: &str = "Fn::ForEach";

/// Returns the name of the loop that `key` declares: `Topics` of `Fn::ForEach::Topics`. A bare `Fn::ForEach` has an
/// empty name.
pub fn loop_name(key: &str) -> Option<&str> {
    let rest = key.strip_prefix(FOR_EACH)?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix("::") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for &function in Known::ALL {
            assert_eq!(Known::from_long(function.long()), Some(function));
            assert_eq!(Known::from_short(function.short()), Some(function));
            assert_eq!(Known::from_number(function as u32), function);
        }
    }

    #[test]
    fn loop_names() {
        assert_eq!(loop_name("Fn::ForEach::Topics"), Some("Topics"));
        assert_eq!(loop_name("Fn::ForEach::"), Some(""));
        assert_eq!(loop_name("Fn::ForEach"), Some(""));
        assert_eq!(loop_name("Fn::ForEachX"), None);
    }
}
