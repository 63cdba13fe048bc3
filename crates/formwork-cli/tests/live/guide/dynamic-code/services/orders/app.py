import os


def handler(event, context):
    return {"code": "orders", "for": os.environ.get("FOR")}
