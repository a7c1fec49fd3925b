import { hash } from 'node:crypto';
import type { MetricPosition } from '../../../db/queries/metrics/metrics.ts';

/** Names a place in the metrics of a project; it means nothing for another one. */
export function toCursor(projectId: string, { received_at, id }: MetricPosition): string {
  const place = `${received_at} ${id}`;
  return Buffer.from(`${place} ${sealOf(projectId, place)}`).toString('base64url');
}

/** The place that a cursor names; undefined if it is none of the project. */
export function fromCursor(projectId: string, cursor: string): MetricPosition | undefined {
  const [received_at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const position = { received_at, id };
  return toCursor(projectId, position) === cursor ? position : undefined;
}

/** Who could make it may read the project anyway: it tells mistakes, and needs no secret. */
function sealOf(projectId: string, place: string): string {
  return hash('sha256', `${projectId.toLowerCase()} ${place}`, 'base64url').slice(0, 16);
}
