"""The program's name: what people are told to type is ``pbem``, and what the index shows of it stands by
itself.
"""

import re
import tomllib
from itertools import chain

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from ruamel.yaml import YAML

from gm import PROGRAM
from gm.cli.app import COMMANDS
from tests.test_structure import ROOT

TOLD = re.compile(rf"(?<![\w./@-])(?<!from )gm (?:{'|'.join(COMMANDS)}|COMMAND|--help)\b")
PLACES = ("gm", "templates", "rules", "maps", "examples", "bench", "*.md")
READ = {".py", ".md", ".txt", ".yaml", ".html", ".js", ".css", ".toml"}


def test_a_command_is_told_by_the_programs_name() -> None:
    assert PROGRAM == "pbem"
    files = [path for place in PLACES for top in ROOT.glob(place) for path in (top, *top.rglob("*"))]
    texts = {path: path.read_text("utf-8") for path in files if path.suffix in READ}
    assert len(texts) > 500
    mentions = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path, text in texts.items()
        for match in TOLD.finditer(text)
    ]
    assert mentions == []


def test_all_commands_of_the_distribution_are_the_same() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"] == dict.fromkeys((PROGRAM, "gm", project["name"]), "gm.cli:run")


def test_make_starts_modules_that_there_are() -> None:
    started = set(re.findall(r"python -m ([\w.]+)", (ROOT / "Makefile").read_text("utf-8")))
    ours = {name: ROOT.joinpath(*name.split(".")) for name in started - {"pip", "pytest", "mkdocs"}}
    assert "gm" in ours
    assert [
        name for name, path in ours.items() if not (path.is_dir() or path.with_suffix(".py").is_file())
    ] == []


def test_every_library_has_a_version_in_the_locked_environment_that_fits() -> None:
    lines = (ROOT / ".ci" / "constraints.txt").read_text("utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if not line.startswith("#"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    requirements = [
        *map(Requirement, [*project["dependencies"], *chain(*project["optional-dependencies"].values())])
    ]
    names = {canonicalize_name(name): Version(version) for name, version in pinned.items()}
    assert len(requirements) > 25
    wrong = [
        str(requirement)
        for requirement in requirements
        if requirement.name != project["name"]
        and names[canonicalize_name(requirement.name)] not in requirement.specifier
    ]
    assert wrong == []


def test_the_workflow_calls_the_one_script_on_every_python_that_is_promised() -> None:
    jobs = YAML(typ="safe").load(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]
    steps = chain.from_iterable(job["steps"] for job in jobs.values())
    runs = [step["run"] for step in steps if "run" in step]
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    for words in (line.removeprefix("sudo --preserve-env=PATH ").split() for line in runs):
        assert words[0] == ".ci/run"
        assert all(f"\n{part}() {{" in script for part in words[1:])
    assert len(runs) == 3
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    promised = {classifier.rpartition(":: ")[2] for classifier in classifiers if " :: 3." in classifier}
    assert {*jobs["elsewhere"]["strategy"]["matrix"]["python"]} == promised
