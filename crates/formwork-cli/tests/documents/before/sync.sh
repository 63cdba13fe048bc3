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
# Without job control bash would have it ignore the interrupt.
set -m
formwork() {
    set -- "$@" --resolve-s3 --capabilities CAPABILITY_IAM
    if [[ " $* " != *" --watch "* ]]; then
        command formwork "$@"
        return
    fi
    command formwork "$@" >watch.log 2>&1 &
    until grep -q 'watching for changes' watch.log || ! kill -0 $! 2>/dev/null; do sleep 0.2; done
    kill -INT $!
    wait $! || [ $? -eq 130 ]
}
