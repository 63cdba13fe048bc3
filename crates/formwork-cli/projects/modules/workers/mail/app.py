import json


def handler(event, context):
    for record in event["Records"]:
        print("mail for order", json.loads(record["body"])["order"])
    return {"batchItemFailures": []}
