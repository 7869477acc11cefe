"""From the ends of descents to positions ready for the evaluator, in one kernel for each game.

The rules' kernels are joined with the tree's: Python takes no part in it.
"""

from collections.abc import Callable
from typing import NamedTuple

from spiel_bot._jit import kernel
from spiel_bot.games.base import Game
from spiel_bot.games.joining import (
    apply_chance_many,
    apply_many,
    chance_probabilities_many,
    current_player_many,
    join_rules,
    legal_actions_many,
    observe_many,
    returns_many,
)
from spiel_bot.search.chance import Opened, Positions, open_rolls, open_root_rolls
from spiel_bot.search.config import EXPECT, KernelConfig
from spiel_bot.search.expand import finish_games, store_positions
from spiel_bot.search.memory import Buffers
from spiel_bot.search.select import Roots, select_many
from spiel_bot.search.tree import Bytes, Ints, Tree, begin_trees

# Stages of a round: what comes next. From LAND on the evaluator's answer is needed.
BEGIN_ROOTS = 0
DESCEND = 1
ROLL_ON = 2
LAND = 3  # and descend again
LAND_LAST = 4
LAND_ROOTS = 5


class Progress(NamedTuple):
    """How far a round has come. Where room is missing it says how much, and waits for it."""

    stage: int
    descents: int = 0
    positions: int = 0  # the descents' own, and those of outcomes opened beside them
    decisions: int = 0  # positions that go to the evaluator
    rolls: int = 0  # of the game that has most of them
    opened: int = 0  # rolls whose outcomes were all made
    nodes: int = 0  # that a tree must have room for, in all; 0 where nothing is missing
    edges: int = 0
    room: int = 0  # positions that a round must have room for

    @property
    def is_short(self) -> bool:
        """Whether room is missing."""
        return self.nodes > 0 or self.edges > 0 or self.room > 0


Numbers = tuple[int, int, int, int, int, int, int, int, int]
"""Those of a `Progress`: a kernel takes one, but to give one back costs a microsecond more."""

MakeLeaves = Callable[
    [Tree, Roots, KernelConfig, Bytes, Positions, Opened, Buffers, bool, int, Progress],
    Numbers,
]


def leaf_kernel(game: Game) -> MakeLeaves:
    """Return `make_leaves` for a game."""
    return join_rules(make_leaves, game)


@kernel
def make_leaves(
    tree: Tree,
    roots: Roots,
    config: KernelConfig,
    node_states: Bytes,
    positions: Positions,
    opened: Opened,
    buffers: Buffers,
    is_observed: bool,
    stage: int,
    progress: Progress,
) -> Numbers:
    """Descend in every tree and make the positions that the evaluator is to see.

    Called again with the progress it returned, once there is room, until the next stage lands.

    Args:
        tree: Changed in place.
        roots: Changed by descents.
        config: How to search.
        node_states: [B, N, S] positions of the nodes; those of new ones are written.
        positions: Written; with `BEGIN_ROOTS` their `game` and `player` are given.
        opened: Written.
        buffers: Written; with `BEGIN_ROOTS` the states are given.
        is_observed: Whether the evaluator wants observations.
        stage: What is to be done.
        progress: How far it has come.
    """
    count = progress.descents
    total = progress.positions
    decisions = progress.decisions
    rolls = progress.rolls
    num_opened = progress.opened
    states, players, outcomes = buffers.states, positions.player, positions.outcome
    nodes, edges = tree.nodes, tree.edges
    if stage == BEGIN_ROOTS:
        needed = buffers.chances.shape[1]
        if nodes.shape[1] < 1 or edges.shape[1] < needed:
            return stage, count, 0, 0, 0, 0, 1, needed, 0
        begin_trees(tree, positions.game, count, positions.node)
        _, decisions = store(tree, positions, count, buffers, node_states)
        chance_probabilities_many(states[:count], buffers.chances[:count])
        open_root_rolls(tree, positions, count, buffers.chances, roots.seeds)
        total = count
    if stage == DESCEND:
        needed = most(tree.num_nodes) + config.leaves_per_round
        if needed > nodes.shape[1]:
            return stage, 0, 0, 0, 0, 0, needed, 0, 0
        count, num_rolls = select_many(
            tree, roots, config, buffers.scratch, node_states, positions, buffers.state_bytes
        )
        total = count
        num_opened = 0
        apply_many(states[:count], positions.action[:count])
        if num_rolls > 0:
            apply_chance_many(states[:count], outcomes[:count])
        current_player_many(states[:count], players[:count])
        rolls, decisions = store(tree, positions, count, buffers, node_states)
    branches = buffers.chances.shape[1] if config.mode == EXPECT else 1
    while rolls > 0:
        num_nodes = most(tree.num_nodes) + rolls * branches
        num_edges = most(tree.num_edges) + rolls * buffers.chances.shape[1]
        # A chain of rolls may open more of them than there are positions.
        room = total * branches + num_opened if config.mode == EXPECT else 0
        if num_nodes > nodes.shape[1] or num_edges > edges.shape[1] or room > states.shape[0]:
            return ROLL_ON, count, total, decisions, rolls, num_opened, num_nodes, num_edges, room
        chance_probabilities_many(states[:total], buffers.chances[:total])
        total, num_opened = open_rolls(
            tree,
            positions,
            total,
            buffers.chances,
            config.mode,
            roots.streams,
            roots.seeds,
            opened,
            num_opened,
            buffers.state_bytes,
        )
        apply_chance_many(states[:total], outcomes[:total])
        current_player_many(states[:total], players[:total])
        rolls, decisions = store(tree, positions, total, buffers, node_states)
    if decisions < total:
        returns_many(states[:total], buffers.returns[:total])
        finish_games(nodes, positions, total, buffers.returns)
    deciding, movers = buffers.decisions[:decisions], buffers.movers[:decisions]
    legal_actions_many(deciding, buffers.legal[:decisions], buffers.counts[:decisions])
    if is_observed:
        observe_many(deciding, movers, buffers.observations[:decisions])
    next_stage = LAND_ROOTS if stage == BEGIN_ROOTS else LAND
    return next_stage, count, total, decisions, 0, num_opened, 0, 0, 0


@kernel
def store(
    tree: Tree, positions: Positions, count: int, buffers: Buffers, node_states: Bytes
) -> tuple[int, int]:
    """Store new positions; return the most rolls of a game, and all decisions."""
    return store_positions(
        tree.nodes,
        positions,
        count,
        buffers.state_bytes,
        node_states,
        buffers.decision_bytes,
        buffers.movers,
        buffers.places,
    )


@kernel
def most(numbers: Ints) -> int:
    """Return the largest of [B] numbers, 0 where there are none."""
    largest = 0
    for b in range(numbers.shape[0]):
        largest = max(largest, int(numbers[b]))
    return largest
