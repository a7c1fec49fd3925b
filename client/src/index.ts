export { otherKind, type OtherKind } from './blocks.ts';
export { Nameplate } from './client.ts';
export type { ErrorCode } from './generated/error-codes.ts';
export * from './errors.ts';
export { MetricsBuffer } from './metrics-buffer.ts';
export type {
  DroppedMetric,
  DropReason,
  FlushResult,
  MetricsBufferOptions,
  SentMetric,
} from './metrics-buffer-options.ts';
export type { APIPromise, APIResponse } from './api-promise.ts';
export type { ListPromise } from './list-promise.ts';
export type { Logger } from './logger.ts';
export type {
  ClientOptions,
  Fetch,
  FetchInit,
  FetchResponse,
  HeaderValues,
  RequestOptions,
} from './options.ts';
export type * from './generated/operations.ts';
export type { OtherValue } from './other-value.ts';
export { themes } from './generated/themes.ts';
export { VERSION } from './generated/version.ts';
