//! `Ref`: the value of a parameter, or of some pseudo parameters.

use formwork_base::codes;
use formwork_base::display::shown;
use formwork_syntax::NodeId;

use crate::environment::PSEUDO;
use crate::expression::ExpressionKind;
use crate::reader::Reader;

pub(crate) fn read(reader: &mut Reader<'_>, call: NodeId, argument: NodeId) -> Option<ExpressionKind> {
    let tree = reader.tree;
    let Some(name) = tree.string(argument) else {
        if reader.is_unsupported(argument) {
            return None;
        }
        let help = "write the literal name of a parameter: `Ref: Name`";
        return reader.error(codes::FUNCTION_LAYOUT, call, "Ref in a rule takes a literal name".to_owned(), help);
    };
    let symbol = tree.symbols().get(name);
    let declared = symbol.filter(|&symbol| {
        reader.template.parameter(symbol).is_some() || PSEUDO.iter().any(|pseudo| pseudo.name() == name)
    });
    if let Some(symbol) = declared {
        return Some(ExpressionKind::Ref(symbol));
    }
    let names = reader.template.parameters.iter().map(|parameter| tree.name(parameter.name));
    let help = match reader.diagnostics.suggester().nearest(name, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "refer to a parameter that the template declares".to_owned(),
    };
    let name = shown(name);
    let message = format!(
        "{name} is not a parameter: `Template format error: Unresolved dependencies [{name}]. Cannot reference resources in the Rules block of the template`"
    );
    reader.error(codes::UNRESOLVED_NAME, argument, message, &help)
}
