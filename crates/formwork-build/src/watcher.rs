//! Ends tools when the program is killed and cannot end them itself (reference/build.md#whole).

/// Ends the process groups of tools as soon as the program has ended for any reason.
#[derive(Debug, Default)]
pub(crate) struct Watcher {
    #[cfg(unix)]
    shell: std::sync::OnceLock<Option<unix::Shell>>,
}

#[cfg(unix)]
impl Watcher {
    /// Notes that a tool with this process ID, which leads a process group, has started.
    pub(crate) fn begun(&self, group: u32) {
        if let Some(shell) = self.shell.get_or_init(unix::Shell::new) {
            shell.send("begun", group);
        }
    }

    pub(crate) fn ended(&self, group: u32) {
        if let Some(Some(shell)) = self.shell.get() {
            shell.send("ended", group);
        }
    }
}

#[cfg(not(unix))]
impl Watcher {
    pub(crate) fn begun(&self, _: u32) {}

    pub(crate) fn ended(&self, _: u32) {}
}

#[cfg(unix)]
mod unix {
    use std::io::Write;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};
    use std::sync::{Mutex, PoisonError};

    /// Script that tracks the process groups until the pipe is closed, which also happens when the program is killed.
    const SCRIPT: &str = r#"groups=
while read -r word group; do
    left=
    for one in $groups; do test "$one" = "$group" || left="$left $one"; done
    test "$word" = begun && left="$left $group"
    groups=$left
done
test -z "$groups" && exit
for one in $groups; do kill -s TERM -- "-$one"; done
sleep 2
for one in $groups; do kill -s KILL -- "-$one"; done"#;

    /// A shell in a process group of its own, so that a signal to the program's group does not end it.
    #[derive(Debug)]
    pub(super) struct Shell(Mutex<Child>);

    impl Shell {
        pub(super) fn new() -> Option<Shell> {
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", SCRIPT]).process_group(0).current_dir("/");
            let child = shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
            child.ok().map(|child| Shell(Mutex::new(child)))
        }

        pub(super) fn send(&self, word: &str, group: u32) {
            let mut child = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(pipe) = child.stdin.as_mut() {
                // The shell may have been killed: then it no longer watches.
                let _ = pipe.write_all(format!("{word} {group}\n").as_bytes());
            }
        }
    }

    impl Drop for Shell {
        fn drop(&mut self) {
            let child = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
            drop(child.stdin.take());
            let _ = child.wait();
        }
    }
}
