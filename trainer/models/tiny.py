"""A transformer of 0.1 million weights, trained on the spot to write answers as they look.

No download, seconds on a CPU: it takes the way of a real model through the measured difficulty. It
reads the last words of a prompt only, so it guesses; what it gets right in many of its answers can
be guessed without reading the program.

Source: own.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from trainer.models.identities import Prompt
from trainer.models.transformers import TransformersModel

NAMES = ("guesser",)
"""Models that there are."""
WINDOW = 48
"""Tokens of a prompt that the model reads: the last ones."""
STEPS = 150
BATCH = 16
LEARNING_RATE = 4e-3
_SEED = 20_260_311
_VOCABULARY = 512
_HIDDEN = 64
_POSITIONS = 2_048
_PAD, _END, _USER, _REPLY = "<pad>", "<end>", "<user>", "<reply>"
_TEMPLATE = (
    "<user>{% for message in messages %}{{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}<reply>{% endif %}"
)
_WORDS = "Reason first. Then write the answer alone between tags: None 'a', [1] {2: 3} 40".split()


class TinyModel(TransformersModel):
    """Reads the end of a prompt, in one thread: it is too small for more."""

    def complete(
        self,
        prompts: Sequence[Prompt],
        *,
        n: int,
        temperature: float,
        max_tokens: int,
        seed: int,
    ) -> list[list[str]]:
        """As :meth:`TransformersModel.complete`."""
        with _one_thread():
            return super().complete(
                prompts, n=n, temperature=temperature, max_tokens=max_tokens, seed=seed
            )

    def _encode(self, prompt: Prompt) -> Any:
        encoded = super()._encode(prompt)
        return encoded.__class__({name: part[:, -WINDOW:] for name, part in encoded.items()})


@contextmanager
def _one_thread() -> Iterator[None]:
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def load(model: str, revision: str | None = None) -> TinyModel:
    """Train the model; the same weights on the same machine and torch.

    Args:
        model: One of :data:`NAMES`.
        revision: There are none.

    Raises:
        ModuleNotFoundError: torch or transformers is not installed.
        ValueError: There is no such model or revision.
    """
    if model not in NAMES or revision is not None:
        raise ValueError(f"the backend 'tiny' has no {model!r}; there is: {', '.join(NAMES)}")
    rng = random.Random(_SEED)
    lessons = [_lesson(rng) for _ in range(STEPS * BATCH)]
    tokenizer = _make_tokenizer([prompt + reply for prompt, reply in lessons])
    with _one_thread():
        trained = _train(lessons, tokenizer)
    digest = hashlib.sha256()
    for weights in trained.state_dict().values():
        digest.update(weights.numpy().tobytes())
    return TinyModel(f"tiny/{model}@{digest.hexdigest()[:12]}", trained, tokenizer)


def _lesson(rng: random.Random) -> tuple[str, str]:
    """The last words of a prompt, and a reply with a value as short functions return them."""
    values: tuple[Any, ...] = (
        rng.randrange(-5, 40),
        rng.randrange(10),
        rng.random() < 0.5,
        rng.choice(("", "a", "b", "ab", "abc", "x")),
        sorted(rng.choices(range(10), k=rng.randrange(4))),
        (rng.randrange(5), rng.choice(("a", "bc"))),
        None,
    )
    words = " ".join(rng.choices(_WORDS, k=rng.randrange(WINDOW)))
    reply = f"<answer>\n{rng.choice(values)!r}\n</answer>"
    return f"{words}\n\n<answer>\n...\n</answer>\n", reply


def _make_tokenizer(texts: list[str]) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=_VOCABULARY,
        special_tokens=[_PAD, _END, _USER, _REPLY],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token=_PAD, eos_token=_END, chat_template=_TEMPLATE
    )


def _train(lessons: list[tuple[str, str]], tokenizer: Any) -> Any:
    """A model that has seen every lesson once; only replies are learned."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(_SEED)
        model = LlamaForCausalLM(
            LlamaConfig(
                vocab_size=len(tokenizer),
                hidden_size=_HIDDEN,
                intermediate_size=2 * _HIDDEN,
                num_hidden_layers=2,
                num_attention_heads=2,
                num_key_value_heads=2,
                max_position_embeddings=_POSITIONS,
                tie_word_embeddings=True,
                pad_token_id=tokenizer.pad_token_id,
                eos_token_id=tokenizer.eos_token_id,
                bos_token_id=None,
            )
        )
        optimiser = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
        for step in range(STEPS):
            batch = lessons[step * BATCH : (step + 1) * BATCH]
            inputs, labels = _encode(batch, tokenizer)
            loss = model(
                input_ids=inputs, attention_mask=inputs != tokenizer.pad_token_id, labels=labels
            ).loss
            loss.backward()
            optimiser.step()
            optimiser.zero_grad()
    return model.eval()


def _encode(batch: list[tuple[str, str]], tokenizer: Any) -> tuple[Any, Any]:
    import torch

    rows, marks = [], []
    for prompt, reply in batch:
        asked = tokenizer.apply_chat_template(
            [{"role": "user", "content": prompt}], add_generation_prompt=True, tokenize=False
        )
        before = tokenizer(asked)["input_ids"]
        after = [*tokenizer(reply)["input_ids"], tokenizer.eos_token_id]
        rows.append([*before, *after])
        marks.append([*([-100] * len(before)), *after])
    longest = max(map(len, rows))
    inputs = [[*row, *([tokenizer.pad_token_id] * (longest - len(row)))] for row in rows]
    labels = [[*mark, *([-100] * (longest - len(mark)))] for mark in marks]
    return torch.tensor(inputs), torch.tensor(labels)
