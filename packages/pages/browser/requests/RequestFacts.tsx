import { Path } from "../components/Path.tsx"
import { dateTime, size } from "../foundation/format.ts"
import { Fact, Facts } from "../owner/Facts.tsx"
import { statusOf } from "../owner/Status.tsx"
import { ownerText } from "../owner/texts.ts"
import type { FileRequest } from "./requests.ts"
import { t } from "./texts.ts"

export const RequestFacts = ({ request }: { readonly request: FileRequest }) => {
  const { expireTime, folder, hasPassword, maxBytes, receivedBytes } = request
  return (
    <Facts>
      <Fact icon="folder">
        <span class="visually-hidden">{t("requests.folderIs")}</span>
        <Path path={folder.path} />
      </Fact>
      <Fact icon="full">
        {maxBytes === null
          ? t("requests.received", { size: size(receivedBytes) })
          : t("requests.receivedOf", { size: size(receivedBytes), max: size(maxBytes) })}
      </Fact>
      {expireTime === null ? null : (
        <Fact icon="clock">
          {ownerText(statusOf(request) === "expired" ? "owner.ended" : "owner.until", { time: dateTime(expireTime) })}
        </Fact>
      )}
      {hasPassword ? <Fact icon="lock">{ownerText("owner.hasPassword")}</Fact> : null}
    </Facts>
  )
}
