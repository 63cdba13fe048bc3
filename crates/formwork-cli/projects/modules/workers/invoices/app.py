import json


def handler(event, context):
    for record in event["Records"]:
        print("invoice of order", json.loads(record["body"])["order"])
    return {"batchItemFailures": []}
