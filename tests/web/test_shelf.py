import pytest

from spiel_bot.errors import PlayerError, UnknownGameError
from spiel_bot.web import kept
from spiel_bot.web.allowed import expect_allowed_player
from spiel_bot.web.kept import Kept
from spiel_bot.web.settings import Bounds, ServeSettings, is_local
from spiel_bot.web.shelf import Shelf


def test_players_and_games_are_made_once() -> None:
    shelf = Shelf(ServeSettings())
    game = shelf.game("pig")
    assert shelf.game("pig") is game
    assert shelf.player("random", game) is shelf.player("random", game)
    assert shelf.judge("rollout", game) is shelf.judge("rollout", game)
    with pytest.raises(UnknownGameError, match="no game 'chess'"):
        shelf.game("chess")


def test_a_thing_is_looked_at_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    kept_things: Kept[list[int]] = Kept(2)
    made: list[int] = []

    def make() -> list[int]:
        made.append(len(made))
        return [len(made) // 2]

    def ask() -> list[int]:
        return kept_things.get(("a", ""), make, lambda old, new: old == new)

    first = ask()
    assert ask() is first
    assert made == [0]
    monkeypatch.setattr(kept, "FRESH_SECONDS", -1.0)
    second = ask()
    assert second == [1]
    assert ask() is second
    assert made == [0, 1, 2]


def test_only_the_newest_things_are_kept() -> None:
    kept_things: Kept[str] = Kept(2)
    made: list[str] = []

    def ask(key: str) -> str:
        return kept_things.get((key, ""), lambda: made.append(key) or key, str.__eq__)  # type: ignore[func-returns-value]

    for key in "abaca":
        ask(key)
    assert made == ["a", "b", "c"]
    ask("b")
    assert made[-1] == "b"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x" * 300, "at most 200 letters"),
        ("lookahead:run,plies=3", "plies: expected a number up to 2 here"),
        ("lookahead:rollout,candidates=100000", "candidates: expected a number up to 64 here"),
        ("search:run,n_simulations=501", "n_simulations: expected a number up to 500 here"),
        ("search:run,simulations=+1_0", "simulations: expected a number up to 500 here"),
        ("search:run,simulations=٣", "simulations: expected a number up to 500 here"),
        ("search:rollout,tree_nodes=7", "tree_nodes cannot be chosen here"),
        ("search:rollout,simulations=501", "simulations: expected a number up to 500 here"),
        ("lookahead:rollout,plies=2", "plies: expected a number up to 1 here"),
        ("bot,model=rollout,plies=2", "plies: expected a number up to 1 here"),
        ("lookahead:a.onnx", "a model of a file cannot be named here"),
        ("bot,model=a.safetensors", "a model of a file cannot be named here"),
        ("bot,scout=a.safetensors", "a model of a file cannot be named here"),
        ("bot,scouted=65", "scouted: expected a number up to 64 here"),
    ],
)
def test_a_visitor_may_not_ask_for_everything(text: str, sentence: str) -> None:
    with pytest.raises(PlayerError, match=sentence):
        expect_allowed_player(text, Bounds())


@pytest.mark.parametrize(
    "text",
    [
        "expert",
        "bot,level=2",
        "bot,scout=none,finalists=2",
        "search:run@3,simulations=500",
        "net:run,precision=int8",
    ],
)
def test_a_visitor_may_ask_for_any_player_of_the_store(text: str) -> None:
    expect_allowed_player(text, Bounds())


def test_local_is_what_only_this_machine_reaches() -> None:
    assert all(is_local(host) for host in ("127.0.0.1", "127.0.0.9", "::1", "localhost"))
    assert not any(is_local(host) for host in ("0.0.0.0", "::", "192.168.1.2", "", "example.org"))
