"""How large the numbers between the layers become: what an 8-bit model must know beforehand."""

from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import Floats
from spiel_bot.networks.checkpoint import Checkpoint
from spiel_bot.networks.graph import OBSERVATIONS, Range, value_info
from spiel_bot.networks.onnx_model import new_model
from spiel_bot.networks.sessions import new_session


def with_ranges(checkpoint: Checkpoint, sample: Floats) -> Checkpoint:
    """Return the same checkpoint with the range of each layer over a sample.

    Numbers beyond the range are cut off at it, so the sample should be typical of play: a few
    hundred positions of self-play, or of random games for a network that knows nothing yet.

    Args:
        checkpoint: Not changed; shares its arrays with the result.
        sample: [S, F] observations.

    Raises:
        BadRequestError: The sample is empty, or of another shape.
    """
    model, layers = new_model(checkpoint, "float", auxiliary=False)
    num_features = model.graph.input[0].type.tensor_type.shape.dim[1].dim_value
    if sample.ndim != 2 or len(sample) == 0 or sample.shape[1] != num_features:
        raise BadRequestError(
            f"expected a sample of observations [S, {num_features}], got shape {sample.shape}"
        )
    # The range of an observation is known without a sample.
    ranges: list[Range] = [checkpoint.header.observation_range]
    for layer in layers[1:]:
        model.graph.output.append(value_info(layer, ()))
        model.graph.output[-1].type.tensor_type.ClearField("shape")
    session = new_session(model.SerializeToString(), "the network")
    found = session.run(layers[1:], {OBSERVATIONS: sample})
    ranges += [(float(numbers.min()), float(numbers.max())) for numbers in found]
    return Checkpoint(checkpoint.header.replace(ranges=tuple(ranges)), checkpoint.arrays)
