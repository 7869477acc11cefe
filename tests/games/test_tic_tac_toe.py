import numpy as np
import pytest
from tests.reference import slow_tic_tac_toe as slow

from spiel_bot import Game, load
from spiel_bot.errors import NotationError
from spiel_bot.games.base import NO_ACTION, States


@pytest.fixture
def game() -> Game:
    return load("tic_tac_toe")


def expand(game: Game, states: States) -> States:
    """Return the positions after every legal action of every position."""
    legal = np.empty((len(states), 9), np.int32)
    counts = np.empty(len(states), np.int32)
    game.legal_actions_many(states, legal, counts)
    children = np.repeat(states, counts)
    game.apply_many(children, legal[np.arange(9) < counts[:, None]])
    return children


@pytest.mark.compiled
def test_the_number_of_games_is_the_known_one(game: Game) -> None:
    states = game.new_states(1)
    num_positions, results = [], [0, 0, 0]
    while len(states):
        states = expand(game, states)
        num_positions.append(len(states))
        players = np.empty(len(states), np.int8)
        game.current_player_many(states, players)
        returns = np.empty((len(states), 2), np.float32)
        game.returns_many(states, returns)
        for i, value in enumerate((1.0, -1.0, 0.0)):
            results[i] += int(((players == -2) & (returns[:, 0] == value)).sum())
    assert num_positions[:9] == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert results == [131_184, 77_904, 46_080]  # X wins, O wins, draws: 255,168 games


@pytest.mark.parametrize("seed", range(20))
def test_random_games_agree_with_the_slow_rules(game: Game, seed: int) -> None:
    rng = np.random.default_rng(seed)
    state, board = game.new_game(seed), "." * 9
    while not state.is_terminal:
        assert state.legal_actions == slow.moves(board)
        assert "XO"[state.current_player] == slow.to_move(board)
        action = int(rng.choice(state.legal_actions))
        state.apply(action)
        board = slow.play(board, action)
        assert state.notation.replace("/", "")[:9] == board
    assert slow.moves(board) == []
    assert state.returns == {"X": (1, -1), "O": (-1, 1), "": (0, 0)}[slow.winner(board)]


def test_an_observation_shows_own_marks_first(game: Game) -> None:
    state = game.from_notation("X../.O./... X")
    own, other, mine = state.observation(0)
    assert own[0, 0] == other[1, 1] == 1.0
    assert own.sum() == other.sum() == 1.0
    assert mine.all()
    own, other, mine = state.observation(1)
    assert own[1, 1] == other[0, 0] == 1.0
    assert not mine.any()


def test_a_row_without_action_stays(game: Game) -> None:
    states = game.new_states(2)
    game.apply_many(states, np.array([NO_ACTION, 4], np.int32))
    assert [game.to_text(state) for state in states] == [".../.../... X", ".../.X./... O"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "X",
        "XOX/OXO",
        "XXX/.../... O",
        "..../.../.. X",
        "X../.../... X",
        "Z../.../... O",
        "XXX/OOO/... X",
    ],
)
def test_a_text_that_is_no_position_is_refused(game: Game, text: str) -> None:
    with pytest.raises(NotationError, match=r"expected|cannot stand together|was over"):
        game.from_notation(text)


def test_the_drawing_numbers_the_empty_cells(game: Game) -> None:
    drawn = str(game.from_notation("X../.O./... X"))
    assert drawn.splitlines() == [
        " X | 1 | 2",
        "---+---+---",
        " 3 | O | 5",
        "---+---+---",
        " 6 | 7 | 8",
    ]
