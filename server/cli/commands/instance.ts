import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { logoPath } from '#contract/instance.ts';
import { InstanceUpdate } from '#contract/owner/operator-instance.ts';
import {
  findInstance,
  type InstanceChange,
  type InstanceRow,
  saveInstance,
} from '#db/queries/instance.ts';
import { createLogoId } from '#server/features/instance/logo-id.ts';
import { CommandFailedError } from '../command-failed.ts';
import { examples, formatDetails, type Program, printResult } from '../output.ts';
import { withService } from '../with-service.ts';

export function addInstanceCommands(program: Program): void {
  const instance = program
    .command('instance')
    .description('show and change how this server presents itself: name, logo, color and links')
    .addHelpText('after', examples('instance set --name "Sailing Club"', 'instance show'));

  instance
    .command('show')
    .description('show the name, logo, color, contact, links and welcome text')
    .addHelpText('after', examples('instance show'))
    .action(async (_options, command) => {
      const row = await withService('The identity could not be read.', ({ db }) =>
        findInstance(db),
      );
      printResult(command, toResult(row), formatInstance);
    });

  instance
    .command('set')
    .description('change some of the fields; an empty text restores the default')
    .option('--name <text>', 'name, up to 60 characters', parseField('name'))
    .option('--line <text>', 'one line about it, up to 100 characters', parseField('line'))
    .option('--color <#rrggbb>', 'color of the plate', parseField('color'))
    .option('--logo <file>', 'JPEG, PNG, WebP, GIF or AVIF file')
    .option('--dark-logo <file>', 'logo for dark backgrounds')
    .option('--contact <text>', 'email address or https URL', parseField('contact'))
    .option('--imprint <url>', 'https URL of the imprint', parseField('imprint_url'))
    .option('--privacy <url>', 'https URL of the privacy policy', parseField('privacy_url'))
    .option('--terms <url>', 'https URL of the terms', parseField('terms_url'))
    .option('--welcome <file>', 'text file with Markdown for the front page')
    .addHelpText(
      'after',
      `${examples(
        'instance set --name "Sailing Club" --color #1f5b96 --logo logo.png',
        'instance set --imprint https://example.com/imprint --welcome welcome.md',
        'instance set --logo ""',
      )}

Running servers show the change within seconds.`,
    )
    .action(async (options, command) => {
      if (Object.keys(options).length === 0) command.error('error: nothing to change');
      const { logo, darkLogo, welcome, imprint, privacy, terms, ...texts } = options;
      const row = await withService(
        'The identity could not be changed.',
        async ({ runAudited }) => {
          const change: InstanceChange = {
            ...(await readLogo(logo, 'logo')),
            ...(await readLogo(darkLogo, 'dark_logo')),
            ...(welcome !== undefined && { welcome: await readWelcome(welcome) }),
            ...emptyToNull({
              ...texts,
              imprint_url: imprint,
              privacy_url: privacy,
              terms_url: terms,
            }),
          };
          return runAudited('instance set', (trx, audit) => {
            audit({ detail: { fields: Object.keys(options) } });
            return saveInstance(trx, change);
          });
        },
        { createTables: true },
      );
      printResult(command, toResult(row), formatInstance);
    });
}

function emptyToNull(texts: Record<string, string | undefined>): InstanceChange {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text === '' ? null : text]),
  );
}

/** Accepts an empty text, which restores the default. */
function parseField(field: keyof InstanceUpdate) {
  return (input: string): string => {
    if (input === '') return input;
    const result = InstanceUpdate.safeParse({ [field]: input });
    if (!result.success) throw new InvalidArgumentError(result.error.issues[0]?.message ?? '');
    return field === 'color' ? input.toLowerCase() : input;
  };
}

async function readWelcome(path: string): Promise<string | null> {
  const text = path === '' ? null : (await readInput(path)).toString('utf8').trim();
  const result = InstanceUpdate.safeParse({ welcome: text });
  if (!result.success) throw new CommandFailedError(result.error.issues[0]?.message ?? '');
  return text;
}

async function readLogo(
  path: string | undefined,
  column: 'logo' | 'dark_logo',
): Promise<InstanceChange> {
  if (path === undefined) return {};
  if (path === '') return { [column]: null, [`${column}_id`]: null };
  const input = await readInput(path);
  const { decodePicture } = await import('#server/features/pictures/decode-picture.ts');
  const picture = await decodePicture('command line', input);
  const file = Buffer.from(picture.files[512]);
  return { [column]: file, [`${column}_id`]: createLogoId(file, picture) };
}

async function readInput(path: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    throw new CommandFailedError(`${path} could not be read (${(cause as Error).message}).`, {
      cause,
    });
  });
}

function toResult({ logo_id, dark_logo_id, ...fields }: InstanceRow) {
  return {
    ...fields,
    logo: logo_id && logoPath(logo_id),
    dark_logo: dark_logo_id && logoPath(dark_logo_id),
  };
}

function formatInstance(instance: ReturnType<typeof toResult>): string {
  return formatDetails({
    Name: instance.name,
    Line: instance.line,
    Color: instance.color,
    Logo: instance.logo,
    'Dark logo': instance.dark_logo,
    Contact: instance.contact,
    Imprint: instance.imprint_url,
    Privacy: instance.privacy_url,
    Terms: instance.terms_url,
    Welcome: instance.welcome,
  });
}
