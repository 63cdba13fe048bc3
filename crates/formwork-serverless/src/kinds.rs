//! The serverless types.

use crate::context::{Context, Input, Translated};
use crate::properties::{self, Property};
use crate::{
    api, application, capacity, function, graphql, http_api, image, layer_version, network, simple_table,
    state_machine, web, web_socket,
};

/// A serverless type.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// Types with a lower number are translated first.
    pub(crate) rank: u8,
    pub(crate) properties: &'static [Property],
    /// Resources that are made and can be referred to by the ID of the authored one: property and type.
    pub(crate) referable: &'static [(&'static str, &'static str)],
    pub(crate) translate: fn(&mut Context, &Input) -> Translated,
}

impl Kind {
    /// Returns `true` for a type with `Policies`.
    pub(crate) fn has_policies(&self) -> bool {
        self.properties.iter().any(|property| property.name == "Policies")
    }
}

/// The type of applications, whose location is checked before everything else.
pub(crate) const APPLICATION: &str = "AWS::Serverless::Application";

/// All types, by rank.
pub(crate) const ALL: &[Kind] = &[
    Kind {
        name: "AWS::Serverless::Function",
        rank: 0,
        properties: properties::FUNCTION,
        referable: &[
            ("Alias", "AWS::Lambda::Alias"),
            ("Version", "AWS::Lambda::Version"),
            ("DestinationTopic", "AWS::SNS::Topic"),
            ("DestinationQueue", "AWS::SQS::Queue"),
        ],
        translate: function::translate,
    },
    Kind {
        name: "AWS::Serverless::StateMachine",
        rank: 1,
        properties: properties::STATE_MACHINE,
        referable: &[],
        translate: state_machine::translate,
    },
    Kind {
        name: "AWS::Serverless::Api",
        rank: 2,
        properties: properties::API,
        referable: &[
            ("ApiKey", "AWS::ApiGateway::ApiKey"),
            ("Deployment", "AWS::ApiGateway::Deployment"),
            ("DomainName", "AWS::ApiGateway::DomainName"),
            ("DomainNameV2", "AWS::ApiGateway::DomainNameV2"),
            ("Stage", "AWS::ApiGateway::Stage"),
            ("UsagePlan", "AWS::ApiGateway::UsagePlan"),
            ("UsagePlanKey", "AWS::ApiGateway::UsagePlanKey"),
        ],
        translate: api::translate,
    },
    Kind {
        name: "AWS::Serverless::HttpApi",
        rank: 2,
        properties: properties::HTTP_API,
        referable: &[("DomainName", "AWS::ApiGatewayV2::DomainName"), ("Stage", "AWS::ApiGatewayV2::Stage")],
        translate: http_api::translate,
    },
    Kind {
        name: "AWS::Serverless::SimpleTable",
        rank: 3,
        properties: properties::SIMPLE_TABLE,
        referable: &[],
        translate: simple_table::translate,
    },
    Kind {
        name: "AWS::Serverless::LayerVersion",
        rank: 3,
        properties: properties::LAYER_VERSION,
        referable: &[],
        translate: layer_version::translate,
    },
    Kind {
        name: APPLICATION,
        rank: 3,
        properties: properties::APPLICATION,
        referable: &[],
        translate: application::translate,
    },
    Kind {
        name: "AWS::Serverless::WebSocketApi",
        rank: 2,
        properties: properties::WEB_SOCKET_API,
        referable: &[("DomainName", "AWS::ApiGatewayV2::DomainName"), ("Stage", "AWS::ApiGatewayV2::Stage")],
        translate: web_socket::translate,
    },
    Kind {
        name: "AWS::Serverless::CapacityProvider",
        rank: 3,
        properties: properties::CAPACITY_PROVIDER,
        referable: &[],
        translate: capacity::translate,
    },
    Kind {
        name: "AWS::Serverless::MicrovmImage",
        rank: 3,
        properties: properties::MICROVM_IMAGE,
        referable: &[],
        translate: image::translate,
    },
    Kind {
        name: "AWS::Serverless::NetworkConnector",
        rank: 3,
        properties: properties::NETWORK_CONNECTOR,
        referable: &[],
        translate: network::translate,
    },
    Kind {
        name: "AWS::Serverless::GraphQLApi",
        rank: 3,
        properties: properties::GRAPH_QL_API,
        referable: &[],
        translate: graphql::translate,
    },
    Kind {
        name: "AWS::Serverless::WebFunction",
        rank: 3,
        properties: properties::WEB_FUNCTION,
        referable: &[],
        translate: web::translate,
    },
];

/// Returns the serverless type with this name.
pub(crate) fn find(name: &str) -> Option<&'static Kind> {
    ALL.iter().find(|kind| kind.name == name)
}
