//! The program that Lambda starts: processes requests of CloudFormation.

use std::future::ready;
use std::io::Write;

use lambda_runtime::{Error, LambdaEvent, service_fn};
use serde_json::value::RawValue;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    lambda_runtime::run(service_fn(|event: LambdaEvent<Box<RawValue>>| ready(answer(&event.payload)))).await
}

fn answer(request: &RawValue) -> Result<Box<RawValue>, Error> {
    let response = formwork_lambda::respond(request.get());
    let mut log = std::io::stderr().lock();
    for line in &response.log {
        // A log that cannot be written does not prevent a response.
        let _ = writeln!(log, "{line}");
    }
    Ok(RawValue::from_string(response.body)?)
}
