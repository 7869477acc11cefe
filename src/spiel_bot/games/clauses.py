"""The clauses of the game contract, by name; `contract.py` checks them."""

CLAUSES = {
    "spec": "the numbers of the spec are whole, positive and fit together",
    "state": "a state is one packed record of plain numbers",
    "chance kernels": "both chance kernels are given exactly when there are chance outcomes",
    "calls": "kernels and texts run without errors of their own and return what they should",
    "sizes": "kernels write within the rows that the numbers of the spec make",
    "first position": "the first position is not the end",
    "current player": "the current player is 0, 1, CHANCE (-1) or TERMINAL (-2), in every row",
    "legal count": "a decision has 1 to max_legal_actions legal actions, any other position none",
    "legal actions": "legal actions ascend, do not repeat and lie between 0 and num_actions - 1",
    "probabilities": "at a roll the probabilities are at least 0 and add up to 1, elsewhere all 0",
    "observation": "every feature is written, for either player, within observation_range",
    "returns": "returns are zero before the end, within return_range, and add up to zero",
    "gains": "gains_many, where it is given, writes points of 0 or more and a unit of 0, 1 or 2",
    "win chances": "win_chances_many, where it is given, writes 0 to 1, never less for more equity",
    "pure queries": "kernels that ask change neither the states nor the players they are given",
    "no action": "NO_ACTION leaves a row as it is",
    "own row": "what a kernel does with a row depends on that row alone",
    "repeatable": "the same action or outcome in the same position gives the same position",
    "length": "a game ends, within max_plies where the spec sets it",
    "notation": "to_text is one line, and from_text makes the same state of it",
    "notation errors": "from_text answers a text it cannot read with NotationError",
    "drawing": "draw, and svg where it is given, return a text that is not empty",
    "names": "actions and outcomes have names of one line, different for different actions",
    "canonical action": "a legal action is its own canonical one, others mean a legal one or none",
}
"""Each clause by its name, in words."""
