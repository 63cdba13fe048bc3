//! Formwork as a CloudFormation macro (reference/macro.md): a template with `Transform: Formwork` is expanded by a
//! Lambda function when it is deployed, whatever deploys it.
//!
//! [`respond`] is a pure function from the request of a macro to its response, in which the fragment is the one file of
//! a session without a host. The program `bootstrap`, behind the feature `runtime`, is the loop of `lambda_runtime`
//! around it, and nothing else of the workspace depends on that crate.
//!
//! Read [`respond`] first: `request` is the input from CloudFormation, `fragment` prepares the template in it,
//! `response` is the output.

mod fragment;
mod host;
mod request;
mod response;

pub use response::Response;

use formwork::{Goal, Options, PseudoParameter, Session, SourceFile, VirtualPath};

use fragment::Prepared;
use host::NoFiles;
use request::Request;

/// Returns the response to a request of CloudFormation: the expanded template, or its errors. Neither contains the
/// value of a `NoEcho` parameter.
///
/// ```
/// let request = r#"{
///   "requestId": "1", "transformId": "123456789012::Formwork", "accountId": "123456789012", "region": "eu-west-1",
///   "params": {}, "templateParameterValues": {"Names": ["A", "B"]},
///   "fragment": {
///     "Parameters": {"Names": {"Type": "CommaDelimitedList"}},
///     "Resources": {"Fn::ForEach::T": ["N", {"Ref": "Names"}, {"T${N}": {"Type": "AWS::SNS::Topic"}}]}
///   }
/// }"#;
/// let response: serde_json::Value = serde_json::from_str(&formwork_lambda::respond(request).body).expect("JSON");
/// assert_eq!(response["status"], "success");
/// assert_eq!(response["fragment"]["Resources"]["TB"]["Type"], "AWS::SNS::Topic");
/// ```
pub fn respond(request: &str) -> Response {
    let Ok(request) = serde_json::from_str::<Request<'_>>(request) else {
        // The message of the parser would quote the request.
        let what =
            "this is not a request of a CloudFormation macro: requestId, fragment or another key is not as documented";
        return Response::failure("null", what);
    };
    let id = request.id.get();
    let values = match request.values() {
        Ok(values) => values,
        Err(what) => return Response::failure(id, &what),
    };
    let prepared = match Prepared::new(request.fragment.get()) {
        Ok(prepared) => prepared,
        Err(what) => return Response::failure(id, what),
    };
    let session = Session::new(NoFiles, Options { values, ..options(&request) });
    let bytes = prepared.text.as_bytes().into();
    let compilation = session.compile_bytes(&VirtualPath::new("fragment"), bytes, Goal::Expand);
    let (errors, log) = response::report(&compilation);
    match compilation.output() {
        Ok(output) if errors.is_empty() => Response::success(id, &prepared.finish(output.minified()), log),
        _ => Response { log, ..Response::failure(id, &response::message(&errors)) },
    }
}

/// Returns the options of `formwork expand`, with everything that the request contains.
fn options(request: &Request<'_>) -> Options {
    let pseudo = [(PseudoParameter::AccountId, &request.account_id), (PseudoParameter::Region, &request.region)];
    let pseudo = pseudo.into_iter().filter_map(|(name, value)| Some((name, value.clone()?)));
    let values = request.template_parameter_values.map(|values| SourceFile {
        path: "templateParameterValues".to_owned(),
        display: "templateParameterValues".to_owned(),
        // Below a key of its own the object is parsed as values, whatever the names of the parameters.
        bytes: format!(r#"{{"Parameters":{}}}"#, values.get()).into_bytes().into(),
    });
    Options { pseudo: pseudo.collect(), parameter_files: values.into_iter().collect(), ..Options::default() }
}
