/**
 * An `import` of `node:http` would read all its exports, one of which loads `fetch` (13 MB of
 * memory).
 */
export const { createServer, METHODS } = process.getBuiltinModule('node:http');
