import os


def Cleanup(event, context):
    return {"job": "cleanup", "stage": os.environ["STAGE"]}


def Report(event, context):
    return {"job": "report", "stage": os.environ["STAGE"]}
