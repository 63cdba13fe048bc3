# The reader has a bucket.
curl --silent --show-error --fail --request PUT "$AWS_ENDPOINT_URL/my-bucket" >/dev/null
