/** Groups that are under way; what comes meanwhile is in the next one. */
const AT_ONCE = 2;
/** One that takes longer waits for a lock, say, and the next ones begin without it. */
const LONG_MS = 20;

/** Lets few statements for many callers be under way at once: fewer and larger ones cost less. */
export class BatchSlots {
  #underWay = 0;
  readonly #waiting: ((end: () => void) => void)[] = [];

  /** Begins as soon as there is room; `end` is to be called when it is over. */
  enter(begin: (end: () => void) => void): void {
    if (this.#underWay < AT_ONCE) begin(this.#start());
    else this.#waiting.push(begin);
  }

  /** Counts one until it ends or has taken long. */
  #start(): () => void {
    this.#underWay += 1;
    let counts = true;
    const end = () => {
      clearTimeout(timer);
      if (!counts) return;
      counts = false;
      this.#underWay -= 1;
      const next = this.#waiting.shift();
      if (next) this.enter(next);
    };
    const timer = setTimeout(end, LONG_MS);
    return end;
  }
}
