/** The present state of something that is edited, with what can be undone and redone. */
export interface History<State> {
  past: readonly State[];
  present: State;
  future: readonly State[];
}

const MAX_STEPS = 100;

/** The beginning of a history. */
export function newHistory<State>(present: State): History<State> {
  return { past: [], present, future: [] };
}

/** A change; one that belongs to the step before, like the next letter of a word, is undone with it. */
export function recordChange<State>(
  { past, present }: History<State>,
  next: State,
  { isSameStep = false } = {},
): History<State> {
  return {
    past: isSameStep ? past : [...past.slice(1 - MAX_STEPS), present],
    present: next,
    future: [],
  };
}

/** One step back. */
export function undo<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  if (past.length === 0) return history;
  return { past: past.slice(0, -1), present: past.at(-1)!, future: [present, ...future] };
}

/** The step forth that was undone last. */
export function redo<State>(history: History<State>): History<State> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future };
}
