"""Programs that a language model writes for the cells of the grid.

The paper's own way (ExecVerify, arXiv 2603.11226, section 3), with proof: a brief is drawn for a
cell (:mod:`factory.writing.briefs`), told to the model (:mod:`factory.writer_prompts`), its reply
read (:mod:`factory.writing.replies`), and the program held to the same checks as one of a template.
What they find goes back to the model a bounded number of times.
"""
