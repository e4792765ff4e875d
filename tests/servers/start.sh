# Servers of a script, which sources this. They end with it, and so do its folders.

servers=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
built=${CARGO_TARGET_DIR:-$servers/../../target}
# Removed when the script ends; a script can add others.
folders=("$(mktemp -d)")
server_log=$folders/log
processes=()

stop() {
  for process in ${processes[@]+"${processes[@]}"}; do
    kill "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
  done
  processes=()
}
trap 'stop; rm -rf "${folders[@]}"' EXIT

complain() {
  echo "${0##*/}: $1" >&2
  tail -n 20 "$server_log" >&2
}

# Starts a server by its command, and waits for its ready line.
start() {
  local fifo=$folders/ready
  mkfifo "$fifo"
  "$@" > "$fifo" 2> "$server_log" < /dev/null &
  processes+=($!)
  exec 3< "$fifo"
  rm "$fifo"
  read -r -t 900 -u 3 ready || { complain "no ready line of $1"; exit 2; }
}

# Builds tallrow-mock, once; sets $mock.
mock=
build_mock() {
  [ -z "$mock" ] || return 0
  cargo build -q --manifest-path "$servers/../../Cargo.toml" -p tallrow-tests -p tallrow-mock --bin tallrow-mock || exit 2
  mock=$built/debug/tallrow-mock
}

# Starts tallrow-mock, with these options; builds it before the first time.
start_mock() {
  build_mock
  start "$mock" "$@"
}

# Builds and starts Google's emulator of Bigtable.
start_emulator() {
  mkdir -p "$built/emulator"
  (cd "$servers/emulator" && go build -o "$built/emulator/" .) || exit 2
  start "$built/emulator/emulator"
}

# The address of the server that was started last, for `bigtable` or `hbase_rpc`.
address_of() {
  sed -n "s/.*\"$1\" *: *\"\([^\"]*\)\".*/\1/p" <<< "$ready" | grep . || { echo "${0##*/}: no $1 in the ready line" >&2; exit 2; }
}

# Whether all servers still run; prints the end of the last one's log if not.
all_run() {
  for process in ${processes[@]+"${processes[@]}"}; do
    kill -0 "$process" 2>/dev/null || { complain "a server has ended during the run"; return 1; }
  done
}
