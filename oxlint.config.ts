import { defineConfig, type OxlintOverride } from 'oxlint';

interface ImportRule {
  regex?: string;
  /** In .gitignore syntax, which allows exceptions: the regular expressions have no lookahead. */
  group?: string[];
  message: string;
  allowTypeImports?: boolean;
}

const ENTRY_POINTS = ['api', 'cli', 'dashboard', 'mcp', 'pages'];

const TS_REST: ImportRule = {
  regex: '^@ts-rest/',
  message: 'Only the contract and the adapter use ts-rest.',
};
const COMMANDER: ImportRule = {
  regex: '^commander$',
  message: 'Use @commander-js/extra-typings, which types the options.',
};
const APP: ImportRule = {
  regex: String.raw`^(#server|\.\.)/app\.ts$`,
  allowTypeImports: true,
  message: 'Only the process that starts the server makes an `App`.',
};
const START: ImportRule = {
  regex: String.raw`^(#server|\.\.)/(process/|main\.ts$)`,
  message: 'Only the process that starts the server imports these files.',
};
const SERVER: ImportRule = {
  regex: String.raw`^(#|(\.\./)+)server/`,
  message: 'The database and the page renderer never import the server.',
};
const FEATURES: ImportRule = {
  regex: String.raw`^(#server|\.\.)/(features|http)/`,
  message: 'Features use this folder, not the other way round.',
};
/** Contract files without schemas, which the dashboard may bundle. */
const BUNDLED_CONTRACT = [
  'alert-text',
  'metric-unit',
  'blocks',
  'decode-text-file',
  'durations',
  'owner/event-types',
  'owner/usage-kinds',
  'fonts',
  'icons',
  'import-hosts',
  'instance',
  'languages',
  'alert-state',
  'limits',
  'looks',
  'page-languages',
  'page-settings',
  'pictures',
  'plate-colors',
  'report-reasons',
  'site-fields',
  'page-settings-block',
  'visits',
  'web-url',
];

/** Forbids imports from all entry points except one. */
function entryPointImports(except?: string): ImportRule {
  const others = ENTRY_POINTS.filter((name) => name !== except);
  return {
    regex: String.raw`^(#server|\.\.)/(${others.join('|')})/`,
    message: 'Features never import entry points, and entry points never import each other.',
  };
}

