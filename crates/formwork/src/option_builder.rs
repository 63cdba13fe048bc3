//! Builder methods of [`Options`].

use formwork_template::PseudoParameter;

use crate::options::{LanguageExtensions, Options, ParameterValue, SourceFile};
use crate::{ValueSource, Values};

impl Options {
    /// Adds the value of a parameter. A later value of the same name takes precedence.
    ///
    /// ```
    /// use formwork::{Goal, MemoryHost, Options, PseudoParameter, Session};
    ///
    /// let host = MemoryHost::new().with(
    ///     "template.yaml",
    ///     "Parameters: {Stage: {Type: String}}
    /// Resources: {Topic: {Type: AWS::SNS::Topic, Properties: {TopicName: !Sub '${Stage}-${AWS::Region}'}}}
    /// ",
    /// );
    /// let options = Options::default().with_parameter("Stage", "prod").with_pseudo(PseudoParameter::Region, "eu-west-1");
    /// let result = Session::new(&host, options).compile("template.yaml", Goal::Resolve);
    /// let template = result.output().expect("no errors").to_value();
    /// assert!(format!("{template:?}").contains("prod-eu-west-1"));
    /// ```
    #[must_use]
    pub fn with_parameter(mut self, name: impl Into<String>, value: impl Into<String>) -> Options {
        let given = ValueSource::CommandLine;
        self.parameters.push(ParameterValue { name: name.into(), value: value.into(), given });
        self
    }

    /// Adds the value of a pseudo parameter; the elements of a list are separated by commas.
    #[must_use]
    pub fn with_pseudo(mut self, parameter: PseudoParameter, value: impl Into<String>) -> Options {
        self.pseudo.push((parameter, value.into()));
        self
    }

    /// Adds an account snapshot. A later one takes precedence, type by type.
    #[must_use]
    pub fn with_account(mut self, snapshot: SourceFile) -> Options {
        self.accounts.push(snapshot);
        self
    }

    /// Sets how much `expand` computes.
    #[must_use]
    pub fn with_values(mut self, values: Values) -> Options {
        self.values = values;
        self
    }

    /// Sets whether language extensions are expanded.
    #[must_use]
    pub fn with_language_extensions(mut self, extensions: LanguageExtensions) -> Options {
        self.language_extensions = extensions;
        self
    }

    /// Reports warnings as errors.
    #[must_use]
    pub fn strict(mut self) -> Options {
        self.strict = true;
        self
    }
}
