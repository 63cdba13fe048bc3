//! Checks of a file that is passed as the program of a target.

use std::path::Path;
use std::process::Command;

use super::VERSION;
use super::platform::{GLIBC, Platform};
use crate::command::output;

/// What a file contains: the format of its header, the processor, and whether it needs a dynamic linker.
#[derive(PartialEq, Eq, Debug)]
struct Header {
    system: &'static str,
    processor: &'static str,
    is_static: bool,
}

/// Checks that a file is the program of this version for a platform.
///
/// # Errors
/// When it is for another processor or system, needs a dynamic linker where it should be static, a newer glibc than users
/// have, is not executable, or is of another version. The version is compared where the program runs.
pub(super) fn check(path: &Path, program: &[u8], platform: &Platform) -> Result<(), String> {
    let name = path.display();
    let header = header(program).ok_or_else(|| format!("{name} is not a program of Linux, macOS or Windows"))?;
    let mut parts = platform.triple.split('-');
    let (processor, system) = (parts.next().unwrap_or_default(), parts.nth(1).unwrap_or_default());
    if (header.processor, header.system) != (processor, system) {
        let (found, on) = (header.processor, header.system);
        return Err(format!("{name} is a program for {found}-{on}, and the target is {}", platform.triple));
    }
    if platform.triple.ends_with("-musl") && !header.is_static {
        return Err(format!("{name} needs a dynamic linker: build it for {}", platform.triple));
    }
    if let Some((major, minor)) = newest_glibc(program).filter(|newest| platform.has_glibc() && *newest > GLIBC) {
        let (_, oldest) = GLIBC;
        let zig = format!("build it with `cargo zigbuild --target {}.2.{oldest}`", platform.triple);
        return Err(format!("{name} needs glibc {major}.{minor}, and 2.{oldest} has to be enough: {zig}"));
    }
    if !is_executable(path) {
        return Err(format!("{name} is not executable: run `chmod +x {name}`"));
    }
    if !platform.runs_here()? {
        eprintln!("programs for {} do not run on this machine: the version is not compared", platform.triple);
        return Ok(());
    }
    let printed =
        output(Command::new(path.canonicalize().map_err(|error| super::failed(path, &error))?).arg("version"))?;
    let printed = String::from_utf8_lossy(&printed);
    if is_of_version(&printed) {
        Ok(())
    } else {
        let printed = printed.lines().next().unwrap_or_default();
        Err(format!("{name} prints `{printed}` as its version, and the release is `formwork {VERSION}`"))
    }
}

/// Whether `formwork version` of this version prints it: the first two words are the name and the version.
fn is_of_version(printed: &str) -> bool {
    let mut words = printed.split_whitespace();
    words.next() == Some("formwork") && words.next() == Some(VERSION)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    true
}

/// Reads the header of an ELF, Mach-O or PE file of 64 bits; `None` for anything else.
fn header(program: &[u8]) -> Option<Header> {
    if program.starts_with(b"\x7fELF\x02\x01") {
        elf(program)
    } else if program.starts_with(&[0xcf, 0xfa, 0xed, 0xfe]) {
        let processor = match number(program, 4, 4)? {
            0x0100_0007 => "x86_64",
            0x0100_000c => "aarch64",
            _ => return None,
        };
        Some(Header { system: "darwin", processor, is_static: false })
    } else if program.starts_with(b"MZ") {
        let at = usize::try_from(number(program, 0x3c, 4)?).ok()?;
        if program.get(at..at.checked_add(4)?)? != b"PE\0\0" {
            return None;
        }
        let processor = match number(program, at + 4, 2)? {
            0x8664 => "x86_64",
            0xaa64 => "aarch64",
            _ => return None,
        };
        Some(Header { system: "windows", processor, is_static: false })
    } else {
        None
    }
}

fn elf(program: &[u8]) -> Option<Header> {
    /// The type of a program header that names the dynamic linker.
    const INTERPRETER: u64 = 3;
    let processor = match number(program, 18, 2)? {
        62 => "x86_64",
        183 => "aarch64",
        _ => return None,
    };
    let start = usize::try_from(number(program, 32, 8)?).ok()?;
    let (size, count) = (number(program, 54, 2)?, number(program, 56, 2)?);
    let mut is_static = true;
    for index in 0..count {
        let at = start.checked_add(usize::try_from(index * size).ok()?)?;
        is_static &= number(program, at, 4)? != INTERPRETER;
    }
    Some(Header { system: "linux", processor, is_static })
}

