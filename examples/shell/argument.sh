#!/bin/sh
# An argument between two agents, from the intent to the outcome.
set -eu

here="$(mktemp -d)"
echo "in $here"
cd "$here"
mkdir -p memories/feedback
cat >memories/feedback/release.toml <<'MEMORY'
schema_version = 1
type = "feedback"
situation = "When building the shop before a release"
source = "user correction, 2026-04-02"

[content]
behavior = "Running make all"
impact = "It deletes the cache, and the next build takes an hour"
action = "Run make shop instead"
MEMORY

builder() { hardwon chat "$@" --as builder --chat channel.toml; }

echo '-- the memory joins'
hardwon agent --memory memories --chat channel.toml --quiet &
memory=$!
until grep -qs 'initialisation complete' channel.toml; do hardwon chat tail --chat channel.toml --quiet >/dev/null; done

echo '-- the builder announces what it is about to do'
status=0
builder post intent --thread release-1 'Situation: building the shop before a release
Behavior: running make all' || status=$?
[ "$status" -eq 7 ] || { echo "the memory did not object: $status" >&2; exit 1; }

echo '-- it cannot say that it is done'
if builder post done --thread release-1 'Built.'; then exit 1; fi

echo '-- it answers with facts, and the memory does not give in'
builder post argue --thread release-1 'The build server is idle tonight.' || status=$?

echo '-- it gives in, and goes on'
builder post concede --thread release-1 'I run make shop instead.'
builder post done --thread release-1 'Ran make shop.'

echo '-- the lead ends the session'
hardwon chat post shutdown --thread end 'Good night.' --as lead --chat channel.toml
wait "$memory"

echo '-- what the memory knows now'
grep -E 'surfaced_count|followed_count' memories/feedback/release.toml
