//! The end of each command's long help: examples, and its page.

/// An end of a long help: examples one per line, then the page in the repository.
macro_rules! ending {
    ($page:literal, $($example:literal),+ $(,)?) => {
        concat!(
            "Examples:\n", $("  ", $example, "\n",)+
            "\nSee https://github.com/formwork-cfn/formwork/blob/main/docs/", $page
        )
    };
}

pub(super) const PROGRAM: &str = "See `formwork help COMMAND` for the options of a command.";
pub(super) const INIT: &str = ending!("reference/init.md", "formwork init --template functions --name shop");
pub(super) const EXPAND: &str = ending!(
    "reference/values.md",
    "formwork expand template.yaml",
    "formwork expand template.yaml --values all --parameter-overrides Stage=prod",
    "formwork expand templates/ -o expanded/",
);
pub(super) const RESOLVE: &str = ending!(
    "reference/values.md",
    "formwork resolve template.yaml --parameter-overrides Stage=prod --region eu-west-1",
    "formwork resolve template.yaml --parameters-file prod.json",
);
pub(super) const CHECK: &str = ending!(
    "reference/diagnostics.md",
    "formwork check",
    "formwork check templates/ --message-format sarif > report.sarif",
    "formwork check --explain FW0303",
);
pub(super) const RULES: &str = ending!(
    "rules.md",
    "formwork rules check template.yaml --parameter-overrides Stage=prod",
    "formwork rules table template.yaml",
    "formwork rules solve template.yaml Production",
);
pub(super) const EXPLAIN: &str = ending!(
    "reference/provenance.md",
    "formwork explain template.yaml Resources.OrdersQueue.Properties.QueueName",
    "formwork explain template.yaml --at template.yaml:12",
);
pub(super) const BUILD: &str =
    ending!("reference/build.md", "formwork build", "formwork build --resource OrdersFunction --no-cached",);
pub(super) const PACKAGE: &str = ending!(
    "packaging.md",
    "formwork package template.yaml --s3-bucket my-bucket -o packaged.yaml",
    "formwork package template.yaml --s3-bucket file:out --bucket-name my-bucket -o packaged.yaml",
    "formwork package template.yaml --plan",
);
pub(super) const DEPLOY: &str = ending!(
    "deploy.md",
    "formwork deploy --guided",
    "formwork deploy template.yaml --stack-name shop --parameter-overrides Stage=prod --capabilities CAPABILITY_IAM",
    "formwork deploy template.yaml --stack-name shop --resolve-s3 --yes",
);
pub(super) const DELETE: &str = ending!("deploy.md", "formwork delete --stack-name shop");
#[cfg(feature = "aws")]
pub(super) const SYNC: &str = ending!(
    "reference/sync.md",
    "formwork sync --stack-name dev --watch",
    "formwork sync --stack-name dev --code --resource-id OrdersFunction",
);
pub(super) const VALIDATE: &str =
    ending!("deploy.md", "formwork validate template.yaml", "formwork validate template.yaml --live");
#[cfg(feature = "local")]
pub(super) const LOCAL: &str = ending!(
    "reference/local.md",
    "formwork local invoke OrdersFunction -e event.json",
    "formwork local start-api --port 3000",
    "formwork local start-lambda",
);
pub(super) const ACCOUNT: &str = ending!(
    "account-data.md",
    "formwork account snapshot template.yaml -o account.json",
    "formwork account snapshot --types AWS::EC2::VPC::Id --ssm /shop/dev/vpc",
);
pub(super) const MODULES: &str = ending!(
    "language/modules.md",
    "formwork modules vendor template.yaml --allow-remote modules.example.com",
    "formwork modules doc modules/queue.yaml",
);
pub(super) const MIGRATE: &str =
    ending!("reference/modules/README.md", "formwork migrate rain rain.yaml -o template.yaml");
pub(super) const CONFIG: &str =
    ending!("reference/configuration.md", "formwork config show deploy", "formwork config show check --format json");
pub(super) const COMPLETIONS: &str = ending!(
    "reference/command-line.md",
    "formwork completions bash > ~/.local/share/bash-completion/completions/formwork",
    "formwork completions zsh > ~/.zfunc/_formwork",
    "formwork completions fish > ~/.config/fish/completions/formwork.fish",
);
pub(super) const MAN: &str =
    ending!("reference/command-line.md", "formwork man | man -l -", "formwork man -o ~/.local/share/man/man1");
