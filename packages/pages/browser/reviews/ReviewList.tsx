import { IconButton } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { shown } from "../foundation/format.ts"
import { hrefOf, onLink } from "../owner/address.ts"
import type { Page } from "../owner/Items.ts"
import { copyLink } from "../owner/LinkBox.tsx"
import { Empty, ListHead } from "../owner/ListHead.tsx"
import { Pager } from "../owner/Pager.tsx"
import { publicLink } from "../owner/publicLink.ts"
import { Status } from "../owner/Status.tsx"
import { ownerText } from "../owner/texts.ts"
import { Time } from "../owner/Time.tsx"
import type { FileReview, Reviews } from "./reviews.ts"
import { t } from "./texts.ts"

const Row = ({ review }: { readonly review: FileReview }) => {
  const { file, id, insertTime, message, noteCount, notes } = review
  const to = { name: "one", id } as const
  const name = shown(file.fileName)
  const unresolved = notes.filter(({ resolved }) => !resolved).length
  return (
    <li class="item">
      <div class="item-main">
        <div class="item-head">
          <span class="item-name">
            <span class="item-kind">
              <Icon name={file.type === "Audio" ? "sound" : "video"} size={18} />
            </span>
            <a class="item-title" href={hrefOf(to)} onClick={onLink(to)}>
              <bdi>{name}</bdi>
            </a>
          </span>
          <Status of={review} />
        </div>
        {message === null ? null : <p class="item-text" dir="auto">{shown(message)}</p>}
        <p class="item-facts">
          {unresolved === 0 || review.nextCursor !== null
            ? null
            : <span class="item-new">{t("reviews.unresolved", { count: unresolved })}</span>}
          <span>{noteCount === 0 ? t("reviews.nothingYet") : t("reviews.notes", { count: noteCount })}</span>
          <Time iso={insertTime} />
        </p>
      </div>
      <IconButton
        icon="copy"
        label={ownerText("owner.copyLinkOf", { name })}
        onClick={() => void copyLink(publicLink("reviews", id))}
      />
    </li>
  )
}

export const ReviewList = ({ page, reviews }: { readonly reviews: Reviews; readonly page: Page<FileReview> }) => {
  const { items, nextCursor } = page
  const isEmpty = items.length === 0 && !reviews.hasNewer.value
  return (
    <>
      <ListHead title={t("reviews.title")} create={isEmpty ? null : t("reviews.create")} />
      {isEmpty
        ? <Empty icon="note" title={t("reviews.emptyTitle")} create={t("reviews.create")}>{t("reviews.empty")}</Empty>
        : <ul class="items">{items.map((review) => <Row key={review.id} review={review} />)}</ul>}
      <Pager
        hasNewer={reviews.hasNewer.value}
        hasOlder={nextCursor !== null}
        isBusy={reviews.isTurning.value}
        onNewer={() => void reviews.newer()}
        onOlder={() => void reviews.older()}
      />
    </>
  )
}
