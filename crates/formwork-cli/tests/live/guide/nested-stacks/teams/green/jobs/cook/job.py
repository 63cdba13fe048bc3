import os


def handler(event, context):
    return {"code": "cook", "for": os.environ.get("FOR")}
