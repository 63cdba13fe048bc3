# The service listens at another port.
export() { builtin export "${@/http:\/\/127.0.0.1:4566/$AWS_ENDPOINT_URL}"; }
