import pytest
from tests import signature


@pytest.mark.parametrize(
    "name",
    ["tic_tac_toe", "pig", "race", pytest.param("trictrac", marks=pytest.mark.compiled)],
)
def test_searches_are_what_they_were_or_the_commit_message_says_so(name: str) -> None:
    # A change that alters the signature says so in its commit message: "Signature: 1a2b3c4d".
    # It is written again by `python -m tests.signature`.
    lines = signature.FILE.read_text().splitlines()
    assert signature.parts(name) == [line for line in lines if line.split()[1:2] == [name]]


def test_the_signature_is_one_number() -> None:
    number, *lines = signature.FILE.read_text().splitlines()
    assert number == signature.whole(lines)
