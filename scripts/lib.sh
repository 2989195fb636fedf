# Shared by the gates: where things are, and how heavy work is kept apart. Sourced, never run.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export CARGO_TERM_COLOR="${CARGO_TERM_COLOR:-auto}"
# A gate is about the code, so warnings fail; a build by hand only shows them.
readonly DENY_WARNINGS="-D warnings"
# The shells of other hosts have lockfiles of their own and share one folder of builds.
readonly SHELLS="$PWD/target/shells"
readonly VENV="$PWD/target/venv"
readonly NIGHTLY="${HARDWON_NIGHTLY:-nightly}"

# Runs the tests of packages: with nextest where it is, else with cargo itself.
run_tests() {
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --locked --no-fail-fast "$@"
  else
    cargo test --locked --no-fail-fast "$@"
  fi
}

# Runs cargo in the folder of a shell.
in_shell() {
  local folder="$1"
  shift
  (cd "$folder" && CARGO_TARGET_DIR="$SHELLS" cargo "$@")
}

is_long() {
  [ "${HARDWON_LONG:-}" = 1 ]
}

notice() {
  printf 'notice: %s\n' "$*" >&2
}
