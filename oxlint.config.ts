import { defineConfig, type OxlintOverride } from 'oxlint';

interface Wall {
  regex?: string;
  /** Like lines of a .gitignore, because regular expressions here have no lookahead. */
  group?: string[];
  message: string;
  allowTypeImports?: boolean;
}

const WAYS_IN = ['api', 'cli', 'dashboard', 'mcp', 'pages'];

const TS_REST: Wall = {
  regex: '^@ts-rest/',
  message: 'Only the contract and the adapter use ts-rest.',
};
const COMMANDER: Wall = {
  regex: '^commander$',
  message: 'Use @commander-js/extra-typings, which types the options.',
};
const START: Wall = {
  regex: String.raw`^(#server|\.\.)/(process/|app\.ts$|main\.ts$)`,
  message: 'Only the process that starts the server imports these files.',
};
const SERVER: Wall = {
  regex: String.raw`^(#|(\.\./)+)server/`,
  message: 'The database and the page renderer know nothing about the server.',
};
const FEATURES: Wall = {
  regex: String.raw`^(#server|\.\.)/(features|http)/`,
  message: 'Features use this folder, not the other way round.',
};
/** Files of the contract without schemas, which the dashboard may bundle. */
const BUNDLED_CONTRACT = [
  'alert-text',
  'blocks',
  'durations',
  'owner/event-types',
  'fonts',
  'icons',
  'import-hosts',
  'alert-state',
  'limits',
  'page-languages',
  'pictures',
  'design-presets',
  'report-reasons',
  'page-settings-block',
  'visits',
  'web-url',
];

/** Forbids all ways into the server but one. */
function waysIn(except?: string): Wall {
  const others = WAYS_IN.filter((name) => name !== except);
  return {
    regex: String.raw`^(#server|\.\.)/(${others.join('|')})/`,
    message: 'Features never import a way in, and ways in never import each other.',
  };
}

/** Forbids imports in files. If several walls match a file, only the last one counts. */
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
    wall(['server/**'], TS_REST, COMMANDER),
    wall(['server/{features,http,mail,outbound,settings}/**'], TS_REST, COMMANDER, START, waysIn()),
    wall(['server/http/contract/adapter.ts'], COMMANDER, START, waysIn()),
    wall(['server/{jobs,limits}/**'], TS_REST, COMMANDER, START, waysIn(), FEATURES),
    ...WAYS_IN.map((name) => wall([`server/${name}/**`], TS_REST, COMMANDER, START, waysIn(name))),
    wall(['db/**'], TS_REST, COMMANDER, SERVER),
    wall(['db/migrations/**'], {
      group: ['*', '!kysely'],
      message: 'A released migration never changes, so it imports nothing that may change.',
    }),
    wall(['page/**'], TS_REST, SERVER, {
      regex: String.raw`^(#|(\.\./)+)db/`,
      message: 'The page renderer gets its data as arguments.',
    }),
    wall(
      ['dashboard/**'],
      {
        // A line that begins with # would be a comment.
        group: ['zod', '?contract/**', `!?contract/{${BUNDLED_CONTRACT.join(',')}}.ts`],
        allowTypeImports: true,
        message: 'Schemas are larger than the whole dashboard: use `import type`.',
      },
      { regex: '^(#server/|#db/|node:)', message: 'The dashboard runs in a browser.' },
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
      {
        regex: '^#(dashboard|db|page|server|test)/',
        message: 'The contract imports no other folder of Nameplate.',
      },
      { regex: '^node:', message: 'The contract runs in a browser, too.' },
    ),
  ],
  ignorePatterns: ['client/dist/**', 'ecosystem/**/generated/**'],
});
