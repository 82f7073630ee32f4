"""Hosting: the demo plays its week over real servers.

What the Dockerfiles and the compose file name is there.
"""

import json
import re
import tomllib
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from examples.hosting import demo
from examples.hosting.mail import login_data
from gm.campaign.open import Campaign
from gm.cli.session import open_campaign
from tests.mail.servers import missing_servers, running_servers

ROOT = Path(__file__).resolve().parents[2]
HOSTING = ROOT / "examples" / "hosting"


def instructions(path: Path) -> list[tuple[str, str]]:
    """(INSTRUCTION, the rest) of a Dockerfile, continued lines put together."""
    lines = path.read_text("utf-8").replace("\\\n", " ").splitlines()
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines) if word.isupper()]


def test_the_image_installs_the_distribution_and_runs_its_command_as_nobody_special() -> None:
    """The image runs `pbem` without root's rights, and all that it copies and installs exists."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    steps = instructions(ROOT / "Dockerfile")
    said = dict(steps)
    assert json.loads(said["ENTRYPOINT"]) == ["pbem"]
    assert said["USER"] not in ("root", "0")
    assert f"useradd --create-home --uid 1000 {said['USER']}" in " ".join(rest for _, rest in steps)
    for extras in re.findall(r"(?:source|pbem-gm)\[([\w,]+)\]", (ROOT / "Dockerfile").read_text("utf-8")):
        assert set(extras.split(",")) <= project["optional-dependencies"].keys()
    copied = [
        rest.split()[0]
        for path in (ROOT / "Dockerfile", HOSTING / "mail.Dockerfile")
        for word, rest in instructions(path)
        if word == "COPY"
    ]
    assert len(copied) == 4
    assert all((ROOT / name).exists() for name in copied)
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    built_from = [
        "README.md",
        *project["license-files"],
        "gm",
        "rules",
        "maps",
        "templates",
        "examples",
        "tests",
    ]
    assert not set(ignored) & set(built_from)


def test_the_compose_file_names_what_is_there() -> None:
    services = YAML(typ="safe").load(HOSTING / "compose.yaml")["services"]
    for service in services.values():
        context = (HOSTING / service["build"]["context"]).resolve()
        assert context == ROOT
        assert (context / service["build"]["dockerfile"]).is_file()
    assert (HOSTING / "demo.py").is_file()
    assert services["demo"]["command"][0] in dict(instructions(HOSTING / "mail.Dockerfile"))["CMD"]


@pytest.mark.slow
@pytest.mark.servers
def test_the_demo_plays_a_week_by_itself(tmp_path: Path) -> None:
    if reason := missing_servers():
        pytest.skip(reason)
    with running_servers() as servers:
        demo.play(json.loads(json.dumps(login_data(servers))), tmp_path / "demo")
    campaign: Campaign = open_campaign(tmp_path / "demo")
    assert campaign.newest_turn == demo.DAYS
    for turn in range(1, demo.DAYS + 1):
        orders = {path.stem for path in (campaign.folder.turn_path(turn) / "orders").glob("*.yaml")}
        assert orders == set(demo.REALMS)
