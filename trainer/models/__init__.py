"""Model backends: each module loads a model and completes prompts with it.

``load(model, revision, **settings)`` gives an object with a ``name`` and ``complete(prompts, n=…,
temperature=…, max_tokens=…, seed=…)``; ``transformers`` and ``vllm`` run a model in this process,
``openai`` asks a server, ``tiny`` trains a model on the spot. Backends are found by name, so
nothing here is imported before it is used.
"""
