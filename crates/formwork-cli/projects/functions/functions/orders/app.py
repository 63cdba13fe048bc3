import json
import os


def handler(event, context):
    body = {"service": "orders", "stage": os.environ["STAGE"]}
    return {"statusCode": 200, "headers": {"content-type": "application/json"}, "body": json.dumps(body)}
