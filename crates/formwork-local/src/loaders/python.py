"""Runs a Python handler behind the Runtime API of Lambda where awslambdaric is not installed."""

import decimal
import importlib
import importlib.machinery
import json
import logging
import os
import socket
import sys
import time
import traceback

API = "/2018-06-01/runtime"


# What Lambda's runtimes of Python have beside the standard library.
PROVIDED = {"boto3", "botocore", "dateutil", "jmespath", "s3transfer", "six", "urllib3"}


class Provided:
    """Finds those packages among the ones of this machine, where the function does not bring its own."""

    def __init__(self, folders):
        self.folders = folders

    def find_spec(self, name, path=None, target=None):
        if path is not None or name not in PROVIDED:
            return None
        return importlib.machinery.PathFinder.find_spec(name, self.folders, target)


class Failure(Exception):
    """A handler that cannot be found, with the type that Lambda names."""

    def __init__(self, kind, message, trace=None):
        super().__init__(message)
        self.kind, self.message, self.trace = kind, message, trace or []


def described(message, kind, trace, request=""):
    return {"errorMessage": message, "errorType": kind, "requestId": request, "stackTrace": trace}


def raised(info, request=""):
    """Describes an exception without the frames of this file."""
    kind, value, tb = info
    frames = [(frame.filename, frame.lineno, frame.name, frame.line) for frame in traceback.extract_tb(tb)]
    own = [at for at, frame in enumerate(frames) if frame[0] != __file__]
    frames = frames[own[0]:] if own else frames
    return described(str(value), kind.__name__, traceback.format_list(frames), request)


def log_error(error):
    lines = ["[ERROR] " + ": ".join(part for part in (error["errorType"], error["errorMessage"]) if part)]
    if error["stackTrace"]:
        lines.append("Traceback (most recent call last):")
        lines.extend(error["stackTrace"])
    print("\n".join(line.rstrip("\n") for line in lines), flush=True)


def find(handler):
    """Imports the module of a handler and returns its function."""
    try:
        module_name, function = handler.rsplit(".", 1)
    except ValueError as error:
        raise Failure("Runtime.MalformedHandlerName", "Bad handler '{}': {}".format(handler, error))
    try:
        if module_name.split(".")[0] in sys.builtin_module_names:
            raise Failure(
                "Runtime.BuiltInModuleConflict",
                "Cannot use built-in module {} as a handler module".format(module_name),
            )
        module = importlib.import_module(module_name.replace("/", "."))
    except ImportError as error:
        raise Failure("Runtime.ImportModuleError", "Unable to import module '{}': {}".format(module_name, error))
    except SyntaxError as error:
        trace = ['  File "%s" Line %s\n    %s' % (error.filename, error.lineno, error.text)]
        raise Failure(
            "Runtime.UserCodeSyntaxError", "Syntax error in module '{}': {}".format(module_name, error), trace
        )
    try:
        return getattr(module, function)
    except AttributeError:
        raise Failure(
            "Runtime.HandlerNotFound", "Handler '{}' missing on module '{}'".format(function, module_name)
        )


def encoded(value):
    """JSON of a result. Decimals keep all their digits: strings stand for them until the text is made."""
    if isinstance(value, bytes):
        return value
    digits = []

    def special(part):
        if not isinstance(part, decimal.Decimal):
            raise TypeError("Object of type {} is not JSON serializable".format(type(part).__name__))
        if part.is_nan():
            return float("nan")
        digits.append(str(part))
        return "\x00%d\x00" % (len(digits) - 1)

    version = os.environ.get("AWS_EXECUTION_ENV", "").rpartition("python3.")[2]
    is_ascii = not (version.isdigit() and int(version) >= 12)
    text = json.dumps(value, default=special, ensure_ascii=is_ascii)
    for at, number in enumerate(digits):
        text = text.replace('"\\u0000%d\\u0000"' % at, number, 1)
    return text.encode("utf-8")


