import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Contract } from '#contract/define-endpoints.ts';
import { DEPRECATION_DATE, deprecationOf, DEPRECATIONS } from '#contract/deprecations.ts';
import { buildOwnerDocument } from '#contract/openapi/document.ts';
import type { Schemas } from '#contract/openapi/json-schema.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { ownerPath } from '#contract/shared/owner-path.ts';
import { createProgram } from '#server/entry/cli/program.ts';
import type { OpenApiOperation } from '#server/platform/openapi-documents.ts';
import { runCommand } from '../cli/support/command-line.ts';
import { call } from '../support/call.ts';
import { callTool } from '../support/mcp.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();
const { paths, components } = buildOwnerDocument() as unknown as {
  paths: Record<string, Record<string, OpenApiOperation & { deprecated?: true }>>;
  components: { schemas: Record<string, { properties: Schemas }> };
};
const sdk = ['generated/owner-operations', 'generated/login-operations']
  .map((file) => readFileSync(`client/src/${file}.ts`, 'utf8'))
  .join('\n');
const operations = Object.entries(ownerContract as Contract).flatMap(([area, routes]) =>
  Object.entries(routes).map(([id, { method, path }]) => ({ name: `${area}.${id}`, method, path })),
);
const commands = (await createProgram()).commands.map((command) => command.name());
const isKnown = (name: string) => commands.some((command) => `${command}.`.startsWith(`${name}.`));
/** Names of fields begin with that of a schema, those of parameters with that of an operation. */
const isRemoved = (name: string) =>
  /^[a-z]/.test(name) &&
  !isKnown(name) &&
  !operations.some((operation) => operation.name.endsWith(`.${name.split('.')[0]}`));
const names = DEPRECATIONS.flatMap((row) => row.names ?? []).filter((name) => !isRemoved(name));

/** The documentation of the first member after the text `start`. */
function readComment(start: string, member: string): string | undefined {
  const comment = String.raw`/\*\*((?:(?!\*/)[^])*)\*/\s*${member}\b[?(:]`;
  return new RegExp(comment).exec(sdk.slice(sdk.indexOf(start)))?.[1];
}

it.each(names)('%s exists, and document and SDK say that it is deprecated', (name) => {
  const [owner = '', member] = name.split('.');
  const named = operations.filter((operation) => `${operation.name}.`.startsWith(`${name}.`));
  for (const { name: id, method, path } of named) {
    expect(paths[path]![method.toLowerCase()]).toMatchObject({
      deprecated: true,
      description: expect.stringContaining(` Deprecated: ${deprecationOf(id)}`),
    });
    expect(readComment('', id.split('.')[1]!)).toContain(`@deprecated ${deprecationOf(id)}`);
  }
  if (named.length > 0) return;
  if (member === undefined) return expect(commands).toContain(name);
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

const removals = DEPRECATIONS.flatMap(({ names: listed = [], instead }) =>
  listed.filter(isRemoved).map((name) => ({ name, instead })),
);

it.each(removals)(
  'the path, the command and the tool of $name say what replaces it',
  async ({ name, instead }) => {
    const account = await server.createAccount();
    const sentence = expect.stringContaining(instead) as string;
    const removedPaths = [ownerPath(name), ...(name.includes('.') ? [] : [ownerPath(`${name}.x`)])];
    for (const path of removedPaths)
      for (const method of ['GET', 'POST'] as const)
        expect(await call(server.app, { method, path, key: account.key })).toMatchObject({
          ...{ status: 404, body: { error: sentence } },
          headers: { 'x-error-code': 'pathNotFound' },
        });
    expect(await runCommand({}, name)).toEqual({ code: 2, stdout: '', stderr: sentence });
    const message = { error: { code: -32602, message: sentence } };
    const tool = name.replace('.', '_');
    expect(await callTool(server, account, tool)).toMatchObject({ body: message });
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
