import os


def handler(event, context):
    return {"code": "test south", "for": os.environ.get("FOR")}