/** If several overrides match a file, the last one replaces the others. */
function restrictImports(files: string[], ...patterns: ImportRule[]): OxlintOverride {
  return { files, rules: { 'eslint/no-restricted-imports': ['error', { patterns }] } };
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'promise', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    // Types may refer to each other: `App` is made of services, which take what they need from it.
    'import/no-cycle': ['error', { ignoreTypes: true }],
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'unicorn/custom-error-definition': 'error',
    'eslint/max-lines-per-function': ['error', { max: 100 }],
    // Sequential awaits are intended in transactions and tests.
    'eslint/no-await-in-loop': 'off',
    // Some loops wait until an awaited or concurrent call changes the variable.
    'eslint/no-unmodified-loop-condition': 'off',
    // `z.object` and `pino.destination` are the usual style of these packages.
    'import/no-named-as-default-member': 'off',
    // Some entry points only import modules for their side effects.
    'import/no-unassigned-import': 'off',
    // The last callback of a chain need not return a value.
    'promise/always-return': 'off',
    // ts-rest takes callbacks instead of promises.
    'promise/no-promise-in-callback': 'off',
    // The compiler checks this better: it knows exhaustive switches and `never`.
    'typescript/consistent-return': 'off',
    // In tests, the static type is often wider than the value that is converted to a string.
    'typescript/no-base-to-string': 'off',
    // Spreading a string into its characters is intended.
    'typescript/no-misused-spread': 'off',
    // Computed types may be redundant today but not later.
    'typescript/no-redundant-type-constituents': 'off',
    // Reports necessary assertions on literals, and its fix breaks the types.
    'typescript/no-unnecessary-type-assertion': 'off',
    // A type parameter that is used once can still preserve the exact type of an argument.
    'typescript/no-unnecessary-type-parameters': 'off',
    // Values from JSON or a database driver need such assertions.
    'typescript/no-unsafe-type-assertion': 'off',
    // The default order is used only for strings, and for numbers with the same number of digits.
    'typescript/require-array-sort-compare': 'off',
    // Functions may be defined where they are used.
    'unicorn/consistent-function-scoping': 'off',
    // Such arrays are only serialized, so their elements can be shared.
    'unicorn/no-array-fill-with-reference-type': 'off',
    // Copies are needed where the original changes during iteration.
    'unicorn/no-useless-spread': 'off',
    // Some test helpers contain the assertions.
    'vitest/expect-expect': 'off',
    'vitest/no-conditional-expect': 'off',
    // Some error messages come from libraries.
    'vitest/require-to-throw-message': 'off',
    // `expect` takes a message as its second argument.
    'vitest/valid-expect': 'off',
  },
  overrides: [
    restrictImports(['ecosystem/**'], {
      regex: '^#',
      message: 'This folder is a package of its own: use a relative path.',
    }),
    restrictImports(['server/**'], TS_REST, COMMANDER),
    restrictImports(
      ['server/{features,http,mail,outbound,settings}/**'],
      TS_REST,
      COMMANDER,
      APP,
      START,
      entryPointImports(),
    ),
    restrictImports(
      ['server/http/contract/register-contract.ts'],
      COMMANDER,
      APP,
      START,
      entryPointImports(),
    ),
    restrictImports(
      ['server/{jobs,limits}/**'],
      TS_REST,
      COMMANDER,
      APP,
      START,
      entryPointImports(),
      FEATURES,
    ),
    ...ENTRY_POINTS.map((name) =>
      restrictImports(
        [`server/${name}/**`],
        TS_REST,
        COMMANDER,
        APP,
        START,
        entryPointImports(name),
      ),
    ),
    restrictImports(['db/**'], TS_REST, COMMANDER, SERVER),
    restrictImports(['db/migrations/**'], {
      group: ['*', '!kysely'],
      message: 'A released migration never changes, so it imports nothing that may change.',
    }),
    restrictImports(['page/**'], TS_REST, SERVER, {
      regex: String.raw`^(#|(\.\./)+)db/`,
      message: 'The page renderer gets its data as arguments.',
    }),
    restrictImports(
      ['dashboard/**'],
      {
        // `?` matches the #, because a line that starts with # is a comment in .gitignore syntax.
        group: ['zod', '?contract/**', `!?contract/{${BUNDLED_CONTRACT.join(',')}}.ts`],
        allowTypeImports: true,
        message: 'Schemas are larger than the whole dashboard: use `import type`.',
      },
      { regex: '^(#server/|#db/|node:)', message: 'The dashboard runs in a browser.' },
    ),
    {
      // Suites of tests, a table of data, and functions that are still to be split: add none.
      files: ['{bench,ecosystem,test}/**', 'dashboard/screens/page/templates.ts'],
      rules: { 'eslint/max-lines-per-function': 'off' },
    },
    {
      files: ['dashboard/**'],
      // The first file displays API messages. The others display messages from `JSON.parse`.
      excludeFiles: [
        'dashboard/api/error-message.ts',
        'dashboard/screens/chat/message-fields.tsx',
        'dashboard/screens/page/json-form.tsx',
      ],
      rules: {
        'eslint/no-restricted-properties': [
          'error',
          {
            property: 'message',
            allowObjects: ['ICON_PATHS'],
            message:
              'Messages may change: decide by `code` and `field`, show `errorMessage(error)`.',
          },
        ],
      },
    },
    restrictImports(
      ['contract/**'],
      {
        regex: '^#(dashboard|db|page|server|test)/',
        message: 'The contract imports no other folder of Nameplate.',
      },
      {
        regex: '^#translations/',
        allowTypeImports: true,
        message: 'The contract imports only types of the translations.',
      },
      { regex: '^node:', message: 'The contract runs in a browser, too.' },
    ),
  ],
  ignorePatterns: ['client/dist/**', 'ecosystem/**/generated/**'],
});
