import { LIMITS } from '../../../contract/limits.ts';
import { BUCKET_UNITS, type BucketUnit } from '../../../contract/metric-query.ts';

/** Approximate lengths of buckets in milliseconds. */
const LENGTHS: Record<BucketUnit, number> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_592_000_000,
};

/** More points than these are no plot any more. */
const LEGIBLE = 400;

/** The finest bucket that gives a span of time as many points as one can read. */
export function bucketFor(span: number): BucketUnit {
  return BUCKET_UNITS.find((unit) => span / LENGTHS[unit] <= LEGIBLE) ?? 'month';
}

/** Whether a span of time has more buckets than one may ask for. */
export function isTooFine(unit: BucketUnit, span: number): boolean {
  return span / LENGTHS[unit] > LIMITS.buckets;
}
