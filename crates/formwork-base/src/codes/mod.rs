//! The registry of diagnostic codes (reference/diagnostics.md#codes). A code is never reused and never
//! changes its meaning.
//!
//! Each code that a check reports has a page in `codes/pages`, one file per code, with the meaning, the reason, a wrong
//! and a right example, and the fix. `docs/diagnostics` is generated from them.
#![allow(clippy::zero_prefixed_literal, reason = "the numbers are written as in the codes")]

mod pattern;

use crate::{Severities, Severity};

pub use pattern::CodePattern;

/// A stable diagnostic code, shown as `FW0303`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(u16);

/// The registered facts of a code.
#[derive(Debug)]
#[non_exhaustive]
pub struct CodeInfo {
    /// The code.
    pub code: Code,
    /// The severity where no goal matters.
    pub severity: Severity,
    /// The severity for each goal.
    pub severities: Severities,
    /// The title of the page: a few words.
    pub title: &'static str,
    /// Codes that this one is a consequence of: a value that is rejected as written is not checked for its meaning. A
    /// diagnostic is left out where an error with one of these codes is at the same place.
    pub follows: &'static [Code],
    /// `true` for a check that needs everything that loops and imports generate, and is skipped where that is not
    /// known.
    pub needs_items: bool,
    /// The page without its heading and its table of severities; `None` for a reserved code.
    body: Option<&'static str>,
}

/// Address of the published pages.
const PAGES: &str = "https://github.com/formwork-cfn/formwork/blob/main/docs/diagnostics/";

impl CodeInfo {
    /// Returns the page of the code as Markdown: heading, severity for each command (from the table of [`Severities`]),
    /// meaning, reason, examples, fix. `None` for a code that no check reports yet.
    pub fn page(&self) -> Option<String> {
        self.body.map(|body| format!("# {}: {}\n\n{}\n{body}", self.code, self.title, self.severities.table()))
    }
}

impl Code {
    /// Returns the registered entry.
    pub fn info(self) -> &'static CodeInfo {
        match ALL.binary_search_by_key(&self, |info| info.code) {
            Ok(at) => &ALL[at],
            Err(_) => &ALL[0],
        }
    }

    /// Parses a code such as `FW0303`, in any letter case.
    pub fn parse(text: &str) -> Option<Code> {
        let (mark, digits) = text.split_at_checked(2)?;
        if !mark.eq_ignore_ascii_case("FW") || digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number: u16 = digits.parse().ok()?;
        ALL.iter().map(|info| info.code).find(|code| code.0 == number)
    }

    /// Returns at most three codes whose numbers are nearest to the digits of `text`, in the order of their numbers: first
    /// of all those with two neighbouring digits swapped. The list is empty for a string without digits.
    pub fn nearest(text: &str) -> Vec<Code> {
        const MOST: usize = 3;
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let Ok(number) = digits.parse::<u64>() else { return Vec::new() };
        let mut codes: Vec<Code> = ALL.iter().map(|info| info.code).collect();
        let is_code = codes.iter().any(|code| u64::from(code.0) == number);
        let is_swapped = |code: &Code| !is_code && is_swapped(&code.to_string(), &format!("FW{digits:0>4}"));
        codes.sort_by_key(|code| (!is_swapped(code), u64::from(code.0).abs_diff(number)));
        codes.truncate(MOST);
        codes.sort_unstable();
        codes
    }

    /// Returns `true` when CloudFormation rejects what is reported with the code: all codes but those of modules (FW07)
    /// and packaging (FW08).
    pub fn is_of_service(self) -> bool {
        !(700..900).contains(&self.0)
    }

    /// Returns `true` when an error with the code means that the output would be wrong: FW00 to FW08.
    pub fn is_of_output(self) -> bool {
        self.0 < 900
    }

    /// Returns `true` when an error with the code hides parts of the template: FW00 to FW03, about syntax, functions,
    /// names and loops.
    pub fn hides_parts(self) -> bool {
        self.0 < 400
    }

    /// Returns the address of the page about the code.
    pub fn url(self) -> String {
        format!("{PAGES}{self}.md")
    }
}

