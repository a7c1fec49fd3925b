import { refusal } from '../../contract/refusal.ts';

/** What is refused before, or beside, any endpoint. */
export const BELOW_ENDPOINTS = {
  urlInvalid: refusal(400, 'The URL cannot be read.', 'The URL is not valid.'),
  requestInvalid: refusal(
    400,
    'The framework cannot route the request.',
    'The request is not valid.',
  ),
  requestMalformed: refusal(400, 'It is not HTTP.', 'The request is malformed.'),
  hostMissing: refusal(400, 'There is no Host header.', 'The Host header is missing.'),
  hostInvalid: refusal(
    400,
    'There are several Host headers, or one that names no host.',
    'The Host header is not valid.',
  ),
  bodyIncomplete: refusal(
    400,
    'The caller hung up before the whole body had arrived.',
    'The request ended before all of its body had arrived.',
  ),
  pathNotFound: refusal(
    404,
    'No endpoint has the path.',
    'There is nothing at this path; /docs and /openapi.json tell what there is.',
  ),
  methodNotAllowed: refusal(
    405,
    'The path has other methods; `Allow` names them.',
    'The method is not supported here; use {methods}.',
    { methods: 'GET, HEAD' },
  ),
  methodNotSupported: refusal(405, 'No path has the method.', 'The method is not supported.'),
  requestTimeout: refusal(
    408,
    'The request did not arrive in time.',
    'The request took too long to arrive.',
  ),
  chunkExtensionsTooLarge: refusal(
    413,
    'The body has too much around its parts.',
    'The request body is larger than allowed.',
  ),
  expectationFailed: refusal(
    417,
    'The Expect header is not 100-continue.',
    'The Expect header is not supported.',
  ),
  headersTooLarge: refusal(431, 'The headers are too large.', 'The request headers are too large.'),
  internalError: refusal(
    500,
    'Something failed outside all endpoints.',
    'Something went wrong on the server.',
  ),
};
