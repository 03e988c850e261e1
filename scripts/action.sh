#!/usr/bin/env bash
# The step of action.yml: gives the action's inputs to `tracefold ci`.
set -euo pipefail

if [[ -n $INPUT_TRACEFOLD ]]; then
  read -ra tracefold <<<"$INPUT_TRACEFOLD"
elif npx --no-install tracefold --version >/dev/null 2>&1; then
  tracefold=(npx --no-install tracefold)
else
  version=$(node -p 'require(process.argv[1]).version' "$GITHUB_ACTION_PATH/package.json")
  tracefold=(npx --yes "tracefold@$version")
fi

base=$INPUT_BASE
if [[ -z $base && ${GITHUB_EVENT_NAME:-} == pull_request ]]; then
  base=$(node -p 'require(process.argv[1]).pull_request.base.sha' "$GITHUB_EVENT_PATH")
fi
if [[ $base == none ]]; then base=""; fi
# A checkout of one commit does not have the base.
if [[ -n $base ]] && ! git cat-file -e "$base^{commit}" 2>/dev/null; then
  git fetch --quiet --no-tags --depth=1 origin "$base"
  if ! git cat-file -e "$base^{commit}" 2>/dev/null; then base=FETCH_HEAD; fi
fi

temporary=${RUNNER_TEMP:-$(mktemp -d)}
words=(ci --most "$INPUT_MOST" --sarif "$temporary/tracefold.sarif")
if [[ $INPUT_PAGES == true ]]; then words+=(--pages "$temporary/tracefold-pages"); fi
if [[ -n $base ]]; then words+=(--base "$base"); fi
if [[ -n $base && $INPUT_CONTRACTS == true ]]; then words+=(--contracts); fi
while IFS= read -r line; do
  if [[ -n ${line// /} ]]; then words+=(--c "$line"); fi
done <<<"$INPUT_C_TESTS"
if [[ -n $INPUT_TEST_COMMAND ]]; then
  read -ra command <<<"$INPUT_TEST_COMMAND"
  words+=(-- "${command[@]}")
fi
exec "${tracefold[@]}" "${words[@]}"
