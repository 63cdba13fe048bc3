//! The order of functions in the program: what a start calls is put on the same pages. The kernel reads the program page
//! by page, as functions are called for the first time, and maps those beside them, too; without an order a start that
//! calls some thousand of them touches all parts of it.
//!
//! Only the linker knows what functions are called in the end: the compiler merges those that are equal, and adds numbers
//! to names that several crates have. So this program is called in the place of the linker. It writes the names that the
//! files to be linked have, in the order that the profile suggests, and calls the linker with them.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{tool, tools};
use crate::command::{finish, output};

/// Makes the program that counts note when each function is called for the first time.
pub(super) const COUNTING_FLAG: &str = "-Cllvm-args=-pgo-temporal-instrumentation";

/// The environment variable that makes this program link by a profile. Its value is the path of the profile.
pub(crate) const LINKING: &str = "FORMWORK_LINK_BY_PROFILE";

/// What the compiler calls to link a program for Linux.
const LINKER: &str = "cc";

/// Of functions that are merged into another one, or made by another crate, those of the same name are taken: at most
/// so large, in bytes.
const LARGEST_OF_SAME_NAME: u64 = 1024;

/// A function of the files that are linked.
#[derive(Clone, Debug)]
struct Function {
    /// Its symbol.
    name: String,
    /// In bytes.
    size: u64,
}

/// The functions that a run called, in the order of their first calls.
#[derive(Clone, Debug, Default)]
struct Trace {
    weight: u32,
    names: Vec<String>,
}

/// What a profile has about functions.
#[derive(Debug)]
struct Calls {
    traces: Vec<Trace>,
    /// The order that LLVM suggests for all functions that were called.
    suggested: Vec<String>,
    /// All functions whose calls are counted, called or not.
    counted: HashSet<String>,
}

/// Links by the profile: calls the linker with its arguments, and with the order of functions.
///
/// # Errors
/// When the profile or the files to be linked cannot be read, or the linker fails.
pub(crate) fn link(profile: &OsStr, arguments: &[OsString]) -> Result<(), String> {
    let to = arguments.iter().skip_while(|&word| word != "-o").nth(1);
    let to = PathBuf::from(to.ok_or("no argument -o for the linker")?);
    let calls = Calls::of(Path::new(profile))?;
    let names = calls.order(&functions(arguments)?);
    let order = to.with_extension("order");
    fs::write(&order, names.join("\n") + "\n").map_err(|error| format!("{}: {error}", order.display()))?;
    let mut linker = Command::new(LINKER);
    linker.args(arguments).arg("-fuse-ld=lld").arg(format!("-B{}", tools()?.join("gcc-ld").display()));
    linker.arg(format!("-Wl,--symbol-ordering-file={}", order.display()));
    // Not everything in an archive is linked.
    finish(linker.arg("-Wl,--no-warn-symbol-ordering"))
}

/// The functions of the object files and archives among the arguments of a linker, in their order.
fn functions(arguments: &[OsString]) -> Result<Vec<Function>, String> {
    let is_input = |word: &&OsString| {
        let path = Path::new(word);
        matches!(path.extension().and_then(OsStr::to_str), Some("o" | "rlib" | "a")) && path.is_file()
    };
    let mut nm = Command::new(tool("llvm-nm")?);
    nm.args(["--format=posix", "--defined-only", "--no-sort", "--quiet"]);
    let listed = output(nm.args(arguments.iter().filter(is_input)))?;
    Ok(String::from_utf8_lossy(&listed).lines().filter_map(function).collect())
}

/// Reads a line of `llvm-nm`: name, kind, address and size.
fn function(line: &str) -> Option<Function> {
    let mut words = line.split_whitespace();
    let (name, kind, _, size) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let size = u64::from_str_radix(size, 16).ok()?;
    // The C compiler splits what is seldom executed from functions: it has their name and an ending.
    let is_whole = matches!(kind, "t" | "T" | "w" | "W") && name.strip_suffix(".cold").is_none();
    is_whole.then(|| Function { name: name.to_owned(), size })
}

impl Calls {
    fn of(profile: &Path) -> Result<Calls, String> {
        let profdata = tool("llvm-profdata")?;
        let ask = |words: &[&str]| {
            let answer = output(Command::new(&profdata).args(words).arg(profile))?;
            Ok::<String, String>(String::from_utf8_lossy(&answer).into_owned())
        };
        let lines = |text: &str| text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
        let counted = ask(&["show", "--all-functions"])?;
        let counted = counted.lines().filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'));
        Ok(Calls {
            traces: traces(&ask(&["show", "--temporal-profile-traces"])?),
            suggested: lines(&ask(&["order"])?),
            counted: counted.filter(|name| !name.starts_with(' ')).map(|name| symbol(name).to_owned()).collect(),
        })
    }

    /// The names of functions in the order that they are to have: first those that a start calls. These are the functions
    /// of the runs with the greatest weight, those that more of them call before others. Behind them are those of which
    /// calls are not counted: the standard library and the C library, which are needed by each start, and are small.
    fn order(&self, functions: &[Function]) -> Vec<String> {
        let named = Named::new(functions);
        let starts = self.of_starts();
        let others = functions.iter().map(|function| function.name.as_str());
        let others = others.filter(|name| !self.counted.contains(without_number(name)));
        let mut seen = HashSet::new();
        let all = starts.into_iter().flat_map(|name| named.by(name)).chain(others);
        let all = all.chain(self.suggested.iter().flat_map(|name| named.by(name)));
        all.filter(|&name| seen.insert(name)).map(str::to_owned).collect()
    }

