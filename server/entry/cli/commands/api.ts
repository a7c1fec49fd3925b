import { Readable } from 'node:stream';
import { Option } from '@commander-js/extra-typings';
import type { Contract, Route } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { authenticatedContract } from '#contract/owner/index.ts';
import { APIError, Nameplate, NameplateError } from '../../../../client/src/index.ts';
import { listPromise } from '../../../../client/src/list-promise.ts';
import { withQuery } from '../../../../client/src/with-query.ts';
import {
  type Field,
  fieldsOf,
  inputOf,
  parseField,
  readArgument,
  readText,
} from '../api-fields.ts';
import { parseJson } from '#server/platform/outbound/read-response.ts';
import { openDraft } from '#server/platform/draft-file.ts';
import { CommandFailedError } from '../command-failed.ts';
import { escapeControlCharacters, examples, printResult, type Program } from '../output.ts';
import { withResource } from '../with-service.ts';

type Values = Record<string, string | true | undefined>;

/** Adds all operations, and the fields of the one that `args` names. */
export function addApiCommand(program: Program, args: readonly string[]): void {
  const api = program
    .command('api')
    .description('call an operation of the API, on this server or another')
    .addOption(new Option('--server <url>', 'address of the server').env('NAMEPLATE_BASE_URL'))
    .usage('[options] <operation> [fields]')
    .addHelpText(
      'after',
      `${examples(
        'api keys.createKey --help',
        'api operator.listAccounts --search jane',
        'api operator.inviteMembers --csv @members.csv --mail',
        'api metrics.exportMetrics --project-id 3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11 --output metrics.ndjson',
      )}

The environment variable NAMEPLATE_API_KEY is the API key. nameplate keys create prints one; operators
need one with --scope operator. The server is http://127.0.0.1:3000 by default.
Each field is an option. @file takes its value from a file, and - from standard input; @@ begins a text
with @. null clears a field. The result is JSON.`,
    );
  for (const operations of [contract, authenticatedContract] as Contract[])
    for (const [area, routes] of Object.entries(operations))
      for (const [id, route] of Object.entries(routes)) {
        const name = `${area}.${id}`;
        const operation = api.command(name).summary(route.summary).helpGroup(`${area}:`);
        if (args.includes(name)) addFields(operation, name, route);
      }
}

function addFields(operation: Pick<Program, 'description'>, name: string, route: Route): void {
  const { uploadTypes, fileTypes, listField } = route.metadata;
  const fields = fieldsOf(route);
  const shown = fields.some(({ isRequired }) => isRequired)
    ? fields.filter(({ isRequired }) => isRequired)
    : fields.slice(0, 1);
  const example = [
    `api ${name}`,
    ...(uploadTypes ? ['--body @picture.jpg'] : shown.map((field) => field.example)),
    ...(fileTypes ? ['--output FILE'] : []),
  ];
  const command = operation
    .description(route.description)
    .addHelpText('after', examples(example.join(' ')));
  if (route.method !== 'GET' && inputOf(route) !== undefined)
    command.option('--body <json>', 'the whole body; for a file, @ and its name');
  for (const { option } of fields) command.addOption(option);
  if (fileTypes) command.option('--output <file>', 'write to this file');
  if (listField && fields.some(({ name: field }) => field === 'after'))
    command.option('--all', 'all entries instead of one batch');
  command.action(async (_options, self) => {
    const values = self.optsWithGlobals() as Values;
    if (uploadTypes && values['body'] === undefined) self.error('error: --body is missing');
    await withResource(
      route.metadata.failure,
      async () => new AsyncDisposableStack(),
      async (resources) => {
        const { output } = values;
        const body = uploadTypes
          ? await readArgument(String(values['body']))
          : await readInput(fields, values);
        const result = await callOperation(route, body, values).catch(explainFailure);
        if (!(result instanceof Response))
          return printResult(self, result, () =>
            escapeControlCharacters(JSON.stringify(result, null, 2)),
          );
        const content = Readable.fromWeb(result.body ?? new ReadableStream());
        if (output === undefined) return printFile(content);
        const draft = resources.use(await openDraft(String(output), { replace: true }));
        await draft.write(content);
      },
    );
  });
}

async function readInput(
  fields: readonly Field[],
  { body, ...values }: Values,
): Promise<Record<string, unknown>> {
  const input = body === undefined ? {} : parseJson(await readText(String(body)));
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new CommandFailedError('The body is not a JSON object.');
  const entries = fields.flatMap(({ name, option, types }) => {
    const value = values[option.attributeName()];
    return value === undefined ? [] : [{ name, value, types }];
  });
  const parsedFields = entries.map(async ({ name, value, types }) => [
    name,
    await parseField(value, types),
  ]);
  return { ...input, ...Object.fromEntries(await Promise.all(parsedFields)) };
}

/** Returns a `Response` if the operation returns a file. */
async function callOperation(
  route: Route,
  input: string | Buffer | Record<string, unknown>,
  { server, all }: Values,
): Promise<unknown> {
  if (!process.env['NAMEPLATE_API_KEY'])
    throw new CommandFailedError(
      'Set NAMEPLATE_API_KEY to an API key. nameplate keys create prints one.',
    );
  const { method, path, metadata } = route;
  const client = new Nameplate({
    baseUrl: server as string | undefined,
    logger: process.env['NAMEPLATE_LOG'] ? undefined : { warn: warnOfIgnoredFields },
  });
  if (method !== 'GET')
    return client.request(method, path, inputOf(route) === undefined ? undefined : input);
  const query = input as Record<string, string>;
  const read = (after = query['after']) =>
    client.request<Record<string, unknown[]>>(method, withQuery(path, { ...query, after }));
  if (metadata.fileTypes) return read().asResponse();
  const { listField } = metadata;
  return all && listField ? { [listField]: await listPromise(listField, read).toArray() } : read();
}

function warnOfIgnoredFields(_event: string, { fields }: { fields?: string[] }): void {
  for (const field of fields ?? [])
    process.stderr.write(`Warning: ${escapeControlCharacters(field)} had no effect.\n`);
}

function explainFailure(error: unknown): never {
  if (!(error instanceof NameplateError)) throw error;
  const { code, field } = error instanceof APIError ? error : {};
  throw new CommandFailedError(error.message, { cause: error, code, field });
}

/** Writes with backpressure. Stops when the reader closes the pipe. */
async function printFile(content: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of content) {
    const { isTTY } = process.stdout;
    const text = isTTY && escapeControlCharacters(decoder.decode(chunk, { stream: true }));
    if (!(await writeStdout(text || chunk))) return;
  }
}

function writeStdout(chunk: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    process.stdout.write(chunk, (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') reject(error);
      else resolve(!error);
    });
  });
}
