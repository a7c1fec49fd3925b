/** Node's HTTP. An `import` of it would read every name that it has, and one of them loads all of `fetch`. */
export const { createServer, METHODS, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http');
