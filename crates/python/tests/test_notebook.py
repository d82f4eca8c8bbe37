"""The notebook: its cells run, and what it shows is what they give."""

import json
import sys
import types
from pathlib import Path

PATH = Path(__file__).parents[1] / "examples" / "morpion.ipynb"


def test_the_cells_of_the_notebook_run(monkeypatch, capsys):
    import matplotlib

    matplotlib.use("Agg")
    # Without Jupyter: nothing is shown.
    shown = types.SimpleNamespace(update=lambda figure: None)
    display = types.SimpleNamespace(display=lambda *args, **options: shown)
    ipython = types.SimpleNamespace(get_ipython=lambda: None, version_info=(9,))
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)

    def exact(text):
        # What depends on sums of floats may differ from machine to machine.
        return [line for line in text.splitlines() if "+-" not in line]

    names = {}
    for cell in json.loads(PATH.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        exec("".join(cell["source"]), names)
        outputs = [output for output in cell["outputs"] if output["output_type"] == "stream"]
        printed = "".join("".join(output["text"]) for output in outputs)
        assert exact(capsys.readouterr().out) == exact(printed)
    assert PATH.stat().st_size < 250_000
