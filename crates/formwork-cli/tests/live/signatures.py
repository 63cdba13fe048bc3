"""Runs the program against a server that checks each signature with botocore. Moto checks none.

Prints a line for each call, in alphabetical order: its action or path, and whether its signature is the one botocore makes.
"""

import http.server
import re
import subprocess
import sys
import threading

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

KEYS = ("AKIDOFTHETESTS", "se/cr+et of the tests", "tok/en==")
calls = []
ZONES = "<r><HostedZones/>{}</r>"


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        told = headers["authorization"]
        region, service = re.search(r"Credential=[^/]+/\d+/([^/]+)/([^/]+)/aws4_request", told).groups()
        signed = re.search(r"SignedHeaders=([^,]+)", told).group(1).split(";")
        request = AWSRequest(
            method=self.command,
            url=f"http://{headers['host']}{self.path}",
            data=body,
            headers={name: headers[name] for name in signed},
        )
        request.context["timestamp"] = headers["x-amz-date"]
        botocore = SigV4Auth(Credentials(*KEYS), service, region)
        made = botocore.signature(botocore.string_to_sign(request, botocore.canonical_request(request)), request)
        action = re.match(rb"Action=(\w+)", body)
        name = action.group(1).decode() if action else self.path
        calls.append(f"{name} {service} {region} {told.endswith(f'Signature={made}')}")
        if action:
            answer = "<r><keySet/></r>"
        else:
            answer = ZONES.format("" if "marker" in self.path else "<NextMarker>a b+c/=</NextMarker>")
        self.send_response(200)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer.encode())

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"
environment = dict(zip(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"), KEYS))
environment |= {"HOME": "/nonexistent", "AWS_ENDPOINT_URL_EC2": url, "AWS_ENDPOINT_URL_ROUTE_53": url}
environment |= {"AWS_ENDPOINT_URL_STS": "http://127.0.0.1:1", "AWS_MAX_ATTEMPTS": "1"}
kinds = "AWS::EC2::KeyPair::KeyName,AWS::Route53::HostedZone::Id"
words = [sys.argv[1], "account", "snapshot", "--region", "eu-west-1", "--types", kinds]
status = subprocess.run(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
print("\n".join(sorted(calls)))
sys.exit(status)
