import { notify } from "../foundation/announce.ts"
import { shown } from "../foundation/format.ts"
import { keepFocus } from "../foundation/keepFocus.ts"
import { act } from "../owner/act.ts"
import { Ask } from "../owner/Ask.tsx"
import { ownerText } from "../owner/texts.ts"
import { deliveriesMax, type Drop, type FileRequest, type Requests } from "./requests.ts"
import { t } from "./texts.ts"

/** What is asked about: one delivery, or all that its sender sent. */
export interface Removal {
  readonly drop: Drop
  readonly isOfSender: boolean
}

export interface RemovingProps {
  readonly requests: Requests
  readonly request: FileRequest
  readonly isWhole: boolean
  readonly removal: Removal
  readonly onClose: () => void
}

const filesOf = (drops: ReadonlyArray<Drop>): string =>
  t("requests.files", { count: drops.reduce((sum, { files }) => sum + files.length, 0) })

/** Asks before deliveries are deleted: how much goes, what is left of it, and what it does not help against. */
export const Removing = ({ isWhole, onClose, removal, request, requests }: RemovingProps) => {
  const { drop, isOfSender } = removal
  const { drops, id: requestId } = request
  const { senderName } = drop
  const name = shown(senderName)
  const all = drops.filter((one) => one.senderName === senderName)
  const isKnown = isWhole && drops.length < deliveriesMax

  const remove = async () => {
    let count = 0
    const isDone = await act(async () => {
      const which = isOfSender ? { requestId, senderName } : { dropIds: [drop.id] }
      count = (await requests.client.deleteDrops(which)).deleted
    })
    requests.changed()
    await requests.reload()
    keepFocus(".part-head h2")
    if (isDone) notify(t("requests.deleted", { name, count }))
    return isDone
  }

  return (
    <Ask
      title={isOfSender ? t("requests.deleteSenderTitle", { name }) : t("requests.deleteDeliveryTitle", { name })}
      action={ownerText("owner.deleteWhat", {
        what: !isOfSender
          ? t("requests.deliveries", { count: 1 })
          : isKnown
          ? t("requests.deliveries", { count: all.length })
          : t("requests.allDeliveries")
      })}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        {!isOfSender
          ? t("requests.deleteDeliveryText", { files: filesOf([drop]) })
          : isKnown
          ? t("requests.deleteSenderText", { name, count: all.length, files: filesOf(all) })
          : t("requests.deleteSenderAll", { name })}
      </p>
      <p>{t("requests.deleteKeeps")}</p>
      {isOfSender ? <p>{ownerText("owner.nameProves")}</p> : null}
    </Ask>
  )
}