/// Returns `true` if two strings differ by two neighbouring characters that are swapped.
fn is_swapped(one: &str, other: &str) -> bool {
    let pairs: Vec<(usize, (char, char))> =
        one.chars().zip(other.chars()).enumerate().filter(|(_, (one, other))| one != other).collect();
    let is_pair = |first: (usize, (char, char)), second: (usize, (char, char))| {
        first.0 + 1 == second.0 && first.1.0 == second.1.1 && first.1.1 == second.1.0
    };
    one.len() == other.len() && matches!(pairs.as_slice(), [first, second] if is_pair(*first, *second))
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
    ($($name:ident = $number:literal, $severities:ident, $title:literal
        $((follows $cause:ident $(and $other:ident)*))? $((needs $items:ident))? $(, $reserved:ident)?;)*) => {
        $(#[doc = concat!("FW", stringify!($number), ": ", $title, ".")]
        pub const $name: Code = Code($number);)*
        /// Every code, in order.
        pub static ALL: &[CodeInfo] = &[
            $(CodeInfo {
                code: $name,
                severity: Severities::$severities.by_itself(),
                severities: Severities::$severities,
                title: $title,
                follows: &[$($cause $(, $other)*)?],
                needs_items: needs!($($items)?),
                body: body!($number $($reserved)?),
            },)*
        ];
    };
}

/// Expands to [`CodeInfo::needs_items`].
macro_rules! needs {
    () => {
        false
    };
    (items) => {
        true
    };
}

/// Expands to the body of a page; `None` for a reserved code.
macro_rules! body {
    ($number:literal) => {
        Some(include_str!(concat!("pages/FW", stringify!($number), ".md")))
    };
    ($number:literal reserved) => {
        None
    };
}

