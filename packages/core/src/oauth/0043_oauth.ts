import { Effect } from "effect"
import { Database } from "../database/Database.ts"

/** What people allow apps: grants, their codes, and the apps that registered. */
export default Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  // A grant is a token without a text: it is listed, limited and revoked like one.
  yield* sql`ALTER TABLE ${t.api_tokens} ALTER COLUMN token_hash DROP NOT NULL, ADD COLUMN client_id text`
  yield* sql`CREATE INDEX api_tokens_client ON ${t.api_tokens} (client_id) WHERE client_id IS NOT NULL`
  // An access token is a session that is accepted at these addresses only.
  yield* sql`ALTER TABLE ${t.sessions} ADD COLUMN resources text[]`
  // What the token that began a task might do, where that is less than its grant may.
  yield* sql`ALTER TABLE ${t.agent_tasks} ADD COLUMN permissions text[]`

  // family_hash: of the part that all refresh tokens of a grant share. refresh_hash: of the newest one's own part.
  yield* sql`
    CREATE TABLE ${t.oauth_grants} (
      id           uuid PRIMARY KEY REFERENCES ${t.api_tokens} ON DELETE CASCADE,
      account_id   uuid NOT NULL REFERENCES ${t.accounts},
      resources    text[] NOT NULL,
      family_hash  bytea NOT NULL UNIQUE,
      refresh_hash bytea NOT NULL
    )
  `
  // grant_id: the grant that was made of it, which may have ended. A code that was used stays for a day: its second use ends the grant, and its
  // page is not answered again.
  yield* sql`
    CREATE TABLE ${t.oauth_codes} (
      code_hash    bytea PRIMARY KEY,
      account_id   uuid NOT NULL REFERENCES ${t.accounts},
      page_hash    bytea NOT NULL UNIQUE,
      client_id    text NOT NULL,
      client_name  text NOT NULL,
      redirect_uri text NOT NULL,
      challenge    text NOT NULL,
      resources    text[] NOT NULL,
      permissions  text[] NOT NULL,
      folder_id    uuid REFERENCES ${t.folders} ON DELETE CASCADE,
      expire_time  timestamptz NOT NULL,
      grant_id     uuid
    )
  `
  yield* sql`CREATE INDEX oauth_codes_expire ON ${t.oauth_codes} (expire_time)`
  yield* sql`CREATE INDEX oauth_codes_account ON ${t.oauth_codes} (account_id, expire_time)`
  yield* sql`CREATE INDEX oauth_codes_folder ON ${t.oauth_codes} (folder_id) WHERE folder_id IS NOT NULL`

  yield* sql`
    CREATE TABLE ${t.oauth_clients} (
      id             text PRIMARY KEY,
      name           text NOT NULL,
      redirect_uris  text[] NOT NULL,
      insert_time    timestamptz NOT NULL,
      last_used_time timestamptz NOT NULL
    )
  `
  yield* sql`CREATE INDEX oauth_clients_used ON ${t.oauth_clients} (last_used_time)`
})
