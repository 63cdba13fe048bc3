import os


def handler(event, context):
    return {"code": "stock", "for": os.environ.get("FOR")}
