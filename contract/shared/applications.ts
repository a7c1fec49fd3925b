export const APPLICATION_STATES = ['waiting', 'approved', 'declined'] as const;
export type ApplicationState = (typeof APPLICATION_STATES)[number];

/** What a decision did with one application. */
export const DECISION_RESULTS = ['done', 'alreadyDecided', 'nameUnavailable', 'notFound'] as const;
export type DecisionResult = (typeof DECISION_RESULTS)[number];
