/** `past` ends with the state before `present`. `future` begins with the state after it. */
export interface History<State> {
  past: readonly State[];
  present: State;
  future: readonly State[];
}

const MAX_UNDO_STEPS = 100;

export function createHistory<State>(present: State): History<State> {
  return { past: [], present, future: [] };
}

/** Adds a change. With `isSameStep` it is undone together with the change before it. */
export function recordChange<State>(
  { past, present }: History<State>,
  next: State,
  { isSameStep = false } = {},
): History<State> {
  return {
    past: isSameStep ? past : [...past.slice(1 - MAX_UNDO_STEPS), present],
    present: next,
    future: [],
  };
}

export function undo<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  if (past.length === 0) return history;
  return { past: past.slice(0, -1), present: past.at(-1)!, future: [present, ...future] };
}

export function redo<State>(history: History<State>): History<State> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future };
}
