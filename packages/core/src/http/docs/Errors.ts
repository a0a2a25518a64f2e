/** The section of the page that lists every error once: statuses, codes, and whether to call again. */
import type { ErrorCode, ErrorStatus } from "../ApiError.ts"
import { escape, inline, type Target } from "./Html.ts"

/** What each code means to somebody who builds a client. A code of the API that is missing here does not compile. */
const meanings: Readonly<Record<ErrorCode, string>> = {
  missing_field: "A required field is missing.",
  invalid_field: "A field has a value that is not accepted; `error` says why.",
  unknown_field: "The call has no such field. Only calls with `Prefer: handling=strict` are refused for it.",
  invalid_body: "The body is not JSON, or does not have the expected fields.",
  size_mismatch: "The number of bytes in storage differs from `fileSize`.",
  object_not_found: "No bytes are stored under `objectKey` yet.",
  storage_limit_reached: "The file does not fit in the account's quota.",
  object_key_taken: "Another file already has this `objectKey`, or a file of the delivery this `clientKey`.",
  image_too_large: "The image is larger than a cover may be.",
  request_full: "The file does not fit in what the file request still takes.",
  no_session: "No session token was sent.",
  session_expired: "The session has ended: exchange the API token again.",
  invalid_token: "The API token or access token is unknown, expired or revoked, or was issued for another address.",
  not_allowed: "The user is not allowed to do this; `error` says why.",
  no_plan: "The account has no plan, so it can't store files.",
  not_owner: "You can see it, but it belongs to another user.",
  wrong_app: "The header X-Service-App is missing, or names another app.",
  file_not_found: "There is no such file, or you can't see it.",
  token_limit: "The API token is limited: it lacks the permission, or the file or folder is outside of its folder.",
  no_images_left: "The account has used up the images that its plan may generate.",
  storage_full: "The account's storage is full.",
  pro_only: "The account's plan does not include this.",
  no_subscription: "This needs a subscription.",
  too_many_forms: "Too many upload forms are open at once: use or cancel some.",
  archives_full: "The account's archives together are too large: delete one.",
  request_closed: "The file request no longer accepts files: it was closed or has expired.",
  review_closed: "The review was closed or has expired.",
  password_needed:
    "The link has a password: open it with that, then send the access token in the header X-Link-Access.",
  not_found: "You have nothing with this id.",
  upload_not_found: "The upload is no longer open: begin it again.",
  unknown_route: "There is no such route.",
  method_not_allowed: "The route does not take this method; the header Allow names the one it takes.",
  parts_missing: "Some parts are not stored yet: send the parts named in `parts`, then complete again.",
  parts_invalid: "Some parts differ from the plan: send the parts named in `parts` again, then complete again.",
  unreadable:
    "The file could not be opened: it or its stored bytes are damaged, it is too large, or of a kind that this drive can't read.",
  rate_unknown: "The frame rate of the video is not known: name it as `rate`.",
  rate_limited: "Too many calls: call again after the number of seconds in the header Retry-After.",
  internal: "A fault of the server. `reference` is the error's id in the server's log.",
  storage_unavailable: "Storage did not answer.",
  fetching_file_failed: "The file could not be fetched from storage.",
  generator_unavailable: "The image generator did not answer.",
  unavailable: "The drive can't be reached, or too many calls wait: Retry-After says when to call again.",
  no_space: "The disk is full. Reading and deleting still work."
}

/** The anchor of a status. */
export const anchorOfStatus = (status: number | string): string => `status-${status}`

/** The anchor of a code; undefined for any other name. */
export const anchorOfCode = (name: string): string | undefined =>
  Object.hasOwn(meanings, name) ? `error-${name}` : undefined

/** Statuses by which a call may be sent again as it is. */
const isRetryable = (status: number): boolean => status === 429 || status >= 500

export const section = (errors: ReadonlyArray<ErrorStatus>, target: Target): string =>
  `<section id="errors" aria-labelledby="errors-title">
<h2 id="errors-title">Errors</h2>
<p>An error answers <code>{ error, code, field?, retryable }</code>: a sentence for people, one of the codes below for programs, the path of the field
that is wrong (<code>fileIds[3]</code>) where one is, and whether the same call may work later. Every operation may answer
${inline("400, 403, 429, 500 and 503", target)}, and ${
    inline("401", target)
  } where it takes a session; the others are named where they can happen.</p>
${
    errors.map(({ codes, description, status }) =>
      `<div class="status" id="${anchorOfStatus(status)}"><h3>${status} <span>${inline(description, target)}</span></h3>
${isRetryable(status) ? "<p class=\"note\">Safe to send again later where the operation is safe to repeat.</p>" : ""}
<dl>${
        codes.map((code) =>
          `<div id="${escape(`error-${code}`)}"><dt><code>${escape(code)}</code></dt><dd>${
            inline(meanings[code], target)
          }</dd></div>`
        ).join("")
      }</dl></div>`
    ).join("\n")
  }
</section>`
