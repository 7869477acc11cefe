"""The one door to ONNX Runtime: sessions that use one thread each."""

from collections.abc import Sequence
from typing import Any, Protocol

import onnxruntime

from spiel_bot.errors import BadRequestError, CheckpointError
from spiel_bot.games.base import Floats


class Session(Protocol):
    """What we use of ONNX Runtime's session, which has no types of its own."""

    def run(self, outputs: list[str], inputs: dict[str, Floats]) -> list[Floats]:
        """Return the outputs of these names."""

    def get_modelmeta(self) -> Any:
        """Return what the model says of itself."""


CPU = ("CPUExecutionProvider",)

ERRORS_ONLY = 3  # severity of ONNX Runtime's own messages


def new_session(model: bytes, source: str, providers: Sequence[str] = CPU) -> Session:
    """Return a session for a model. Threads may share it; it works in the thread that calls it.

    Args:
        model: An ONNX model.
        source: What to call it in messages.
        providers: Where it may run, the best first, in ONNX Runtime's own names.

    Raises:
        BadRequestError: This machine has no such provider.
        CheckpointError: This is not a model that can run.
    """
    known = onnxruntime.get_available_providers()
    for provider in providers:
        if provider not in known:
            raise BadRequestError(
                f"provider {provider!r} is not available here; expected one of {', '.join(known)}"
            )
    options = onnxruntime.SessionOptions()
    # Workers are threads of ours; more threads inside each would only stand in their way.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = ERRORS_ONLY
    try:
        session: Session = onnxruntime.InferenceSession(model, options, providers=list(providers))
    except Exception as error:  # its errors have no common class of their own
        reason = " ".join(str(error).split())[:200]
        raise CheckpointError(
            f"{source} is not an ONNX model that can run ({reason}); "
            "export it again, or choose another file"
        ) from error
    return session
