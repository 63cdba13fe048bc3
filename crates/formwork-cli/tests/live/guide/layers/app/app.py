import family


def handler(event, context):
    return {"code": family.NAME, "for": None}
