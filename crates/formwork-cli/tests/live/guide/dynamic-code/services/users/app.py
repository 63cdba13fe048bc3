import os


def handler(event, context):
    return {"code": "users", "for": os.environ.get("FOR")}
