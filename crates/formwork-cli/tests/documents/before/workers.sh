# The service that answers here makes plain functions alone. The reader ends what does not end by itself.
ask() {
    curl --silent --show-error --fail --user documents:documents --aws-sigv4 "aws:amz:us-east-1:$1" "${@:2}" \
        "$AWS_ENDPOINT_URL" >/dev/null
}
cat >plain.yaml <<'END'
Resources:
  Role:
    Type: AWS::IAM::Role
    Properties: {AssumeRolePolicyDocument: {Version: '2012-10-17', Statement: []}}
  ordersWorker: &function
    Type: AWS::Lambda::Function
    Properties: {Code: {ZipFile: x}, Handler: app.handler, Runtime: python3.11, Role: !GetAtt Role.Arn}
  usersWorker: *function
END
formwork deploy plain.yaml --stack-name plain --capabilities CAPABILITY_IAM >/dev/null 2>&1
for function in $(formwork list resources plain | awk '/Worker/ {print $2}'); do
    ask logs --header 'X-Amz-Target: Logs_20140328.CreateLogGroup' --header 'Content-Type: application/x-amz-json-1.1' \
        --data "{\"logGroupName\": \"/aws/lambda/$function\"}"
done
formwork() {
    timeout --preserve-status --signal=INT 5 formwork "${@/#shop/plain}" || [ $? -eq 130 ]
}
