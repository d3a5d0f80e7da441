"""Completions by vLLM in this process: many prompts at once, on one GPU, several, or a CPU.

Each prompt has its own seed, so what is drawn does not hang on what else was asked, as far as the
kernels that vLLM uses give the same numbers in any batch.

Source: https://docs.vllm.ai/en/latest/api/vllm/entrypoints/llm.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainer.models.identities import Prompt, name_of, seed_of
from trainer.models.pacing import Usage


class VllmModel:
    """A loaded engine."""

    def __init__(self, name: str, engine: Any) -> None:
        """Wrap an engine.

        Args:
            name: What it is, its version included.
            engine: A ``vllm.LLM``.
        """
        self.name = name
        self._engine = engine
        self._tokenizer = engine.get_tokenizer()
        self._longest = engine.llm_engine.model_config.max_model_len
        self._usage = Usage()

    @property
    def usage(self) -> dict[str, float]:
        """Tokens so far."""
        return self._usage.as_dict()

    def complete(
        self,
        prompts: Sequence[Prompt],
        *,
        n: int,
        temperature: float,
        max_tokens: int,
        seed: int,
    ) -> list[list[str]]:
        """``n`` replies to each prompt, in their order; empty ones where a prompt is too long.

        Args:
            prompts: Chats whose next message is wanted.
            n: Replies to each.
            temperature: Of sampling; 0 takes the likeliest token, so all replies are equal.
            max_tokens: Most tokens of a reply.
            seed: Decides what is drawn, together with the prompt.

        Raises:
            RuntimeError: The engine failed.
        """
        from vllm import SamplingParams

        encoded = [self._encode(prompt) for prompt in prompts]
        fitting = [place for place, ids in enumerate(encoded) if len(ids) < self._longest]
        drawn = n if temperature > 0 else 1
        outputs = self._engine.generate(
            [{"prompt_token_ids": encoded[place]} for place in fitting],
            [
                SamplingParams(
                    n=drawn,
                    temperature=temperature,
                    max_tokens=max_tokens,
                    seed=seed_of(prompts[place], seed),
                )
                for place in fitting
            ],
            use_tqdm=False,
        )
        replies = [[""] * n for _ in prompts]
        for place, output in zip(fitting, outputs, strict=True):
            made = sorted(output.outputs, key=lambda each: each.index)
            self._usage.add(len(encoded[place]), sum(len(each.token_ids) for each in made))
            texts = [str(each.text) for each in made]
            replies[place] = texts if temperature > 0 else texts * n
        return replies

    def _encode(self, prompt: Prompt) -> list[int]:
        messages = [dict(message) for message in prompt]
        if self._tokenizer.chat_template is None:
            text = "\n\n".join(message["content"] for message in messages)
        else:
            text = self._tokenizer.apply_chat_template(
                messages, add_generation_prompt=True, tokenize=False
            )
        special = self._tokenizer.chat_template is None
        return list(self._tokenizer(text, add_special_tokens=special)["input_ids"])


def load(
    model: str,
    revision: str | None = None,
    *,
    tensor_parallel: int = 1,
    memory_share: float = 0.9,
    context: int | None = None,
    eager: bool = False,
) -> VllmModel:
    """Start an engine.

    Args:
        model: A folder, or a Hub repository.
        revision: Commit, tag or branch of a repository.
        tensor_parallel: GPUs that share each layer.
        memory_share: Share of a GPU's memory that the engine may take.
        context: Most tokens of prompt and reply together; ``None``: as many as the model can.
        eager: Whether to do without compiled graphs: starts faster, runs slower.

    Raises:
        ModuleNotFoundError: vLLM is not installed.
        OSError: There is no such model, or it cannot be read.
        ValueError: It is no model that vLLM can run.
    """
    from vllm import LLM
    from vllm.platforms import current_platform

    # On a CPU a prompt that is read in parts cannot have a seed of its own (vLLM 0.31).
    parts = False if current_platform.is_cpu() else None
    try:
        engine = LLM(
            model=model,
            revision=revision,
            tensor_parallel_size=tensor_parallel,
            gpu_memory_utilization=memory_share,
            max_model_len=context,
            enforce_eager=eager,
            enable_chunked_prefill=parts,
            seed=0,
        )
    except RuntimeError as error:
        raise ValueError(f"vLLM did not start: {error}") from error
    return VllmModel(name_of(model, revision), engine)
