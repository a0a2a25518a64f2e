import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { Button } from "../components/Button.tsx"
import { LongText } from "../components/LongText.tsx"
import { notify, say } from "../foundation/announce.ts"
import { shown } from "../foundation/format.ts"
import { keepFocus } from "../foundation/keepFocus.ts"
import { act } from "./act.ts"
import { go } from "./address.ts"
import { Ask } from "./Ask.tsx"
import { BackLink } from "./BackLink.tsx"
import { EditHead } from "./EditHead.tsx"
import { LinkBox } from "./LinkBox.tsx"
import { type LinkState, Status, statusOf } from "./Status.tsx"
import { ownerText } from "./texts.ts"
import { useAt } from "./useAt.ts"
import { useTitle } from "./useTitle.ts"

/** What the form needs in which something is changed. */
export interface EditForm<Values> {
  readonly action: string
  readonly onSave: (values: Values) => Promise<void>
  readonly onCancel: () => void
}

export interface DetailProps<Values> {
  readonly item: LinkState & { readonly id: string; readonly message: string | null }
  /** Where it is shown with others of its kind. */
  readonly items: { readonly changed: () => void; readonly reload: () => Promise<void> }
  readonly title: string
  readonly texts: Readonly<Record<"all" | "edit" | "linkHint" | "deleteTitle" | "deleteText", string>>
  readonly link: string
  readonly facts: ComponentChildren
  /** Whether its owner has closed it, so that it can be opened again. */
  readonly isClosed: boolean
  readonly form: (form: EditForm<Values>) => ComponentChildren
  /** These call the drive, and fail with its refusal. */
  readonly update: (values: Values) => Promise<unknown>
  readonly setOpen: (open: boolean) => Promise<void>
  readonly remove: () => Promise<unknown>
  /** What has come at its link. */
  readonly children: ComponentChildren
}

/** One request or review of an owner's: its facts, its link, and what can be done with it. */
export const Detail = <Values extends object>(
  { children, facts, form, isClosed, item, items, link, remove, setOpen, texts, title, update }: DetailProps<Values>
) => {
  const heading = useTitle(title, item.id)
  const isEditing = useSignal(false)
  const isAsking = useSignal(false)
  const isBusy = useSignal(false)
  useAt(item.open ? item.expireTime : null, items.reload)

  const changed = () => {
    items.changed()
    return items.reload()
  }

  const endEdit = () => {
    isEditing.value = false
    keepFocus("main h1")
  }

  const save = async (values: Values) => {
    await update(values)
    await changed()
    endEdit()
    say(ownerText("owner.saved"))
  }

  const openOrClose = async (open: boolean) => {
    isBusy.value = true
    const isDone = await act(() => setOpen(open), changed)
    isBusy.value = false
    if (isDone) say(ownerText(open ? "owner.isOpen" : "owner.isClosed"))
  }

  const removeAndLeave = async () => {
    const isDone = await act(async () => {
      await remove()
      items.changed()
      notify(ownerText("owner.deleted", { name: title }))
      go({ name: "list" }, { instead: true })
    })
    if (!isDone) void items.reload()
    return isDone
  }

  const toggle = (open: boolean) => (
    <Button
      icon={open ? "retry" : "lock"}
      busy={isBusy.value}
      onClick={() => void openOrClose(open)}
    >
      {ownerText(open ? "owner.reopen" : "owner.close")}
    </Button>
  )
  const edit = () => (
    <section class="card">
      <EditHead title={texts.edit} />
      {form({ action: ownerText("owner.save"), onSave: save, onCancel: endEdit })}
    </section>
  )
  const overview = () => (
    <>
      <BackLink text={texts.all} />
      <section class="card detail">
        <div class="detail-head">
          <h1 ref={heading} tabIndex={-1} dir="auto">{title}</h1>
          <Status of={item} />
        </div>
        {item.message === null ? null : <LongText class="detail-message" text={shown(item.message)} />}
        {facts}
        <LinkBox link={link} hint={item.open ? texts.linkHint : ownerText("owner.linkEnded")} />
        <div class="detail-actions">
          <Button icon="edit" onClick={() => void (isEditing.value = true)}>{ownerText("owner.edit")}</Button>
          {isClosed ? toggle(true) : statusOf(item) === "expired" ? null : toggle(false)}
          <Button icon="trash" onClick={() => void (isAsking.value = true)}>{ownerText("owner.delete")}</Button>
        </div>
      </section>
      {isAsking.value
        ? (
          <Ask
            title={texts.deleteTitle}
            action={ownerText("owner.delete")}
            onConfirm={removeAndLeave}
            onClose={() => void (isAsking.value = false)}
          >
            <p>{texts.deleteText}</p>
          </Ask>
        )
        : null}
    </>
  )
  return (
    <>
      {isEditing.value ? edit() : overview()}
      {/* What is written there stays while something else is changed. */}
      <div hidden={isEditing.value}>{children}</div>
    </>
  )
}
