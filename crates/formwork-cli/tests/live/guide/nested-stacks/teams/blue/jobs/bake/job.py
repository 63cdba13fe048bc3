import os


def handler(event, context):
    return {"code": "bake", "for": os.environ.get("FOR")}
