// The parts of the board: what may be moved, what is drawn, and what fingers and keys do.
export { Steps } from "./steps.js";
export { Pieces } from "./pieces.js";
export { Spots } from "./spots.js";
export { Marks } from "./marks.js";
export { element, loadLook } from "./svg.js";
