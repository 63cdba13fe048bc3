//! Runs that somebody ends.

use std::process::{Child, Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use super::project::Project;
use super::server::{Answer, Server};

const SIZE: usize = 40 << 20;

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(status.expect("kill runs").success());
}

/// Ends a run once a call with this method, about an object, was made of a server that does not answer
/// it.
fn ended(project: &Project, server: &Server, method: &str, name: &str) -> Output {
    let child = project.begin(server);
    let begin = Instant::now();
    while server.count(method) == 0 {
        assert!(begin.elapsed() < Duration::from_secs(20), "nothing was asked");
        thread::sleep(Duration::from_millis(5));
    }
    signal(&child, name);
    let begin = Instant::now();
    let output = child.wait_with_output().expect("it ends");
    assert!(begin.elapsed() < Duration::from_secs(10), "it ends soon");
    output
}

/// A server that is slow to answer calls with a method.
fn stalling(method: &'static str) -> Server {
    Server::start(move |request, _| {
        if request.method == method && request.is_of_object() {
            thread::sleep(Duration::from_secs(30));
        }
        Answer::Usual
    })
}

#[test]
fn an_interrupted_upload_in_parts_is_taken_back() {
    for name in ["INT", "TERM", "HUP"] {
        let project = Project::large(&format!("interrupted-{name}"), SIZE);
        let server = stalling("PUT");
        let output = ended(&project, &server, "PUT", name);
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "interrupted; no template was written\n");
        assert!(output.stdout.is_empty() && project.is_without_output());
        assert_eq!(server.count("DELETE"), 1, "{name}: the upload was taken back");
        assert!(server.state().open.is_empty() && server.state().objects.is_empty());
    }
}

#[test]
fn an_interrupted_upload_in_one_piece() {
    for method in ["PUT", "HEAD"] {
        let project = Project::new(&format!("interrupted-{method}"));
        let server = stalling(method);
        let output = ended(&project, &server, method, "INT");
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        assert!(project.is_without_output());
    }
}

#[test]
fn a_killed_run_leaves_no_output_and_the_next_one_goes_on() {
    let project = Project::large("killed", SIZE);
    let output = ended(&project, &stalling("PUT"), "PUT", "KILL");
    assert_eq!(output.status.code(), None);
    assert!(project.is_without_output());
    let server = Server::usual();
    assert_eq!(project.run(&server, &[]).status, 0);
    assert_eq!(server.state().objects.len(), 1);
}

#[test]
fn who_asks_twice_does_not_wait() {
    let project = Project::large("twice", SIZE);
    // Taking the upload back is slow, too.
    let server = Server::start(|request, _| {
        if ["PUT", "DELETE"].contains(&request.method.as_str()) {
            thread::sleep(Duration::from_secs(30));
        }
        Answer::Usual
    });
    let mut child = project.begin(&server);
    for method in ["PUT", "DELETE"] {
        let begin = Instant::now();
        while server.count(method) == 0 {
            assert!(begin.elapsed() < Duration::from_secs(20), "nothing was asked");
            thread::sleep(Duration::from_millis(5));
        }
        signal(&child, "INT");
    }
    let begin = Instant::now();
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(begin.elapsed() < Duration::from_secs(5));
    assert!(project.is_without_output());
}
