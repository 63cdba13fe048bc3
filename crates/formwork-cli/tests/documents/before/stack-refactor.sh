# The AWS CLI is not installed: its options are those of its reference, and the files that they name exist.
aws() {
    [ "$1 $2 $3 $5" = "cloudformation create-stack-refactor --stack-definitions --resource-mappings" ] && [ $# -eq 6 ]
    [ "${4%%=file://*}" = "StackName=shop,TemplateBody@" ]
    for word in "$4" "$6"; do
        python3 -m json.tool "${word#*file://}" >/dev/null
    done
}
