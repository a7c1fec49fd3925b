/** An `import` of `node:http` would evaluate all its getters, one of which loads `fetch` (13 MB of memory). */
export const { createServer, METHODS } = process.getBuiltinModule('node:http');
