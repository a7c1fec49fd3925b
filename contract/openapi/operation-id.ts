import type { contract } from '#contract/index.ts';

type Operations<Router> = { [Area in keyof Router]: keyof Router[Area] }[keyof Router];

export type OperationId = Operations<typeof contract> & string;
