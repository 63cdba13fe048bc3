"""Fills a moto server and prints what a snapshot of it has to hold, as boto3 tells it."""

import json
import sys

import boto3

URL = sys.argv[1]


def client(name):
    return boto3.client(
        name, endpoint_url=URL, region_name="us-east-1", aws_access_key_id="seed", aws_secret_access_key="seed"
    )


def tags(item):
    return {tag["Key"]: tag["Value"] for tag in item.get("Tags", [])}


ec2, ssm, route53, cloudformation = client("ec2"), client("ssm"), client("route53"), client("cloudformation")

s3 = client("s3")
s3.create_bucket(Bucket="uploads")
s3.create_bucket(Bucket="uploads-west", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})

vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
ec2.create_tags(Resources=[vpc], Tags=[{"Key": "Team", "Value": "R&D <1>"}, {"Key": "a.b:c", "Value": "é"}])
subnets = [
    ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{number}.0/24", AvailabilityZone=zone)["Subnet"]["SubnetId"]
    for number, zone in enumerate(["us-east-1b", "us-east-1a"])
]
ec2.create_tags(Resources=[subnets[0]], Tags=[{"Key": "Tier", "Value": "public"}])
group = ec2.create_security_group(GroupName="web", Description="web", VpcId=vpc)["GroupId"]
ec2.create_tags(Resources=[group], Tags=[{"Key": "Owner", "Value": "web"}])
default_vpc = ec2.describe_vpcs(Filters=[{"Name": "is-default", "Values": ["true"]}])["Vpcs"][0]["VpcId"]
ec2.create_security_group(GroupName="of the default VPC", Description="-", VpcId=default_vpc)
ec2.create_key_pair(KeyName="ops")
ec2.create_volume(AvailabilityZone="us-east-1a", Size=1)
image, other_image = (item["ImageId"] for item in ec2.describe_images(Owners=["amazon"])["Images"][:2])
living, ended = (
    item["InstanceId"] for item in ec2.run_instances(ImageId=image, MinCount=2, MaxCount=2)["Instances"]
)
ec2.terminate_instances(InstanceIds=[ended])
for number in range(3):
    route53.create_hosted_zone(Name=f"z{number}.example.org", CallerReference=str(number))

ssm.put_parameter(Name="/app/name", Type="String", Value="first")
ssm.put_parameter(Name="/app/name", Type="String", Value="second", Overwrite=True)
ssm.put_parameter(Name="/app/zones", Type="StringList", Value="us-east-1a,us-east-1b")
ssm.put_parameter(Name="/app/image", Type="String", Value=other_image)
ssm.put_parameter(Name="/app/secret", Type="SecureString", Value="never-to-be-seen")
for number in range(50):
    ssm.put_parameter(Name=f"/many/{number:02}", Type="String", Value=str(number))

template = {
    "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}},
    "Outputs": {"Name": {"Value": "shared-value", "Export": {"Name": "shared-name"}}},
}
cloudformation.create_stack(StackName="exporter", TemplateBody=json.dumps(template))

s3 = client("s3")
s3.create_bucket(Bucket="modules")
s3.put_bucket_versioning(Bucket="modules", VersioningConfiguration={"Status": "Enabled"})
MODULE = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Properties: {DisplayName: %s}\n"
first_version = s3.put_object(Bucket="modules", Key="net/topic.yaml", Body=(MODULE % "first").encode())["VersionId"]
s3.put_object(Bucket="modules", Key="net/topic.yaml", Body=(MODULE % "second").encode())


def default(calls, key, of):
    found = [item for item in calls if item["VpcId"] == of and item.get("IsDefault", item.get("GroupName") == "default")]
    return found[0][key] if found else None


acls = ec2.describe_network_acls()["NetworkAcls"]
groups = ec2.describe_security_groups()["SecurityGroups"]
print(
    json.dumps(
        {
            "vpc": vpc,
            "first_version": first_version,
            "subnets": subnets,
            "group": group,
            "image": image,
            "other_image": other_image,
            "Types": {
                "AWS::EC2::AvailabilityZone::Name": {
                    zone["ZoneName"]: {} for zone in ec2.describe_availability_zones()["AvailabilityZones"]
                },
                "AWS::EC2::Instance::Id": {living: {}},
                "AWS::EC2::KeyPair::KeyName": {"ops": {}},
                "AWS::EC2::SecurityGroup::GroupName": {
                    item["GroupName"]: {} for item in groups if item["VpcId"] == default_vpc
                },
                "AWS::EC2::SecurityGroup::Id": {item["GroupId"]: {"Tags": tags(item)} for item in groups},
                "AWS::EC2::Subnet::Id": {
                    item["SubnetId"]: {
                        "VpcId": item["VpcId"],
                        "AvailabilityZone": item["AvailabilityZone"],
                        "Tags": tags(item),
                    }
                    for item in ec2.describe_subnets()["Subnets"]
                },
                "AWS::EC2::Volume::Id": {item["VolumeId"]: {} for item in ec2.describe_volumes()["Volumes"]},
                "AWS::EC2::VPC::Id": {
                    item["VpcId"]: {
                        "DefaultNetworkAcl": default(acls, "NetworkAclId", item["VpcId"]),
                        "DefaultSecurityGroup": default(groups, "GroupId", item["VpcId"]),
                        "Tags": tags(item),
                    }
                    for item in ec2.describe_vpcs()["Vpcs"]
                },
                "AWS::Route53::HostedZone::Id": {
                    item["Id"].removeprefix("/hostedzone/"): {} for item in route53.list_hosted_zones()["HostedZones"]
                },
                "AWS::SSM::Parameter::Name": {
                    item["Name"]: {}
                    for page in ssm.get_paginator("describe_parameters").paginate()
                    for item in page["Parameters"]
                },
            },
        }
    )
)
