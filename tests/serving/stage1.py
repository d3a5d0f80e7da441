"""`tracefoundry train` with vLLM in the trainer's process, on a CPU; takes the words after it."""

from __future__ import annotations

import sys

import vllm.model_executor.layers.utils as layers
from colocate import keep_weights

from factory.cli import main

if __name__ == "__main__":
    layers.dispatch_cpu_unquantized_gemm = keep_weights
    sys.argv[0] = "tracefoundry"
    main()
