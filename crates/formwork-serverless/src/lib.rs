//! The transform `AWS::Serverless-2016-10-31`.
pub mod facts;
#[allow(dead_code, reason = "merged with its users")]
mod hash;
