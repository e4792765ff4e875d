# Servers of a script: sourced by it, with `build` set to the folder of what it builds. They end with the script.

processes=()
stop() {
  for process in ${processes[@]+"${processes[@]}"}; do
    kill "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
  done
  processes=()
}
trap stop EXIT

# Starts a server by its command, and waits for its ready line.
start() {
  local fifo=$build/ready.$$
  mkfifo "$fifo"
  "$@" > "$fifo" 2> "$build/server.log" < /dev/null &
  processes+=($!)
  exec 3< "$fifo"
  rm "$fifo"
  read -r -t 900 -u 3 ready || { echo "${0##*/}: no ready line of $1" >&2; tail -n 20 "$build/server.log" >&2; exit 2; }
}

# The address of the server that was started last, for `bigtable` or `hbase_rpc`.
address_of() {
  sed -n "s/.*\"$1\" *: *\"\([^\"]*\)\".*/\1/p" <<< "$ready" | grep . || { echo "${0##*/}: no $1 in the ready line" >&2; exit 2; }
}
