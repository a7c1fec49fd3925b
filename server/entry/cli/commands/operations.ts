import { Readable } from 'node:stream';
import { Option } from '@commander-js/extra-typings';
import type { Contract, Route } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { authenticatedContract } from '#contract/owner/index.ts';
import { openDraft } from '#server/platform/draft-file.ts';
import { parseJson } from '#server/platform/outbound/read-response.ts';
import { CommandFailedError } from '../command-failed.ts';
import {
  type Field,
  fieldsOf,
  inputOf,
  parseField,
  readArgument,
  readText,
} from '../operation-fields.ts';
import { escapeControlCharacters, examples, printResult, type Program } from '../output.ts';

type Values = Record<string, string | true | undefined>;

const AREAS = [contract, authenticatedContract].flatMap((operations) =>
  Object.entries(operations as Contract),
);

export function isArea(name: string): boolean {
  return AREAS.some(([area]) => area === name);
}

export function isOperation(name: string): boolean {
  return AREAS.some(([area, routes]) => Object.keys(routes).some((id) => name === `${area}.${id}`));
}

/**
 * Adds every operation, or only those of the area `name`. Only an operation in `args` gets its options.
 * The list of all leaves out `areasOff`.
 */
export function addOperations(
  program: Program,
  name: string,
  args: readonly string[],
  areasOff: readonly string[],
): void {
  const onlyArea = isArea(name) ? name : undefined;
  for (const [area, routes] of AREAS)
    for (const [id, route] of Object.entries(routes)) {
      if (onlyArea !== undefined && area !== onlyArea) continue;
      const operationName = `${area}.${id}`;
      const hidden = onlyArea === undefined && areasOff.includes(area);
      const operation = program
        .command(operationName, { hidden })
        .summary(route.summary)
        .helpGroup(`${area}:`);
      if (args.includes(operationName)) addFields(operation, operationName, route);
    }
  if (onlyArea === undefined) return;
  program.helpCommand(false).usage('<operation> [options]');
  const area = program.command(onlyArea, { hidden: true }).action(() => program.help());
  area.helpInformation = () => program.help();
}

function addFields(operation: Pick<Program, 'description'>, name: string, route: Route): void {
  const { uploadTypes, fileTypes, listField, scope } = route.metadata;
  const isForOperators = scope === 'operator';
  const fields = fieldsOf(route, name.split('.')[1]!);
  const hasField = (field: string) => fields.some((candidate) => candidate.name === field);
  const takesAccount = !isForOperators || hasField('account_id');
  const command = operation
    .description(route.description)
    .addOption(new Option('--base-url <url>', 'call this server').env('NAMEPLATE_BASE_URL'))
    .addHelpText('after', examples(formatExample(name, route, fields, takesAccount)));
  if (takesAccount)
    command.option(
      '--account <name-or-id>',
      'whose account: its name, its id or the id of a key (without --base-url)',
    );
  if (route.method !== 'GET' && inputOf(route) !== undefined)
    command.option('--body <json>', 'the whole body; for a file, @ and its name');
  for (const { option } of fields) command.addOption(option);
  if (fileTypes) command.option('--output <file>', 'write to this file');
  if (listField && hasField('after')) command.option('--all', 'all entries instead of one batch');
  command.action(async (_options, self) => {
    const values = self.optsWithGlobals() as Values;
    const { account, baseUrl, all, output } = values as Record<string, string | undefined>;
    if (uploadTypes && values['body'] === undefined) self.error('error: --body is missing');
    if (!baseUrl && !isForOperators && account === undefined)
      self.error(
        'error: --account is missing (or --base-url, to call a server with the key in NAMEPLATE_API_KEY)',
      );
    const input = uploadTypes
      ? await readArgument(String(values['body']))
      : await readInput(fields, values);
    const call = { route, input, isForOperators, account, baseUrl, all: all !== undefined };
    // Loaded on demand to keep `--help` fast.
    const { callOperation } = await import('../call-operation.ts');
    await callOperation(call, async (result, resources) => {
      if (!(result instanceof Response))
        return printResult(self, result, () =>
          escapeControlCharacters(JSON.stringify(result, null, 2)),
        );
      const content = Readable.fromWeb(result.body ?? new ReadableStream());
      if (output === undefined) return printFile(content);
      const draft = resources.use(await openDraft(output, { replace: true }));
      await draft.write(content);
    });
  });
}

function formatExample(
  name: string,
  { metadata: { uploadTypes, fileTypes, refusals } }: Route,
  fields: readonly Field[],
  takesAccount: boolean,
): string {
  const isRefusedWithout = ({ name: missing }: Field) =>
    Object.entries(refusals).some(
      ([code, { field }]) => field === missing && code.endsWith('Missing'),
    );
  const required = fields.filter((field) => field.isRequired || isRefusedWithout(field));
  const shown = required.length > 0 ? required : fields.slice(0, 1);
  return [
    name,
    ...(takesAccount ? ['--account jane-doe'] : []),
    ...(uploadTypes ? ['--body @picture.jpg'] : []),
    ...shown
      .filter((field) => !takesAccount || field.name !== 'account_id')
      .map(({ example }) => example),
    ...(fileTypes ? ['--output FILE'] : []),
  ].join(' ');
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
