#!/usr/bin/env bash
# Tests quern on a machine with a GPU, from an unpacked kit (scripts/gpu-pack) or from a built checkout. Usage:
# run-gpu-tests.sh [suite|sanitizers|bench]…: all when none is given. Ends with `N passed, N failed, N skipped`.
set -uo pipefail
cd "$(dirname "$0")"
[ -d test/slt ] || cd ..
[ -x node/node ] && export PATH="$PWD/node:$PATH"
# the kit carries libre2.so beside the addon; the test programs look for it where it is installed
export LD_LIBRARY_PATH="$PWD/build/native/Release${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
steps=("$@")
[ ${#steps[@]} -gt 0 ] || steps=(suite sanitizers bench)
program() { find native build/native -maxdepth 2 -name "$1" -type f -perm -u+x 2>/dev/null | head -1; }
passed=0 failed=0 skipped=0
check() {
  local name=$1
  shift
  printf '== %s\n' "$name"
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); printf 'FAILED: %s\n' "$name"; fi
}
slt() { node bin/quern check test/slt --device gpu -j "$(nproc)" "$@" | tail -15; }
sanitizer() {
  compute-sanitizer --tool "$1" --error-exitcode 9 "$(program quern_cuda_test)" --gtest_brief=1 --gtest_filter="$2" | tail -8
}

for step in "${steps[@]}"; do
  case $step in
  suite)
    check 'doctor finds a GPU' bash -c "node bin/quern doctor | tee /dev/stderr | grep -q 'gpu .*sm_'"
    check 'kernels compile' "$(program quern_jit_test)" --gtest_brief=1 --gtest_filter='-*.FilterAndProject:*.GroupBy:*.ListPairs:*.Joins:*.FusedJoins'
    check 'native operators' "$(program quern_cuda_test)" --gtest_brief=1
    check 'SQL' slt
    check 'SQL, 64-bit list offsets' slt --set list.offset_limit=16
    check 'SQL, batches of seven rows' slt --set batch.rows=7
    check 'SQL, every scan on the GPU' slt --set gpu.scan=all
    check 'SQL, no kernel fused' slt --set fuse=off
    ;;
  sanitizers)
    if command -v compute-sanitizer >/dev/null; then
      check 'memcheck' sanitizer memcheck 'DeviceColumn.*:Run.GroupsAtEverySize:Run.FiltersAndProjectsInOrder:Run.GivesTheRowThatFailed'
      check 'synccheck' sanitizer synccheck 'Run.AggregatesWithoutKeys'
      check 'racecheck' sanitizer racecheck 'Run.AggregatesWithoutKeys'
    else
      echo 'no compute-sanitizer here'
      skipped=$((skipped + 3))
    fi
    ;;
  bench)
    mkdir -p bench/results
    check 'benchmarks' bash -c "'$(program quern_cuda_bench)' | tee bench/results/cuda.jsonl"
    check 'joins' bash -c "'$(program quern_join_bench)' | tee bench/results/cuda_join.jsonl"
    check 'scans' env QUERN_CUDA_LIBRARY="$PWD/build/native/Release/quern_cuda.so" \
      bash -c "'$(program quern_scan_bench)' | tee bench/results/cuda_scan.jsonl"
    ;;
  *)
    printf 'run-gpu-tests: suite, sanitizers or bench, not %s\n' "$step" >&2
    exit 2
    ;;
  esac
done
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" = 0 ]
