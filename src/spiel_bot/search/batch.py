"""The search loop: the only file where tree, game and evaluator meet.

A round is one kernel for all games, from the evaluator's answer to its next question.
"""

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import bind
from spiel_bot.errors import BadRequestError, EvaluationError
from spiel_bot.games.base import Game, States
from spiel_bot.games.constants import CHANCE, TERMINAL
from spiel_bot.rng import STREAM_WORDS, Streams
from spiel_bot.search.afterstates import for_decisions
from spiel_bot.search.chance import Floats64, Opened, Positions, new_positions
from spiel_bot.search.config import AUTO_NOISE, EXPECT, QUOTA, MctsConfig
from spiel_bot.search.evaluator import Evaluation, Evaluator, StateEvaluator, expect_shapes
from spiel_bot.search.leaves import BEGIN_ROOTS, DESCEND, LAND, LAND_LAST, Progress
from spiel_bot.search.lookahead_config import Aim
from spiel_bot.search.memory import Buffers, Forest, as_bytes, keep_first, new_buffers
from spiel_bot.search.noise import draw_dirichlet_many, draw_gumbel_many, draw_words_many
from spiel_bot.search.result import SearchResult, new_summary, summarise
from spiel_bot.search.reuse import count_inherited
from spiel_bot.search.rounds import NOT_FINITE, Advance, round_kernel
from spiel_bot.search.scout import Scout
from spiel_bot.search.select import Roots
from spiel_bot.search.tree import ROOT, Ints, Tree

Watcher = Callable[[Tree, Ints, Ints, Floats64], None]
"""Called after each round with the trees, and of each descent its game, last node and value."""

NODES_PER_SIMULATION = 2
"""A play and a roll; what the first room for a tree is made for."""


