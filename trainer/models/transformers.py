"""Completions by a causal language model of Hugging Face ``transformers``, on CPU or GPU.

One prompt at a time, its ``n`` replies as one batch: what is drawn depends on the prompt, the
numbers and the seed, never on what else was asked.

Source: own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainer.models.identities import Prompt, name_of, seed_of


class TransformersModel:
    """A loaded model with its tokenizer."""

    def __init__(self, name: str, model: Any, tokenizer: Any) -> None:
        """Wrap a model.

        Args:
            name: What it is, its version included.
            model: A causal language model that can ``generate``.
            tokenizer: Its tokenizer; chats go through its template where it has one.
        """
        self.name = name
        self._model = model
        self._tokenizer = tokenizer

    def complete(
        self,
        prompts: Sequence[Prompt],
        *,
        n: int,
        temperature: float,
        max_tokens: int,
        seed: int,
    ) -> list[list[str]]:
        """``n`` replies to each prompt, in their order.

        Args:
            prompts: Chats whose next message is wanted.
            n: Replies to each.
            temperature: Of sampling; 0 takes the likeliest token, so all replies are equal.
            max_tokens: Most tokens of a reply.
            seed: Decides what is drawn, together with the prompt.

        Raises:
            RuntimeError: The device failed, for want of memory for instance.
        """
        return [self._complete(prompt, n, temperature, max_tokens, seed) for prompt in prompts]

    def count_tokens(self, text: str) -> int:
        """Tokens of a text, no special ones added."""
        return len(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def _complete(
        self, prompt: Prompt, n: int, temperature: float, max_tokens: int, seed: int
    ) -> list[str]:
        import torch

        encoded = self._encode(prompt).to(self._model.device)
        length = encoded["input_ids"].shape[1]
        sampled = temperature > 0
        how: dict[str, Any] = {"do_sample": sampled}
        if sampled:
            how |= {"temperature": temperature, "top_k": 0, "top_p": 1.0}
        torch.manual_seed(seed_of(prompt, seed))
        with torch.inference_mode():
            made = self._model.generate(
                **encoded,
                **how,
                num_return_sequences=n if sampled else 1,
                max_new_tokens=max_tokens,
                pad_token_id=self._padding(),
            )
        replies = self._tokenizer.batch_decode(made[:, length:], skip_special_tokens=True)
        return [str(reply) for reply in (replies if sampled else replies * n)]

    def _encode(self, prompt: Prompt) -> Any:
        messages = [dict(message) for message in prompt]
        if self._tokenizer.chat_template is None:
            text = "\n\n".join(message["content"] for message in messages)
            return self._tokenizer(text, return_tensors="pt", return_token_type_ids=False)
        return self._tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, return_tensors="pt", return_dict=True
        )

    def _padding(self) -> int:
        padding = self._tokenizer.pad_token_id
        return int(self._tokenizer.eos_token_id if padding is None else padding)


def load(model: str, revision: str | None = None) -> TransformersModel:
    """Load a model and its tokenizer onto the GPU, if there is one.

    Args:
        model: A folder, or a Hub repository.
        revision: Commit, tag or branch of a repository.

    Raises:
        ModuleNotFoundError: torch or transformers is not installed.
        OSError: There is no such model, or it cannot be read.
        ValueError: It is no causal language model.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    device = "cuda" if torch.cuda.is_available() else "cpu"
    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    tokenizer = AutoTokenizer.from_pretrained(model, revision=revision)
    loaded = AutoModelForCausalLM.from_pretrained(model, revision=revision, dtype=dtype)
    loaded = loaded.to(device).eval()
    commit = getattr(loaded.config, "_commit_hash", None) or revision
    return TransformersModel(name_of(model, commit), loaded, tokenizer)
