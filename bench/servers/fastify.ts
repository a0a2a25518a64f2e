/**
 * `/generate-download-url` as one would write it by hand: Fastify, `pg` with
 * named statements, the same two queries, the same checks, the same answer.
 */
import { DateTime } from "effect"
import fastify from "fastify"
import { createHash } from "node:crypto"
import { Pool } from "pg"
import { presign } from "../../packages/adapter-node/src/storage/Signature.ts"
import { options, ready } from "./parent.ts"

const { databaseUrl } = options<{ readonly databaseUrl: string }>()
const pool = new Pool({ connectionString: databaseUrl, max: 10 })

const sessionQuery = `
  SELECT account_id AS "accountId", api_token_id AS "tokenId", permissions, folder_id AS "folderId",
    expire_time AS "expireTime"
  FROM filedrive.sessions WHERE token_hash = $1`

const fileQuery = `
  SELECT f.id, f.account_id AS "accountId", f.folder_id AS "folderId", d.path AS "folderPath", f.type,
    f.file_name AS "fileName", f.description, f.mime_type AS "mimeType", f.size::float8 AS "sizeBytes",
    f.object_key AS "objectKey", f.is_public AS "isPublic", f.store_key AS "storeKey", f.etag,
    f.metadata_status AS "metadataStatus", f.insert_time AS "insertTime", f.trash_time AS "trashTime",
    m.to_public AS "moveToPublic", m.parts_done AS "movePartsDone", m.part_count AS "movePartCount",
    (f.account_id = $1 AND TRUE) AS "isOwn"
  FROM filedrive.files f
    LEFT JOIN filedrive.folders d ON d.id = f.folder_id AND d.account_id = f.account_id
    LEFT JOIN filedrive.bucket_transfers m ON m.file_id = f.id
  WHERE f.id = $2 AND f.trash_time IS NULL AND (f.is_public OR (f.account_id = $3 AND TRUE))`

const store = {
  endpoint: "http://127.0.0.1:4500/storage",
  region: "embedded",
  forcePathStyle: true,
  credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "secret" }
}

const app = fastify()
const nullable = (type: string) => ({ type, nullable: true })
app.post<{ Body: { readonly id: string } }>("/api/generate-download-url", {
  schema: {
    body: { type: "object", required: ["id"], properties: { id: { type: "string", format: "uuid" } } },
    response: {
      200: {
        type: "object",
        properties: {
          id: { type: "string" },
          fileName: { type: "string" },
          type: { type: "string" },
          mimeType: { type: "string" },
          fileSize: { type: "number" },
          downloadUrl: nullable("string"),
          isPublic: { type: "boolean" },
          accessMove: { type: "object", nullable: true, additionalProperties: true },
          description: nullable("string"),
          folder: { type: "object", nullable: true, additionalProperties: true },
          tags: { type: "array", items: { type: "object", additionalProperties: true } },
          objectKey: nullable("string"),
          insertTime: { type: "string" },
          trashTime: nullable("string"),
          thumbnailUrl: nullable("string"),
          media: { type: "object", nullable: true, additionalProperties: true },
          metadataStatus: { type: "string" }
        }
      }
    }
  }
}, async (request, reply) => {
  const refuse = (status: number, code: string) => reply.code(status).send({ error: code, code, retryable: false })
  if (request.headers["x-service-app"] !== "filedrive") return refuse(403, "wrong_app")
  const token = /^bearer +(\S+)\s*$/i.exec(request.headers.authorization ?? "")?.[1]
  if (token === undefined) return refuse(401, "no_session")
  const hash = createHash("sha256").update(token).digest()
  const sessions = await pool.query({ name: "session", text: sessionQuery, values: [hash] })
  const session = sessions.rows[0]
  if (session === undefined) return refuse(401, "no_session")
  if (session.expireTime.getTime() <= Date.now()) return refuse(401, "session_expired")
  if (session.permissions !== null && !session.permissions.includes("read")) return refuse(403, "token_limit")
  const values = [session.accountId, request.body.id, session.accountId]
  const files = await pool.query({ name: "file", text: fileQuery, values })
  const file = files.rows[0]
  if (file === undefined) return refuse(403, "file_not_found")
  const disposition = `attachment; filename="${file.fileName}"; filename*=UTF-8''${encodeURIComponent(file.fileName)}`
  const downloadUrl = presign(store, {
    method: "GET",
    bucket: "private",
    key: file.storeKey,
    now: DateTime.nowUnsafe(),
    lifetimeSeconds: 6 * 3600,
    query: {
      "response-content-type": file.mimeType,
      "response-content-disposition": disposition,
      "response-cache-control": "private, no-store"
    }
  })
  return reply.header("cache-control", "no-store").send({
    id: file.id,
    fileName: file.fileName,
    type: file.type,
    mimeType: file.mimeType,
    fileSize: file.sizeBytes,
    downloadUrl,
    isPublic: file.isPublic,
    accessMove: file.moveToPublic === null ? null : { toPublic: file.moveToPublic },
    description: file.description,
    folder: file.isOwn && file.folderPath !== null ? { id: file.folderId, path: file.folderPath } : null,
    tags: [],
    objectKey: file.isOwn ? file.objectKey : null,
    insertTime: file.insertTime.toISOString(),
    trashTime: file.trashTime?.toISOString() ?? null,
    thumbnailUrl: null,
    media: null,
    metadataStatus: file.metadataStatus
  })
})

ready({ origin: await app.listen({ port: 0, host: "127.0.0.1" }) })
