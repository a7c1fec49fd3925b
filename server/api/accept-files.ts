import type { FastifyError, FastifyInstance } from 'fastify';
import { LIMITS } from '#contract/limits.ts';
import { PICTURE_FILE_REFUSALS } from '#contract/owner/pictures.ts';
import { answerError } from '../http/answers/error-answer.ts';
import { refuserOf } from '../refusal.ts';

const refuse = refuserOf(PICTURE_FILE_REFUSALS);

/** The framework's refusals of a body, in the words of files. */
const REFUSALS = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'pictureTypeUnsupported',
  FST_ERR_CTP_BODY_TOO_LARGE: 'pictureTooLarge',
} as const;

/** Replaces the body parsers of a scope by one for files, which are read as they are. */
export function acceptFiles(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    // The decoder finds out the real type.
    /^(?:image\/|application\/octet-stream)/,
    { parseAs: 'buffer', bodyLimit: LIMITS.pictureBytes },
    (_request, body, done) => done(null, body),
  );
  scope.setErrorHandler((error, request, reply) => {
    const code = REFUSALS[(error as FastifyError).code as keyof typeof REFUSALS];
    answerError(code ? refuse(code) : error, request, reply);
  });
}
