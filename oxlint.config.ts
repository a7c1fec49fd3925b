import { defineConfig, type OxlintOverride } from 'oxlint';

interface Wall {
  group: string[];
  message: string;
  allowTypeImports?: boolean;
}

const ENTRY_POINTS = ['admin', 'api', 'dashboard', 'mcp', 'owner', 'pages'];

const TS_REST: Wall = {
  group: ['@ts-rest/*'],
  message: 'Only the contract and the adapter know ts-rest.',
};
const COMMANDER: Wall = {
  group: ['commander'],
  message: '@commander-js/extra-typings is the same with options typed by their definitions.',
};
const PROCESS: Wall = {
  group: ['**/process/**'],
  message: 'What puts everything together is imported by nothing.',
};

const TYPES_ALONE = 'Schemas are larger than all of the dashboard: `import type`.';

function entryPoints(except?: string): Wall {
  return {
    // The contract of an entry point is everybody's.
    group: [
      ...ENTRY_POINTS.filter((entryPoint) => entryPoint !== except).map(
        (entryPoint) => `**/${entryPoint}/**`,
      ),
      '!**/contract/**',
    ],
    message: 'Entry points never import each other, and nothing behind them imports one.',
  };
}

/** Forbidden imports of files. The last wall that a file stands behind is the only one. */
function wall(files: string[], ...patterns: Wall[]): OxlintOverride {
  return { files, rules: { 'eslint/no-restricted-imports': ['error', { patterns }] } };
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'promise', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    // Cycles of types, too: a type then belongs into a file below both.
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    // Errors of ours declare their name.
    'unicorn/custom-error-definition': 'error',
    // One after the other is what is meant: statements of a transaction, steps of a test.
    'eslint/no-await-in-loop': 'off',
    // Loops wait for what an awaited call, or a parallel one, changes.
    'eslint/no-unmodified-loop-condition': 'off',
    // `z.object`, `pino.destination`: how these packages are written everywhere.
    'import/no-named-as-default-member': 'off',
    // Programs that consist of what they import.
    'import/no-unassigned-import': 'off',
    // The last of a chain has nobody to return to.
    'promise/always-return': 'off',
    // The callbacks are those of ts-rest, which takes no promise.
    'promise/no-promise-in-callback': 'off',
    // The compiler knows when a switch has all cases, and what never returns.
    'typescript/consistent-return': 'off',
    // Values of tests whose type is wider than they are.
    'typescript/no-base-to-string': 'off',
    // Characters of a string are meant.
    'typescript/no-misused-spread': 'off',
    // Types that are computed are more than what they come to today.
    'typescript/no-redundant-type-constituents': 'off',
    // Wrong of literals: it takes away what the compiler needs.
    'typescript/no-unnecessary-type-assertion': 'off',
    // A parameter that is named once can still hold an argument to its exact type.
    'typescript/no-unnecessary-type-parameters': 'off',
    // Values from JSON or a driver have the type that a check or a schema gave them.
    'typescript/no-unsafe-type-assertion': 'off',
    // Statuses and words, which sort alike either way.
    'typescript/require-array-sort-compare': 'off',
    // A function stands where it is read, also if it needs nothing from there.
    'unicorn/consistent-function-scoping': 'off',
    // The elements go into JSON and are not changed.
    'unicorn/no-array-fill-with-reference-type': 'off',
    // A copy, because what it is of changes meanwhile.
    'unicorn/no-useless-spread': 'off',
    // A function of the tests holds an answer to what it promises, and counts as an expectation.
    'vitest/expect-expect': 'off',
    'vitest/no-conditional-expect': 'off',
    // Tests want a failure, whose words belong to a library.
    'vitest/require-to-throw-message': 'off',
    // `expect` takes a message for the reader.
    'vitest/valid-expect': 'off',
  },
  overrides: [
    wall(['server/process/**'], TS_REST, COMMANDER),
    wall(['server/http/**'], TS_REST, COMMANDER, PROCESS, entryPoints()),
    wall(['server/http/contract/adapter.ts'], COMMANDER, PROCESS, entryPoints()),
    wall(['server/service/**'], TS_REST, COMMANDER, PROCESS, entryPoints(), {
      group: ['**/http/**'],
      message: 'What Nameplate does is the same whoever asks, also without HTTP.',
    }),
    wall(['server/limits/**'], TS_REST, COMMANDER, PROCESS, entryPoints(), {
      group: ['**/http/**', '**/service/**'],
      message: 'Admission control knows nothing of what it admits.',
    }),
    wall(['server/jobs/**'], TS_REST, COMMANDER, PROCESS, entryPoints(), {
      group: ['**/http/**', '**/service/**'],
      message: 'The job queue knows nothing about the handlers.',
    }),
    ...ENTRY_POINTS.map((entryPoint) =>
      wall([`server/${entryPoint}/**`], TS_REST, COMMANDER, PROCESS, entryPoints(entryPoint)),
    ),
    wall(['db/**'], TS_REST, COMMANDER, {
      group: ['**/server/**'],
      message: 'The database knows nothing of who works with it.',
    }),
    wall(['db/migrations/**'], {
      group: ['*', '!kysely'],
      message: 'A released migration never changes: it reads nothing but literals of its own.',
    }),
    // A browser runs it: of the contract it takes the types alone.
    wall(
      ['dashboard/**'],
      {
        group: [
          '**/contract/**',
          '!**/contract/{alert-words,blocks,durations,owner/event-types,fonts,icons,import-hosts,judge-alert,limits,page-languages,pictures,looks,report-reasons,settings-block,visits,web-url}.ts',
          'zod',
        ],
        allowTypeImports: true,
        message: TYPES_ALONE,
      },
      {
        group: ['**/server/**', '**/db/**', 'node:*'],
        message: 'A browser runs it.',
      },
    ),
    {
      files: ['dashboard/**'],
      // `sentenceOf` shows sentences of the API; the others show what `JSON.parse` says.
      excludeFiles: [
        'dashboard/api/sentence-of.ts',
        'dashboard/screens/chat/message.tsx',
        'dashboard/screens/page/json-form.tsx',
      ],
      rules: {
        'eslint/no-restricted-properties': [
          'error',
          {
            property: 'message',
            allowObjects: ['LINES'],
            message:
              'Sentences may change: decide by `code` and `field`, show `sentenceOf(error)`.',
          },
        ],
      },
    },
    wall(
      ['contract/**'],
      { group: ['../**'], message: 'The contract depends on nothing of ours outside itself.' },
      { group: ['node:*'], message: 'The contract runs in a browser, too.' },
    ),
    wall(
      ['contract/owner/**'],
      { group: ['../../**'], message: 'The contract depends on nothing of ours outside itself.' },
      { group: ['node:*'], message: 'The contract runs in a browser, too.' },
    ),
  ],
  ignorePatterns: ['client/dist/**', 'ecosystem/**/generated/**'],
});
