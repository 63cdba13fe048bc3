import os


def handler(event, context):
    return {"code": "mail", "for": os.environ.get("FOR")}
