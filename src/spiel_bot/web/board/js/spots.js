// What fingers, mice and keys do: a spot for each field and one for each exit.
import { element } from "./svg.js";

const DRAG_FROM = 6; // pixels that a pointer must travel before it drags

export class Spots {
  // `on` has: lift(field) -> whether a checker was taken, put(field), drag(point), drop(field),
  // leave(), and canLift(field).
  constructor(svg, layer, on) {
    this.svg = svg;
    this.on = on;
    this.nodes = new Map();
    this.press = null;
    for (const field of [...Array(25).keys()]) {
      const spot = element("g", { class: "tt-spot", role: "button", "data-field": field });
      spot.append(element("rect", { rx: 6 }));
      layer.append(spot);
      this.nodes.set(field, spot);
      spot.addEventListener("keydown", (event) => this.key(event, field));
      spot.addEventListener("focus", () => this.on.focus?.(field));
    }
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.moved(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", () => this.cancel());
  }

  // Lay the spots out for one view; the exit is that of a side, null for none.
  arrange(view, exitSide) {
    this.view = view;
    for (const [field, spot] of this.nodes) {
      const box = field ? view.fields[field].column : exitSide === null ? null : view.exits[exitSide];
      spot.style.display = box ? "" : "none";
      if (!box) continue;
      const [x, y, width, height] = box;
      const rect = spot.firstChild;
      for (const [key, value] of Object.entries({ x, y, width, height })) rect.setAttribute(key, value);
    }
  }

  // Say what each field holds, and which of them the tab key reaches.
  describe(labels, reachable) {
    const first = reachable.size ? reachable : new Set([this.focused ?? this.fieldAt(0, 1)]);
    for (const [field, spot] of this.nodes) {
      spot.setAttribute("aria-label", labels(field));
      spot.setAttribute("tabindex", first.has(field) ? 0 : -1);
      spot.classList.toggle("tt-reachable", reachable.has(field));
    }
  }

  get focused() {
    const node = document.activeElement;
    return node?.dataset?.field && this.svg.contains(node) ? Number(node.dataset.field) : null;
  }

  focus(field) {
    this.nodes.get(field)?.focus({ preventScroll: true });
  }

  // Columns from left to right, rows 0 above and 1 below.
  fieldAt(column, row) {
    const fields = Object.entries(this.view.fields)
      .filter(([, one]) => (one.up === -1) === (row === 1))
      .sort((one, two) => one[1].x - two[1].x);
    return Number(fields[column][0]);
  }

  neighbour(field, key) {
    if (field === 0) return this.fieldAt(0, 0);
    const row = this.view.fields[field].up === -1 ? 1 : 0;
    const places = [...Array(12).keys()].map((column) => this.fieldAt(column, row));
    const column = places.indexOf(field);
    if (key === "ArrowUp") return this.fieldAt(column, 0);
    if (key === "ArrowDown") return this.fieldAt(column, 1);
    if (key === "Home") return places[0];
    if (key === "End") return places[11];
    const next = column + (key === "ArrowLeft" ? -1 : 1);
    if (next < 0 || next > 11) {
      const isShown = this.nodes.get(0).style.display !== "none";
      return isShown ? 0 : field;
    }
    return places[next];
  }

  key(event, field) {
    const arrows = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];
    if (arrows.includes(event.key)) this.focus(this.neighbour(field, event.key));
    else if (event.key === "Enter" || event.key === " ") this.on.press(field, event.shiftKey);
    else if (event.key === "Escape") this.on.leave();
    else if (event.key === "Delete" || event.key === "Backspace") this.on.remove?.(field);
    else return;
    event.preventDefault();
  }

  point(event) {
    const at = this.svg.createSVGPoint();
    [at.x, at.y] = [event.clientX, event.clientY];
    const { x, y } = at.matrixTransform(this.svg.getScreenCTM().inverse());
    return [x, y];
  }

  // The field under a point, null if there is none.
  under([x, y]) {
    for (const [field, spot] of this.nodes) {
      if (spot.style.display === "none") continue;
      const rect = spot.firstChild;
      const [left, top, width, height] = ["x", "y", "width", "height"].map((key) =>
        Number(rect.getAttribute(key)),
      );
      if (x >= left && x < left + width && y >= top && y < top + height) return field;
    }
    return null;
  }

  down(event) {
    if (event.button) return;
    const field = this.under(this.point(event));
    if (field === null) return;
    this.press = { field, x: event.clientX, y: event.clientY, drags: false, id: event.pointerId };
  }

  moved(event) {
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) >= DRAG_FROM;
    if (!press.drags && far && this.on.canLift(press.field)) {
      press.drags = this.on.lift(press.field);
      if (press.drags) this.svg.setPointerCapture(event.pointerId);
    }
    if (press.drags) this.on.drag(this.point(event));
  }

  up(event) {
    const press = this.press;
    this.press = null;
    if (!press) return;
    const field = this.under(this.point(event));
    if (press.drags) this.on.drop(field);
    else if (field === press.field) this.on.press(field, event.shiftKey);
  }

  cancel() {
    if (this.press?.drags) this.on.drop(null);
    this.press = null;
  }
}
