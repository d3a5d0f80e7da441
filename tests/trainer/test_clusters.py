"""The accelerate configs that ship, and the scripts of docs/clusters.md."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from trainer.clusters import WAYS, config_file
from trainer.errors import TrainingError

DOCS = Path(__file__).parents[2] / "docs" / "clusters.md"
KINDS = {"single": "NO", "ddp": "MULTI_GPU", "fsdp2": "FSDP", "zero3": "DEEPSPEED"}


@pytest.mark.parametrize("way", WAYS)
def test_each_way_has_a_file(way: str) -> None:
    found = yaml.safe_load(config_file(way).read_text())
    assert found["distributed_type"] == KINDS[way]
    assert found["num_processes"] == (1 if way == "single" else 8)
    assert f"`{way}`" in DOCS.read_text()


def test_the_command_prints_where_a_file_is() -> None:
    command = [sys.executable, "-m", "trainer.clusters"]
    done = subprocess.run([*command, "zero3"], capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()) == config_file("zero3")
    done = subprocess.run([*command, "zero9"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "there are: single, ddp, fsdp2, zero3" in done.stderr
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    with pytest.raises(TrainingError, match="no accelerate config"):
        config_file("other")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("processes", [None, 4])
@pytest.mark.filterwarnings("default")
def test_accelerate_reads_each_file(
    way: str, processes: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its own parser, down to the environment that its processes get."""
    pytest.importorskip("accelerate", reason="needs tracefoundry[train]")
    from accelerate.commands.config.config_args import load_config_from_file
    from accelerate.commands.launch import _validate_launch_command, launch_command_parser
    from accelerate.utils.launch import prepare_deepspeed_cmd_env, prepare_multi_gpu_env

    if way == "single" and processes is not None:
        pytest.skip("one GPU is one process")
    found = load_config_from_file(str(config_file(way)))
    assert found.distributed_type.value == KINDS[way]
    arguments = ["--config_file", str(config_file(way))]
    if processes is not None:
        arguments += ["--num_processes", str(processes)]
    parsed = launch_command_parser().parse_args([*arguments, "-m", "factory", "train", "stage1"])
    parsed, _, _ = _validate_launch_command(parsed)
    assert parsed.num_processes == (processes or (1 if way == "single" else 8))
    assert (parsed.multi_gpu, parsed.use_fsdp, parsed.use_deepspeed) == (
        way == "ddp",
        way == "fsdp2",
        way == "zero3",
    )
    assert parsed.mixed_precision == "no"
    if way == "zero3":
        parsed.deepspeed_fields_from_accelerate_config = ",".join(found.deepspeed_config)
        _, environment = prepare_deepspeed_cmd_env(parsed)
        assert environment["ACCELERATE_DEEPSPEED_ZERO_STAGE"] == "3"
        assert environment["ACCELERATE_DEEPSPEED_ZERO3_INIT"] == "true"
        assert environment["ACCELERATE_DEEPSPEED_ZERO3_SAVE_16BIT_MODEL"] == "true"
    elif way == "fsdp2":
        environment = prepare_multi_gpu_env(parsed)
        assert environment["ACCELERATE_USE_FSDP"] == "true"
        assert environment["FSDP_VERSION"] == "2"
        assert environment["FSDP_STATE_DICT_TYPE"] == "FULL_STATE_DICT"
        assert environment["FSDP_AUTO_WRAP_POLICY"] == "TRANSFORMER_BASED_WRAP"


def test_the_scripts_of_the_docs_are_shell() -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    scripts = re.findall(r"```bash\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert len(scripts) == 2
    for script in scripts:
        done = subprocess.run(
            [bash, "-n"], input=script, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_the_commands_of_the_docs_name_files_that_ship() -> None:
    named = set(re.findall(r"trainer\.clusters (\w+)", DOCS.read_text())) - {"NAME"}
    assert named <= set(WAYS)
    assert named
