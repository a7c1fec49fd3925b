/**
 * An `import` of `node:http` would evaluate all its getters. One of them loads `fetch`, which takes
 * 13 MB of memory.
 */
export const { createServer } = process.getBuiltinModule('node:http');
