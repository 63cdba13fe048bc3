//! Detects the end of the editor that started the server.

use std::time::Duration;

/// Calls `gone` within 5 seconds after the process ended, so that the server ends, too.
pub(crate) fn watch(process: u32, gone: impl Fn() + Send + 'static) {
    let look = move || {
        while is_alive(process) {
            std::thread::sleep(Duration::from_secs(2));
        }
        gone();
    };
    let _ = std::thread::Builder::new().name("parent".to_owned()).spawn(look);
}

#[cfg(unix)]
fn is_alive(process: u32) -> bool {
    let Some(process) = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw) else { return true };
    // A process of another user exists, too.
    !matches!(rustix::process::test_kill_process(process), Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_alive(_: u32) -> bool {
    true
}
