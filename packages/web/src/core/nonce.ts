/** The nonce of this page for style elements, put into the page by the server. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
}

declare global {
  // The name under which the scroll lock of dialogs looks for a nonce.
  var __webpack_nonce__: string | undefined;
}

export function giveNonceToLibraries(): void {
  globalThis.__webpack_nonce__ = styleNonce();
}
