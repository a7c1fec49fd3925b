import { type Kysely, sql } from 'kysely';

/**
 * `sites.listed_text` sorts the list of members, and is searched: the folded title, the name, and the
 * folded start of the bio. Null if the member is not listed. Triggers keep it, because servers of the
 * previous version do not know it. 0046 fills it, because no page can be read while this one runs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // Most values are ASCII, where `lower` is enough and takes a tenth of the time. The second line has
  // `ue` for `ü` as in German. A database with the locale "C" lowers only ASCII.
  String.raw`CREATE FUNCTION fold_text(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C")
    ELSE replace(replace(replace(replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(value || chr(10) ||
        regexp_replace(normalize(value, NFC), '([äöüÄÖÜ])', '\1e', 'g'), NFKD), '[\u0300-\u036F]', '', 'g')),
      'øØłŁđĐðÐħĦŧŦı', 'oollddddhhtti'),
      'ß', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th')
  END
$$`,
  `CREATE FUNCTION listed_text(title text, name text, bio text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT concat_ws(chr(10), fold_text(coalesce(nullif(btrim(title), ''), name)), name,
    fold_text(left(bio, 200)))
$$`,
  'ALTER TABLE sites ADD COLUMN listed_text text COLLATE "C"',
  `CREATE FUNCTION keep_listed_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.listed_text := CASE WHEN NEW.on_front_page THEN
    (SELECT listed_text(NEW.display_name, name, NEW.bio) FROM display_names
      WHERE account_id = NEW.account_id LIMIT 1) END;
  RETURN NEW;
END $$`,
  `CREATE TRIGGER keep_listed_text BEFORE INSERT OR UPDATE OF display_name, bio, on_front_page
ON sites FOR EACH ROW EXECUTE FUNCTION keep_listed_text()`,
  `CREATE FUNCTION keep_listed_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sites SET listed_text = listed_text(display_name, NEW.name, bio)
  WHERE account_id = NEW.account_id AND on_front_page;
  RETURN NULL;
END $$`,
  `CREATE TRIGGER keep_listed_name AFTER INSERT OR UPDATE OF account_id ON display_names
FOR EACH ROW WHEN (NEW.account_id IS NOT NULL) EXECUTE FUNCTION keep_listed_name()`,
];