class Client:
    """The Runtime API over one connection. The HTTP client of Python takes several times as long for a call."""

    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.address = address
        self.socket = socket.create_connection((host, int(port)))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.answers = self.socket.makefile("rb")

    def call(self, method, path, body=None, headers=None):
        """Returns the status, the headers by names in lower case, and the body of the answer."""
        lines = ["%s %s%s HTTP/1.1" % (method, API, path), "Host: " + self.address]
        lines.extend("%s: %s" % header for header in (headers or {}).items())
        if body is not None:
            lines.append("Content-Length: %d" % len(body))
        self.socket.sendall("\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + (body or b""))
        status = self.answers.readline()
        if not status:
            sys.exit(1)
        received = {}
        while True:
            line = self.answers.readline().rstrip(b"\r\n")
            if not line:
                break
            name, _, value = line.partition(b":")
            received[name.decode("latin-1").lower()] = value.strip().decode("latin-1")
        length = int(received.get("content-length") or 0)
        return int(status.split()[1]), received, self.answers.read(length)

    def post(self, path, value, kind=None):
        headers = {"Content-Type": "application/json"}
        if kind:
            headers["Lambda-Runtime-Function-Error-Type"] = kind
        return self.call("POST", path, value, headers)


class Identity:
    def __init__(self, data):
        data = data or {}
        self.cognito_identity_id = data.get("cognitoIdentityId")
        self.cognito_identity_pool_id = data.get("cognitoIdentityPoolId")


class App:
    def __init__(self, data):
        names = ("installation_id", "app_title", "app_version_name", "app_version_code", "app_package_name")
        for name in names:
            setattr(self, name, data.get(name))


class ClientContext:
    def __init__(self, data):
        self.custom = data.get("custom")
        self.env = data.get("env")
        self.client = App(data["client"]) if data.get("client") else None


class Context:
    """What a handler gets beside the event."""

    def __init__(self, headers):
        def parsed(name):
            return json.loads(headers[name]) if headers.get(name) else None

        self.aws_request_id = headers["lambda-runtime-aws-request-id"]
        self.invoked_function_arn = headers.get("lambda-runtime-invoked-function-arn")
        self.function_name = os.environ.get("AWS_LAMBDA_FUNCTION_NAME")
        self.function_version = os.environ.get("AWS_LAMBDA_FUNCTION_VERSION")
        self.memory_limit_in_mb = os.environ.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE")
        self.log_group_name = os.environ.get("AWS_LAMBDA_LOG_GROUP_NAME")
        self.log_stream_name = os.environ.get("AWS_LAMBDA_LOG_STREAM_NAME")
        client = parsed("lambda-runtime-client-context")
        self.client_context = ClientContext(client) if client else None
        self.identity = Identity(parsed("lambda-runtime-cognito-identity"))
        self._deadline = int(headers.get("lambda-runtime-deadline-ms") or 0)

    def get_remaining_time_in_millis(self):
        return max(self._deadline - int(time.time() * 1000), 0)

    def log(self, message):
        sys.stdout.write(str(message))


class RequestFilter(logging.Filter):
    request = ""

    def filter(self, record):
        record.aws_request_id = RequestFilter.request
        return True


def set_up_logging():
    line = "[%(levelname)s]\t%(asctime)s.%(msecs)03dZ\t%(aws_request_id)s\t%(message)s"
    formatter = logging.Formatter(line, "%Y-%m-%dT%H:%M:%S")
    formatter.converter = time.gmtime
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(formatter)
    handler.addFilter(RequestFilter())
    logging.getLogger().addHandler(handler)
    level = os.environ.get("AWS_LAMBDA_LOG_LEVEL")
    if isinstance(logging.getLevelName(level), int):
        logging.getLogger().setLevel(level)


def answer(client, handler, headers, body):
    """Runs the handler for one event and posts what it returns or raises."""
    request = headers["lambda-runtime-aws-request-id"]
    RequestFilter.request = request
    os.environ["_X_AMZN_TRACE_ID"] = headers.get("lambda-runtime-trace-id") or ""
    error = None
    try:
        try:
            event = json.loads(body)
        except ValueError as wrong:
            raise Failure("Runtime.UnmarshalError", "Unable to unmarshal input: {}".format(wrong))
        result = handler(event, Context(headers))
        try:
            text = encoded(result)
        except Exception as wrong:
            raise Failure("Runtime.MarshalError", "Unable to marshal response: {}".format(wrong))
    except Failure as failure:
        error = described(failure.message, failure.kind, failure.trace, request)
    except Exception:
        error = raised(sys.exc_info(), request)
    if error is None:
        client.post("/invocation/%s/response" % request, text)
    else:
        log_error(error)
        client.post("/invocation/%s/error" % request, json.dumps(error).encode(), error["errorType"])


def main():
    sys.path[0] = os.getcwd()
    if len(sys.argv) > 2:
        sys.meta_path.append(Provided(sys.argv[2].split(os.pathsep)))
    set_up_logging()
    client = Client(os.environ["AWS_LAMBDA_RUNTIME_API"])
    error = None
    try:
        handler = find(sys.argv[1])
    except Failure as failure:
        error = described(failure.message, failure.kind, failure.trace)
    except Exception:
        error = raised(sys.exc_info())
    if error is not None:
        log_error(error)
        client.post("/init/error", json.dumps(error).encode(), error["errorType"])
        sys.exit(1)
    while True:
        status, headers, body = client.call("GET", "/invocation/next")
        if status != 200:
            sys.exit(1)
        answer(client, handler, headers, body)


if __name__ == "__main__":
    main()