/// The newest glibc of which a program uses a function. Versions of functions are strings of it, such as `GLIBC_2.17`.
fn newest_glibc(program: &[u8]) -> Option<(u32, u32)> {
    let versions = memchr::memmem::find_iter(program, b"\0GLIBC_").filter_map(|at| {
        let text = program.get(at + 7..)?.split(|byte| *byte == 0).next()?;
        let mut numbers = std::str::from_utf8(text).ok()?.split('.').map(|number| number.parse().ok());
        Some((numbers.next()??, numbers.next()??))
    });
    versions.max()
}

/// Reads a number of some bytes, the least first.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of zeros with some bytes in it.
    fn file(parts: &[(usize, &[u8])]) -> Vec<u8> {
        let mut file = vec![0; 256];
        for (at, bytes) in parts {
            file[*at..*at + bytes.len()].copy_from_slice(bytes);
        }
        file
    }

    fn elf_of(machine: u8, kind: u8) -> Vec<u8> {
        file(&[
            (0, b"\x7fELF\x02\x01"),
            (18, &[machine, 0]),
            (32, &[64]),
            (54, &[56, 0, 2, 0]),
            (64, &[1]),
            (64 + 56, &[kind]),
        ])
    }

    #[test]
    fn headers_name_system_and_processor() {
        let is = |file: &[u8]| header(file).map(|header| (header.system, header.processor, header.is_static));
        assert_eq!(is(&elf_of(62, 1)), Some(("linux", "x86_64", true)));
        assert_eq!(is(&elf_of(183, 3)), Some(("linux", "aarch64", false)));
        assert_eq!(is(&elf_of(40, 1)), None, "a processor that is not released");
        let mach = |processor: u8| file(&[(0, &[0xcf, 0xfa, 0xed, 0xfe, processor, 0, 0, 1])]);
        assert_eq!(is(&mach(7)), Some(("darwin", "x86_64", false)));
        assert_eq!(is(&mach(12)), Some(("darwin", "aarch64", false)));
        let windows = file(&[(0, b"MZ"), (0x3c, &[0x80]), (0x80, b"PE\0\0\x64\x86")]);
        assert_eq!(is(&windows), Some(("windows", "x86_64", false)));
        for file in [&b"#!/bin/sh\n"[..], b"", b"MZ", &windows[..0x82], &elf_of(62, 1)[..100], &mach(7)[..6]] {
            assert_eq!(is(file), None, "{file:?}");
        }
    }

    #[test]
    fn programs_for_other_targets_are_refused() {
        let refused = |triple: &str, file: &[u8]| {
            let platform = Platform::of(triple).expect("a platform");
            check(Path::new("/nowhere/formwork"), file, platform).expect_err("it is not executable")
        };
        let (x86, arm) = ("x86_64-unknown-linux-musl", "aarch64-apple-darwin");
        assert!(refused(x86, b"text").contains("is not a program of"));
        assert!(refused(x86, &elf_of(183, 1)).contains("is a program for aarch64-linux, and the target is x86_64"));
        assert!(refused(arm, &elf_of(183, 1)).contains("is a program for aarch64-linux"));
        assert!(refused(x86, &elf_of(62, 3)).contains("needs a dynamic linker"));
        assert!(refused(x86, &elf_of(62, 1)).contains("is not executable"));
        let gnu = |versions: &[u8]| refused("x86_64-unknown-linux-gnu", &[&elf_of(62, 3), versions].concat());
        assert!(gnu(b"\0GLIBC_2.2.5\0GLIBC_2.17\0GLIBC_PRIVATE\0").contains("is not executable"));
        let newer = gnu(b"\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0");
        assert!(newer.contains("needs glibc 2.34, and 2.17 has to be enough"), "{newer}");
    }

    #[test]
    fn versions_are_compared_whole() {
        assert!(is_of_version(&format!("formwork {VERSION} (abc)\n")));
        assert!(is_of_version(&format!("formwork {VERSION}\n")));
        assert!(!is_of_version(&format!("formwork {VERSION}1\n")));
        assert!(!is_of_version(&format!("other {VERSION}\n")) && !is_of_version(""));
    }
}
