// The legal plays, followed step by step. A play is a list of moves [from, to]; 0 is out.

const same = (one, two) => one[0] === two[0] && one[1] === two[1];

export class Steps {
  constructor(plays) {
    this.plays = plays;
    this.made = [];
  }

  // Plays that begin with the steps made so far.
  get open() {
    return this.plays.filter(
      (play) =>
        play.length >= this.made.length && this.made.every((step, i) => same(step, play[i])),
    );
  }

  get isComplete() {
    return this.made.length > 0 && this.open.some((play) => play.length === this.made.length);
  }

  // Fields from which a checker may go on.
  get sources() {
    const next = this.made.length;
    return new Set(this.open.filter((play) => play.length > next).map((play) => play[next][0]));
  }

  // Where a checker may go: target -> the steps that take it there. With both numbers it rests
  // on the way.
  targets(source) {
    const next = this.made.length;
    const found = new Map();
    const far = new Map();
    for (const play of this.open) {
      if (play.length <= next || play[next][0] !== source) continue;
      const [first, second] = play.slice(next);
      found.set(first[1], [first]);
      if (second && first[1] !== 0 && second[0] === first[1]) far.set(second[1], [first, second]);
    }
    for (const [target, steps] of far) if (!found.has(target)) found.set(target, steps);
    return found;
  }

  make(steps) {
    this.made.push(...steps);
  }

  back() {
    return this.made.pop();
  }
}
