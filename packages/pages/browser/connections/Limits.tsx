import { Path } from "../components/Path.tsx"
import { dateTime } from "../foundation/format.ts"
import type { Connections, Token } from "./Connections.ts"
import { t } from "./texts.ts"
import { dayOf, near } from "./time.ts"

export const isEnded = ({ expireTime }: Pick<Token, "expireTime">, now = Date.now()): boolean =>
  expireTime !== null && Date.parse(expireTime) <= now

/** What a token or an app may do, where, and until when. */
export const Limits = ({ connections, token }: { readonly connections: Connections; readonly token: Token }) => {
  const { expireTime, folder, lastUsedTime, permissions } = token
  const path = folder === null ? null : connections.folders.value.get(folder)
  return (
    <dl class="limits">
      <dt>{t("connections.may")}</dt>
      <dd>
        {permissions === null
          ? t("connections.everything")
          : <ul>{permissions.map((one) => <li key={one}>{t(`connections.permission.${one}`)}</li>)}</ul>}
      </dd>
      <dt>{t("connections.where")}</dt>
      <dd>
        {path === null
          ? t("connections.whole")
          : path === undefined
          ? t("connections.goneFolder")
          : <Path path={path} />}
      </dd>
      <dt>{t("connections.used")}</dt>
      <dd>
        {lastUsedTime === null
          ? t("connections.never")
          : <time dateTime={lastUsedTime} title={dateTime(lastUsedTime)}>{near(lastUsedTime)}</time>}
      </dd>
      {expireTime === null || isEnded(token) ? null : (
        <>
          <dt>{t("connections.ends")}</dt>
          <dd>
            <time dateTime={expireTime} title={dateTime(expireTime)}>{dayOf(expireTime)}</time>
          </dd>
        </>
      )}
    </dl>
  )
}
