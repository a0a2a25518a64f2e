/** When what had the focus has gone, something else gets it: from the top of the page the keyboard would have a long way. */
export const keepFocus = (selector: string): void => {
  requestAnimationFrame(() => {
    if (document.activeElement !== null && document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(selector)?.focus()
  })
}
