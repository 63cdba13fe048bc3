//! Paths without credentials of addresses.

use std::borrow::Cow;

use formwork_base::FileId;
use formwork_base::display::mask_credentials;

use crate::Context;

/// A file's path as reports show it: the address of a remote module has no credentials there.
pub(crate) fn path<'c>(file: FileId, context: &Context<'c>) -> Cow<'c, str> {
    mask_credentials(context.sources.display(file))
}
