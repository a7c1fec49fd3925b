import type { owner, ResponseOf } from '#dashboard/api/api.ts';

export type Instance = ResponseOf<typeof owner.operator.getInstance>['instance'];

/** Empty texts mean the default. */
export type InstanceDraft = Record<keyof Instance, string>;
