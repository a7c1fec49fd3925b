import { ErrorResponse } from '../../../contract/errors.ts';

/** What every command can be answered besides its own statuses. */
export const errors = {
  400: ErrorResponse,
  404: ErrorResponse,
  409: ErrorResponse,
  413: ErrorResponse,
  415: ErrorResponse,
  500: ErrorResponse,
  503: ErrorResponse,
};
