#!/usr/bin/env bash
# Gets the commit BASE with all of its files. A history that is there already is not cut off.
set -euo pipefail
if git config --get-regexp '^remote\..*\.(promisor|partialclonefilter)$' >/dev/null; then
  # This clone leaves files out, those of BASE, too.
  git fetch --quiet --no-auto-maintenance --depth=1 --refetch --no-filter origin "$BASE"
elif ! git cat-file -e "$BASE^{commit}" 2>/dev/null; then
  git fetch --quiet --no-auto-maintenance --depth=1 origin "$BASE"
fi
