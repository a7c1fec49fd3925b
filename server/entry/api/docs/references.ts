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

/** The owner API has too many operations for one page, so each of its areas has one. */
export const AREA_PAGES = Object.keys(ownerContract).map((area) => ({
  area,
  path: `${REFERENCES[1].path}${area}`,
  file: REFERENCES[1].file,
}));

export const ERRORS_PATH = '/docs/errors';

export const ERRORS_FILE = `${ERRORS_PATH}.md`;

export const LLMS_PATH = '/llms.txt';
