import { Effect } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../Database.ts"

/**
 * What accounts hold, added up as it changes: by bucket, kind and whether it is in trash. Kept by the database itself, so
 * that it is right whichever statement inserts, changes or deletes files; all of them hold the account's row.
 */
export default Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database
  yield* sql`
    CREATE TABLE ${t.usage_counts} (
      account_id uuid NOT NULL,
      is_public  boolean NOT NULL,
      type       text COLLATE "C" NOT NULL,
      is_trashed boolean NOT NULL,
      objects    bigint NOT NULL,
      bytes      bigint NOT NULL,
      PRIMARY KEY (account_id, is_public, type, is_trashed)
    ) WITH (fillfactor = 50)
  `
  const part = sql.literal("account_id, is_public, type, trash_time IS NOT NULL AS is_trashed")
  const key = sql.literal("account_id, is_public, type, is_trashed")
  // The files that a statement left, and those that it found.
  const added = sql`SELECT ${part}, 1 AS objects, size AS bytes FROM added WHERE derivative_of IS NULL`
  const removed = sql`SELECT ${part}, -1 AS objects, -size AS bytes FROM removed WHERE derivative_of IS NULL`
  const count = (changes: Statement.Fragment) =>
    sql`
      INSERT INTO ${t.usage_counts} AS u (${key}, objects, bytes)
      SELECT ${key}, sum(objects), sum(bytes) FROM (${changes}) c GROUP BY ${key}
      HAVING sum(objects) <> 0 OR sum(bytes) <> 0
      ON CONFLICT (${key}) DO UPDATE SET objects = u.objects + excluded.objects, bytes = u.bytes + excluded.bytes
    `
  const counting = sql(`${schema}.count_usage`)
  yield* sql`
    CREATE FUNCTION ${counting}() RETURNS trigger LANGUAGE plpgsql AS $count$
    BEGIN
      IF TG_OP = 'INSERT' THEN ${count(added)};
      ELSIF TG_OP = 'DELETE' THEN ${count(removed)};
      ELSE ${count(sql`${added} UNION ALL ${removed}`)};
      END IF;
      RETURN NULL;
    END
    $count$
  `
  const inserted = sql.literal("REFERENCING NEW TABLE AS added FOR EACH STATEMENT")
  const updated = sql.literal("REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT")
  const deleted = sql.literal("REFERENCING OLD TABLE AS removed FOR EACH STATEMENT")
  yield* sql`CREATE TRIGGER usage_inserted AFTER INSERT ON ${t.files} ${inserted} EXECUTE FUNCTION ${counting}()`
  yield* sql`CREATE TRIGGER usage_updated AFTER UPDATE ON ${t.files} ${updated} EXECUTE FUNCTION ${counting}()`
  yield* sql`CREATE TRIGGER usage_deleted AFTER DELETE ON ${t.files} ${deleted} EXECUTE FUNCTION ${counting}()`
  yield* sql`
    INSERT INTO ${t.usage_counts} (${key}, objects, bytes)
    SELECT ${part}, count(*), sum(size) FROM ${t.files} WHERE derivative_of IS NULL GROUP BY ${key}
  `
})