class Search:
    """Searches a batch of positions of one game; keeps its memory from one call to the next.

    One thread at a time may use it; threads that share an evaluator have a search each.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        config: MctsConfig | None = None,
        scout: Scout | None = None,
        *,
        seen: Game | None = None,
    ) -> None:
        """Prepare a search; by default with the values of `MctsConfig` and no scout.

        A network that judges rolls is asked about the positions after all actions of a decision;
        below the root only about those that a scout leaves; the others have no prior there.

        Args:
            game: Its returns are what the tree adds up.
            evaluator: Asked about positions.
            config: How to search.
            scout: Leaves the actions worth a look, below the root.
            seen: The game as the evaluator knows it, if its returns are other ones, such as
                margins. They are then turned into expected results, and `game` must have such.

        Raises:
            BadRequestError: There is a scout, or another game, for an evaluator that does not
                judge rolls; or that game has other positions, or this one is not won or lost.
        """
        if seen is not None and seen.state_dtype != game.state_dtype:
            raise BadRequestError(
                f"expected the positions of {game.spec.name}, got those of {seen.spec.name}"
            )
        if seen is not None and game.win_chances_many is not None:
            raise BadRequestError(
                f"expected {game.spec.name} with returns that are wins and losses, got "
                f"{game.spec.options}"
            )
        self.game = game
        self.scout = scout
        aim: Aim = "returns" if seen is None else "win"
        known = game if seen is None else seen
        of_roots = for_decisions(known, evaluator, aim=aim)
        evaluator = of_roots if scout is None else for_decisions(known, evaluator, scout, aim=aim)
        self.config = config = MctsConfig() if config is None else config
        self.forest = Forest(game, config.memory_limit_mb)
        self._evaluator = evaluator
        self._by_state = evaluator if isinstance(evaluator, StateEvaluator) else None
        self._roots_by_state = of_roots if isinstance(of_roots, StateEvaluator) else None
        self._kernel: Advance | None = None  # for the types of this game, the same in every round
        self._kernel_config = config.for_kernels(game.spec.return_range)
        self._nothing = np.empty((0, game.spec.num_actions), np.float32), np.empty(0, np.float32)
        self._evaluations = 0
        self._is_whole = True
        self._buffers: Buffers = new_buffers(game, 0)
        self._positions: Positions = new_positions(0)
        self._opened = Opened(np.empty(0, np.int32), np.empty(0, np.int32))

    def run(
        self,
        states: States,
        streams: Streams,
        *,
        reuse: bool = False,
        watcher: Watcher | None = None,
    ) -> SearchResult:
        """Search each position and say what was found.

        Args:
            states: [B] positions where somebody decides or rolls; not changed.
            streams: [B, 4] random numbers of each search (`Purpose.SEARCH`), advanced in place;
                never the dice of the game.
            reuse: Whether to go on with the part of the last trees that lies below these
                positions, where there is one. With a scout there is none: it has left out actions
                there, and a root has them all.
            watcher: Called after each round; for looking inside.

        Raises:
            BadRequestError: A game is over, or there is not one stream for each position.
            EvaluationError: The evaluator returned what is no evaluation. The trees are then of
                no use, and the next call begins new ones.
        """
        if states.ndim != 1 or streams.shape != (len(states), STREAM_WORDS):
            raise BadRequestError(
                f"expected positions [B] and streams [B, {STREAM_WORDS}], "
                f"got {states.shape} and {streams.shape}"
            )
        if states.dtype != self.game.state_dtype or streams.dtype != np.int64:
            raise BadRequestError(
                f"expected positions of {self.game.spec.name} and streams of int64, "
                f"got {states.dtype} and {streams.dtype}"
            )
        if not (streams.flags.c_contiguous and streams.flags.writeable):
            raise BadRequestError("expected streams next to each other and writable; copy them")
        started = time.perf_counter()
        self._evaluations = 0
        reuse = reuse and self._is_whole and self.scout is None
        self._is_whole = False  # descents are in flight, until all have landed
        self._begin(np.ascontiguousarray(states), streams, reuse=reuse)
        limit = self.config.time_limit_seconds
        progress = self._advance(Progress(DESCEND))
        while progress.descents > 0:
            answer = self._ask(progress.decisions, self._by_state)
            is_late = limit is not None and time.perf_counter() - started >= limit
            if is_late or watcher is not None:
                progress = progress._replace(stage=LAND_LAST)
            landed = self._advance(progress, answer)
            if watcher is not None:
                self._show(watcher, progress.descents)
                if not is_late and not self.forest.is_full:
                    landed = self._advance(Progress(DESCEND))
            progress = landed
        self._is_whole = True
        return self._result()

    def _begin(self, states: States, streams: Streams, *, reuse: bool) -> None:
        """Make the roots: kept from the last search, or new and evaluated."""
        num_games, spec = len(states), self.game.spec
        is_kept = np.zeros(num_games, np.bool_)
        if reuse and num_games == len(self.forest.tree.num_nodes):
            is_kept = self.forest.keep(states)
        else:
            nodes = NODES_PER_SIMULATION * (self.config.n_simulations + 1)
            self.forest.begin(num_games, nodes)
        self._make_room(num_games * self._kernel_config.leaves_per_round)
        self._roots = Roots(
            simulations=np.zeros(num_games, np.int32),
            noise=np.zeros((num_games, spec.max_legal_actions)),
            inherited=np.zeros((num_games, spec.max_legal_actions), np.int32),
            num_considered=np.ones(num_games, np.int32),
            streams=streams,
            seeds=np.zeros(num_games, np.int64),
        )
        if self._kernel_config.mode in (QUOTA, EXPECT) and self.game.has_chance:
            draw_words_many(streams, self._roots.seeds)
        if not is_kept.all():
            games = np.flatnonzero(~is_kept)
            self._make_roots(states, games)
        self._prepare_roots()

    def _make_roots(self, states: States, games: npt.NDArray[np.int64]) -> None:
        """Make and evaluate the roots of these games, from the positions of all."""
        game, count, b, positions = self.game, len(games), self._buffers, self._positions
        positions.game[:count] = games
        b.state_bytes[:count] = as_bytes(states)[games]  # NumPy copies records field by field
        game.current_player_many(b.states[:count], positions.player[:count])
        is_over = positions.player[:count] == TERMINAL
        if is_over.any():
            text = game.to_text(b.states[is_over.argmax()])
            raise BadRequestError(f"the game is over in {text!r}; there is nothing to search")
        made = self._advance(Progress(BEGIN_ROOTS, descents=count))
        self._advance(made, self._ask(made.decisions, self._roots_by_state))

    def _prepare_roots(self) -> None:
        """Draw the noise of the roots, and set up what Gumbel's halving needs."""
        config, roots, tree = self.config, self._roots, self.forest.tree
        is_roll = tree.nodes["player"][:, ROOT] == CHANCE
        counts = np.where(is_roll, 0, tree.nodes["num_edges"][:, ROOT]).astype(np.int32)
        if not self._kernel_config.is_gumbel:
            if config.dirichlet_eps > 0:
                alpha = config.dirichlet_alpha
                shape = -AUTO_NOISE if alpha == "auto" else float(alpha)
                draw_dirichlet_many(roots.streams, counts, shape, roots.noise)
            return
        if config.gumbel_scale > 0:
            draw_gumbel_many(roots.streams, counts, float(config.gumbel_scale), roots.noise)
        count_inherited(tree, roots.inherited)
        most = min(config.gumbel_actions, config.n_simulations)
        roots.num_considered[:] = np.clip(counts, 1, most)

    def _advance(self, progress: Progress, answer: Evaluation | None = None) -> Progress:
        """Land what was evaluated and descend again in all games; make room on the way.

        Args:
            progress: Where to go on; where memory has run out a landing is the last.
            answer: Logits and values of the decisions that land.

        Returns:
            What waits for the evaluator; without descents when the search is at its end.
        """
        while True:
            if progress.stage == LAND and self.forest.is_full:
                progress = progress._replace(stage=LAND_LAST)
            arguments = (
                self.forest.tree,
                self._roots,
                self._kernel_config,
                self.forest.bytes,
                self._positions,
                self._opened,
                self._buffers,
                self._by_state is None,
                answer or self._nothing,
                progress,
            )
            if self._kernel is None:
                self._kernel = bind(round_kernel(self.game), *arguments)
            progress = Progress(*self._kernel(*arguments))
            if progress.stage == NOT_FINITE:
                text = self.game.to_text(self._buffers.decisions[progress.decisions])
                raise EvaluationError(
                    f"the evaluator gave numbers that are not finite for {text!r}"
                )
            if not progress.is_short:
                return progress
            self.forest.reserve(progress.nodes, progress.edges)
            self._make_room(progress.room, used=progress.positions, opened=progress.opened)

    def _show(self, watcher: Watcher, count: int) -> None:
        """Tell a watcher of the descents that have just landed."""
        tree, positions = self.forest.tree, self._positions
        games, leaves = positions.game[:count].copy(), positions.node[:count].copy()
        values = positions.value[:count].copy()
        if self._kernel_config.mode == EXPECT:  # of a roll just opened the mean was backed up
            is_opened = leaves != positions.bottom[:count]
            leaves = positions.bottom[:count].copy()
            values[is_opened] = tree.nodes["value_sum"][games, leaves][is_opened]
        watcher(tree, games, leaves, values)

    def _ask(self, count: int, by_state: StateEvaluator | None) -> Evaluation:
        """Return logits and values of the decisions of a round, checked for their shape."""
        if count == 0:
            return self._nothing
        self._evaluations += count
        b = self._buffers
        if by_state is not None:
            logits, values = by_state.evaluate_states(b.decisions[:count], b.movers[:count])
        else:
            logits, values = self._evaluator.evaluate_batch(b.observations[:count])
        expect_shapes(logits, values, (count, self.game.spec.num_actions))
        return (
            np.ascontiguousarray(logits, np.float32),
            np.ascontiguousarray(values, np.float32),
        )

    def _make_room(self, count: int, *, used: int = 0, opened: int = 0) -> None:
        """Make room for `count` positions in a round; keep those in use, and rolls opened."""
        if len(self._buffers.states) >= count:
            return
        buffers, positions = new_buffers(self.game, count), new_positions(count)
        rolls = Opened(np.empty(count, np.int32), np.empty(count, np.int32))
        if used:
            buffers.states[:used] = self._buffers.states[:used]
            keep_first(used, self._positions, positions)
            keep_first(opened, self._opened, rolls)
        self._buffers, self._positions, self._opened = buffers, positions, rolls

    def _result(self) -> SearchResult:
        """Read what was found off the roots."""
        tree, roots = self.forest.tree, self._roots
        found = new_summary(*roots.noise.shape)
        summarise(
            tree,
            roots,
            self._kernel_config,
            self._buffers.scratch,
            found,
        )
        is_roll = tree.nodes["player"][:, ROOT] == CHANCE
        return SearchResult(
            actions=found.actions,
            num_actions=np.where(is_roll, 0, tree.nodes["num_edges"][:, ROOT]).astype(np.int32),
            visits=found.visits,
            values=found.values,
            priors=found.priors,
            policy=found.policy,
            root_value=found.root_value,
            action=found.chosen,
            principal_variation=found.variation,
            simulations=roots.simulations,
            evaluations=self._evaluations,
        )
