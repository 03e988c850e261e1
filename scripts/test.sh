#!/usr/bin/env bash
# The whole check, cheapest part first. Arguments go to vitest: npm test -- test/imports.test.ts
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/provide-tools.sh
echo "type check" && npx --no-install tsc -p .
echo "lint and format" && npx --no-install biome check --error-on-warnings
# npm ci has just built what nobody has changed since.
if [ ! -f dist/cli/main.js ] || [ -n "$(find src package.json tsdown.config.ts -newer dist/cli/main.js -print -quit)" ]; then
  echo "build" && npm run --silent build
fi
exec npx --no-install vitest run "$@"
