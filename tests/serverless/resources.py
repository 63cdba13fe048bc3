"""Properties of each serverless type, as a function of random values and the logical ID."""

import apis
import functions
import others
from events import EVENTS  # noqa: F401: named by generate.py

TYPES = {
    "Function": functions.function, "LayerVersion": functions.layer, "StateMachine": functions.state_machine, "Api": apis.rest, "HttpApi": apis.http, "WebSocketApi": apis.websocket, "SimpleTable": others.table, "Application": others.application,
    "Connector": others.connector, "GraphQLApi": others.graphql, "CapacityProvider": others.capacity_provider, "WebFunction": others.web_function, "NetworkConnector": others.network_connector, "MicrovmImage": others.image,
}
