/**
 * An `import` of `node:http` would evaluate all its getters. One of them loads `fetch`, which takes
 * 13 MB of memory.
 */
export const { createServer, METHODS } = process.getBuiltinModule('node:http');
