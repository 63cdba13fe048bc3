import os


def handler(event, context):
    return {"code": "test north", "for": os.environ.get("FOR")}
