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
    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    names = {}
    for cell in json.loads(PATH.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        exec("".join(cell["source"]), names)
        outputs = [output for output in cell["outputs"] if output["output_type"] == "stream"]
        printed = "".join("".join(output["text"]) for output in outputs)
        assert capsys.readouterr().out == printed
    assert PATH.stat().st_size < 250_000
