import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';

export const REFERENCES = [
  { path: '/docs/', file: '/openapi.json', label: 'API' },
  { path: '/docs/owner/', file: '/owner/openapi.json', label: 'For owners' },
] as const;

/** Markdown for language models, with the operations of one area. */
export const AREA_FILES = [contract, ownerContract].flatMap((areas, index) =>
  Object.keys(areas).map((area) => {
    const { path, file } = REFERENCES[index]!;
    return { area, path: `${path}${area}.md`, file };
  }),
);

export const ERRORS_PATH = '/docs/errors';

export const ERRORS_FILE = `${ERRORS_PATH}.md`;

export const LLMS_PATH = '/llms.txt';
