#!/usr/bin/env bash
# Comments the file of the first argument on the pull request NUMBER of REPOSITORY. The second argument says what it is.
# A comment of this action that begins with the same line is edited instead: there is one, whatever else is commented.
# What cannot be commented is in the summary of the job already, so it is one line in the log and no failure.
set -euo pipefail
body=$1 what=$2
if [ "$HEAD_REPOSITORY" != "$REPOSITORY" ]; then
  echo "A pull request from a fork may not be commented: the $what is in the summary of the job."
  exit
fi
unpermitted() {
  echo "::warning::The pull request cannot be commented: does the job have the permission pull-requests, write? The $what is in the summary of the job."
  exit 0
}
# Comments of people and of other workflows are left alone.
KEY=$(head -n 1 "$body")
export KEY
known=$(gh api --paginate "repos/$REPOSITORY/issues/$NUMBER/comments" --jq \
  '.[] | select(.user.login == "github-actions[bot]" and (.body | startswith(env.KEY))) | .id') || unpermitted
known=${known%%$'\n'*}
if [ -n "$known" ]; then
  gh api --silent --method PATCH "repos/$REPOSITORY/issues/comments/$known" -F "body=@$body" || unpermitted
else
  gh api --silent --method POST "repos/$REPOSITORY/issues/$NUMBER/comments" -F "body=@$body" || unpermitted
fi
