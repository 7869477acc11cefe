// Lights on the fields: jans that scored, the last play, where a checker may go.
import { element } from "./svg.js";

export class Marks {
  constructor(look, below, above) {
    this.look = look;
    this.jans = element("g", { class: "tt-jans" });
    this.targets = element("g", { class: "tt-targets" });
    this.trail = element("g", { class: "tt-trail" });
    this.advice = element("g", { class: "tt-advice" });
    below.append(this.jans);
    above.append(this.trail, this.targets, this.advice);
  }

  // Light up the fields of each jan: an unbroken rim for the roller, a dashed one for the other.
  setJans(view, glows) {
    this.jans.replaceChildren();
    for (const { fields, for_mover: own } of glows) {
      for (const field of fields) {
        const arrow = element("polygon", {
          points: view.fields[field].arrow,
          class: own ? "tt-glow" : "tt-glow tt-theirs",
        });
        this.jans.append(arrow);
      }
    }
  }

  // Mark where the last play came from and where it ended.
  setTrail(view, board, moves) {
    this.trail.replaceChildren();
    const ends = new Set(moves.map(([, to]) => to));
    const starts = new Set(moves.map(([from]) => from));
    const ring = (field, count, name) => {
      const { x, rail, up } = view.fields[field];
      const size = Math.min(Math.max(count, 1), this.look.stacks.length - 1);
      const y = rail + up * this.look.stacks[size][size - 1];
      this.trail.append(element("circle", { cx: x, cy: y, r: this.look.radius - 1, class: name }));
    };
    for (const from of starts)
      if (!ends.has(from)) ring(from, Math.abs(board[from - 1]) + 1, "tt-from");
    for (const to of ends)
      if (to && !starts.has(to) && board[to - 1]) ring(to, Math.abs(board[to - 1]), "tt-to");
  }

  setAdvice(svg) {
    this.advice.innerHTML = svg;
  }

  // Show where the lifted checker may land, `places` as [field, [x, y]].
  setTargets(view, places, mover) {
    this.targets.replaceChildren();
    for (const [field, [x, y]] of places) {
      if (field === 0) {
        const [left, top, width, height] = view.exits[mover];
        const box = { x: left + 3, y: top + 3, width: width - 6, height: height - 6, rx: 8 };
        this.targets.append(
          element("rect", { ...box, class: "tt-rim" }),
          element("rect", { ...box, class: "tt-exit" }),
        );
        continue;
      }
      const radius = this.look.radius;
      this.targets.append(
        element("circle", { cx: x, cy: y, r: radius - 2, class: "tt-rim" }),
        element("circle", { cx: x, cy: y, r: radius - 2, class: "tt-target" }),
        element("circle", { cx: x, cy: y, r: 6, class: "tt-target-eye" }),
      );
    }
  }
}
