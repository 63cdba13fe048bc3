//! Buckets in other Regions.

use super::project::{OBJECTS, Project};
use super::server::{Answer, Request, Server};

fn is_signed_for(request: &Request, region: &str) -> bool {
    request.header("authorization").contains(&format!("/{region}/s3/aws4_request"))
}

#[test]
fn a_bucket_in_another_region_is_found() {
    for (name, status, code) in
        [("moved", 301, "PermanentRedirect"), ("malformed", 400, "AuthorizationHeaderMalformed")]
    {
        let project = Project::new(name);
        let server = Server::start(move |request, _| {
            if is_signed_for(request, "eu-central-1") {
                return Answer::Usual;
            }
            let region = vec![("x-amz-bucket-region", "eu-central-1".to_owned())];
            Answer::With(status, region, format!("<Error><Code>{code}</Code></Error>"))
        });
        let run = project.run(&server, &[]);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{name}");
        assert_eq!(server.count("PUT"), OBJECTS);
        let state = server.state();
        let elsewhere = state.asked.iter().filter(|request| !is_signed_for(request, "eu-central-1"));
        assert_eq!(elsewhere.count(), 1, "{name}: the bucket alone is looked for");
    }
}

#[test]
fn a_bucket_that_is_nowhere() {
    let project = Project::new("circle");
    let server = Server::start(|request, _| {
        let there = if is_signed_for(request, "eu-central-1") { "eu-west-1" } else { "eu-central-1" };
        Answer::With(301, vec![("x-amz-bucket-region", there.to_owned())], String::new())
    });
    let run = project.run(&server, &[]);
    assert_eq!(run.status, 1);
    for words in ["`deployment s3 bucket is in a different region`", "eu-central-1", "eu-west-1"] {
        assert!(run.err.contains(words), "{}", run.err);
    }
    assert!(project.is_without_output());
}
