/** The request as whoever has its link sees it. */
import type { AnswerOf } from "@filedrive/client"
import { impatientClient } from "../foundation/client.ts"

export type OpenRequest = AnswerOf<"openFileRequest">

/** Opens the link: with the password that was typed, or with the access token that an earlier time gave. */
export const openRequest = (
  requestId: string,
  { access, password }: { readonly access: string | null; readonly password?: string }
): Promise<OpenRequest> =>
  impatientClient.openFileRequest({ requestId, ...password !== undefined && { password } }, { access })
