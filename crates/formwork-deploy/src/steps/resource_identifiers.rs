//! The properties that identify the resources of a template.

use formwork_aws::QueryRequest;

use crate::calls::Calls;
use crate::submission::TemplateSource;
use crate::unavailable::Unavailable;

/// The properties that identify resources of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceIdentifiers {
    /// Type of the resources.
    pub kind: String,
    /// Names of the properties: any of them identifies a resource.
    pub properties: Vec<String>,
}

impl Calls {
    pub(crate) async fn resource_identifiers(
        &mut self,
        template: &TemplateSource,
    ) -> Result<Vec<ResourceIdentifiers>, Unavailable> {
        let answer = self.optional(template.sent_by(QueryRequest::new("GetTemplateSummary"))).await?;
        let summaries = answer.items("ResourceIdentifierSummaries").iter().map(|summary| ResourceIdentifiers {
            kind: summary.string_of("ResourceType").unwrap_or_default(),
            properties: summary.items("ResourceIdentifiers").iter().map(|item| item.text.clone()).collect(),
        });
        Ok(summaries.collect())
    }
}
