#!/usr/bin/env bash
# Provides the Debian tools that the tests compare with. Installs what is missing where that is possible (root and
# apt-get); what is still missing then fails the run under CI=true and is a visible skip elsewhere.
set -uo pipefail

# tool -> Debian package. gcc-multilib is for 32-bit builds (the ILP32 data model).
declare -A package=([gcc]=gcc [z3]=z3 [cvc5]=cvc5 [coqc]=coq [gcc-m32]=gcc-multilib [chromium]=chromium
  [redis-server]=redis-server)
order=(gcc gcc-m32 z3 cvc5 coqc chromium redis-server)

present() {
  case "$1" in
    gcc-m32) printf 'int main(void) { return 0; }\n' | gcc -m32 -x c - -o /dev/null 2>/dev/null ;;
    gcc) command -v gcc >/dev/null && printf '#include <stdio.h>\n' | gcc -E -x c - >/dev/null 2>&1 ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

missing() {
  for tool in "${order[@]}"; do
    present "$tool" || printf '%s\n' "$tool"
  done
}

wanted=$(missing)
if [[ -n $wanted && $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
  packages=()
  for tool in $wanted; do packages+=("${package[$tool]}"); done
  [[ " ${packages[*]} " == *" gcc "* ]] && packages+=(libc6-dev)
  echo "installing ${packages[*]}"
  export DEBIAN_FRONTEND=noninteractive
  log=$(mktemp)
  { apt-get update && apt-get install -y --no-install-recommends "${packages[@]}"; } >"$log" 2>&1 || tail -n 20 "$log"
  rm -f "$log"
  wanted=$(missing)
fi

for tool in $wanted; do
  if [[ ${CI:-} == true && ! ($tool == gcc-m32 && $(uname -m) != x86_64) ]]; then
    echo "missing: $tool (Debian package ${package[$tool]}); required when CI=true" >&2
    failed=1
  else
    echo "SKIPPING the tests that need $tool (Debian package ${package[$tool]}): it is not installed" >&2
  fi
done
exit "${failed:-0}"
