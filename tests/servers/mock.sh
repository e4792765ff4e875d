# Sourced: starts tallrow-mock on free ports; sets $mock, its process id, and $address, the address for clients.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cargo build -q --manifest-path "$root/Cargo.toml" -p tallrow-tests -p tallrow-mock --bin tallrow-mock || exit 2
mock_out=$(mktemp -d)
mkfifo "$mock_out/ready"
"${CARGO_TARGET_DIR:-$root/target}/debug/tallrow-mock" --servers 2 > "$mock_out/ready" 2> "$mock_out/log" < /dev/null &
mock=$!
exec 3< "$mock_out/ready"
if ! read -r -t 900 -u 3 ready; then
  echo "the mock printed no ready line" >&2
  tail -n 20 "$mock_out/log" >&2
  exit 2
fi
address=$(sed -n 's/.*"hbase_rpc" *: *"\([^"]*\)".*/\1/p' <<< "$ready")
[ -n "$address" ] || { echo "no hbase_rpc in the mock's ready line: $ready" >&2; exit 2; }