codes! {
    NOT_WELL_FORMED = 0001, Error, "the template is not well-formed";
    BAD_ENCODING = 0002, Error, "the file is not in a supported encoding";
    DUPLICATE_KEY = 0003, LostKey, "a duplicate key in a mapping";
    ALIAS = 0004, Note, "a YAML alias or merge key is expanded";
    ALIAS_CYCLE = 0005, Error, "a YAML alias is inside its own anchor";
    LIMIT = 0006, Error, "a limit of this run is exceeded" (needs items);
    UNKNOWN_TAG = 0007, Error, "an unknown YAML tag";
    TWO_TAGS = 0008, Error, "two short tags on one value";
    AMBIGUOUS_SCALAR = 0009, Advice, "a word that YAML reads as a Boolean";
    UNREADABLE_FILE = 0010, Included, "a file that cannot be read";
    JSON_AS_YAML = 0011, Warning, "a template in JSON is read as YAML";
    NO_RESOURCES = 0101, Written, "no Resources" (needs items);
    UNKNOWN_SECTION = 0102, Written, "an unknown section";
    NOT_AN_OBJECT = 0103, Error, "a value is not an object";
    NO_TYPE = 0104, Written, "a resource without Type";
    UNKNOWN_ATTRIBUTE = 0105, Written, "an unknown attribute";
    NAME_NOT_ALPHANUMERIC = 0106, Written, "a name is not alphanumeric";
    NULL_VALUE = 0107, Written, "a null value";
    OUTPUT_WITHOUT_VALUE = 0108, Written, "an output without Value";
    WRONG_KIND = 0109, Written, "the wrong kind of value in a place";
    FUNCTION_NOT_ALLOWED = 0110, Written, "a function where functions are not allowed" (follows POLICY_VALUE);
    TRANSFORM = 0111, Error, "transform missing or in the wrong order";
    UNKNOWN_PROPERTY = 0112, Thorough, "a property that the resource type does not have";
    MISSING_PROPERTY = 0113, Thorough, "a required property is missing";
    KIND_OF_PROPERTY = 0114, Thorough, "a property of the wrong kind";
    VALUE_NOT_ALLOWED = 0115, Thorough, "a value that is not among the allowed ones";
    PATTERN_OF_PROPERTY = 0116, ThoroughDoubt, "a value that does not match the pattern of its property" (follows SERVERLESS_POLICY);
    BOUND_OF_PROPERTY = 0117, ThoroughDoubt, "a property outside its bounds";
    READ_ONLY_PROPERTY = 0118, ThoroughDoubt, "a read-only property is set";
    DEPRECATED = 0119, Remark, "a deprecated type, property or runtime";
    COMBINATION = 0120, ThoroughDoubt, "properties that exclude or need each other";
    UNKNOWN_TYPE = 0121, Remark, "a resource type that is not known";
    DYNAMIC_REFERENCE = 0124, Thorough, "a dynamic reference that is not resolved";
    SHARED_NAME = 0125, Written, "one name for two things" (needs items);
    UNRESOLVED_NAME = 0201, Written, "a name that is not declared";
    GETATT_LAYOUT = 0202, Error, "the layout of Fn::GetAtt";
    NO_SUCH_ATTRIBUTE = 0203, Thorough, "an attribute or output that does not exist";
    OWN_DEPENDENCY = 0204, Written, "a DependsOn on the resource itself, or twice on another one";
    IMPLIED_DEPENDENCY = 0205, Remark, "a DependsOn that a reference implies";
    DEPENDENCY_CYCLE = 0206, Written, "a circular dependency between resources" (needs items);
    ABSENT_RESOURCE = 0207, Valued, "a reference to a resource that is absent" (follows FUNCTION_NOT_ALLOWED);
    UNUSED_NAME = 0208, Advice, "a parameter, mapping or condition that nothing uses";
    FULL_ID = 0209, Advice, "a full ID in place of an output of the module";
    SECRET_SHOWN = 0210, Advice, "the value of a NoEcho parameter that anybody can read";
    INTERFACE = 0211, Advice, "a name in the interface that is not a parameter";
    FOREACH_LAYOUT = 0301, Error, "the layout of Fn::ForEach";
    COLLECTION = 0302, Error, "a loop collection that cannot be resolved" (needs items);
    DUPLICATE_PRODUCED_KEY = 0303, Error, "two items of a loop generate the same key" (follows NOT_AN_OBJECT) (needs items);
    PRODUCED_NAME = 0304, Error, "a name generated by a loop is not alphanumeric";
    LOOP_NAME_CLASH = 0305, Error, "names of loops, identifiers, parameters and resources clash" (needs items);
    LOOP_DEPTH = 0306, Error, "loops nested too deep";
    PLACEHOLDER_LITERAL = 0307, Warning, "a placeholder in a plain string stays literal";
    AMPERSAND_LITERAL = 0308, Warning, "`&{}` in Fn::Sub stays literal";
    LOOP_IN_LIST = 0309, Error, "a loop inside a list", reserved;
    EMPTY_COLLECTION = 0310, Note, "a loop without items";
    VALUE_FIXED = 0311, Output, "a parameter is fixed by what was expanded";
    KEPT_FOR_TRANSFORM = 0312, Output, "a construct that is kept and needs the transform";
    POSITION_IN_KEY = 0330, Warning, "logical IDs that depend on the position of an item";
    UNUSED_IDENTIFIER = 0331, Warning, "a loop whose variable is never used";
    MAP_PARTS = 0340, Error, "the parts of Fn::Map";
    MAP_MEMBER = 0341, Error, "an unknown parameter of Fn::Map";
    MAP_NAME = 0342, Error, "a variable name of Fn::Map";
    MAP_SAME_NAME = 0343, Error, "the two variables of Fn::Map have the same name";
    MAP_NAME_CLASH = 0344, Error, "a variable name of Fn::Map is already used";
    MAP_NOT_A_LIST = 0345, Error, "the collection of Fn::Map is not a list";
    MAP_UNRESOLVED = 0346, Error, "a value of Fn::Map that cannot be resolved" (needs items);
    MAP_NO_ECHO = 0347, Error, "a collection of Fn::Map from a NoEcho parameter";
    MAP_KEY = 0348, Error, "a key of Fn::Map is not a string";
    MAP_DUPLICATE_KEY = 0349, Error, "two items of Fn::Map generate the same key" (needs items);
    MAP_WITHOUT_KEY = 0350, Error, "Fn::Map without Key in a section";
    MAP_NAME_NOT_ALPHANUMERIC = 0351, Error, "a name generated by Fn::Map is not alphanumeric";
    MAP_SIBLINGS = 0352, Error, "Fn::Map beside other keys";
    MAP_PLACE = 0353, Error, "Fn::Map or Fn::Merge where it is not allowed";
    MAP_DEPTH = 0354, Error, "Fn::Map nested too deep";
    MAP_NOT_TEXT = 0355, Error, "an item that cannot be inserted into a string" (needs items);
    MAP_NULL_ITEM = 0356, Error, "a null in a collection of Fn::Map";
    MAP_NO_ATTRIBUTE = 0357, Error, "an item without the requested attribute" (needs items);
    MERGE_OPERANDS = 0358, Error, "the operands of Fn::Merge";
    MERGE_DUPLICATE_KEY = 0359, Error, "a duplicate key in the operands of Fn::Merge" (needs items);
    MERGE_UNRESOLVED = 0360, Error, "an operand of Fn::Merge that cannot be resolved" (needs items);
    REF_SPELLING = 0361, Warning, "Fn::Ref instead of Ref";
    FUNCTION_LAYOUT = 0401, Error, "the layout of a function" (follows FUNCTION_NOT_ALLOWED);
    SELECT_RANGE = 0402, Error, "Fn::Select out of range" (needs items);
    NO_MAPPING_ENTRY = 0403, Valued, "a mapping entry that does not exist";
    SUB_VARIABLE = 0404, Error, "a variable name in Fn::Sub";
    PLAIN_SUB = 0405, Remark, "an Fn::Sub that substitutes nothing";
    TO_JSON_STRING = 0406, Error, "not supported inside Fn::ToJsonString";
    LENGTH_UNRESOLVED = 0407, Error, "Fn::Length of an unknown value" (needs items);
    FORGOTTEN_SUB = 0408, ThoroughDoubt, "a plain string that looks like a forgotten Fn::Sub";
    PLAIN_JOIN = 0409, Remark, "an Fn::Join that is simpler as Fn::Sub";
    FORGOTTEN_REF = 0410, ThoroughDoubt, "a plain string that is the name of a pseudo parameter";
    MISQUOTED = 0411, ThoroughDoubt, "a function or a value in the wrong quotes";
    UNKNOWN_CONDITION = 0501, Error, "an unknown condition" (follows FUNCTION_LAYOUT);
    CONDITION_CYCLE = 0502, Error, "a circular dependency between conditions";
    CONDITION_LAYOUT = 0503, Error, "the layout of a condition";
    CONSTANT_CONDITION = 0504, Advice, "a condition that is always true or always false";
    IMPOSSIBLE_RESOURCE = 0505, Advice, "a resource that can never exist";
    POLICY_VALUE = 0506, Error, "the value of a policy attribute";
    CONDITION_OBJECT = 0507, Warning, "an object whose only key is Condition";
    UNREACHABLE_BRANCH = 0508, Advice, "a branch of Fn::If that is never taken";
    POLICY_ALONE = 0509, ThoroughDoubt, "a policy for one of deletion and replacement";
    VALUE_MISSING = 0601, Unset, "a parameter without a value";
    NOT_DECLARED = 0602, Undeclared, "a value for a parameter that is not declared";
    CONSTRAINT = 0603, Error, "a value breaks a constraint of its parameter";
    DEFAULT_CONSTRAINT = 0604, Valued, "a Default breaks a constraint of its parameter";
    PATTERN_UNCHECKED = 0605, ValuedDoubt, "a pattern that cannot be checked";
    NOT_IN_ACCOUNT = 0606, Valued, "a value that does not exist in the account";
    ACCOUNT_FILE = 0607, Error, "the account data file";
    ARGUMENTS = 0608, Error, "the parameters file";
    RULES_STRUCTURE = 0610, Valued, "the structure of Rules" (follows NULL_VALUE and WRONG_KIND);
    RULE_FAILED = 0611, Valued, "a rule that does not hold";
    RULE_UNKNOWN = 0612, ValuedDoubt, "a rule that cannot be evaluated";
    RULE_DOUBTFUL = 0613, ValuedDoubt, "a rule that does not check what it seems to check";
    CONSTRAINT_DOCUMENT = 0614, Valued, "a constraint document";
    MODULE_SOURCE = 0701, Error, "a module that cannot be read";
    MODULE_CYCLE = 0702, Error, "a circular dependency between modules or values";
    MODULE_NAME = 0703, Error, "a module name that is invalid or already used";
    PROPERTY_NOT_DECLARED = 0704, Error, "a property that the module does not declare";
    PARAMETER_UNBOUND = 0705, Error, "a module parameter without a value";
    SCHEMA = 0706, Error, "a value that does not match the ParameterSchema";
    CONSTANT = 0707, Error, "a constant";
    MODULE_OUTPUT = 0708, Error, "an output of a module";
    OVERRIDE = 0709, Error, "an override";
    MODULE_FOR_EACH = 0710, Error, "a ForEach of the module language";
    PACKAGE = 0711, Error, "a package or its hash";
    MODULE_LIMIT = 0712, Error, "a limit on modules is exceeded";
    REMOTE_REFUSED = 0713, Error, "a remote source that is not allowed";
    LOCAL_FUNCTION = 0714, Error, "a function that cannot be evaluated locally";
    PROPERTY_NOT_USED = 0720, Warning, "a property of an import that is not used" (follows PARAMETER_UNBOUND and PROPERTY_NOT_DECLARED);
    REMOTE_NOT_PINNED = 0721, Warning, "a remote source that is not pinned";
    SECTION_IGNORED = 0722, Warning, "a section or attribute that has no effect" (follows PARAMETER_UNBOUND and MODULE_SOURCE);
    ARTIFACT_PATH = 0801, Packaging, "a path that packaging cannot use";
    ARTIFACT_UNKNOWN = 0802, Packaging, "a path that depends on an unknown value";
    GENERATED_MAPPING = 0803, Packaging, "a Mapping that packaging cannot generate";
    BUCKET = 0804, Packaging, "no bucket to upload to";
    UPLOAD = 0805, Packaging, "an upload that failed";
    FIXED_COLLECTION = 0807, PackagingDoubt, "items of a loop that are fixed at packaging";
    RESERVED_MAPPING = 0808, Advice, "a Mapping whose name is reserved for packaging";
    BUILD = 0809, Packaging, "a source that was not built";
    QUOTA_RESOURCES = 0901, Result, "too many resources" (needs items);
    QUOTA_OUTPUTS = 0902, Result, "too many outputs" (needs items);
    QUOTA_PARAMETERS = 0903, Result, "too many parameters";
    QUOTA_MAPPINGS = 0904, Result, "too many mappings";
    QUOTA_LENGTHS = 0905, Result, "a name, value or description that is too long" (needs items);
    QUOTA_BYTES = 0906, Size, "the template is too large" (needs items);
    QUOTA_DYNAMIC_REFERENCES = 0907, Advice, "too many dynamic references" (needs items);
    QUOTA_ARGUMENTS = 0908, Advice, "too many arguments of a function";
    OTHERWISE_AT_SERVICE = 1001, Otherwise, "CloudFormation behaves differently";
    UNUSED_SUPPRESSION = 1101, Advice, "a suppression that suppresses nothing";
    SUPPRESSION = 1102, Advice, "a suppression of an unknown code";
    NOT_SUPPRESSIBLE = 1103, Error, "an error that cannot be suppressed";
    NO_SUCH_PATH = 1201, Question, "a path that does not exist";
    SHIFTED_IDS = 1210, Compared, "IDs of a loop that follow the position of its items";
    DATA_LOST = 1211, Compared, "a change that loses data";
    OWN_NAME = 1212, Compared, "a replacement that the name of the resource forbids";
    BROADENED = 1213, ComparedRemark, "a resource that may do more than before";
    TYPE_CHANGED = 1214, Compared, "the Type of a resource changes";
    VALIDATION_FAILED = 1301, Deployment, "early validation rejects a change set";
    VALIDATION_WARNING = 1302, DeploymentDoubt, "early validation warns of a change set";
    HOOK = 1303, Deployment, "a hook rejects a change set or a resource";
    REPLACEMENT = 1304, Deployment, "a resource is replaced while rollback is disabled";
    NOT_IMPORTABLE = 1305, Deployment, "an existing resource that cannot be imported without a DeletionPolicy";
    IMPORT_FILE = 1306, Deployment, "the file of --resources-to-import";
    REFACTOR = 1307, Deployment, "a refactor that is not possible";
    SERVERLESS_REFUSED = 1401, Thorough, "the serverless transform refuses a resource or the template";
    SERVERLESS_POLICY = 1402, ThoroughDoubt, "a policy that the serverless transform does not know";
    SERVERLESS_REPOSITORY = 1403, Remark, "something that only the service can transform";
    SERVERLESS_FIXED = 1404, Output, "a parameter is fixed by the serverless transform";
    SERVERLESS_ASSUMED = 1405, Output, "a Region that the serverless transform assumes";
    SERVERLESS_CLASH = 1406, Thorough, "the serverless transform generates an ID that another resource has";
    MERGE_CONFLICT = 1501, Error, "a declaration that differs between the files of a template";
    OTHER_DESCRIPTION = 1502, Note, "a Description that is left out of a merged template";
    LINK_NAME = 1510, BetweenDoubt, "an import that nothing exports, near the name of an export";
    LINK_CYCLE = 1511, Between, "stacks that import from each other in a cycle";
    EXPORTED_TWICE = 1512, Between, "an export of two stacks";
    LINK_KIND = 1513, BetweenDoubt, "a joined list that is imported as one item";
    STACK_VALUES = 1514, Between, "values of a stack that do not fit the parameters of its template";
    UNUSED_EXPORT = 1515, BetweenDoubt, "an export that nothing imports";
    STAGE_EXPORT = 1516, Between, "a stage without an export that other stages have";
    OTHER_TOOL = 1601, Advice, "a finding of another tool", reserved;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_parse() {
        assert!(ALL.is_sorted_by(|a, b| a.code < b.code));
        for text in ["FW0303", "fw0303", "Fw0303"] {
            assert_eq!(Code::parse(text), Some(DUPLICATE_PRODUCED_KEY));
        }
        for text in ["FW303", "FW+303", "0303", "é303", ""] {
            assert_eq!(Code::parse(text), None, "{text}");
        }
        assert_eq!(DUPLICATE_PRODUCED_KEY.to_string(), "FW0303");
    }

    #[test]
    fn near_codes() {
        let near = |text| Code::nearest(text).iter().map(Code::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(near("FW303"), "FW0302 FW0303 FW0304");
        assert_eq!(near("FW9999"), "FW1515 FW1516 FW1601");
        assert_eq!(near("FW0061"), "FW0101 FW0102 FW0601");
        assert_eq!(near("loops"), "");
    }
}
