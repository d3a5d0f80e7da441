"""`doctor`: every area is looked at, and each lack says what it costs."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path

import command_line
import pytest

from factory import doctor

AREAS = {"python", "package", "extra", "gpu", "sandbox", "interpreter", "disk", "hub"}


Checks = tuple[doctor.Check, ...]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("disk")


@pytest.fixture(scope="module")
def checks(folder: Path) -> Checks:
    return doctor.examine(folder)


def by_name(checks: Checks, area: str) -> dict[str, doctor.Check]:
    return {check.name: check for check in checks if check.area == area}


def test_every_area_is_reported_and_every_lack_has_its_cost(checks: Checks, folder: Path) -> None:
    assert {check.area for check in checks} == AREAS
    assert max(Counter((check.area, check.name) for check in checks).values()) == 1
    for check in checks:
        assert check.found
        assert bool(check.cost) == (check.status != "ok"), check
    assert str(folder) in next(check.found for check in checks if check.area == "disk")


def test_base_packages_are_those_of_the_distribution(checks: Checks) -> None:
    packages = by_name(checks, "package")
    assert {"duckdb", "hypothesis", "libcst", "pyarrow", "typer"} <= set(packages)
    assert {check.status for check in packages.values()} == {"ok"}
    assert not {"pytest", "torch"} & set(packages)


def test_a_missing_extra_names_its_packages_and_the_command(checks: Checks) -> None:
    for name, check in by_name(checks, "extra").items():
        if check.status == "missing":
            assert check.mend == f"pip install 'tracefoundry[{name}]'"
            assert check.found.startswith("without ")


def test_sandbox_layers_are_those_of_the_probe(checks: Checks) -> None:
    from tracer.containment import probe_containment

    active = {layer.name: layer.active for layer in probe_containment().layers}
    found = by_name(checks, "sandbox")
    assert {name: check.status == "ok" for name, check in found.items()} == active


def test_the_token_is_never_shown(
    monkeypatch: pytest.MonkeyPatch, tracefoundry: command_line.Command
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_verysecret")
    done = tracefoundry("doctor", "--json")
    assert "verysecret" not in done.stdout + done.stderr
    found = {(c["area"], c["name"]): c for c in json.loads(done.stdout)["checks"]}
    assert found["hub", "token"]["status"] == "ok"


def test_text_has_a_line_for_every_check(
    checks: Checks, tracefoundry: command_line.Command
) -> None:
    done = tracefoundry("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    for check in checks:
        if check.area != "disk":
            assert f"{check.name}: {check.found}" in done.stdout


def test_torch_and_vllm_are_not_imported() -> None:
    code = (
        "import sys; from factory.doctor import examine; examine();"
        "print([name for name in ('torch', 'vllm', 'ray', 'datasets') if name in sys.modules])"
    )
    assert doctor._output([sys.executable, "-c", code], seconds=60) == "[]"


def test_an_interpreter_is_found_on_the_path_when_it_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    broken = tmp_path / f"python{version}"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    assert doctor.find_interpreter(version) is None
    broken.unlink()
    os.symlink(sys.executable, broken)
    assert doctor.find_interpreter(version) == broken


def test_windows_is_told_to_use_wsl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    checks = (*doctor._check_python(), *doctor._check_sandbox())
    assert any("WSL" in check.mend for check in checks)
    assert {check.status for check in checks if check.area == "sandbox"} == {"missing"}


def test_a_layer_that_is_switched_off_is_named(
    monkeypatch: pytest.MonkeyPatch, tracefoundry: command_line.Command, tmp_path: Path
) -> None:
    monkeypatch.setenv("TRACEFOUNDRY_SANDBOX_OFF", "network,ipc")
    done = tracefoundry("doctor", "--json")
    found = {(c["area"], c["name"]): c for c in json.loads(done.stdout)["checks"]}
    for name in ("network", "ipc"):
        check = found["sandbox", name]
        assert (check["status"], check["found"]) == ("missing", "switched off")
        assert check["mend"] == "unset TRACEFOUNDRY_SANDBOX_OFF"
    done = tracefoundry("build", "tiny", "--programs", "1", "--workers", "1", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    warning = "warning: TRACEFOUNDRY_SANDBOX_OFF leaves out ipc, network\n"
    assert done.stderr.count("warning") == done.stderr.count(warning) == 1
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    layers = manifest["environment"]["containment"]["layers"]
    off = {layer["name"]: layer["reason"] for layer in layers if not layer["active"]}
    assert {"network": "switched off", "ipc": "switched off"}.items() <= off.items()


def test_a_switch_that_is_no_layer_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tracefoundry: command_line.Command
) -> None:
    monkeypatch.setenv("TRACEFOUNDRY_SANDBOX_OFF", "seccom")
    done = tracefoundry("doctor")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "TRACEFOUNDRY_SANDBOX_OFF names seccom; layers are rlimits" in done.stderr
