//! Directory names and relative paths of artifacts.

/// Returns a directory name for a logical ID, or for a name used as one: it neither leaves its directory nor is hidden.
pub(crate) fn directory_name(id: &str) -> String {
    let name: String =
        id.replace("::", ".").chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
    if name.is_empty() || name.starts_with('.') { format!("_{name}") } else { name }
}

/// Returns the path of an artifact relative to a directory. Both are below the build directory, and the path of the
/// directory ends in `/` or is empty.
pub(crate) fn relative(directory: &str, product: &str) -> String {
    let from: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = product.split('/').collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[shared..].iter().map(|_| "..");
    up.chain(to[shared..].iter().copied()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        assert_eq!(directory_name("OrdersFunction"), "OrdersFunction");
        assert_eq!(directory_name("AWS::Include"), "AWS.Include");
        assert_eq!(directory_name("../x/y"), "_.._x_y");
        assert_eq!(directory_name(".."), "_..");
        assert_eq!(directory_name(""), "_");
    }

    #[test]
    fn paths_start_from_the_template_that_names_them() {
        assert_eq!(relative("", "A"), "A");
        assert_eq!(relative("Child/", "Child/A/app.py"), "A/app.py");
        assert_eq!(relative("Child/", "A"), "../A");
        assert_eq!(relative("Child/Deep/", "Child/A"), "../A");
    }
}
