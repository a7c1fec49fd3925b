import type { FastifyError, FastifyInstance } from 'fastify';
import { LIMITS } from '#contract/shared/limits.ts';
import { PICTURE_FILE_REFUSALS } from '#contract/owner/pictures.ts';
import { sendError } from '#server/platform/http/responses/error-response.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser(PICTURE_FILE_REFUSALS);

const REFUSALS = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'pictureTypeUnsupported',
  FST_ERR_CTP_BODY_TOO_LARGE: 'pictureTooLarge',
} as const;

export function acceptFiles(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    // The picture decoder detects the real type.
    /^(?:image\/|application\/octet-stream)/,
    { parseAs: 'buffer', bodyLimit: LIMITS.pictureBytes },
    (_request, body, done) => done(null, body),
  );
  server.setErrorHandler((error, request, reply) => {
    const code = REFUSALS[(error as FastifyError).code as keyof typeof REFUSALS];
    sendError(code ? refuse(code) : error, request, reply);
  });
}
