import { MINUTE_MS } from '../../contract/durations.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { DomainChecker } from '../service/domains/check-domain.ts';

/** Checks the custom domains that are due, every minute; returns how to stop. */
export function startDomainChecks(
  checker: Pick<DomainChecker, 'checkDue'>,
  logger: Pick<FastifyBaseLogger, 'error'>,
): () => void {
  let isOver = false;
  let timer = setTimeout(run, MINUTE_MS).unref();
  function run(): void {
    checker
      .checkDue(() => isOver)
      .catch((error: unknown) =>
        logger.error(
          { err: error },
          'a check of custom domains failed, and is repeated within ten minutes',
        ),
      )
      .finally(() => {
        if (!isOver) timer = setTimeout(run, MINUTE_MS).unref();
      });
  }
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
