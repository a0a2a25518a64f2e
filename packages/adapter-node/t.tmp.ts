import type { Pool } from "pg"
import type { HostPool, TakenClient } from "./src/database/pool/HostPool.ts"
declare const p: Pool
export const a: HostPool["options"] = p.options
declare const c: Awaited<ReturnType<typeof p.connect>>
export const e: TakenClient = c
export const d: HostPool = p
