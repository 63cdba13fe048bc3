# The reader has a project with two functions, and ends a command that watches.
mkdir -p src/orders src/users
echo 'def handler(event, context): return 1' | tee src/orders/app.py >src/users/app.py
cat >template.yaml <<'END'
Resources:
  Role:
    Type: AWS::IAM::Role
    Properties: {AssumeRolePolicyDocument: {Version: '2012-10-17', Statement: []}}
  OrdersFunction:
    Type: AWS::Lambda::Function
    Properties: {Code: src/orders, Handler: app.handler, Runtime: python3.13, Role: !GetAtt Role.Arn}
  UsersFunction:
    Type: AWS::Lambda::Function
    Properties: {Code: src/users, Handler: app.handler, Runtime: python3.13, Role: !GetAtt Role.Arn}
END
formwork() {
    timeout --preserve-status --signal=INT 10 formwork "$@" --resolve-s3 --capabilities CAPABILITY_IAM || [ $? -eq 130 ]
}
