"""Players of one's own: how they are found, what is wrong with them, what is compiled and kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from schmier_sim import find_policy, play_batch
from schmier_sim._jit import JIT_ENABLED
from schmier_sim.errors import InputError, PolicyFault
from schmier_sim.policies import catalogue, kernel, plugins, policy, registry, sources
from schmier_sim.policies.base import Policy

HEAD = "from schmier_sim.policies import kernel, policy\n\n\n"
CLASS = HEAD + "@policy(uses_bid=False)\nclass Mine:\n"
PLAY = CLASS + "    def play(view):\n        "


def written(folder: Path, text: str, name: str = "mine.py") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# --- Names ----------------------------------------------------------------------------------------

TWO = (
    CLASS + '    """The first."""\n    least = 4\n    share = 0.5\n\n'
    "    def call(view, least):\n        return least if view.legal >> least & 1 else 0\n\n\n"
    "@policy(uses_bid=True)\nclass Other:\n    def play(view):\n        return view.legal\n\n\n"
    "number = 3\n"
)


def test_a_file_a_name_and_parameters(tmp_path: Path) -> None:
    written(tmp_path, TWO)
    mine = find_policy("mine.py:Mine")
    assert (mine.name, mine.summary, mine.uses_bid) == ("mine.py:Mine", "The first.", False)
    assert mine.parameters == {"least": 4, "share": 0.5}
    set_ = find_policy("mine.py:Mine:share=0.25,least=5")
    assert set_.parameters == {"least": 5, "share": 0.25}
    assert set_.name == "mine.py:Mine:least=5,share=0.25"
    assert find_policy(set_.name) == set_
    assert find_policy("mine.py:Other").uses_bid
    assert find_policy(f"{tmp_path}/mine.py:Mine").identity == mine.identity
    assert mine.identity.startswith("mine.py:Mine@")
    assert [each.name for each in plugins.all_in_file(Path("mine.py"))] == [
        "mine.py:Mine", "mine.py:Other",
    ]  # fmt: skip


def test_functions_left_out_are_the_default_players(tmp_path: Path) -> None:
    written(tmp_path, TWO)
    mine, default = find_policy("mine.py:Mine"), registry.default()
    assert mine.functions[1:] == default.functions[1:]
    assert mine.functions[0] != default.functions[0]
    assert default.name == catalogue.DEFAULT


def test_an_edit_of_the_file_is_seen_in_the_same_process(tmp_path: Path) -> None:
    written(tmp_path, TWO)
    before = find_policy("mine.py:Mine")
    written(tmp_path, TWO.replace("least = 4", "least = 6"))
    after = find_policy("mine.py:Mine")
    assert after.parameters["least"] == 6
    assert after.source != before.source


# --- What is refused ------------------------------------------------------------------------------

REFUSED = {
    "no such name": (TWO, "mine.py:None_", "mine.py has no policy 'None_'; policies there: Mine"),
    "no policy": (TWO, "mine.py:number", "mine.py: number is no policy"),
    "which of two": (TWO, "mine.py", "write mine.py:Name; policies there: Mine, Other"),
    "no such parameter": (TWO, "mine.py:Mine:x=1", "has no parameter 'x'; it has: least=4, share"),
    "no number": (TWO, "mine.py:Mine:least=4.5", "Mine:least=4.5: not a whole number"),
    "no pair": (TWO, "mine.py:Mine:least", "write Name:key=value"),
    "twice": (TWO, "mine.py:Mine:least=4,least=5", "least is there twice"),
    "syntax": (HEAD + "x = (\n", "mine.py:Mine", "mine.py:4: SyntaxError: "),
    "NUL": ("x = '\0'", "mine.py:Mine", "mine.py"),
    "raises": (HEAD + "x = 1\ny = nothing\n", "mine.py:Mine", "mine.py:5: NameError: name 'noth"),
    "raises below": (
        HEAD + "def f():\n    return [][1]\n\n\nx = f()\n", "mine.py:Mine",
        "mine.py:5: IndexError: list index",
    ),
    "leaves": ("import sys\nsys.exit(3)\n", "mine.py:Mine", "mine.py:2: SystemExit: 3"),
    "missing module": ("import nosuch\n", "mine.py:Mine", "mine.py:1: ModuleNotFoundError: "),
    "misspelled": (
        CLASS + "    def calls(view):\n        return 0\n", "mine.py:Mine",
        "mine.py:6: 'calls' is no function of a policy; 'call' is meant?",
    ),
    "bare": (HEAD + "@policy\nclass Mine:\n    pass\n", "mine.py:Mine", "@policy(uses_bid=False)"),
    "nothing said": (
        HEAD + "@policy()\nclass Mine:\n    pass\n", "mine.py:Mine", "@policy(uses_bid=False)",
    ),
    "other function": (
        CLASS + "    def best_of(view):\n        return 0\n", "mine.py:Mine", "under @kernel",
    ),
    "self": (
        CLASS + "    def call(self, view):\n        return 0\n", "mine.py:Mine",
        "mine.py:6: call takes a view and no self",
    ),
    "no view": (
        CLASS + "    def call():\n        return 0\n", "mine.py:Mine", "call takes a view",
    ),
    "unknown argument": (
        CLASS + "    edge = 1\n\n    def call(view, egde):\n        return 0\n", "mine.py:Mine",
        "mine.py:8: call takes 'egde', which is no number of the class; it has: edge",
    ),
    "no function": (CLASS + "    call = 3\n", "mine.py:Mine", "mine.py:4: Mine.call is"),
    "none": (CLASS + "    x = 3\n", "mine.py:Mine", "mine.py:4: Mine has none of call, trump"),
    "a function": (
        HEAD + "@policy(uses_bid=False)\ndef play(view):\n    return 0\n", "mine.py:Mine",
        "mine.py:4: @policy stands above a class",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str, tmp_path: Path) -> None:
    text, name, says = REFUSED[case]
    written(tmp_path, text)
    with pytest.raises(InputError) as refused:
        find_policy(name)
    assert says in str(refused.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "latin.py").write_bytes(b"x = 1\ny = '\xe4'\n")
    for name, says in (
        ("folder.py:Mine", "folder.py: Is a directory"),
        ("nosuch.py:Mine", "nosuch.py: No such file"),
        ("latin.py:Mine", "latin.py:2: not UTF-8"),
    ):
        with pytest.raises(InputError, match=says):
            find_policy(name)


def test_helpers_of_the_same_name_beside_two_players_are_not_taken_for_each_other(
    tmp_path: Path,
) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        written(tmp_path / name, f"VALUE = '{name}'\n", "same_helper.py")
        written(tmp_path / name, "import same_helper\n" + PLAY + "return 0\n")
    find_policy("a/mine.py:Mine")
    with pytest.raises(InputError, match=r"same_helper\.py stands beside it and beside a/mine\.py"):
        find_policy("b/mine.py:Mine")


def test_an_environment_in_a_folder_beside_is_no_part_of_a_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is imported from beside is: a module, a package. What is installed below is not."""
    environment = tmp_path / ".venv" / "lib"
    package = tmp_path / "helping"
    for folder in (environment, package):
        folder.mkdir(parents=True)
    written(environment, "import numpy as np\nMASKED = np.ma.masked\n", "schmier_test_below.py")
    written(tmp_path, "VALUE = 1\n", "schmier_test_beside.py")
    written(package, "VALUE = 1\n", "__init__.py")
    monkeypatch.syspath_prepend(str(environment))
    monkeypatch.syspath_prepend(str(tmp_path))
    text = "import helping\nimport schmier_test_below\nimport schmier_test_beside\n"
    mine = written(tmp_path, text)
    module = ModuleType("mine")
    exec(text, vars(module))
    source = sources.source_of(mine, mine.read_bytes(), module)
    beside = {package / "__init__.py", tmp_path / "schmier_test_beside.py"}
    assert set(source.files) == {mine, *beside}


