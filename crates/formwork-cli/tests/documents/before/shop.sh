# The reader has a template with a parameter and a role.
cat >template.yaml <<'END'
Parameters:
  Stage: {Type: String, Default: dev}
Resources:
  Role:
    Type: AWS::IAM::Role
    Properties: {AssumeRolePolicyDocument: {Version: '2012-10-17', Statement: []}}
  Topic:
    Type: AWS::SNS::Topic
    Properties: {DisplayName: !Ref Stage}
END
