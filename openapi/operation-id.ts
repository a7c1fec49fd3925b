import type { contract } from '#contract/index.ts';

type Operations<Router> = { [Area in keyof Router]: keyof Router[Area] }[keyof Router];

/** The name of an operation in the contract. */
export type OperationId = Operations<typeof contract> & string;
