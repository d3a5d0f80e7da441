"""Model backends: each module loads a model and completes prompts with it.

``load(model, revision)`` gives an object with a ``name`` and ``complete(prompts, n=…,
temperature=…, max_tokens=…, seed=…)``, as the factory's measured difficulty asks for; backends are
found by name, so nothing here is imported before it is used.
"""
