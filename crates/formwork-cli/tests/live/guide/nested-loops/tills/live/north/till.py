import os


def handler(event, context):
    return {"code": "live north", "for": os.environ.get("FOR")}
