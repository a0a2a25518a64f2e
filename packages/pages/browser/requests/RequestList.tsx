import { IconButton } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { Path } from "../components/Path.tsx"
import { shown, size } from "../foundation/format.ts"
import { hrefOf, onLink } from "../owner/address.ts"
import type { Page } from "../owner/Items.ts"
import { copyLink } from "../owner/LinkBox.tsx"
import { Empty, ListHead } from "../owner/ListHead.tsx"
import { Pager } from "../owner/Pager.tsx"
import { publicLink } from "../owner/publicLink.ts"
import { Status } from "../owner/Status.tsx"
import { ownerText } from "../owner/texts.ts"
import { Time } from "../owner/Time.tsx"
import type { FileRequest, Requests } from "./requests.ts"
import { t } from "./texts.ts"

/** Deliveries and what is new of them, and the size of all. */
const Facts = ({ request: { drops, folder, insertTime, receivedBytes } }: { readonly request: FileRequest }) => {
  const fresh = drops.filter(({ finishTime, viewed }) => finishTime !== null && !viewed).length
  return (
    <p class="item-facts">
      {fresh === 0 ? null : <span class="item-new">{t("requests.new", { count: fresh })}</span>}
      <span>{drops.length === 0 ? t("requests.nothingYet") : t("requests.deliveries", { count: drops.length })}</span>
      {receivedBytes === 0 ? null : <span>{size(receivedBytes)}</span>}
      <span class="item-folder">
        <Icon name="folder" size={15} />
        <Path path={folder.path} />
      </span>
      <Time iso={insertTime} />
    </p>
  )
}

const Row = ({ request }: { readonly request: FileRequest }) => {
  const to = { name: "one", id: request.id } as const
  const title = shown(request.title)
  return (
    <li class="item">
      <div class="item-main">
        <div class="item-head">
          <a class="item-title" href={hrefOf(to)} onClick={onLink(to)}>
            <bdi>{title}</bdi>
          </a>
          <Status of={request} />
        </div>
        <Facts request={request} />
      </div>
      <IconButton
        icon="copy"
        label={ownerText("owner.copyLinkOf", { name: title })}
        onClick={() => void copyLink(publicLink("requests", request.id))}
      />
    </li>
  )
}

export const RequestList = ({ page, requests }: { readonly requests: Requests; readonly page: Page<FileRequest> }) => {
  const { items, nextCursor } = page
  const isEmpty = items.length === 0 && !requests.hasNewer.value
  return (
    <>
      <ListHead title={t("requests.title")} create={isEmpty ? null : t("requests.create")} />
      {isEmpty
        ? (
          <Empty icon="inbox" title={t("requests.emptyTitle")} create={t("requests.create")}>
            {t("requests.empty")}
          </Empty>
        )
        : <ul class="items">{items.map((request) => <Row key={request.id} request={request} />)}</ul>}
      <Pager
        hasNewer={requests.hasNewer.value}
        hasOlder={nextCursor !== null}
        isBusy={requests.isTurning.value}
        onNewer={() => void requests.newer()}
        onOlder={() => void requests.older()}
      />
    </>
  )
}
