import { useSignal, useSignalEffect } from "@preact/signals"
import { useCallback } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { notify, say } from "../foundation/announce.ts"
import { useAskBeforeLeaving } from "../foundation/askBeforeLeaving.ts"
import { common } from "../foundation/common.ts"
import { codeOf, sentenceOf } from "../foundation/failure.ts"
import { percent, shown } from "../foundation/format.ts"
import { keepFocus } from "../foundation/keepFocus.ts"
import { line } from "../foundation/sendable.ts"
import { Actions } from "./Actions.tsx"
import type { Chosen } from "./Chosen.ts"
import { DropZone } from "./DropZone.tsx"
import { Facts } from "./Facts.tsx"
import { FileList } from "./FileList.tsx"
import { Gone } from "./Gone.tsx"
import type { Item } from "./Item.ts"
import type { OpenRequest } from "./OpenRequest.ts"
import { filesMax, type Sender } from "./Sender.ts"
import { SenderForm } from "./SenderForm.tsx"
import { t } from "./texts.ts"
import { useWhileSending } from "./useWhileSending.ts"

export interface DeliveringProps {
  readonly request: OpenRequest
  readonly sender: Sender
  readonly isBusy: boolean
  readonly onFinish: () => void
  /** The delivery could not be begun, because of what has become of the request. */
  readonly onRefused: (error: unknown) => void
}

/** Taking back what the owner has already is asked about. */
const TakeBack = ({ item, onClose, onRemove }: {
  readonly item: Item
  readonly onClose: () => void
  readonly onRemove: () => void
}) => (
  <Dialog
    title={t("request.takeBackTitle")}
    onClose={onClose}
    actions={
      <>
        <Button onClick={onClose}>{common("common.cancel")}</Button>
        <Button kind="danger" onClick={onRemove}>{t("request.takeBack")}</Button>
      </>
    }
  >
    <p>{t("request.takeBackText", { name: shown(item.name) })}</p>
  </Dialog>
)

/** How far it is, also where the page is one of many tabs, and for who hears it. */
const useTitle = (sender: Sender, request: OpenRequest): void => {
  useSignalEffect(() => {
    const title = shown(request.title)
    const { sentBytes, totalBytes } = sender.sums.value
    document.title = sender.isRunning.value && totalBytes > 0 ? `${percent(sentBytes / totalBytes)} · ${title}` : title
  })
  useSignalEffect(() => {
    const { failedFiles, missingFiles, openFiles, totalFiles } = sender.sums.value
    if (sender.phase.value !== "sending" || totalFiles === 0 || openFiles > 0) return
    // What has to be mended comes before finishing without it.
    keepFocus(".actions .hint .button, .arrived .button")
    say(
      failedFiles + missingFiles === 0
        ? t("request.arrived")
        : t("request.notSent", { count: failedFiles + missingFiles })
    )
  })
}

/** Choosing files, sending them, and how far that is. */
export const Delivering = ({ isBusy, onFinish, onRefused, request, sender }: DeliveringProps) => {
  const nameError = useSignal<string | undefined>(undefined)
  const isStarting = useSignal(false)
  const asked = useSignal<Item | null>(null)
  useWhileSending(sender.isRunning.value)
  // Where nothing can be kept, what was sent could not be finished any more.
  useAskBeforeLeaving(sender.isRunning.value || sender.phase.value === "sending" && !sender.isKept.value)
  useTitle(sender, request)

  const choose = useCallback((chosen: AsyncIterable<Chosen>) => {
    sender.add(chosen).then(
      ({ added, repeated, tooMany }) => {
        if (added > 0) say(t("request.added", { count: added }))
        if (tooMany) notify(t("request.tooMany", { count: filesMax }), "error")
        else if (added === 0 && repeated > 0) notify(t("request.repeated", { count: repeated }), "info")
      },
      () => notify(t("request.unreadable"), "error")
    )
  }, [sender])

  const send = async () => {
    if (sender.items.value.every(({ state }) => state.value !== "staged")) {
      notify(t("request.chooseFirst"), "error")
      return
    }
    if (line(sender.senderName.value) === "") {
      nameError.value = t("request.nameNeeded")
      document.querySelector<HTMLInputElement>("input[name=name]")?.focus()
      return
    }
    isStarting.value = true
    try {
      await sender.start()
      say(t("request.sending"))
      keepFocus(".overall .button, .arrived .button")
    } catch (error) {
      const code = codeOf(error)
      if (["not_found", "password_needed", "request_closed"].includes(code)) onRefused(error)
      else notify(code === "too_many_forms" ? t("request.tooManySenders") : sentenceOf(error), "error")
    } finally {
      isStarting.value = false
    }
  }

  const remove = useCallback(async (item: Item) => {
    asked.value = null
    try {
      await sender.remove(item)
      say(t("request.removed", { name: shown(item.name) }))
      keepFocus(".zone .button")
    } catch (error) {
      notify(sentenceOf(error), "error")
    }
  }, [sender])
  const askToRemove = useCallback((item: Item) => {
    if (item.fileId === null) void remove(item)
    else asked.value = item
  }, [remove])

  return (
    <>
      <Gone sender={sender} />
      <Facts request={request} hasBegun={sender.phase.value !== "choosing"} />
      <DropZone isSmall={sender.items.value.length > 0} onChosen={choose} />
      <FileList sender={sender} onRemove={askToRemove} />
      {sender.phase.value === "choosing"
        ? <SenderForm sender={sender} nameError={nameError} />
        : <p class="sent-as">{t("request.sentAs", { name: shown(sender.senderName.value) })}</p>}
      <Actions
        sender={sender}
        request={request}
        isBusy={isBusy || isStarting.value}
        onSend={send}
        onFinish={onFinish}
      />
      {asked.value === null ? null : (
        <TakeBack
          item={asked.value}
          onClose={() => void (asked.value = null)}
          onRemove={() => void remove(asked.value!)}
        />
      )}
    </>
  )
}
