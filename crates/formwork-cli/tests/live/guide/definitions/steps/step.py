import os


def handler(event, context):
    return {"code": "step", "for": os.environ.get("FOR")}
