# The lock file is committed.
git init --quiet
formwork modules update template.yaml --allow-remote modules.example.com >/dev/null 2>&1
git add formwork.lock
