"""What the cells of a notebook print, free of how fast they printed it."""

from typing import Any

Output = dict[str, Any]


def joined_streams(outputs: list[Output]) -> list[Output]:
    """Return outputs with neighbours of the same stream as one.

    A kernel sends what a cell prints in as many parts as its timer finds, so a busy machine
    stores more of them than a quick one.
    """
    joined: list[Output] = []
    for output in outputs:
        last = joined[-1] if joined else {}
        if output["output_type"] == last.get("output_type") == "stream" and (
            output["name"] == last["name"]
        ):
            joined[-1] = last | {"text": last["text"] + output["text"]}
        else:
            joined.append(output)
    return joined
