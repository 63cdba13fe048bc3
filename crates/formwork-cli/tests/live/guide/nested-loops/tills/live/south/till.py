import os


def handler(event, context):
    return {"code": "live south", "for": os.environ.get("FOR")}
