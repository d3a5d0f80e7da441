#!/usr/bin/env bash
# Stage I and stage II of a 0.5B model on one GPU in under 8 minutes, on a machine without a registry.
#
#   benchmarks/gpu.sh prepare   where there is a registry: data and wheels into .gpu/ (some MB)
#   benchmarks/gpu.sh           on the GPU machine, with .gpu/ beside the repository's files
#
# Needs torch, transformers, accelerate, peft and pyarrow there; the rest is carried.
set -euo pipefail
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3}
CARRIED=${CARRIED:-.gpu}
export PYTHONPATH="$PWD${PYTHONPATH:+:$PYTHONPATH}" HF_HUB_OFFLINE=1 PYTHONUNBUFFERED=1

if [ "${1:-}" = prepare ]; then
    mkdir -p "$CARRIED/wheels"
    "$PYTHON" -m pip download --quiet --no-deps --dest "$CARRIED/wheels" \
        trl==1.16.0 datasets==5.2.0 dill==0.4.1 multiprocess==0.70.19
    "$PYTHON" benchmarks/gpu.py prepare --data "$CARRIED/data"
    du -sh "$CARRIED"
    exit
fi

if ! "$PYTHON" -c 'import trl, datasets' 2>/dev/null; then
    "$PYTHON" -m pip install --quiet --no-index --no-deps --find-links "$CARRIED/wheels" \
        trl datasets dill multiprocess
fi
exec timeout --signal=INT "${LIMIT:-470}" "$PYTHON" benchmarks/gpu.py run --data "$CARRIED/data" \
    --out "${OUT:-gpu-out}" "$@"
