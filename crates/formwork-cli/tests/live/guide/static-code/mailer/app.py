import os


def handler(event, context):
    return {"code": "mailer", "for": os.environ.get("FOR")}