    fn of_starts(&self) -> Vec<&str> {
        let greatest = self.traces.iter().map(|trace| trace.weight).max().unwrap_or_default();
        let traces: Vec<&Trace> = self.traces.iter().filter(|trace| trace.weight == greatest).collect();
        // How many call it, and when the first of them does.
        let mut found: HashMap<&str, (usize, usize)> = HashMap::new();
        for name in traces.iter().flat_map(|trace| &trace.names) {
            let next = found.len();
            found.entry(name).or_insert((0, next)).0 += 1;
        }
        let mut names: Vec<(&str, (usize, usize))> = found.into_iter().collect();
        // What almost all call is beside what all do.
        let share = |count: usize| count * 8 / traces.len().max(1);
        names.sort_by_key(|&(_, (count, first))| (std::cmp::Reverse(share(count)), first));
        names.into_iter().map(|(name, _)| name).collect()
    }
}

/// Functions by names of the profile.
struct Named<'f> {
    /// By the name without the number that several of the same name have.
    exact: HashMap<&'f str, Vec<&'f str>>,
    /// By the name without the hash, too: of other types, or of other crates.
    similar: HashMap<&'f str, Vec<&'f str>>,
}

impl<'f> Named<'f> {
    fn new(functions: &'f [Function]) -> Named<'f> {
        let mut named = Named { exact: HashMap::new(), similar: HashMap::new() };
        for Function { name, size } in functions {
            let base = without_number(name);
            named.exact.entry(base).or_default().push(name);
            if *size <= LARGEST_OF_SAME_NAME {
                named.similar.entry(without_hash(base)).or_default().push(name);
            }
        }
        named
    }

    fn by(&self, name: &str) -> impl Iterator<Item = &'f str> + use<'f> {
        let exact = self.exact.get(name);
        let found = exact.or_else(|| self.similar.get(without_hash(name))).cloned();
        found.unwrap_or_default().into_iter()
    }
}

/// Reads what `llvm-profdata` prints of traces.
fn traces(text: &str) -> Vec<Trace> {
    let mut traces: Vec<Trace> = Vec::new();
    for line in text.lines() {
        if let (Some(name), Some(trace)) = (line.strip_prefix("    "), traces.last_mut()) {
            trace.names.push(symbol(name).to_owned());
        } else if let Some((_, weight)) = line.split_once("(weight=") {
            let weight = weight.split_whitespace().next().and_then(|weight| weight.parse().ok());
            traces.push(Trace { weight: weight.unwrap_or_default(), names: Vec::new() });
        }
    }
    traces
}

/// The symbol of a function: names of those that are not seen outside of their file have its name before them.
fn symbol(name: &str) -> &str {
    name.rsplit_once(';').map_or(name, |(_, symbol)| symbol)
}

/// A name without `.123` at its end.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((base, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => base,
        _ => name,
    }
}

/// A name without the hash that Rust adds to it, `17h` and sixteen digits.
fn without_hash(name: &str) -> &str {
    const HASH: usize = "17h0123456789abcdefE".len();
    match name.len().checked_sub(HASH).and_then(|at| name.split_at_checked(at)) {
        Some((base, hash)) if hash.starts_with("17h") && hash.ends_with('E') => base,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn functions(names: &[&str]) -> Vec<Function> {
        names.iter().map(|&name| Function { name: name.to_owned(), size: 64 }).collect()
    }

    fn names(of: &[&str]) -> Vec<String> {
        of.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn starts_are_before_what_is_not_counted_and_that_before_the_rest() {
        let calls = Calls {
            traces: vec![
                Trace { weight: 5, names: names(&["main", "seldom", "often"]) },
                Trace { weight: 5, names: names(&["main", "often"]) },
                Trace { weight: 1, names: names(&["main", "loops"]) },
            ],
            suggested: names(&["loops", "main", "often", "seldom"]),
            counted: names(&["main", "often", "seldom", "loops", "never"]).into_iter().collect(),
        };
        let linked = functions(&["never", "loops", "memcpy", "seldom", "often.12", "often", "main", "write"]);
        assert_eq!(calls.order(&linked), ["main", "often.12", "often", "seldom", "memcpy", "write", "loops"]);
    }

    #[test]
    fn a_function_that_was_merged_is_found_by_its_name() {
        let [called, kept, large] =
            ["1111111111111111", "2222222222222222", "3333333333333333"].map(|hash| format!("_ZN4grow17h{hash}E"));
        let mut linked = functions(&[&kept, &large]);
        linked[1].size = LARGEST_OF_SAME_NAME + 1;
        assert_eq!(Named::new(&linked).by(&called).collect::<Vec<_>>(), [kept.as_str()]);
        assert_eq!(Named::new(&linked).by(&large).collect::<Vec<_>>(), [large.as_str()]);
    }

    #[test]
    fn traces_are_read_with_their_weights() {
        let text = "Total functions: 3\nTemporal Profile Traces (samples=2 seen=2):\n  \
                    Temporal Profile Trace 0 (weight=5 count=2):\n    main\n    file.cgu.0;inner\n  \
                    Temporal Profile Trace 1 (weight=1 count=1):\n    main\n";
        let read: Vec<(u32, Vec<String>)> = traces(text).into_iter().map(|trace| (trace.weight, trace.names)).collect();
        assert_eq!(read, [(5, names(&["main", "inner"])), (1, names(&["main"]))]);
    }

    #[test]
    fn parts_of_functions_are_not_functions() {
        assert_eq!(function("main T 10 2a").map(|found| (found.name, found.size)), Some(("main".to_owned(), 42)));
        assert!(function("main.cold t 10 2a").is_none() && function("TABLE r 10 2a").is_none());
        assert!(function("libc.a[open.o]:").is_none());
    }
}
