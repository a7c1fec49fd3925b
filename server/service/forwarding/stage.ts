import type { ForwardingState } from '../../../db/queries/forwarding/forwarding-names.ts';

/** A name with how far its forwarding is, in words. */
export interface NameState extends ForwardingState {
  stage:
    | 'settled'
    | 'waiting'
    | 'waits for confirmation'
    /** State of a call that is under way, or was not answered and may still take effect. */
    | 'waits for an answer'
    | 'nobody forwards';
}

/** Says how far the forwarding of a name is. */
export function withStage(state: ForwardingState): NameState {
  return { ...state, stage: stageOf(state) };
}

function stageOf(state: ForwardingState): NameState['stage'] {
  if (state.unconfirmed) return 'waits for confirmation';
  if (state.settled) return 'settled';
  const isAwaited = state.uncertain_until !== null && state.last_error === null;
  return isAwaited ? 'waits for an answer' : 'waiting';
}
