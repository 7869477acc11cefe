// Checkers, pegs, tokens and dice: what lies on the board and moves.
import { element, place } from "./svg.js";

const WHITE = 0;
const BLACK = 1;
const sideOf = (count) => (count > 0 ? WHITE : BLACK);

export class Pieces {
  constructor(look, layer) {
    this.look = look;
    this.checkers = element("g", { class: "tt-checkers" });
    this.counts = element("g", { class: "tt-counts" });
    this.rest = element("g", { class: "tt-rest" });
    layer.append(this.rest, this.checkers, this.counts);
    this.stacks = Array.from({ length: 25 }, () => []); // by white's field; 0 is out
    this.view = null;
    this.rollNumber = 0;
  }

  turn(flip) {
    this.view = this.look.views[flip ? 1 : 0];
  }

  board() {
    return this.stacks
      .slice(1)
      .map((stack) => (stack.length ? (stack[0].side === WHITE ? 1 : -1) * stack.length : 0));
  }

  // Where checker number `index` of a stack of `count` lies.
  placeOf(field, index, count) {
    const { x, rail, up } = this.view.fields[field];
    return [x, rail + up * this.look.stacks[count][index]];
  }

  exitOf(side) {
    const [left, top, width, height] = this.view.exits[side];
    return [left + width / 2, top + height / 2];
  }

  newChecker(side) {
    const node = element("g", { class: "tt-checker" }, this.look.shapes.checkers[side]);
    this.checkers.append(node);
    return { node, side };
  }

  // Put all checkers where a board has them; those that are elsewhere travel.
  setBoard(board) {
    const spare = [[], []];
    board.forEach((count, i) => {
      const stack = this.stacks[i + 1];
      const wanted = Math.abs(count);
      const fits = stack.length && stack[0].side === sideOf(count);
      while (stack.length > (fits ? wanted : 0)) {
        const checker = stack.pop();
        spare[checker.side].push(checker);
      }
    });
    for (const checker of this.stacks[0].splice(0)) spare[checker.side].push(checker);
    board.forEach((count, i) => {
      const stack = this.stacks[i + 1];
      const side = sideOf(count);
      while (stack.length < Math.abs(count)) {
        const checker = spare[side].pop() ?? this.newChecker(side);
        this.checkers.append(checker.node); // the last to move lies on top
        stack.push(checker);
      }
    });
    for (const checker of spare.flat()) checker.node.remove();
    this.arrange();
  }

  // Move one checker; to 0 it leaves the board.
  move(from, to) {
    const checker = this.stacks[from].pop();
    if (!checker) return;
    this.checkers.append(checker.node);
    this.stacks[to].push(checker);
    this.arrange();
  }

  // Take a step back; from 0 the checker comes in again.
  unmove(from, to) {
    const checker = this.stacks[to].pop();
    if (!checker) return;
    this.stacks[from].push(checker);
    this.arrange();
  }

  // Let a checker follow the pointer.
  carry(field, point) {
    const checker = this.top(field);
    if (!checker) return;
    this.counts.querySelector(`[data-field="${field}"]`)?.remove();
    this.checkers.append(checker.node);
    checker.node.classList.add("tt-dragged");
    place(checker.node, point);
  }

  top(field) {
    return this.stacks[field].at(-1);
  }

  arrange() {
    this.counts.replaceChildren();
    this.stacks.forEach((stack, field) => {
      stack.forEach(({ node, side }, index) => {
        node.classList.toggle("tt-out", field === 0);
        place(node, field ? this.placeOf(field, index, stack.length) : this.exitOf(side));
      });
      if (field && stack.length > this.look.crowded) {
        const side = stack[0].side;
        const badge = element("g", { "data-field": field }, this.look.shapes.counts[side][stack.length]);
        place(badge, this.placeOf(field, stack.length - 1, stack.length));
        this.counts.append(badge);
      }
    });
  }

  // Draw pegs, tokens and dice of a scene. Those that were there move to their new place.
  setMarks(scene) {
    const { shapes } = this.look;
    const wanted = [];
    for (const side of [WHITE, BLACK]) {
      const holes = Math.min(scene.holes[side], 12);
      wanted.push([`peg${side}`, shapes.pegs[side], this.view.pegs[side][holes]]);
      const points = scene.points[side] / 2;
      const [x, y] = this.view.tokens[side][points];
      if (scene.run === side && scene.points[1 - side] > 0) {
        const back = points === 3 || points === 5 ? -1 : 1;
        const beside = [x + back * this.view.along * 19, y];
        wanted.push([`second${side}`, shapes.second_token, beside]);
      }
      wanted.push([`token${side}`, shapes.tokens[points], [x, y]]);
    }
    scene.dice?.forEach((face, i) => {
      const shape = shapes.dice[scene.roller][face - 1];
      wanted.push([`die${i}`, `<g class="tt-die-body">${shape}</g>`, this.view.dice[scene.roller][i]]);
    });
    const old = new Map([...this.rest.children].map((node) => [node.dataset.name, node]));
    for (const [name, shape, at] of wanted) {
      let node = old.get(name);
      old.delete(name);
      if (!node) {
        node = element("g", { class: `tt-${name.replace(/\d/, "")}`, "data-name": name });
        if (name.startsWith("second")) this.rest.prepend(node); // below the one with the points
        else this.rest.append(node);
      }
      if (node.dataset.shape !== shape) {
        node.innerHTML = shape;
        node.dataset.shape = shape;
      }
      place(node, at);
    }
    for (const node of old.values()) node.remove();
    if (scene.dice && scene.roll_number !== this.rollNumber) this.tumble();
    this.rollNumber = scene.roll_number;
  }

  tumble() {
    for (const die of this.rest.querySelectorAll(".tt-die")) {
      die.classList.remove("tt-tumbling");
      die.getBoundingClientRect(); // lets the animation begin anew
      die.classList.add("tt-tumbling");
    }
  }

  // Fade the dice that the steps made so far have used up.
  useDice(scene, made) {
    const left = (scene.dice ?? []).map((face, i) => [face, i]);
    const used = new Set();
    for (const [from, to] of made) {
      const exact = to ? Math.abs(to - from) : scene.mover === WHITE ? 25 - from : from;
      const fit =
        left.find(([face, i]) => !used.has(i) && face === exact) ??
        left.filter(([face, i]) => !used.has(i) && face >= exact).at(-1) ??
        left.find(([, i]) => !used.has(i));
      if (fit) used.add(fit[1]);
    }
    for (const die of this.rest.querySelectorAll(".tt-die"))
      die.classList.toggle("tt-used", used.has(Number(die.dataset.name.at(-1))));
  }
}
