"""Values of properties at random: constants, and intrinsic functions in their place."""


class Values:
    def __init__(self, random):
        self.random = random
        self.is_careful = random.random() < 0.75
        self.names = []
        self.plain = []

    def know(self, names, plain):
        """Resources that values may refer to."""
        self.names, self.plain = names, plain

    def slip(self, share=0.5):
        """Whether something is done that the translator refuses: never in a careful template."""
        return not self.is_careful and self.random.random() < share

    def usual(self, usual, *slips):
        return self.one(*usual, *slips) if not self.is_careful else self.one(*usual)

    def kind(self, *kinds):
        """A reference to a resource of one of the kinds, if there is one."""
        known = [name for name in self.names if name.rstrip("0123456789") in kinds]
        return {"Ref": self.one(*known)} if known else None

    def chance(self, share):
        return self.random.random() < share

    def one(self, *values):
        return self.random.choice(values)

    def function(self, value, parameter):
        """An intrinsic function that could stand for a value."""
        pick = self.random
        target = pick.choice(self.plain + self.names)
        return pick.choice([
            {"Ref": parameter}, {"Ref": parameter}, {"Ref": "NoDefault"}, {"Fn::Sub": "${Text}-${AWS::Region}"},
            {"Fn::GetAtt": [target, "Arn"]}, {"Ref": target}, {"Fn::If": ["IsProd", value, {"Ref": "AWS::NoValue"}]},
            {"Fn::If": ["IsProd", value, value]}, {"Fn::FindInMap": ["Map", {"Ref": "Stage"}, "Value"]},
            {"Fn::FindInMap": ["Map", {"Ref": "AWS::Region"}, "Size"]}, {"Fn::ImportValue": "shared"},
            {"Fn::Join": ["-", ["a", {"Ref": "AWS::AccountId"}, value]]}, {"Ref": "AWS::NoValue"},
            {"Fn::Sub": ["${A}/${%s}" % target, {"A": value}]}, {"Fn::Select": [0, {"Ref": "Items"}]},
            {"Ref": "Secure"}, "{{resolve:ssm:/a/b:1}}",
        ])

    def text(self, *values, share=0.12):
        value = self.one(*values) if values else "text"
        return self.function(value, "Text") if self.chance(share) else value

    def number(self, *values, share=0.12):
        value = self.one(*values)
        return self.function(value, "Number") if self.chance(share) else value

    def truth(self, share=0.1):
        value = self.one(True, False, True, "true") if self.chance(0.2) else self.one(True, False)
        return self.function(value, "Flag") if self.chance(share) else value

    def any(self, value, share=0.06):
        return self.function(value, "Items") if self.chance(share) else value

    def arn(self, service, name="x", share=0.3):
        value = "arn:aws:%s:us-east-1:123456789012:%s" % (service, name)
        if self.chance(share):
            return {"Fn::GetAtt": [self.one(*(self.plain + self.names)), "Arn"]}
        return self.text(value, share=0.1)

    def tags(self):
        return self.any({self.one("team", "env", "Cost-Center"): self.text("a", "b") for _ in range(self.random.randint(0, 2))})

    def choose(self, share, **properties):
        """Each property with the same chance. A value may be a function, which makes it only where it is chosen."""
        chosen = {}
        for name, value in properties.items():
            if self.chance(share):
                chosen[name] = value() if callable(value) else value
        return chosen

    def code(self):
        return self.one("s3://bucket/key", "s3://bucket/key?versionId=v1", {"Bucket": "bucket", "Key": "key"},
                        {"Bucket": {"Ref": "Text"}, "Key": "k", "Version": self.text("1")}, "s3://bucket/other.zip")

    def subnets(self):
        return {"SubnetIds": self.any(["subnet-1", self.text("subnet-2")]), "SecurityGroupIds": self.any([self.text("sg-1")])}
