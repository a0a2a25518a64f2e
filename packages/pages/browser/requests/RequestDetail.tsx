import { shown } from "../foundation/format.ts"
import { Detail } from "../owner/Detail.tsx"
import { publicLink } from "../owner/publicLink.ts"
import { statusOf } from "../owner/Status.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { RequestFacts } from "./RequestFacts.tsx"
import { RequestForm, type RequestValues } from "./RequestForm.tsx"
import type { FileRequest, Requests } from "./requests.ts"
import { t } from "./texts.ts"

export interface RequestDetailProps {
  readonly requests: Requests
  readonly request: FileRequest
  /** Else more deliveries are on their way. */
  readonly isWhole: boolean
}

export const RequestDetail = ({ isWhole, request, requests }: RequestDetailProps) => {
  const { client } = requests
  const { id: requestId } = request
  const title = shown(request.title)
  return (
    <Detail<RequestValues>
      item={request}
      items={requests}
      title={title}
      texts={{
        all: t("requests.all"),
        edit: t("requests.edit"),
        linkHint: t(
          statusOf(request) === "full"
            ? "requests.linkFull"
            : request.hasPassword
            ? "requests.linkHintPassword"
            : "requests.linkHint"
        ),
        deleteTitle: t("requests.deleteTitle"),
        deleteText: t("requests.deleteText", { name: title })
      }}
      link={publicLink("requests", requestId)}
      facts={<RequestFacts request={request} />}
      isClosed={request.closeTime !== null}
      form={(form) => <RequestForm client={client} request={request} {...form} />}
      update={(values) => client.updateFileRequest({ requestId, ...values })}
      setOpen={async (open) => {
        const { closeTime, expireTime, open: isOpen } = await client.setFileRequestOpen({ requestId, open })
        requests.change(requestId, (item) => ({ ...item, closeTime, expireTime, open: isOpen }))
      }}
      remove={() => client.deleteFileRequest({ requestId })}
    >
      <Deliveries requests={requests} request={request} isWhole={isWhole} />
    </Detail>
  )
}
