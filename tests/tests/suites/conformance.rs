//! The shared suites, one test a case. See `FORMWORK_CONFORMANCE` in `formwork_tests::project`.

use formwork_tests::conformance::{self, Inputs};
use formwork_tests::project::{self, Shared};
use libtest_mimic::{Arguments, Trial};

pub(crate) fn trials(arguments: &Arguments) -> Result<Vec<Trial>, String> {
    let folder = match project::conformance() {
        Shared::At(folder) => folder,
        absent => return Ok(project::without_shared("conformance", absent)),
    };
    let inputs = if arguments.list { Inputs::None("listing only".into()) } else { Inputs::generate(&folder) };
    conformance::trials(&folder, &project::root().join("docs/deviations.md"), &inputs)
}
