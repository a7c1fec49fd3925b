/** What a decision did with one account that waits. */
export const DECISION_RESULTS = ['done', 'alreadyDecided', 'notFound'] as const;
export type DecisionResult = (typeof DECISION_RESULTS)[number];
