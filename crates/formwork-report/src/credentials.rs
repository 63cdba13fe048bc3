//! File paths without the credentials in URLs.

use std::borrow::Cow;

use formwork_base::FileId;
use formwork_base::display::mask_credentials;

use crate::Context;

/// The path of a file as reports show it: without the credentials in the URL of a remote module.
pub(crate) fn path<'c>(file: FileId, context: &Context<'c>) -> Cow<'c, str> {
    mask_credentials(context.sources.display(file))
}
