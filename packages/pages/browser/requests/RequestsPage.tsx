import { view } from "../owner/address.ts"
import { Connection } from "../owner/Connection.tsx"
import { Failed, Loading, Missing } from "../owner/Whole.tsx"
import { NewRequest } from "./NewRequest.tsx"
import { RequestDetail } from "./RequestDetail.tsx"
import { RequestList } from "./RequestList.tsx"
import type { Requests } from "./requests.ts"
import { t } from "./texts.ts"
import "../owner/owner.css"
import "./requests.css"

const Shown = ({ requests }: { readonly requests: Requests }) => {
  const { failure, opened, page } = requests
  const { name } = view.value
  if (name === "new") return <NewRequest requests={requests} />
  const one = opened.value
  if (name === "one" && one?.state === "missing") {
    return <Missing title={t("requests.missingTitle")} back={t("requests.all")}>{t("requests.missing")}</Missing>
  }
  if (name === "one" && one?.state === "there") {
    return <RequestDetail key={one.id} requests={requests} request={one.item} isWhole={one.isWhole} />
  }
  if (name === "list" && page.value !== null) return <RequestList requests={requests} page={page.value} />
  return failure.value === null ? <Loading /> : <Failed error={failure.value} onRetry={requests.reload} />
}

export const RequestsPage = ({ requests }: { readonly requests: Requests }) => {
  const { name } = view.value
  const isShown = name === "new" ||
    (name === "list" ? requests.page.value !== null : requests.opened.value?.state === "there")
  return (
    <>
      <Connection failure={isShown ? requests.failure.value : null} onRetry={requests.reload} />
      <Shown requests={requests} />
    </>
  )
}
