//! The registry of diagnostic codes (spec insight.md, section 5.1). A code is never reused and
//! never changes its meaning.

use crate::Severity;

/// A stable diagnostic code, shown as `FW0303`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(u16);

/// What is known about a code by itself.
#[derive(Debug)]
pub struct CodeInfo {
    /// The code.
    pub code: Code,
    /// How bad it is unless a command says otherwise.
    pub severity: Severity,
    /// A few words.
    pub title: &'static str,
}

impl Code {
    /// The registered entry.
    pub fn info(self) -> &'static CodeInfo {
        match ALL.binary_search_by_key(&self, |info| info.code) {
            Ok(at) => &ALL[at],
            Err(_) => &ALL[0],
        }
    }

    /// The code that `text` names, such as `FW0303`, in any letter case.
    pub fn parse(text: &str) -> Option<Code> {
        let digits = text.strip_prefix("FW").or_else(|| text.strip_prefix("fw"))?;
        let number = (digits.len() == 4).then(|| digits.parse().ok()).flatten()?;
        ALL.iter().map(|info| info.code).find(|code| code.0 == number)
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FW{:04}", self.0)
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

macro_rules! codes {
    ($($name:ident = $number:literal, $severity:ident, $title:literal;)*) => {
        $(#[doc = concat!("FW", stringify!($number), ": ", $title, ".")]
        pub const $name: Code = Code($number);)*
        /// Every code, in order.
        pub static ALL: &[CodeInfo] = &[
            $(CodeInfo { code: $name, severity: Severity::$severity, title: $title },)*
        ];
    };
}

codes! {
    NOT_WELL_FORMED = 1, Error, "the text is not well-formed";
    BAD_ENCODING = 2, Error, "the bytes are no text";
    DUPLICATE_KEY = 3, Warning, "a key stands twice in one mapping";
    ALIAS = 4, Note, "a YAML alias or merge key is written out";
    ALIAS_CYCLE = 5, Error, "a YAML alias stands inside its own anchor";
    LIMIT = 6, Error, "a limit of this run is exceeded";
    UNKNOWN_TAG = 7, Error, "an unknown YAML tag";
    TWO_TAGS = 8, Error, "two short tags in a row";
    AMBIGUOUS_SCALAR = 9, Warning, "a scalar that readers take differently";
    UNREADABLE_FILE = 10, Error, "a file that cannot be read";
    NO_RESOURCES = 101, Error, "no Resources";
    UNKNOWN_SECTION = 102, Error, "an unknown section";
    NOT_AN_OBJECT = 103, Error, "a member is no object";
    NO_TYPE = 104, Error, "a resource without Type";
    UNKNOWN_ATTRIBUTE = 105, Error, "an unknown attribute";
    NAME_NOT_ALPHANUMERIC = 106, Error, "a name is not alphanumeric";
    NULL_VALUE = 107, Error, "a null value";
    OUTPUT_WITHOUT_VALUE = 108, Error, "an output without Value";
    WRONG_KIND = 109, Error, "the wrong kind of value in a place";
    FUNCTION_NOT_ALLOWED = 110, Error, "a function where none may stand";
    TRANSFORM = 111, Error, "transform missing or in the wrong order";
    UNRESOLVED_NAME = 201, Error, "a name that exists nowhere";
    GETATT_LAYOUT = 202, Error, "the layout of Fn::GetAtt";
    DEPENDENCY_CYCLE = 206, Error, "resources that need each other";
    ABSENT_RESOURCE = 207, Error, "a reference to a resource that is absent";
    FOREACH_LAYOUT = 301, Error, "the layout of Fn::ForEach";
    COLLECTION = 302, Error, "a loop collection that cannot be resolved";
    DUPLICATE_PRODUCED_KEY = 303, Error, "two items of a loop make one key";
    PRODUCED_NAME = 304, Error, "a name made by a loop is not alphanumeric";
    LOOP_NAME_CLASH = 305, Error, "names of loops, identifiers, parameters and resources clash";
    LOOP_DEPTH = 306, Error, "loops nested too deep";
    PLACEHOLDER_LITERAL = 307, Warning, "a placeholder in a plain string stays literal";
    AMPERSAND_LITERAL = 308, Warning, "`&{}` in Fn::Sub stays literal";
    LOOP_IN_LIST = 309, Error, "a loop inside a list";
    EMPTY_COLLECTION = 310, Note, "a loop without items";
    VALUE_FIXED = 311, Note, "a parameter is fixed by what was expanded";
    KEPT_FOR_TRANSFORM = 312, Note, "a construct stays and needs the transform";
    FUNCTION_LAYOUT = 401, Error, "the layout of a function";
    SELECT_RANGE = 402, Error, "Fn::Select out of range";
    NO_MAPPING_ENTRY = 403, Error, "no such mapping entry";
    SUB_VARIABLE = 404, Error, "a variable name in Fn::Sub";
    TO_JSON_STRING = 406, Error, "not supported inside Fn::ToJsonString";
    LENGTH_UNRESOLVED = 407, Error, "Fn::Length of something unknown";
    UNKNOWN_CONDITION = 501, Error, "an unknown condition";
    CONDITION_CYCLE = 502, Error, "conditions that need each other";
    CONDITION_LAYOUT = 503, Error, "the layout of a condition";
    POLICY_VALUE = 506, Error, "the value of a policy attribute";
    CONDITION_OBJECT = 507, Warning, "a one-member object named Condition";
    VALUE_MISSING = 601, Error, "a parameter without value";
    NOT_DECLARED = 602, Warning, "a value for a parameter that is not declared";
    CONSTRAINT = 603, Error, "a value breaks a constraint of its parameter";
    DEFAULT_CONSTRAINT = 604, Error, "a Default breaks a constraint of its parameter";
    PATTERN_UNCHECKED = 605, Warning, "a pattern that cannot be checked";
    NOT_IN_ACCOUNT = 606, Error, "a value that does not exist in the account";
    ACCOUNT_FILE = 607, Error, "the account data file";
    ARGUMENTS = 608, Error, "a file of arguments";
    RULES_STRUCTURE = 610, Error, "the structure of Rules";
    QUOTA_RESOURCES = 901, Error, "too many resources";
    QUOTA_OUTPUTS = 902, Error, "too many outputs";
    QUOTA_PARAMETERS = 903, Error, "too many parameters";
    QUOTA_MAPPINGS = 904, Error, "too many mappings";
    QUOTA_LENGTHS = 905, Error, "a name, value or description that is too long";
    QUOTA_BYTES = 906, Error, "the template is too large";
    QUOTA_DYNAMIC_REFERENCES = 907, Error, "too many dynamic references";
    QUOTA_ARGUMENTS = 908, Error, "too many arguments of a function";
    OTHERWISE_AT_SERVICE = 1001, Note, "the service does otherwise";
    NO_SUCH_PATH = 1201, Error, "no such path";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_parse() {
        assert!(ALL.is_sorted_by(|a, b| a.code < b.code));
        assert_eq!(Code::parse("FW0303"), Some(DUPLICATE_PRODUCED_KEY));
        assert_eq!(Code::parse("FW303"), None);
        assert_eq!(DUPLICATE_PRODUCED_KEY.to_string(), "FW0303");
    }
}
