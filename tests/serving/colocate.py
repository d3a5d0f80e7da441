"""Steps of GRPO with vLLM in the trainer's process, on a CPU; prints what TRL logged as JSON.

``python colocate.py MODEL OUT on|off``: with ``off`` the weights are never handed to vLLM. The
reward is paid for short replies with many different words, so that the weights move.
"""

from __future__ import annotations

import json
import sys

import torch
import vllm.model_executor.layers.utils as layers
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

STEPS = 6


def keep_weights(layer: torch.nn.Module, remove_weight: bool) -> None:
    """Multiply with the layer's own weights, which vLLM's CPU kernels would pack and forget."""
    layer.cpu_linear = torch.nn.functional.linear


def reward(completions: list[list[dict[str, str]]], **columns: object) -> list[float]:
    texts = [messages[0]["content"] for messages in completions]
    return [len(set(text)) / (1 + len(text)) for text in texts]


def main(model: str, out: str, sync: str) -> None:
    layers.dispatch_cpu_unquantized_gemm = keep_weights
    prompts = [[{"role": "user", "content": f"f({number}) gives <answer>"}] for number in range(24)]
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=reward,
        args=GRPOConfig(
            output_dir=out,
            use_vllm=True,
            vllm_mode="colocate",
            vllm_gpu_memory_utilization=0.05,
            vllm_max_model_length=256,
            use_cpu=True,
            bf16=False,
            gradient_checkpointing=False,
            per_device_train_batch_size=8,
            num_generations=4,
            max_completion_length=12,
            max_steps=STEPS,
            learning_rate=3e-3,
            logging_steps=1,
            save_strategy="no",
            report_to=[],
            seed=0,
        ),
        train_dataset=Dataset.from_dict({"prompt": prompts}),
    )
    if sync == "off":
        trainer.vllm_generation.sync_weights = lambda: None
    trainer.train()
    logged = [
        entry["sampling/sampling_logp_difference/mean"]
        for entry in trainer.state.log_history
        if "sampling/sampling_logp_difference/mean" in entry
    ]
    print("LOGGED " + json.dumps(logged))


if __name__ == "__main__":
    main(*sys.argv[1:])
