import { Icon } from "../components/Icon.tsx"
import { LongText } from "../components/LongText.tsx"
import { dateTime, shown, size } from "../foundation/format.ts"
import type { OpenRequest } from "./OpenRequest.ts"
import { t } from "./texts.ts"

/** What is asked for: by whom, what for, until when. Each line break of the message is one. */
export const Facts = ({ hasBegun, request }: { readonly request: OpenRequest; readonly hasBegun: boolean }) => {
  const { expireTime, message, owner: { displayName }, title } = request
  // Once files are sent it is no longer what the link told.
  const remainingBytes = hasBegun ? null : request.remainingBytes
  return (
    <header class="facts">
      <p class="facts-who">
        {displayName === null ? t("request.asksNobody") : t("request.asks", { name: shown(displayName) })}
      </p>
      <h1 dir="auto">{shown(title)}</h1>
      {message === null ? null : <LongText class="facts-message" text={shown(message)} />}
      {expireTime === null && remainingBytes === null ? null : (
        <ul class="facts-limits">
          {expireTime === null ? null : (
            <li>
              <Icon name="clock" size={16} />
              {t("request.until", { time: dateTime(expireTime) })}
            </li>
          )}
          {remainingBytes === null ? null : (
            <li>
              <Icon name="full" size={16} />
              {t("request.room", { size: size(remainingBytes) })}
            </li>
          )}
        </ul>
      )}
    </header>
  )
}