# --- Installed plug-ins ---------------------------------------------------------------------------


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three entry points: one that works, one that breaks, one with a built-in name."""
    written(tmp_path, TWO, "schmier_test_installed.py")
    written(tmp_path, "x = 1 / 0\n", "schmier_test_broken.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    entries = [
        EntryPoint(name, value, catalogue.GROUP)
        for name, value in (
            ("careful", "schmier_test_installed:Mine"),
            ("broken", "schmier_test_broken:Mine"),
            ("odd", "schmier_test_installed:number"),
            ("plain", "schmier_test_broken:Mine"),
        )
    ]
    monkeypatch.setattr(catalogue, "installed", lambda: {each.name: each for each in entries})


@pytest.mark.usefixtures("installed")
def test_installed_players() -> None:
    assert catalogue.all_names() == [*registry.names(), "broken", "careful", "odd"]
    assert "schmier_test_installed" not in sys.modules
    careful = find_policy("careful:least=5")
    assert careful.name == "careful:least=5"
    assert careful.identity == f"careful:least=5@{careful.source}"
    assert len(careful.source) == 12
    assert find_policy("plain").source == ""
    with pytest.raises(InputError, match=r"schmier_test_broken\.py:1: ZeroDivisionError"):
        find_policy("broken")
    with pytest.raises(InputError, match="is no policy but a int"):
        find_policy("odd")
    sys.modules.pop("schmier_test_installed")


def test_two_classes_of_one_name_are_not_taken_for_one(tmp_path: Path) -> None:
    written(tmp_path, PLAY + "return 0\n\n\n" + PLAY.removeprefix(HEAD) + "return 1\n")
    with pytest.raises(InputError, match=r"mine\.py:11: class Mine is there already, in line 5"):
        find_policy("mine.py:Mine")


@pytest.mark.parametrize("number", ["float('inf')", "float('nan')", "2**53"])
def test_a_parameter_is_a_number_that_can_be_written(number: str, tmp_path: Path) -> None:
    written(tmp_path, CLASS + f"    edge = {number}\n\n    def call(view):\n        return 0\n")
    with pytest.raises(InputError, match=r"edge = .* is no parameter"):
        find_policy("mine.py:Mine")


def test_a_switch_is_read_as_a_number(tmp_path: Path) -> None:
    written(tmp_path, CLASS + "    bold = True\n\n    def call(view, bold):\n        return 0\n")
    assert find_policy("mine.py:Mine:bold=0").parameters == {"bold": 0}


# --- Compiling ------------------------------------------------------------------------------------

# What stands in `play`, and what is said of it; the first line of the body is line 7.
UNCOMPILED = {
    "field": ("return view.foo", "mine.py:7: a view has no field 'foo'; it has: seat"),
    "name": ("x = 1\n        return nothing + x", "mine.py:8: NameError: name 'nothing' is"),
    "helper": ("return helper(view)", "mine.py:7: helper is a function of Python; write @kernel"),
    "float": ("return 0.5 * view.seat", "mine.py:6: play returns a float"),
    "nothing": ("if view.seat:\n            return 1", "mine.py:6: play returns nothing on some"),
    "write": ("view.scores[0] = 1\n        return 1", "mine.py:7: a view is read only"),
    "set": ("view.seat = 1\n        return 1", "a view is read only"),
    "dict": ("return D[1]", "mine.py:7: compiled code cannot use D, a dict"),
    "with": ("with open('x') as f:\n            return 1", "construct is not supported"),
    "text": ("return 'a'", "mine.py:6: play returns a text"),
    "call": ("return math.gcd(view.seat)", "mine.py:7: compiled code has no gcd(int64)"),
    "itself": ("return again(view.seat)", "mine.py:16: again calls itself"),
    "each other": ("return ping(view.seat)", "mine.py:18: ping calls itself"),
    "in helper": ("return undefined_in(view)", "mine.py:13: NameError: name 'nosuch' is not"),
}
BELOW = (
    "\n\n\nimport math\n@kernel\ndef undefined_in(view): return nosuch\n"
    "def helper(view): return 3\nD = {}\n@kernel\ndef again(n): return again(n)\n"
    "@kernel\ndef ping(n): return pong(n)\n@kernel\ndef pong(n): return ping(n)\n"
)
ASK_ALL = """
import json, sys
from schmier_sim.errors import InputError
from schmier_sim.policies.base import answers_of
from schmier_sim.policies.registry import find
said = {}
for case in json.load(sys.stdin):
    try:
        answers_of((find(f"{case}/mine.py:Mine"),) * 6)
    except InputError as error:
        said[case] = str(error)
