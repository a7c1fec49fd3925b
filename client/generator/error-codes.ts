import { type Contract, listRoutes, type Route } from '../../contract/define-endpoints.ts';
import type { Operation } from '../../contract/openapi/collect-operations.ts';
import { printComment } from './print-docs.ts';

const SHARED_CODES = {
  ReadErrorCode: 'Error codes that all GET methods share.',
  QueryErrorCode:
    'Error codes that all methods without an idempotency key share, except GET methods.',
  WriteErrorCode: 'Error codes that all methods with an idempotency key share.',
};

export function listErrorCodes(contract: Contract): string[] {
  return listRoutes(contract).flatMap(({ metadata }) =>
    Object.keys({ ...metadata.sharedRefusals, ...metadata.refusals }),
  );
}

/** The type is open, because a newer server may have more codes. */
export function printErrorCodes(codes: readonly string[]): string {
  const names = printUnion([...new Set(codes)].toSorted());
  return `// Generated from the contract: change it there and run \`npm run generate\`.\n\nimport type { OtherValue } from '../other-value.ts';\n\n/** All error codes. A newer server may have more. */\nexport type ErrorCode = ${names} | OtherValue;\n`;
}

export function printMethodCodes(operations: readonly Operation[], client: string): string {
  const sharedCodes = new Map(
    operations.map(({ route }) => [
      sharedTypeName(route),
      Object.keys(route.metadata.sharedRefusals),
    ]),
  );
  return [
    ...[...sharedCodes].map(([name, codes]) =>
      printTypeAlias(name, SHARED_CODES[name], printUnion(codes)),
    ),
    ...operations.map(({ area, id, route }) =>
      printTypeAlias(
        errorCodeTypeName(id),
        `Error codes of \`${client}.${area}.${id}\`. A newer server may have more.`,
        [sharedTypeName(route), printUnion(Object.keys(route.metadata.refusals))]
          .filter(Boolean)
          .join(' | '),
      ),
    ),
  ].join('\n\n');
}

export function printThrows({ id, route }: Operation): string {
  const refusals = Object.entries(route.metadata.refusals);
  const byStatus = Object.groupBy(refusals, ([, { status }]) => status);
  const errors = Object.entries(byStatus).map(
    ([status, own = []]) => `${status} ${own.map(([code]) => `\`${code}\``).join(', ')}`,
  );
  return errors.length === 0
    ? ''
    : `@throws ${errors.join('; ')}: see \`${errorCodeTypeName(id)}\`.`;
}

function errorCodeTypeName(id: string): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}ErrorCode`;
}

function sharedTypeName({ method, metadata }: Route): keyof typeof SHARED_CODES {
  if (method === 'GET') return 'ReadErrorCode';
  return 'idempotencyKeyReused' in metadata.sharedRefusals ? 'WriteErrorCode' : 'QueryErrorCode';
}

function printTypeAlias(name: string, comment: string, type: string): string {
  return `${printComment([comment])}\nexport type ${name} = ${type};`;
}

function printUnion(codes: readonly string[]): string {
  return codes.map((code) => `'${code}'`).join(' | ');
}
