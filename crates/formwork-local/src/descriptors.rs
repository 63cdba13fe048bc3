//! Closes descriptors that the caller of this program left open for its children (reference/local.md#environment).
//!
//! The files that this program opens are its own. A descriptor that a shell opened (`3>secrets`) is passed on by every
//! program that does not know of it; here a shell closes it before it becomes the function.

use std::path::{Path, PathBuf};

/// `O_CLOEXEC` in the flags of `/proc/self/fdinfo`.
const CLOSE_ON_EXEC: u32 = 0o2_000_000;

/// Shells, and the highest descriptor number that each supports.
const SHELLS: [(&str, u32); 3] = [("/bin/sh", 9), ("/bin/bash", u32::MAX), ("/usr/bin/bash", u32::MAX)];

/// Returns the descriptors, besides the standard ones, that a child would inherit. Empty on systems without `/proc`.
pub(crate) fn inherited() -> Vec<u32> {
    let entries = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut found: Vec<u32> = numbers.filter(|number| *number > 2 && is_inherited(*number)).collect();
    found.sort_unstable();
    found
}

fn is_inherited(number: u32) -> bool {
    let information = std::fs::read_to_string(format!("/proc/self/fdinfo/{number}")).unwrap_or_default();
    let flags = information.lines().find_map(|line| line.strip_prefix("flags:"));
    flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok()).is_some_and(|flags| flags & CLOSE_ON_EXEC == 0)
}

/// Returns a program and its arguments, run by a shell that closes descriptors first; `None` when no shell can.
pub(crate) fn closing(descriptors: &[u32], program: &Path, arguments: &[String]) -> Option<(PathBuf, Vec<String>)> {
    let highest = *descriptors.last()?;
    let (shell, _) = SHELLS.iter().find(|(shell, most)| highest <= *most && Path::new(shell).exists())?;
    let closed: Vec<String> = descriptors.iter().map(|number| format!(" {number}>&-")).collect();
    let closed = closed.concat();
    // The variables that shells add are not the function's.
    let script = format!("exec{closed}; unset SHLVL OLDPWD PWD; exec /usr/bin/env -u _ \"$0\" \"$@\"");
    let own = ["-c".to_owned(), script, program.to_string_lossy().into_owned()];
    Some((PathBuf::from(shell), own.into_iter().chain(arguments.iter().cloned()).collect()))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_shell_closes_them_before_the_program_runs() {
        let list = ["-c", "ls /proc/$$/fd; env; echo \"$1\"", "x", "an argument"].map(str::to_owned);
        for descriptor in [7, 12] {
            let Some((program, arguments)) = closing(&[descriptor], Path::new("/bin/sh"), &list) else { continue };
            // The outer shell opens the descriptors that the inner one closes; only bash supports numbers above 9.
            let shell = program.display().to_string();
            let script = format!("exec {descriptor}</dev/null; exec \"$0\" \"$@\"");
            let mut outer = Command::new(&shell);
            outer
                .args(["-c", &script, &shell])
                .args(&arguments)
                .env_clear()
                .env("OWN", "1")
                .env("PATH", "/usr/bin:/bin");
            let output = outer.output().expect("a shell");
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            let lines: Vec<&str> = printed.lines().collect();
            assert!(lines.contains(&"OWN=1") && lines.ends_with(&["an argument"]), "{printed}");
            assert!(!lines.contains(&descriptor.to_string().as_str()), "{printed}");
        }
        assert_eq!(closing(&[], Path::new("/bin/sh"), &list), None);
    }

    #[test]
    fn descriptors_of_this_program_are_its_own() {
        let file = std::fs::File::open("/dev/null").expect("a file");
        let number = std::os::fd::AsRawFd::as_raw_fd(&file);
        assert!(!inherited().contains(&(number as u32)));
    }
}
