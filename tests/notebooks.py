"""Run the notebooks in examples/, so that they work and their stored output is what they print.

Rewrite the output after a change that was meant: python -m tests.notebooks
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from tests.streams import joined_streams

FOLDER = Path(__file__).parents[1] / "examples"


def run(path: Path, out_path: Path) -> None:
    """Run a notebook from top to bottom and write it with its output; an error in it is raised."""
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    client = NotebookClient(notebook, timeout=None, kernel_name="python3", record_timing=False)
    client.execute(cwd=str(path.parent))
    for cell in notebook.cells:
        if "outputs" in cell:
            cell.outputs = [nbformat.from_dict(one) for one in joined_streams(cell.outputs)]  # type: ignore[no-untyped-call]
    notebook.metadata.get("language_info", {}).pop("version", None)  # it differs between machines
    nbformat.write(notebook, out_path)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    out_folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for source in sorted(FOLDER.glob("*.ipynb")):
        run(source, out_folder / source.name)
