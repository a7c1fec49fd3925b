/** Node's HTTP module. An `import` would read all of its names, and one of them loads `fetch`: 13 MB of memory. */
export const { createServer, METHODS } = process.getBuiltinModule('node:http');
