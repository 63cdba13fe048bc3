//! The environment of a function's process (reference/local.md#environment).

use std::path::Path;

use crate::credentials::Credentials;
use crate::function::Function;
use crate::runtime::{Family, Runtime};

pub(crate) struct Parts<'a> {
    pub(crate) function: &'a Function,
    pub(crate) runtime: &'a Runtime,
    pub(crate) handler: &'a str,
    pub(crate) task_root: &'a Path,
    /// The directory of the loader that starts the code.
    pub(crate) runtime_dir: &'a Path,
    /// The directory used as `/opt`, when the function has layers.
    pub(crate) layers: Option<&'a Path>,
    pub(crate) region: &'a str,
    pub(crate) credentials: Option<&'a Credentials>,
    pub(crate) path: &'a str,
    pub(crate) variables: Vec<(String, String)>,
}

/// Returns the variables of the process, those of the function last.
pub(crate) fn environment(parts: Parts<'_>) -> Vec<(String, String)> {
    let name = parts.function.lambda_name();
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let task_root = text(parts.task_root);
    let layer = |tail: &str| parts.layers.map(|layers| text(&layers.join(tail)));
    let joined = |values: Vec<Option<String>>| values.into_iter().flatten().collect::<Vec<_>>().join(":");
    let mut all: Vec<(String, String)> = Vec::new();
    let mut set = |name: &str, value: String| all.push((name.to_owned(), value));
    set("_HANDLER", parts.handler.to_owned());
    set("LAMBDA_TASK_ROOT", task_root.clone());
    set("LAMBDA_RUNTIME_DIR", text(parts.runtime_dir));
    set("AWS_EXECUTION_ENV", format!("AWS_Lambda_{}", parts.runtime.name));
    set("AWS_LAMBDA_FUNCTION_NAME", name.to_owned());
    set("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST".to_owned());
    set("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", parts.function.memory.to_string());
    set("AWS_LAMBDA_LOG_GROUP_NAME", format!("/aws/lambda/{name}"));
    set("AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand".to_owned());
    set("AWS_REGION", parts.region.to_owned());
    set("AWS_DEFAULT_REGION", parts.region.to_owned());
    if let Some(credentials) = parts.credentials {
        set("AWS_ACCESS_KEY_ID", credentials.access_key.clone());
        set("AWS_SECRET_ACCESS_KEY", credentials.secret_key.clone());
        if let Some(token) = &credentials.token {
            set("AWS_SESSION_TOKEN", token.clone());
        }
    }
    set("TZ", ":UTC".to_owned());
    set("LANG", "en_US.UTF-8".to_owned());
    set("PATH", joined(vec![layer("bin"), Some(parts.path.to_owned())]));
    let libraries = vec![layer("lib"), Some(task_root.clone()), Some(format!("{task_root}/lib"))];
    set("LD_LIBRARY_PATH", joined(libraries));
    match parts.runtime.family {
        Family::Python => {
            let packages = format!("python/lib/python{}/site-packages", parts.runtime.version);
            if parts.layers.is_some() {
                set("PYTHONPATH", joined(vec![layer("python"), layer(&packages)]));
            }
        }
        Family::Node => {
            let own = format!("nodejs/node{}/node_modules", parts.runtime.version);
            set(
                "NODE_PATH",
                joined(vec![layer(&own), layer("nodejs/node_modules"), Some(format!("{task_root}/node_modules"))]),
            );
        }
        Family::Provided => {}
    }
    set("AWS_SAM_LOCAL", "true".to_owned());
    for (name, value) in parts.variables {
        match all.iter_mut().find(|(known, _)| *known == name) {
            Some(known) => known.1 = value,
            None => all.push((name, value)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::CodeSource;

    #[test]
    fn everything_of_lambda_and_nothing_else() {
        let function = Function {
            id: "UsersFunction".into(),
            name: Some("users".into()),
            runtime: None,
            handler: None,
            code: CodeSource::Image,
            layers: Vec::new(),
            memory: 256,
            timeout: 3,
            variables: Vec::new(),
            is_durable: false,
            place: None,
        };
        let runtime = Runtime::parse("python3.11").expect("a runtime");
        let all = environment(Parts {
            function: &function,
            runtime: &runtime,
            handler: "app.handler",
            task_root: Path::new("/task"),
            runtime_dir: Path::new("/runtime"),
            layers: Some(Path::new("/opt")),
            region: "eu-west-1",
            credentials: Some(&Credentials::placeholder()),
            path: "/bin",
            variables: vec![("STAGE".into(), "dev".into()), ("TZ".into(), "Europe/Berlin".into())],
        });
        let get = |name: &str| all.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        assert_eq!(get("AWS_LAMBDA_LOG_GROUP_NAME"), Some("/aws/lambda/users"));
        assert_eq!(get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"), Some("256"));
        assert_eq!(get("PATH"), Some("/opt/bin:/bin"));
        assert_eq!(get("PYTHONPATH"), Some("/opt/python:/opt/python/lib/python3.11/site-packages"));
        assert_eq!(get("LD_LIBRARY_PATH"), Some("/opt/lib:/task:/task/lib"));
        assert_eq!((get("TZ"), get("STAGE"), get("AWS_SESSION_TOKEN")), (Some("Europe/Berlin"), Some("dev"), None));
        assert_eq!(all.iter().filter(|(name, _)| name == "TZ").count(), 1);
    }
}
