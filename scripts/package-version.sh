#!/usr/bin/env bash
# Prints the version of packages that are made of the commit that is checked out: the programs' where a tag names it, else one before that,
# by day and number of the commit. A later commit makes a later version.
#
#   scripts/package-version.sh VERSION     VERSION: that of the programs. The day is that of SOURCE_DATE_EPOCH
set -euo pipefail

version="$1"
if [ "$(git describe --tags --exact-match 2>/dev/null || true)" != "v$version" ]; then
    number="$("$(dirname "${BASH_SOURCE[0]}")/release-number.sh" VERSION)"
    version="$version~git$(date --utc --date="@$SOURCE_DATE_EPOCH" +%Y%m%d).$number.$(git rev-parse --short=8 HEAD)"
fi
echo "$version"
