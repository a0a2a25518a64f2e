import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { say } from "../foundation/announce.ts"
import { keepFocus } from "../foundation/keepFocus.ts"
import { act } from "../owner/act.ts"
import { Delivery } from "./Delivery.tsx"
import { FileView } from "./FileView.tsx"
import { type Removal, Removing } from "./Removing.tsx"
import type { DroppedFile, FileRequest, Requests } from "./requests.ts"
import { t } from "./texts.ts"

/** Deliveries that are shown at once, and by which more are. */
const step = 25

/** Deliveries that one call may name. */
const viewedMax = 500

/** The drive tells of finished deliveries only: while one is on its way, it is asked now and then. */
const underWayMillis = 20_000

const useWhileUnderWay = (isUnderWay: boolean, reload: () => unknown): void => {
  useEffect(() => {
    if (!isUnderWay) return
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") reload()
    }, underWayMillis)
    return () => clearInterval(timer)
  }, [isUnderWay])
}

export interface DeliveriesProps {
  readonly requests: Requests
  readonly request: FileRequest
  readonly isWhole: boolean
}

/** What was sent to a request, newest first. */
export const Deliveries = ({ isWhole, request, requests }: DeliveriesProps) => {
  const { drops, open } = request
  const most = useSignal(step)
  const isBusy = useSignal(false)
  const viewed = useSignal<{ readonly dropId: string; readonly file: DroppedFile } | null>(null)
  const { value: view } = viewed
  const removal = useSignal<Removal | null>(null)
  const { value: removed } = removal
  const fresh = drops.filter(({ finishTime, viewed }) => finishTime !== null && !viewed)
  useWhileUnderWay(drops.some(({ finishTime }) => finishTime === null), requests.reload)

  const markAll = async () => {
    isBusy.value = true
    const ids = fresh.map(({ id }) => id)
    const isDone = await act(async () => {
      for (let at = 0; at < ids.length; at += viewedMax) {
        await requests.client.markDropsViewed({ dropIds: ids.slice(at, at + viewedMax) })
      }
      requests.changed()
    })
    await requests.reload()
    isBusy.value = false
    keepFocus(".part-head h2")
    if (isDone) say(t("requests.seen"))
  }

  return (
    <section class="part">
      <div class="part-head">
        <h2 tabIndex={-1}>{t("requests.deliveriesTitle")}</h2>
        {fresh.length < 2
          ? null
          : <Button icon="check" busy={isBusy.value} onClick={() => void markAll()}>{t("requests.markAll")}</Button>}
      </div>
      {drops.length === 0
        ? (
          <div class="card nothing">
            <Icon name="inbox" size={26} />
            <p>{!isWhole ? t("requests.loadingDeliveries") : open ? t("requests.waiting") : t("requests.nothing")}</p>
          </div>
        )
        : (
          <ul class="deliveries">
            {drops.filter(({ id }, index) => index < most.value || id === view?.dropId || id === removed?.drop.id).map((
              drop
            ) => (
              <Delivery
                key={drop.id}
                drop={drop}
                requests={requests}
                onView={(file) => void (viewed.value = { dropId: drop.id, file })}
                onDelete={() => void (removal.value = { drop, isOfSender: false })}
                onDeleteSender={() => void (removal.value = { drop, isOfSender: true })}
              />
            ))}
          </ul>
        )}
      {drops.length > most.value
        ? (
          <Button onClick={() => void (most.value += step)}>
            {t("requests.moreDeliveries", { count: drops.length - most.value })}
          </Button>
        )
        : null}
      {/* Above the list: others may change it meanwhile. */}
      {view === null
        ? null
        : <FileView requests={requests} file={view.file} onClose={() => void (viewed.value = null)} />}
      {removed === null ? null : (
        <Removing
          requests={requests}
          request={request}
          isWhole={isWhole}
          removal={removed}
          onClose={() => void (removal.value = null)}
        />
      )}
    </section>
  )
}
