import os


def handler(event, context):
    return {"code": "serve", "for": os.environ.get("FOR")}
