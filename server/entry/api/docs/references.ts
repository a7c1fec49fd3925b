export const REFERENCES = [
  { path: '/docs/', file: '/openapi.json', label: 'API' },
  { path: '/docs/owner/', file: '/owner/openapi.json', label: 'For owners' },
] as const;

export const ERRORS_PATH = '/docs/errors';

export const LLMS_PATH = '/llms.txt';
