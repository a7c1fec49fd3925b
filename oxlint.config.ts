import { defineConfig, type OxlintOverride } from 'oxlint';

interface ImportRule {
  regex?: string;
  /** In .gitignore syntax, which allows exceptions: the regular expressions have no lookahead. */
  group?: string[];
  message: string;
  allowTypeImports?: boolean;
}

const TS_REST: ImportRule = {
  regex: '^@ts-rest/',
  message: 'Only the contract and the adapter use ts-rest.',
};
const COMMANDER: ImportRule = {
  regex: '^commander$',
  message: 'Use @commander-js/extra-typings, which types the options.',
};
const APP: ImportRule = {
  regex: String.raw`^(#server|\.\.(/\.\.)*)/app\.ts$`,
  message: 'Only a process that starts, a server or a command, calls `createApp`.',
};
const SERVICES: ImportRule = {
  regex: String.raw`^(#server(/features)?|\.\.(/\.\.)*)/(call-features|services|index)\.ts$`,
  message: 'Name the services that are needed, with the types of their features.',
};
const PROCESS: ImportRule = {
  regex: String.raw`^(#server|\.\.(/\.\.)*)/(process/|main\.ts$)`,
  message: 'Only the process that starts the server imports these files.',
};
const ENTRY: ImportRule = {
  regex: String.raw`^(#server|\.\.(/\.\.)*)/entry/`,
  message: 'Features and the platform do not know the ways in.',
};
const FEATURES: ImportRule = {
  regex: String.raw`^(#server|\.\.(/\.\.)*)/features/`,
  message: 'Features use the platform, not the other way round.',
};
const SERVER: ImportRule = {
  regex: String.raw`^(#|(\.\./)+)server/`,
  message: 'The database and the page renderer never import the server.',
};

const CONTRACT: ImportRule = {
  regex: '^#(dashboard|db|page|server|test)/',
  message: 'The contract imports no other folder of Nameplate.',
};
const TRANSLATIONS: ImportRule = {
  regex: '^#translations/',
  allowTypeImports: true,
  message: 'The contract imports only types of the translations.',
};

/** If several overrides match a file, the last one replaces the others. */
function restrictImports(files: string[], ...patterns: ImportRule[]): OxlintOverride {
  return { files, rules: { 'eslint/no-restricted-imports': ['error', { patterns }] } };
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'promise', 'vitest'],
  jsPlugins: ['./tools/linear-patterns.ts'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    // A job that is queued by what it calls refers to a type.
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
    restrictImports(['tools/ecosystem/**'], {
      regex: '^#',
      message: 'This folder is a package of its own: use a relative path.',
    }),
    restrictImports(['server/**'], TS_REST, COMMANDER),
    restrictImports(['server/entry/**'], TS_REST, COMMANDER, APP, PROCESS),
    restrictImports(['server/entry/cli/open-service.ts'], TS_REST, COMMANDER, PROCESS),
    restrictImports(['server/features/**'], TS_REST, COMMANDER, APP, SERVICES, PROCESS, ENTRY),
    restrictImports(['server/platform/**'], TS_REST, COMMANDER, APP, PROCESS, ENTRY, FEATURES),
    restrictImports(
      ['server/platform/http/contract/register-contract.ts'],
      COMMANDER,
      APP,
      PROCESS,
      ENTRY,
      FEATURES,
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
        group: ['zod', '?contract/**', '!?contract/shared/**'],
        allowTypeImports: true,
        message: 'Schemas are larger than the whole dashboard: use `import type`.',
      },
      { regex: '^(#server/|#db/|node:)', message: 'The dashboard runs in a browser.' },
    ),
    {
      files: ['{client,contract,dashboard,db,page,server}/**'],
      rules: { 'nameplate/linear-patterns': 'error' },
    },
    {
      // Suites of tests, and tools.
      files: ['{test,tools}/**'],
      rules: { 'eslint/max-lines-per-function': 'off' },
    },
    {
      files: ['dashboard/**'],
      // The first file displays API messages, the other one messages from `JSON.parse`.
      excludeFiles: ['dashboard/api/error-message.ts', 'dashboard/screens/page/json-form.tsx'],
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
    restrictImports(['contract/**'], CONTRACT, TRANSLATIONS, {
      regex: '^node:',
      message: 'The contract runs in a browser, too.',
    }),
    restrictImports(['contract/openapi/**'], CONTRACT, TRANSLATIONS),
    restrictImports(['contract/shared/**'], CONTRACT, {
      regex: String.raw`^(#|\.\./|zod$|@ts-rest/|node:)`,
      allowTypeImports: true,
      message: 'These files are bundled into the dashboard, without schemas.',
    }),
  ],
  ignorePatterns: ['client/dist/**', 'tools/ecosystem/**/generated/**'],
});
