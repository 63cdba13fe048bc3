# The reader moved a table from one template to another, and answers the question with yes.
cat >app.yaml <<'END'
Resources:
  Api: {Type: AWS::SNS::Topic}
END
cat >data.yaml <<'END'
Resources:
  Key: {Type: AWS::SNS::Topic}
  Table: {Type: AWS::SQS::Queue}
END
formwork() { command formwork "$@" --yes; }
