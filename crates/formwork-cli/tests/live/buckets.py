"""Prints what a bucket holds, as boto3 finds it."""

import hashlib
import json
import os
import sys

import boto3

client = boto3.client(
    "s3",
    endpoint_url=sys.argv[1],
    region_name="us-east-1",
    aws_access_key_id=os.environ.get("AWS_ACCESS_KEY_ID", "test"),
    aws_secret_access_key="test",
)
bucket = sys.argv[2]
objects = {}
for item in client.list_objects_v2(Bucket=bucket).get("Contents", []):
    found = client.get_object(Bucket=bucket, Key=item["Key"])
    objects[item["Key"]] = {
        "Size": item["Size"],
        "Sha256": hashlib.sha256(found["Body"].read()).hexdigest(),
        "Encryption": found.get("ServerSideEncryption"),
        "Metadata": found["Metadata"],
    }
uploads = client.list_multipart_uploads(Bucket=bucket).get("Uploads", [])
print(json.dumps({"Objects": objects, "Open": len(uploads)}))
