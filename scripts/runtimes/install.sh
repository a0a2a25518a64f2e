#!/usr/bin/env bash
# Fetches Deno and Bun from the npm registry, for the tests of the client that run in them when they are in PATH, and prints the directory
# of their programs. Exits 3, with a sentence, when they can't be fetched.
set -euo pipefail

directory=${1:-$(mktemp -d "${TMPDIR:-/tmp}/filedrive-runtimes.XXXXXX")}
case "$(uname -sm)" in
  "Linux x86_64") packages=(@deno/linux-x64-glibc@2.9.6 @oven/bun-linux-x64@1.4.5) ;;
  "Linux aarch64") packages=(@deno/linux-arm64-glibc@2.9.6 @oven/bun-linux-aarch64@1.4.5) ;;
  *) echo "runtimes: no packages of Deno and Bun are named here for $(uname -sm)" >&2; exit 3 ;;
esac

mkdir -p "$directory/bin"
echo '{"private":true}' >"$directory/package.json"
npm install --prefix "$directory" --ignore-scripts --no-audit --no-fund --no-save "${packages[@]}" >&2 ||
  { echo "runtimes: ${packages[*]} can't be fetched" >&2; exit 3; }
for program in deno bun; do
  ln -sf "$(find "$directory/node_modules" -path "*$program*" -name "$program" -type f | head -1)" "$directory/bin/$program"
  "$directory/bin/$program" --version >&2
done
echo "$directory/bin"
