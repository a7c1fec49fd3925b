import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Contract } from '#contract/define-endpoints.ts';
import { DEPRECATION_DATE, deprecationOf, DEPRECATIONS } from '#contract/deprecations.ts';
import { buildOwnerDocument } from '#contract/openapi/document.ts';
import type { Schemas } from '#contract/openapi/json-schema.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { createProgram } from '#server/entry/cli/program.ts';
import type { OpenApiOperation } from '#server/platform/openapi-documents.ts';
import { call } from '../support/call.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();
const { paths, components } = (await buildOwnerDocument()) as unknown as {
  paths: Record<string, Record<string, OpenApiOperation & { deprecated?: true }>>;
  components: { schemas: Record<string, { properties: Schemas }> };
};
const sdk = ['generated/owner-operations', 'generated/login-operations']
  .map((file) => readFileSync(`client/src/${file}.ts`, 'utf8'))
  .join('\n');
const operations = Object.entries(ownerContract as Contract).flatMap(([area, routes]) =>
  Object.entries(routes).map(([id, { method, path }]) => ({ name: `${area}.${id}`, method, path })),
);
/** Areas that are gone already, but whose row stays. */
const REMOVED_AREAS = new Set(['applications']);
const names = DEPRECATIONS.flatMap(({ names: removed = [] }) => removed).filter(
  (name) => !REMOVED_AREAS.has(name),
);

/** The documentation of the first member after the text `start`. */
function readComment(start: string, member: string): string | undefined {
  const comment = String.raw`/\*\*((?:(?!\*/)[^])*)\*/\s*${member}\b[?(:]`;
  return new RegExp(comment).exec(sdk.slice(sdk.indexOf(start)))?.[1];
}

it.each(names)('%s is removed, or document and SDK say that it is deprecated', async (name) => {
  const [owner = '', member] = name.split('.');
  const named = operations.filter((operation) => `${operation.name}.`.startsWith(`${name}.`));
  for (const { name: id, method, path } of named) {
    expect(paths[path]![method.toLowerCase()]).toMatchObject({
      deprecated: true,
      description: expect.stringContaining(` Deprecated: ${deprecationOf(id)}`),
    });
    expect(readComment('', id.split('.')[1]!)).toContain(`@deprecated ${deprecationOf(id)}`);
  }
  if (named.length > 0 || owner in ownerContract) return;
  if (member === undefined)
    return expect((await createProgram()).commands.map((command) => command.name())).toContain(
      name,
    );
  expect(readComment(`interface ${owner} {`, member) ?? readComment(`${owner}(`, member)).toContain(
    '@deprecated',
  );
  const { parameters } = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === owner) ?? { parameters: [] };
  const field =
    components.schemas[owner]?.properties[member] ??
    parameters?.find((parameter) => 'name' in parameter && parameter.name === member);
  expect(field).toMatchObject({
    deprecated: true,
    description: expect.stringContaining(' Deprecated: '),
  });
});

it.each(DEPRECATIONS.flatMap(({ narrowed = [] }) => narrowed))(
  '%s exists, and its description says what is deprecated',
  (name) => {
    const [schema = '', member = ''] = name.split('.');
    const { description } = components.schemas[schema]!.properties[member]!;
    expect(description).toContain(' Deprecated: ');
  },
);

it('every response of a deprecated operation has the date, also an error', async () => {
  for (const { name, method, path } of operations) {
    const { status, headers } = await call(server.app, { method, path });
    const isDeprecated = deprecationOf(name) !== undefined;
    expect([name, status, headers['deprecation']]).toEqual([
      name,
      expect.toSatisfy((value) => value >= 400),
      isDeprecated ? DEPRECATION_DATE : undefined,
    ]);
  }
});
