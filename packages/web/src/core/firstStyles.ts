/**
 * Applies the first style sheet. It is loaded for no medium, so that the outline of the page does not wait for it, and
 * stands in front of all others, which override it.
 */
export async function applyFirstStyles(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>("link[data-first]");
  if (link === null) return;
  link.media = "all";
  if (link.sheet !== null) return;
  // Another element in its place: the one that is there may have failed before somebody listened.
  const again = link.cloneNode() as HTMLLinkElement;
  const ended = new Promise((resolve) => {
    for (const end of ["load", "error"]) again.addEventListener(end, resolve, { once: true });
  });
  link.replaceWith(again);
  await ended;
}
