// The board as an element of the page: joins its parts, and tells the server what was done.
import { Marks, Pieces, Spots, Steps, element, loadLook } from "spiel-bot-board";

const TIMES = { off: 0, normal: 380, slow: 1000 };
const wait = (time) => new Promise((done) => setTimeout(done, time));

// Whoever plays by keys is taken to what is to be done next; nobody else's focus is moved.
const notice = (event) => (window.spielBotKeys = event.type === "keydown");

export default {
  template: `<div class="tt-board"></div>`,
  props: {
    scene: Object,
    words: Object,
    speed: String,
    look: String,
    dynamicResourcePath: String,
  },
  async mounted() {
    const address = `${window.path_prefix ?? ""}${this.dynamicResourcePath}/${this.look}`;
    const look = await loadLook(address);
    if (!this.$el.isConnected) return;
    const svg = element("svg", { viewBox: look.box.join(" "), role: "group" });
    const layers = ["ground", "below", "pieces", "above", "spots"].map((name) =>
      element("g", { class: `tt-${name}` }),
    );
    svg.append(...layers);
    this.$el.append(svg);
    const [ground, below, pieces, above, spots] = layers;
    // Not reactive: Vue need not watch what only this component draws.
    this.b = {
      look,
      svg,
      ground,
      marks: new Marks(look, below, above),
      pieces: new Pieces(look, pieces),
      spots: new Spots(svg, spots, {
        canLift: (field) => this.canLift(field),
        lift: (field) => this.lift(field),
        press: (field, isShifted) => this.pressed(field, isShifted),
        drag: (point) => this.drag(point),
        drop: (field) => this.drop(field),
        leave: () => this.leave(),
        remove: (field) => this.edit(field, 0),
      }),
      steps: new Steps([]),
      lifted: null,
      run: 0,
      stamp: 0,
    };
    document.addEventListener("keydown", notice, true);
    document.addEventListener("pointerdown", notice, true);
    await this.show(this.scene);
    this.$el.dataset.ready = "true";
  },
  watch: {
    scene(scene) {
      this.show(scene);
    },
    words() {
      if (this.b) this.refresh();
    },
  },
  computed: {
    time() {
      const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      return isCalm ? 0 : (TIMES[this.speed] ?? 0);
    },
  },
  methods: {
    async show(scene) {
      const b = this.b;
      if (!b || !scene) return;
      if (scene.stamp === b.stamp) return; // another prop has changed
      b.stamp = scene.stamp;
      const run = ++b.run;
      const { pieces, marks } = b;
      const flip = scene.below === 1;
      const isTurned = pieces.view !== b.look.views[flip ? 1 : 0];
      b.svg.style.setProperty("--tt-time", `${this.time}ms`);
      pieces.turn(flip);
      if (isTurned) b.ground.innerHTML = pieces.view.ground;
      b.lifted = null;
      b.steps = new Steps([]);
      marks.setTargets(pieces.view, [], 0);
      marks.setAdvice("");
      marks.setTrail(pieces.view, scene.board, []);
      b.spots.arrange(pieces.view, scene.edited ? null : scene.mover);
      if (!isTurned && this.time && scene.came_by.length && !this.isThere(scene)) {
        for (const [from, to] of scene.came_by) {
          pieces.move(from, to);
          await wait(this.time);
          if (run !== b.run) return; // a newer scene is shown
        }
      }
      pieces.setBoard(scene.board);
      pieces.setMarks(scene);
      pieces.useDice(scene, []);
      marks.setJans(pieces.view, scene.glows);
      marks.setTrail(pieces.view, scene.board, scene.trail);
      marks.setAdvice(scene.advice);
      b.steps = new Steps(scene.plays);
      this.refresh();
      const isLost = document.activeElement === document.body;
      if (window.spielBotKeys && isLost && b.steps.sources.size) b.spots.focus([...b.steps.sources][0]);
    },
    isThere(scene) {
      return this.b.pieces.board().every((count, i) => count === scene.board[i]);
    },
    // Labels, what the tab key reaches, and the lights on targets, after anything has changed.
    refresh() {
      const { spots, steps, pieces, marks, lifted, svg } = this.b;
      const scene = this.scene;
      const targets = lifted === null ? new Map() : steps.targets(lifted);
      const movable = scene.mover === null ? new Set() : steps.sources;
      let reachable = new Set(lifted === null ? movable : [lifted, ...targets.keys()]);
      if (scene.edited) reachable = new Set(Array.from({ length: 24 }, (_, i) => i + 1));
      const board = pieces.board();
      svg.setAttribute("aria-label", this.words.board);
      spots.describe((field) => this.label(field, board, movable, targets), reachable);
      const places = [...targets.keys()].map((field) => {
        const count = field ? Math.abs(board[field - 1]) + 1 : 0;
        return [field, field ? pieces.placeOf(field, Math.min(count, 15) - 1, Math.min(count, 15)) : [0, 0]];
      });
      marks.setTargets(pieces.view, places, scene.mover ?? 0);
      pieces.stacks.forEach((stack, field) => {
        stack.forEach(({ node }, i) => {
          const isTop = i === stack.length - 1;
          node.classList.toggle("tt-movable", isTop && lifted === null && movable.has(field));
          node.classList.toggle("tt-lifted", isTop && field > 0 && field === lifted);
        });
      });
    },
    label(field, board, movable, targets) {
      const words = this.words;
      const fill = (text, values) => text.replace(/{(\w+)}/g, (_, key) => values[key]);
      const parts = [];
      if (field === 0) {
        parts.push(words.exit);
      } else {
        const own = this.b.pieces.view.fields[field].label;
        parts.push(fill(words.field, { field: own }));
        if (field === 12 || field === 13) parts.push(words.corner);
        if (field === 1 || field === 24) parts.push(words.talon);
        const count = board[field - 1];
        if (!count) parts.push(words.empty);
        else parts.push(fill(count > 0 ? words.white : words.black, { count: Math.abs(count) }));
      }
      if (field > 0 && field === this.b.lifted) parts.push(words.lifted);
      else if (targets.has(field)) parts.push(words.target);
      else if (this.b.lifted === null && movable.has(field)) parts.push(words.movable);
      return parts.join(", ");
    },
    isOwn(field) {
      const count = field ? this.b.pieces.board()[field - 1] : 0;
      return this.scene.mover !== null && (this.scene.mover === 0 ? count > 0 : count < 0);
    },
    canLift(field) {
      if (this.scene.edited) return field > 0 && this.b.pieces.stacks[field].length > 0;
      return this.isOwn(field) && !this.b.steps.isComplete;
    },
    lift(field) {
      this.b.lifted = field;
      this.refresh();
      return true;
    },
    pressed(field, isShifted) {
      const { steps, lifted } = this.b;
      if (this.scene.edited) {
        this.$emit("press", field);
        return;
      }
      if (this.scene.mover === null || steps.isComplete) return;
      if (lifted !== null && steps.targets(lifted).has(field)) {
        this.make(field);
      } else if (lifted === field) {
        this.leave();
      } else if (this.isOwn(field) && (lifted === null || steps.sources.has(field))) {
        this.lift(field);
        if (steps.targets(field).size === 0) {
          this.refuse([[field, -1]]);
          this.leave();
        }
      } else if (lifted !== null) {
        this.refuse([[lifted, field]]);
        this.leave();
      }
    },
    drag(point) {
      this.b.pieces.carry(this.b.lifted, point);
    },
    drop(field) {
      const { pieces, steps, lifted } = this.b;
      pieces.top(lifted)?.node.classList.remove("tt-dragged");
      if (this.scene.edited) {
        this.b.lifted = null;
        if (field !== lifted) this.moveEdited(lifted, field);
        pieces.arrange();
        this.refresh();
        return;
      }
      if (field !== null && steps.targets(lifted).has(field)) {
        this.make(field);
        return;
      }
      if (field !== null && field !== lifted) this.refuse([[lifted, field]]);
      pieces.arrange();
      this.leave();
    },
    // Make the step, or the two steps, that take the lifted checker to a field.
    make(field) {
      const b = this.b;
      const made = b.steps.targets(b.lifted).get(field);
      b.steps.make(made);
      for (const [from, to] of made) b.pieces.move(from, to);
      b.lifted = null;
      b.pieces.useDice(this.scene, b.steps.made);
      this.refresh();
      b.marks.setAdvice("");
      if (b.steps.isComplete) this.$emit("play", b.steps.made.map((step) => [...step]));
      else if (b.spots.focused !== null) b.spots.focus([...b.steps.sources][0]);
    },
    refuse(steps) {
      const made = this.b.steps.made.map((step) => [...step]);
      this.$emit("refused", [...made, ...steps].slice(0, 2));
    },
    // Put the lifted checker back, or take the last step back if none is lifted.
    leave() {
      const b = this.b;
      if (b.lifted === null && b.steps.made.length && !b.steps.isComplete) {
        b.pieces.unmove(...b.steps.back());
        b.pieces.useDice(this.scene, b.steps.made);
      }
      b.lifted = null;
      this.refresh();
    },
    // While a position is set up: move a checker anywhere, null is off the board.
    moveEdited(from, to) {
      const board = this.b.pieces.board();
      const sign = Math.sign(board[from - 1]);
      if (to !== null && board[to - 1] * sign < 0) return;
      board[from - 1] -= sign;
      if (to !== null) board[to - 1] += sign;
      this.$emit("edit", board);
    },
    edit(field) {
      const board = this.b.pieces.board();
      if (!this.scene.edited || !field || !board[field - 1]) return;
      board[field - 1] -= Math.sign(board[field - 1]);
      this.$emit("edit", board);
    },
  },
};
