//! Checks of sections that must be mappings of names (reference/modules/README.md#sections).

use formwork_base::codes;
use formwork_syntax::Kind;
use formwork_syntax::function::Known;

use super::Linker;
use super::instance::InstanceId;

/// Sections of a module. `Constants` and `Modules` are checked where they are read.
const OF_MODULE: [&str; 7] =
    ["Parameters", "ParameterSchema", "Packages", "Conditions", "Mappings", "Resources", "Outputs"];

/// Sections of the template: the others are checked like those of any template.
const OF_TEMPLATE: [&str; 1] = ["Packages"];

impl Linker<'_> {
    /// Reports sections of a file that have a list, a scalar or a value of a function, of which nothing would remain. A
    /// section without a value is empty.
    pub(super) fn check_sections(&mut self, scope: InstanceId) {
        let root = self.loaded.files[self.values.instances[scope.at()].file].root;
        let names: &[&str] = if scope == InstanceId::ROOT { &OF_TEMPLATE } else { &OF_MODULE };
        for name in names {
            let Some(section) = self.tree.get_text(root, name) else { continue };
            let generates = [Known::Map, Known::Merge, Known::Transform];
            let is_generated = generates.iter().any(|&known| self.tree.argument_of(section, known).is_some());
            if matches!(self.tree.kind(section), Kind::Map | Kind::Null) || is_generated {
                continue;
            }
            let message =
                format!("{name} is not a mapping: `Template format error: Any {name} member must be an object.`");
            let help = format!("write names below `{name}:`, or remove the section");
            self.report(scope, self.error(codes::WRONG_KIND, section, message, help));
        }
    }
}
