//! A network that fails at random.

use std::sync::Mutex;

use super::project::{OBJECTS, Project};
use super::server::{Answer, Server};

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }
}

/// The output is the old one or the new one, and a run that reports success is complete.
#[test]
fn faults_of_the_network_leave_the_output_old_or_new() {
    const RUNS: u64 = 200;
    let project = Project::new("faults");
    let (mut done, mut failed) = (0, 0);
    for run in 0..RUNS {
        let random = Mutex::new(Random(run * 7919 + 1));
        let server = Server::start(move |_, _| {
            let mut random = random.lock().expect("no panic");
            match random.below(40) {
                0 => Answer::Nothing,
                1 => Answer::error(500, "InternalError", "We encountered an internal error"),
                2 => Answer::error(503, "SlowDown", "Please reduce your request rate."),
                3 => Answer::error(403, "AccessDenied", "Access Denied"),
                _ => Answer::Usual,
            }
        });
        let old = "old: true\n";
        std::fs::write(project.folder.0.join("out.yaml"), old).expect("written");
        let result = project.run_in(&server, &[], &[("AWS_MAX_ATTEMPTS", "1")]);
        let output = project.folder.read("out.yaml");
        match result.status {
            0 => {
                done += 1;
                assert!(output.contains("s3://bucket/"), "run {run} reports that it is done: {output}");
                assert_eq!(server.state().objects.len(), OBJECTS, "run {run} lost an object");
            }
            1 => {
                failed += 1;
                assert_eq!(output, old, "run {run} failed and wrote");
                assert!(result.err.contains("error[FW080"), "run {run}: {}", result.err);
            }
            status => panic!("run {run} ended with {status}: {}", result.err),
        }
    }
    assert!(done > 20 && failed > 20, "{done} done, {failed} failed");
}
