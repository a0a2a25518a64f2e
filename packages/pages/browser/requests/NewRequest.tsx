import { say } from "../foundation/announce.ts"
import { go } from "../owner/address.ts"
import { BackLink } from "../owner/BackLink.tsx"
import { useTitle } from "../owner/useTitle.ts"
import { RequestForm, type RequestValues } from "./RequestForm.tsx"
import type { Requests } from "./requests.ts"
import { t } from "./texts.ts"

export const NewRequest = ({ requests }: { readonly requests: Requests }) => {
  const heading = useTitle(t("requests.create"), "new")
  const create = async ({ folder, title, ...values }: RequestValues) => {
    const { id } = await requests.client.createFileRequest({
      ...values,
      title: title!,
      ...folder !== undefined && { folder }
    })
    requests.changed()
    requests.toNewest()
    say(t("requests.made"))
    go({ name: "one", id }, { instead: true })
  }
  return (
    <>
      <BackLink text={t("requests.all")} />
      <section class="card">
        <h1 ref={heading} tabIndex={-1}>{t("requests.create")}</h1>
        <RequestForm
          client={requests.client}
          request={null}
          action={t("requests.make")}
          onSave={create}
          onCancel={() => go({ name: "list" })}
        />
      </section>
    </>
  )
}
