/** A page at an address whose calls the server refuses. */
export interface UnlistedAddress {
  readonly here: string;
  /** The addresses of `http.origins`, that of `http.publicURL` first. */
  readonly listed: readonly string[];
}

/** `listed` is what the server wrote into the page; null when this page may call it, and when nothing was written. */
export function unlistedAddress(listed: string, here: string): UnlistedAddress | null {
  const origins = listed.split(" ").filter((origin) => origin.includes("://"));
  if (origins.length === 0 || origins.some((origin) => origin.toLowerCase() === here.toLowerCase())) return null;
  return { here, listed: origins };
}

const written = () => document.querySelector<HTMLMetaElement>('meta[name="rollcall-origins"]')?.content ?? "";

let known: UnlistedAddress | null | undefined;

/** Where this page was opened, if that is none of the configured addresses. */
export function wrongAddress(): UnlistedAddress | null {
  known ??= unlistedAddress(written(), location.origin);
  return known;
}

/** Whether the server wrote into the page that the browser sent no session. */
export const cameWithoutSession = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="rollcall-session"]')?.content === "none";
