# The objects of the packaged template are in the bucket, and the service that answers here does not know loops.
curl --silent --show-error --fail --request PUT "$AWS_ENDPOINT_URL/my-bucket" >/dev/null
for object in out/*; do
    curl --silent --show-error --fail --upload-file "$object" "$AWS_ENDPOINT_URL/my-bucket/${object#out/}"
done
formwork() { command formwork "$@" --expand; }
