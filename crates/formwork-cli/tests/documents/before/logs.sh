# The stack is deployed, its functions have log groups, and the reader ends what does not end by itself.
ask() {
    curl --silent --show-error --fail --user documents:documents --aws-sigv4 "aws:amz:us-east-1:$1" "${@:2}" \
        "$AWS_ENDPOINT_URL" >/dev/null
}
ask iam --data 'Action=CreateRole&Version=2010-05-08&RoleName=worker' --data-urlencode \
    'AssumeRolePolicyDocument={"Version": "2012-10-17", "Statement": []}'
formwork deploy template.yaml --stack-name orders --expand >/dev/null 2>&1
for function in Orders Users; do
    ask logs --header 'X-Amz-Target: Logs_20140328.CreateLogGroup' --header 'Content-Type: application/x-amz-json-1.1' \
        --data "{\"logGroupName\": \"/aws/lambda/$(formwork list resources orders | awk "/^${function}Worker/ {print \$2}")\"}"
done
formwork() { timeout --preserve-status --signal=INT 5 formwork "$@" || [ $? -eq 130 ]; }
