"""A small model made from a configuration, with a tokenizer trained on the spot: no download.

For trials of a whole training on a CPU. Tokens are what a model of some 100,000 weights can learn
from: each digit and each name of one letter is one, and what stands beside it never joins it, or a
program that was not seen would be written in tokens that were not; words that follow one another,
and the margin of a numbered line, may become one. Chats are written in ChatML, so that a prompt is
the beginning of the whole conversation.

Source: own.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

PAD, BEGIN, END = "<|pad|>", "<|im_start|>", "<|im_end|>"
ROLES = ("system", "user", "assistant")
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)

PIECES = (
    r"\n?\d+ \| *"  # the margin of a numbered line
    r"|\d"
    r"|[A-Za-z]{2,}(?:,? [A-Za-z]{2,})* ?"  # words
    r"|[^\W\d]"  # a name of one letter
    r"|\s*[^\w\s]+ ?"  # signs
    r"|\s+"
)
"""What may become one token, as a regular expression."""


def make_model(
    folder: Path,
    texts: Iterable[str],
    *,
    seed: int,
    vocabulary: int = 600,
    hidden: int = 64,
    layers: int = 2,
    heads: int | None = None,
    positions: int = 1_024,
) -> None:
    """Make an untrained model and its tokenizer, and save both; equal arguments, equal bytes.

    Args:
        folder: Where to.
        texts: What the tokenizer is trained on: prompts and replies.
        seed: Of the weights.
        vocabulary: Tokens, at most.
        hidden: Width of the model.
        layers: Of the model.
        heads: Of a layer, each 32 wide; as many as fit into ``hidden`` unless given.
        positions: Tokens that it can read.
    """
    import torch
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[PAD, BEGIN, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator((each for text in texts for each in (text, *ROLES)), trainer)
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token=PAD, eos_token=END, chat_template=TEMPLATE
    )
    wrapped.save_pretrained(str(folder))
    heads = heads or max(1, hidden // 32)
    config = Qwen3Config(
        vocab_size=len(wrapped),
        hidden_size=hidden,
        intermediate_size=2 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        head_dim=32,
        max_position_embeddings=positions,
        tie_word_embeddings=True,
        pad_token_id=wrapped.pad_token_id,
        eos_token_id=wrapped.eos_token_id,
        bos_token_id=None,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        Qwen3ForCausalLM(config).save_pretrained(str(folder))
