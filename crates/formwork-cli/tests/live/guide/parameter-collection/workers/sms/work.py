import os


def handler(event, context):
    return {"code": "sms", "for": os.environ.get("FOR")}
