import pytest
from tests import golden


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return golden.files()


@pytest.mark.compiled
@pytest.mark.parametrize(
    "name", [*(f"trictrac_game_{seed}.txt" for seed in golden.SEEDS), "trictrac_perft.txt"]
)
def test_a_golden_file_is_unchanged(texts: dict[str, str], name: str) -> None:
    # Meant to change? Run: python -m tests.golden, and read the difference.
    assert texts[name] == (golden.FOLDER / name).read_text()