print(json.dumps(said))
"""


def compiled_process(code: str, text: str, folder: Path) -> str:
    """Run a program with the JIT, whatever these tests run with; nothing goes to stderr."""
    done = subprocess.run(
        [sys.executable, "-c", code], input=text, text=True, capture_output=True, check=False,
        cwd=folder, env={**os.environ, "NUMBA_DISABLE_JIT": "0"},
    )  # fmt: skip
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


def test_what_the_compiler_refuses_is_one_line_of_the_users_own(tmp_path: Path) -> None:
    for case, (body, _) in UNCOMPILED.items():
        (tmp_path / case).mkdir()
        filler = "" if "\n" in body else "\n"
        written(tmp_path / case, PLAY + body + filler + BELOW)
    said = json.loads(compiled_process(ASK_ALL, json.dumps(list(UNCOMPILED)), tmp_path))
    for case, (_, says) in UNCOMPILED.items():
        assert says in said[case]
        assert said[case].startswith(f"{case}/mine.py:")
        assert "\n" not in said[case]
        assert "numba" not in said[case].lower()


ASK_ONE = """
import ctypes, json
from schmier_sim.engine.state import new_views
from schmier_sim.policies.base import answers_of
from schmier_sim.policies.registry import find
player = find("mine.py:Mine")
address = int(answers_of((player,) * 6)[3])
answer = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(address)(new_views(1).ctypes.data)
stats = player.play.stats
print(json.dumps([answer, sum(stats.cache_hits.values()), sum(stats.cache_misses.values())]))
"""


def test_compiled_once_and_an_edit_of_any_part_shows_at_once(tmp_path: Path) -> None:
    """The player, a module beside it, and a table of numbers that comes from a data file."""
    np.save(tmp_path / "table.npy", np.array([100]))
    written(tmp_path, "STEP = 10\n\ndef f(x):\n    return x + STEP\n", "beside.py")
    text = (
        "import numpy as np\nimport beside\nadd = kernel(beside.f)\nTABLE = np.load('table.npy')\n"
    )
    written(tmp_path, HEAD + text + PLAY + "return add(1 + TABLE[0])\n")

    def answered() -> list[int]:
        answer: list[int] = json.loads(compiled_process(ASK_ONE, "", tmp_path))
        return answer

    assert answered() == [111, 0, 1]
    assert answered() == [111, 1, 0]
    written(tmp_path, "STEP = 20\n\ndef f(x):\n    return x + STEP\n", "beside.py")
    assert answered() == [121, 0, 1]
    np.save(tmp_path / "table.npy", np.array([200]))
    assert answered() == [221, 0, 1]
    written(tmp_path, HEAD + text + PLAY + "return add(2 + TABLE[0])\n")
    assert answered() == [222, 0, 1]
    assert answered() == [222, 1, 0]


# --- At the table ---------------------------------------------------------------------------------


def _past_the_end(view):  # type: ignore[no-untyped-def]
    return view.history[view.n_played + 36]


def _divides(view):  # type: ignore[no-untyped-def]
    return 1 // (view.n_played - view.n_played)


def _boolean(view):  # type: ignore[no-untyped-def]
    return view.hand == 0


def made(**functions: object) -> Policy:
    return policy(uses_bid=False)(type("Mine", (), functions))


def played(player: Policy) -> object:
    pack = np.arange(53)
    hands = (np.int64(1) << pack[:36].reshape(6, 6)).sum(axis=1)[None]
    return play_batch(hands, pack[None, 36:], 5, policies=(player,) * 6, bidders=0, bids=3)


@pytest.mark.parametrize("function", [_past_the_end, _divides])
def test_an_exception_is_told_and_not_swallowed(function: object) -> None:
    with pytest.raises(PolicyFault, match="policy 'Mine' in seat 0 raised an exception in trump"):
        played(made(trump=function))


def test_a_truth_value_is_a_whole_number_too() -> None:
    assert played(made(trump=_boolean)).trumps.tolist() == [0]  # type: ignore[attr-defined]


def test_a_kernel_is_a_kernel_once() -> None:
    @kernel
    def twice(x: int) -> int:
        return 2 * x

    assert kernel(twice) is twice
    assert twice(3) == 6
    assert hasattr(twice, "py_func") == JIT_ENABLED
