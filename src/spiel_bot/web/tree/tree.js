// The tree of a search: cards joined by lines, the most visited child beside its parent, so that
// the top row is the main line. Every step of the search is here; going through them asks nobody.
const ROW = 52;
const COLUMN = 182;
const CARD = { width: 158, height: 44 };
const FEW = 6;
const PLAY_TIME = 650;
const PIPS = {
  1: [[5, 5]],
  2: [[2.5, 2.5], [7.5, 7.5]],
  3: [[2.5, 2.5], [5, 5], [7.5, 7.5]],
  4: [[2.5, 2.5], [7.5, 2.5], [2.5, 7.5], [7.5, 7.5]],
  5: [[2.5, 2.5], [7.5, 2.5], [5, 5], [2.5, 7.5], [7.5, 7.5]],
  6: [[2.5, 2.2], [7.5, 2.2], [2.5, 5], [7.5, 5], [2.5, 7.8], [7.5, 7.8]],
};
const figure = { minimumFractionDigits: 3, maximumFractionDigits: 3 };
const local = (value) => Math.abs(value).toLocaleString(document.documentElement.lang, figure);
const signed = (value) => (value < 0 ? "−" : "+") + local(value);
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);

export default {
  template: `
    <div class="st-view" tabindex="0" @keydown="pressed" role="group" data-tree>
      <div class="st-tools">
        <q-btn flat round icon="first_page" :aria-label="words.first" @click="go(0)" data-step="first" />
        <q-btn flat round icon="chevron_left" :aria-label="words.previous" @click="go(step - 1)" data-step="previous" />
        <q-btn flat round icon="chevron_right" :aria-label="words.next" @click="go(step + 1)" data-step="next" />
        <q-btn flat round icon="last_page" :aria-label="words.last" @click="go(steps.length)" data-step="last" />
        <q-btn flat round :icon="timer ? 'pause' : 'play_arrow'" :aria-label="timer ? words.pause_steps : words.play_steps" @click="toggle" data-step="play" />
        <input class="st-range" type="range" min="0" :max="steps.length" :value="step" @input="go(+$event.target.value)" :aria-label="stepText" />
        <label class="st-follow"><input type="checkbox" v-model="follow" /> {{ words.follow }}</label>
        <q-btn flat dense no-caps :label="words.open_main" @click="openMain" />
        <q-btn flat dense no-caps :label="words.close_all" @click="closeAll" />
      </div>
      <div class="st-text" role="status"><b>{{ stepText }}</b><span v-if="pathText">{{ words.colon }} {{ pathText }}</span></div>
      <div class="st-scroll" ref="scroll">
        <div class="st-field" :style="{ width: picture.width + 'px', height: picture.height + 'px' }">
          <svg class="st-lines" :width="picture.width" :height="picture.height" aria-hidden="true">
            <path v-for="line in picture.lines" :key="line.key" :d="line.d" :class="{ 'st-way': line.isWay }" />
          </svg>
          <button v-for="card in picture.cards" :key="card.key" type="button" class="st-card"
            :class="card.classes" :style="{ left: card.x + 'px', top: card.y + 'px' }"
            :aria-expanded="card.count ? String(card.isOpen) : null" :aria-label="card.label"
            :data-node="card.id" @click="pressedCard(card)">
            <template v-if="card.isMore">{{ card.text }}</template>
            <template v-else>
              <span class="st-share" :style="{ width: card.share + '%' }"></span>
              <span class="st-name">
                <span class="st-kind" :class="'st-' + card.look"></span>
                <svg v-for="(face, place) in card.dice" :key="place" class="st-die" viewBox="0 0 10 10" aria-hidden="true">
                  <rect x="0.3" y="0.3" width="9.4" height="9.4" rx="2" />
                  <circle v-for="(pip, i) in pips(face)" :key="i" :cx="pip[0]" :cy="pip[1]" r="0.95" />
                </svg>
                <span class="st-words">{{ card.dice.length ? "" : card.name }}</span>
                <span v-if="card.count" class="st-count">{{ card.isOpen ? "−" : "+" + card.count }}</span>
              </span>
              <span class="st-figures">
                <span>{{ card.visits }}×</span><span class="st-value">{{ card.value }}</span>
                <span v-if="card.prior !== null">{{ card.prior }}</span>
              </span>
              <span v-if="card.leaf" class="st-leaf">{{ card.leaf }}</span>
            </template>
          </button>
        </div>
      </div>
    </div>`,
  props: { nodes: Array, steps: Array, words: Object, start: Number },
  data() {
    return { step: this.start, open: [0], full: [], selected: 0, follow: true, timer: null };
  },
  created() {
    // Not reactive: the tree does not change once it is here.
    this.byId = new Map(this.nodes.map((node) => [node.id, node]));
    this.childrenOf = new Map(this.nodes.map((node) => [node.id, []]));
    for (const node of this.nodes) if (node.parent !== null) this.childrenOf.get(node.parent).push(node);
    // A phone has room for the root and its children, not for a whole line.
    if (this.step === this.steps.length && window.innerWidth > 700) this.openMain();
  },
  mounted() {
    this.$el.dataset.ready = "true";
  },
  unmounted() {
    clearInterval(this.timer);
  },
  computed: {
    figures() {
      // The root counts its own evaluation as a visit, except where it is a roll.
      const root = this.byId.get(0);
      const found = new Map(root.own === null ? [] : [[0, [1, root.own]]]);
      for (const step of this.steps.slice(0, this.step))
        for (const [id, visits, value] of step.changed) found.set(id, [visits, value]);
      return found;
    },
    way() {
      return this.step > 0 ? this.steps[this.step - 1].path : [];
    },
    stepText() {
      if (this.step === 0) return this.words.step_none;
      return filled(this.words.step_of, { step: this.step, steps: this.steps.length });
    },
    pathText() {
      const names = this.way.slice(1).map((id) => this.nameOf(this.byId.get(id)));
      if (this.step === 0) return "";
      return [...names, this.leafText].join(" → ");
    },
    leafText() {
      return filled(this.words.step_leaf, { value: signed(this.steps[this.step - 1].value) });
    },
    picture() {
      const cards = [];
      const lines = [];
      const way = new Set(this.follow ? this.way : []);
      const open = new Set(this.open);
      const full = new Set(this.full);
      let rows = 0;
      let depths = 0;
      const place = (node, depth, row, total) => {
        const known = this.childrenOf.get(node.id).filter((child) => this.figures.has(child.id));
        const isOpen = open.has(node.id) || (way.has(node.id) && known.length > 0);
        const card = this.card(node, depth, row, known.length, isOpen, total);
        cards.push(card);
        depths = Math.max(depths, depth);
        rows = Math.max(rows, row);
        if (!isOpen || !known.length) return card;
        const isFew = full.has(node.id) || known.length <= FEW + 1;
        const shown = isFew ? known : known.filter((child, i) => i < FEW || way.has(child.id));
        let next = row;
        for (const child of shown) {
          const below = place(child, depth + 1, next, card.number);
          lines.push(this.line(card, below, way.has(child.id)));
          next = rows + 1;
        }
        if (shown.length < known.length) {
          const more = this.more(node, depth + 1, next, known.length - shown.length);
          cards.push(more);
          lines.push(this.line(card, more, false));
          rows = next;
        }
        return card;
      };
      if (this.figures.has(0) || this.steps.length) place(this.byId.get(0), 0, 0, 0);
      return {
        cards,
        lines: [...lines.filter((line) => !line.isWay), ...lines.filter((line) => line.isWay)],
        width: depths * COLUMN + CARD.width + 8,
        height: rows * ROW + CARD.height + 24,
      };
    },
  },
  watch: {
    step(step) {
      const address = new URL(window.location);
      address.searchParams.set("step", step);
      window.history.replaceState(window.history.state, "", address);
      const leaf = step > 0 ? this.way[this.way.length - 1] : 0;
      this.selected = leaf;
      this.$emit("select", leaf);
      if (this.follow) this.$nextTick(() => this.scrollTo(leaf));
    },
  },
  methods: {
    card(node, depth, row, count, isOpen, total) {
      const [visits, value] = this.figures.get(node.id) ?? [0, 0];
      const isWay = this.way.includes(node.id);
      const isLeaf = isWay && node.id === this.way[this.way.length - 1];
      const look = node.kind === "decision" ? node.player : node.kind;
      const next = { white: "white_decides", black: "black_decides", roll: "roll_next", end: "over" }[look];
      const isChance = node.parent !== null && this.byId.get(node.parent).kind === "roll";
      const prior = node.prior === null ? null : `${isChance ? "" : "p "}${(100 * node.prior).toFixed(0)} %`;
      const name = this.nameOf(node);
      const kind = this.words[isChance ? "node_chance" : "node_prior"];
      return {
        key: node.id,
        id: node.id,
        number: visits,
        x: depth * COLUMN,
        y: row * ROW,
        name,
        dice: node.dice,
        look,
        count,
        isOpen,
        visits,
        value: visits ? signed(value) : "",
        prior,
        share: total ? (100 * visits) / total : 0,
        leaf: isLeaf ? this.leafText : "",
        label: `${name}, ${visits} ${this.words.node_visits}, ${visits ? signed(value) : ""}, ${
          prior ? kind + " " + prior + ", " : ""}${this.words[next]}`,
        classes: { "st-way": isWay, "st-chosen": node.id === this.selected, "st-end": look === "end" },
      };
    },
    more(node, depth, row, count) {
      const text = filled(this.words.more, { count });
      return {
        key: `more${node.id}`, id: `more${node.id}`, isMore: true, of: node.id, text, label: text,
        x: depth * COLUMN, y: row * ROW, count: 0, classes: { "st-more": true },
      };
    },
    line(from, to, isWay) {
      const x = from.x + CARD.width;
      const y = from.y + CARD.height / 2;
      const middle = x + (COLUMN - CARD.width) / 2;
      return { key: to.key, isWay, d: `M${x} ${y} H${middle} V${to.y + CARD.height / 2} H${to.x}` };
    },
    nameOf(node) {
      if (node.parent === null) return this.words.root;
      return node.dice.length ? node.dice.join("-") : node.name;
    },
    pips(face) {
      return PIPS[face] ?? [];
    },
    go(step) {
      this.step = Math.min(Math.max(step, 0), this.steps.length);
    },
    toggle() {
      if (this.timer) return this.hold();
      if (this.step === this.steps.length) this.go(0);
      this.timer = setInterval(() => {
        this.go(this.step + 1);
        if (this.step === this.steps.length) this.hold();
      }, PLAY_TIME);
    },
    hold() {
      clearInterval(this.timer);
      this.timer = null;
    },
    pressed(event) {
      if (event.target.type === "range") return;
      const to = { ArrowRight: this.step + 1, ArrowLeft: this.step - 1, Home: 0, End: this.steps.length }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.go(to);
    },
    pressedCard(card) {
      if (card.isMore) {
        this.full.push(card.of);
        return;
      }
      this.open = this.open.includes(card.id)
        ? this.open.filter((id) => id !== card.id)
        : [...this.open, card.id];
      this.selected = card.id;
      this.$emit("select", card.id);
    },
    openMain() {
      const line = [];
      for (let node = this.byId.get(0); node; node = this.childrenOf.get(node.id)[0]) line.push(node.id);
      this.open = [...new Set([...this.open, ...line.slice(0, 4)])];
    },
    closeAll() {
      this.open = [];
      this.full = [];
      this.follow = false;
    },
    reveal(id) {
      if (!this.byId.has(id)) return;
      const way = [];
      for (let node = this.byId.get(id).parent; node !== null; node = this.byId.get(node).parent) way.push(node);
      this.open = [...new Set([...this.open, ...way])];
      this.full = [...new Set([...this.full, ...way])];
      this.selected = id;
      this.$nextTick(() => this.scrollTo(id));
    },
    scrollTo(id) {
      const card = this.picture.cards.find((one) => one.id === id);
      const box = this.$refs.scroll;
      if (!card || !box) return;
      const isSeen =
        card.x >= box.scrollLeft && card.x + CARD.width <= box.scrollLeft + box.clientWidth &&
        card.y >= box.scrollTop && card.y + CARD.height + 20 <= box.scrollTop + box.clientHeight;
      if (isSeen) return;
      box.scrollTo({
        left: Math.max(0, card.x - COLUMN),
        top: Math.max(0, card.y - box.clientHeight / 3),
      });
    },
  },
};
