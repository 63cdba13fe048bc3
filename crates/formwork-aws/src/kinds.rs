//! Parameter types whose values are account data.

use formwork_template::parameter_type::AWS_SPECIFIC;

pub(crate) use formwork_template::parameter_type::SSM_NAME as PARAMETER_NAME;

pub(crate) const IMAGE: &str = "AWS::EC2::Image::Id";

/// Returns the types whose values can be listed.
pub fn all_kinds() -> impl Iterator<Item = &'static str> {
    AWS_SPECIFIC.into_iter().chain([PARAMETER_NAME])
}

/// Returns the types of a snapshot by default: all but images, which are those of everyone.
pub fn default_kinds() -> impl Iterator<Item = &'static str> {
    all_kinds().filter(|&kind| kind != IMAGE)
}
