import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Relation, readOthers, readRelations } from './catalogue.ts';
import { migrate } from './migrating/migrate.ts';
import { connectPostgres } from './connections/postgres.ts';
import { usePrivateDatabase } from './embedded/private-database.ts';

const generated = await makeFromMigrations();
const check = process.argv.includes('--check');
for (const [name, text] of Object.entries(generated)) {
  const file = new URL(`../${name}`, import.meta.url);
  if (!check) await writeFile(file, text);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`${name} differs from the migrations: run npm run generate.\n`);
    process.exitCode = 1;
  }
}

/** Prints the schema of a database after all migrations. */
async function makeFromMigrations(): Promise<Record<string, string>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nameplate-schema-'));
  const database = await usePrivateDatabase({ dataDir, say: () => {}, make: true });
  const db = connectPostgres({
    connectionString: database.url,
    max: 1,
    onError: () => {},
  });
  try {
    await migrate(db);
    const relations = await readRelations(db);
    const statements = [...(await readOthers(db)), ...relations.flatMap(printRelation)];
    return {
      'db/schema.sql': `-- The schema that all migrations make, printed by \`npm run generate\`. The metrics of a month are a partition,\n-- and stored answers have three, one for each day in turn.\n\n${statements.map((statement) => `${statement};\n`).join('\n')}`,
      'test/types/columns.ts': `/** Columns of the database, printed from the migrations by \`npm run generate\`. */\nexport interface Columns {\n${relations.map(printColumns).join('')}}\n`,
    };
  } finally {
    await db.destroy();
    await database.close();
    await rm(dataDir, { recursive: true });
  }
}

function printRelation(relation: Relation): string[] {
  const { name, columns, constraints, partitions, indexes, options, query } = relation;
  const settings = options === null ? '' : ` WITH (${options})`;
  if (query !== null) return [`CREATE VIEW ${name}${settings} AS\n${query.replace(/;$/, '')}`];
  const lines = columns.map((column) =>
    [
      column.name,
      column.type,
      ...(column.notNull ? ['NOT NULL'] : []),
      ...(column.default === null ? [] : ['DEFAULT', column.default]),
    ].join(' '),
  );
  const body = [...lines, ...constraints].map((line) => `  ${line}`).join(',\n');
  const suffix = partitions === null ? '' : ` PARTITION BY ${partitions}`;
  return [`CREATE TABLE ${name} (\n${body}\n)${suffix}${settings}`, ...indexes];
}

/** Prints the columns of a relation. */
function printColumns({ name, columns, query }: Relation): string {
  const lines = columns.map((column) => {
    const facts = [
      column.type,
      ...(query !== null ? [] : [column.notNull ? 'NOT NULL' : 'NULL']),
      ...(column.default === null ? [] : ['DEFAULT']),
    ];
    return `    ${column.name}: '${facts.join(' ')}';\n`;
  });
  return `  ${name}: {\n${lines.join('')}  };\n`;
}
