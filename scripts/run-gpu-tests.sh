#!/usr/bin/env bash
# Tests quern on a machine with a GPU, from an unpacked kit (scripts/gpu-pack) or from a built checkout. Usage:
# run-gpu-tests.sh [suite|sanitizers|bench|fuse]…: all when none is given. Ends with `N passed, N failed, N skipped`.
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
# bench/queries/fuse on generated tables (FUSE_SCALE, 30 = 86 million sales; FUSE_GROUP_ROWS of a row group, 20 million):
# the rows of the CPU with fuse=on and off, then the times of all three.
fused() {
  local device=${FUSE_DEVICE:-gpu} data=${TMPDIR:-/tmp}/quern-fuse suite=bench/queries/fuse query fuse same=0
  local quern=(node bin/quern --device)
  node bin/quern gen tpcds --scale "${FUSE_SCALE:-30}" --compression none --tables store_sales --out "$data/raw" --overwrite &&
    node bin/quern gen tpcds --scale "${FUSE_SCALE:-30}" --compression none --tables date_dim,item,store --out "$data" --overwrite &&
    node bin/quern -c "copy (select ss_sold_date_sk, ss_item_sk, ss_store_sk, ss_quantity, ss_ext_sales_price, ss_list_price
      from '$data/raw/store_sales.parquet') to '$data/store_sales.parquet'
      (compression uncompressed, row_group_size ${FUSE_GROUP_ROWS:-20000000}, row_group_bytes '4GB')" || return 1
  rm -rf "$data/raw"
  for query in "$suite"/*.sql; do
    "${quern[@]}" cpu -d "$data" -f "$query" >"$data/cpu.txt" || return 1
    for fuse in on off; do
      "${quern[@]}" "$device" --set "fuse=$fuse" -d "$data" -f "$query" >"$data/$fuse.txt" || return 1
      cmp "$data/cpu.txt" "$data/$fuse.txt" || same=1
    done
    "${quern[@]}" "$device" -d "$data" -c "$(cat "$query"); explain analyze $(cat "$query")" | tail -1
  done
  for fuse in on off; do
    echo "fuse=$fuse"
    "${quern[@]}" "$device" --set "fuse=$fuse" bench run "$suite" -d "$data" -w 2 -r 9 -o "bench/results/fuse_$fuse.json" | tail -6
  done
  echo cpu
  "${quern[@]}" cpu bench run "$suite" -d "$data" -r 3 -o bench/results/fuse_cpu.json | tail -6
  rm -rf "$data"
  return $same
}

for step in "${steps[@]}"; do
  case $step in
  suite)
    check 'doctor finds a GPU' bash -c "node bin/quern doctor | tee /dev/stderr | grep -q 'gpu .*sm_'"
    check 'kernels compile' "$(program quern_jit_test)" --gtest_brief=1 --gtest_filter='-*.FilterAndProject:*.GroupBy:*.ListPairs:*.Joins:*.FusedJoins:*.StringKeys:*.JoinWithACondition'
    check 'native operators' "$(program quern_cuda_test)" --gtest_brief=1
    check 'SQL' slt
    check 'SQL, 64-bit list offsets' slt --set list.offset_limit=16
    check 'SQL, batches of seven rows' slt --set batch.rows=7
    check 'SQL, every scan on the GPU' slt --set gpu.scan=all
    check 'SQL, no kernel fused' slt --set fuse=off
    ;;
  sanitizers)
    if command -v compute-sanitizer >/dev/null; then
      check 'memcheck' sanitizer memcheck 'DeviceColumn.*:StringIds.*:DeviceSort.OrdersStrings*:JoinRun.MarksOfNulls:Group.AllNullAndNoNull:Group.OneKeyOfMany:Run.GroupsAtEverySize:Run.FiltersAndProjectsInOrder:Run.GivesTheRowThatFailed'
      check 'synccheck' sanitizer synccheck 'Run.AggregatesWithoutKeys'
      check 'racecheck' sanitizer racecheck 'Run.AggregatesWithoutKeys:Group.AllNullAndNoNull'
    else
      echo 'no compute-sanitizer here'
      skipped=$((skipped + 3))
    fi
    ;;
  bench)
    mkdir -p bench/results
    check 'benchmarks' bash -c "'$(program quern_cuda_bench)' ${QUERN_GROUP_FIXTURES:-} | tee bench/results/cuda.jsonl"
    check 'joins' bash -c "'$(program quern_join_bench)' | tee bench/results/cuda_join.jsonl"
    check 'strings' bash -c "'$(program quern_string_bench)' | tee bench/results/cuda_string.jsonl"
    check 'fused joins' fused
    check 'scans' env QUERN_CUDA_LIBRARY="$PWD/build/native/Release/quern_cuda.so" \
      bash -c "'$(program quern_scan_bench)' | tee bench/results/cuda_scan.jsonl"
    ;;
  fuse)
    mkdir -p bench/results
    check 'fused joins' fused
    ;;
  *)
    printf 'run-gpu-tests: suite, sanitizers, bench or fuse, not %s\n' "$step" >&2
    exit 2
    ;;
  esac
done
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" = 0 ]
