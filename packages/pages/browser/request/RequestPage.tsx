import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { Failed } from "../components/Failed.tsx"
import { Notable } from "../components/Notable.tsx"
import { PasswordGate } from "../components/PasswordGate.tsx"
import { notify } from "../foundation/announce.ts"
import { common } from "../foundation/common.ts"
import { sentenceOf } from "../foundation/failure.ts"
import { Closed } from "./Closed.tsx"
import { Delivering } from "./Delivering.tsx"
import type { RequestLink } from "./RequestLink.ts"
import { t } from "./texts.ts"
import { Thanks } from "./Thanks.tsx"
import "./request.css"

const Loading = () => (
  <div class="wait" role="status" aria-label={common("common.loading")}>
    <div class="wait-mark" />
  </div>
)

const Finish = ({ count, onClose, onFinish }: {
  readonly count: number
  readonly onClose: () => void
  readonly onFinish: () => void
}) => (
  <Dialog
    title={t("request.finishTitle")}
    onClose={onClose}
    actions={
      <>
        <Button onClick={onClose}>{common("common.cancel")}</Button>
        <Button kind="primary" onClick={onFinish}>{t("request.finish")}</Button>
      </>
    }
  >
    <p>{t("request.finishText", { count })}</p>
  </Dialog>
)

const Opened = ({ link }: { readonly link: RequestLink }) => {
  const isBusy = useSignal(false)
  const isAsking = useSignal(false)
  const sender = link.sender.value!
  const request = link.request.value!

  const finish = async () => {
    isAsking.value = false
    isBusy.value = true
    try {
      await sender.finish()
    } catch (error) {
      notify(sentenceOf(error), "error")
    } finally {
      isBusy.value = false
    }
  }
  const unsent = () => {
    const { sentFiles, totalFiles } = sender.sums.peek()
    return totalFiles - sentFiles
  }
  const askToFinish = () => unsent() > 0 ? void (isAsking.value = true) : void finish()

  const isOver = !request.takesFiles
  // Whose own files have made it full goes on with them.
  const isOwnFull = request.closedBecause === "full" && sender.phase.value === "sending" &&
    sender.items.value.length > 0
  return (
    <>
      {sender.phase.value === "finished"
        ? <Thanks request={request} sender={sender} />
        : isOver && !isOwnFull
        ? (
          <Closed
            request={request}
            sender={sender}
            isBusy={isBusy.value}
            onFinish={finish}
            onAgain={() => void link.refresh()}
          />
        )
        : (
          <Delivering
            request={request}
            sender={sender}
            isBusy={isBusy.value}
            onFinish={askToFinish}
            onRefused={link.refused}
          />
        )}
      {isAsking.value
        ? <Finish count={unsent()} onClose={() => void (isAsking.value = false)} onFinish={finish} />
        : null}
    </>
  )
}

export const RequestPage = ({ link }: { readonly link: RequestLink }) => {
  useEffect(() => void link.load(), [])
  const view = link.view.value
  return (
    <main>
      {view === "loading"
        ? <Loading />
        : (
          <div class="card" data-view={view}>
            {view === "password"
              ? <PasswordGate open={link.unlock} />
              : view === "notFound"
              ? (
                <Notable icon="search" title={common("common.notFoundTitle")}>
                  <p>{common("common.notFound")}</p>
                </Notable>
              )
              : view === "failed"
              ? <Failed error={link.failure.value} onRetry={link.load} />
              : <Opened link={link} />}
          </div>
        )}
    </main>
  )
}
