//! Kills the functions of a program that is killed itself, and removes their directories (reference/local.md#end).
//!
//! A program that receives SIGKILL cannot clean up. A shell in its own process group waits for the end of a pipe that
//! only the program can write to: the system closes the pipe when the program ends, whatever ends it.

use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::Pid;

/// Records process groups and directories from its input. At the end of the input it kills the groups, and removes the
/// directories, again after a second if a killed process was still writing. It has no `PATH`.
const SCRIPT: &str = "trap '' HUP INT TERM
groups=' '
while read -r sign group; do
  case $sign in
    +) groups=\"$groups$group \" ;;
    -) groups=\"${groups%% $group *} ${groups#* $group }\" ;;
    d) set -- \"$@\" \"$group\" ;;
  esac
done
for group in $groups; do kill -s KILL -- \"-$group\"; done
for directory; do
  /bin/rm -rf -- \"$directory\" || { /bin/sleep 1; /bin/rm -rf -- \"$directory\"; }
done
";

/// The shell that outlives this program. Dropping the guard ends it.
#[derive(Debug)]
pub(crate) struct Guard {
    /// `None` when no shell could be started.
    shell: Mutex<Option<Child>>,
}

impl Guard {
    pub(crate) fn new() -> Guard {
        use std::os::unix::process::CommandExt;
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT]).env_clear().current_dir("/").process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        Guard { shell: Mutex::new(command.spawn().ok()) }
    }

    /// Kills a group when this program ends.
    pub(crate) fn add(&self, group: Option<Pid>) {
        self.send('+', group);
    }

    /// Forgets a group that has ended: another one may get its number.
    pub(crate) fn remove(&self, group: Option<Pid>) {
        self.send('-', group);
    }

    /// Removes a directory when this program ends, unless its name has a line break.
    pub(crate) fn add_directory(&self, directory: &Path) {
        let name = directory.as_os_str().as_bytes();
        if directory.is_absolute() && !name.contains(&b'\n') {
            self.write(&[b"d ", name, b"\n"].concat());
        }
    }

    fn send(&self, sign: char, group: Option<Pid>) {
        if let Some(group) = group {
            self.write(format!("{sign} {}\n", group.as_raw_nonzero()).as_bytes());
        }
    }

    fn write(&self, line: &[u8]) {
        let mut shell = self.shell.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(input) = shell.as_mut().and_then(|shell| shell.stdin.as_mut()) {
            let _ = input.write_all(line);
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let shell = self.shell.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(shell) = shell {
            // Waiting closes its input.
            let _ = shell.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::{CommandExt, ExitStatusExt};

    use super::*;

    #[test]
    fn directories_are_removed_at_the_end() {
        let temporary = tempfile::tempdir().expect("a directory");
        let (first, second) = (temporary.path().join("a  b"), temporary.path().join("$(c) '*'"));
        for directory in [&first, &second] {
            std::fs::create_dir_all(directory.join("runtime")).expect("a directory");
        }
        let guard = Guard::new();
        guard.add_directory(&first);
        guard.add_directory(Path::new("relative"));
        guard.add_directory(&temporary.path().join("gone"));
        guard.add_directory(&second);
        drop(guard);
        assert!(!first.exists() && !second.exists() && temporary.path().exists());
    }

    #[test]
    fn groups_that_are_kept_are_killed_at_the_end() {
        let sleep = || Command::new("sleep").arg("300").process_group(0).spawn().expect("a process");
        let pid = |child: &Child| Pid::from_raw(child.id() as i32);
        let (mut first, mut second, mut third) = (sleep(), sleep(), sleep());
        let guard = Guard::new();
        for child in [&first, &second, &third] {
            guard.add(pid(child));
        }
        guard.remove(pid(&second));
        drop(guard);
        for killed in [&mut first, &mut third] {
            assert_eq!(killed.wait().expect("a status").signal(), Some(9));
        }
        assert_eq!(second.try_wait().expect("a status"), None);
        second.kill().expect("a process");
        second.wait().expect("a status");
    }
}
